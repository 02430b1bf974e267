"""Appendix E: which suppressed cells of Table 10 can be computed from the others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy

from establish.proofs_check.engine.methods import exact
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Equal
from establish.proofs_check.engine.verdicts import Evidence, Verdict, aside, fails, holds, ill_posed
from establish.spec.disclosure_limitation.p_percent import p_percent_sensitive
from establish.spec.disclosure_limitation.suppression import formulas

WAGES = ("B", "C", "G", "F", "A")
"""The five establishments, as in Table 10."""

CELLS: dict[str, str] = {
    "total": "BCGFA",
    "County X": "B",
    "County Y": "CG",
    "County Z": "FA",
    "Sector 52": "B",
    "Sector 23": "CF",
    "Sector 11": "AG",
}
"""The establishments that each cell of Table 10 adds up."""

SUPPRESSED = ("County X", "Sector 52", "total", "County Y")
"""The cells that the example suppresses, two primarily and two secondarily."""


SUMS = list(CELLS.items())
"""The same as sums of cells; an establishment is a cell that nobody publishes."""


def recoverable(target: str, published: Sequence[str]) -> bool:
    """Whether a cell or establishment is a linear combination of the published cells, exactly."""
    return target in published or target in formulas(SUMS, published)


def _answers(target: str, published: list[str], expected: bool, says: str) -> Evidence:
    return exact.compare(int(recoverable(target, published)), "==", int(expected), says)


@claim(
    "webb2025/appE-recover",
    where="Appendix E",
    says="Total minus counties Y and Z, or total minus sectors 23 and 11, recovers 𝔹.",
)
def total_recovers_the_suppressed_cells() -> Verdict:
    """(B+C+G+F+A) − (C+G) − (F+A) = B, and the same with C+F and A+G. Without the total it is not so."""
    counties, sectors = ["County Y", "County Z"], ["Sector 23", "Sector 11"]
    return holds(
        _answers("B", ["total", *counties], True, "𝔹 from the total and the counties"),
        _answers("B", ["total", *sectors], True, "𝔹 from the total and the sectors"),
        aside(_answers("B", counties + sectors, False, "𝔹 without the total")),
    )


@claim(
    "webb2025/appE-rank",
    where="Appendix E",
    says="The cells of counties Y, Z and sectors 23, 11 are 4 equations in 4 unknowns, hence "
    "uniquely solvable.",
)
def four_equations_have_rank_three() -> Verdict:
    """(C+G) + (F+A) = (C+F) + (A+G): the equations depend on each other, rank 3. Adding t to C and A and
    subtracting it from G and F changes none of them, so no single establishment is determined.
    """
    cells = ["County Y", "County Z", "Sector 23", "Sector 11"]
    system = sympy.Matrix([[int(name in CELLS[cell]) for name in WAGES] for cell in cells])
    one, other = ({**dict.fromkeys("BCGFA", v), **change} for v, change in _two_solutions())
    return fails(
        exact.compare(int(system.rank()), "<", 4, "rank, unknowns"),
        *(
            exact.compare(
                sum(one[name] for name in CELLS[cell]),
                "==",
                sum(other[name] for name in CELLS[cell]),
                f"{cell} for both solutions",
            )
            for cell in cells
        ),
        *(_answers(name, cells, False, f"{name} from the four cells") for name in "CGFA"),
        counterexample="(ℂ, 𝔾, 𝔽, 𝔸) = (1, 1, 1, 1) and (2, 0, 0, 2): all four cells are 2",
        value="rank 3",
    )


def _two_solutions() -> list[tuple[int, dict[str, int]]]:
    return [(1, {}), (1, {"C": 2, "G": 0, "F": 0, "A": 2})]


HALF_OF_THE_CELLS = Equal(
    left=lambda c: c.number(Fraction(len(SUPPRESSED), len(CELLS))), right=Fraction(1, 2)
)
FOUR_OF_SEVEN = Equal(left=HALF_OF_THE_CELLS.left, right=Fraction(4, 7))


@claim(
    "webb2025/appE-50",
    where="Appendix E",
    says="In the example 50% of the cells end up suppressed.",
    states=HALF_OF_THE_CELLS,
    tight=FOUR_OF_SEVEN,
)
def four_of_seven_cells_are_suppressed() -> Verdict:
    """The three marginals of Table 10 have 1 + 3 + 3 = 7 cells. Suppressed are County X, Sector 52, the total
    and County Y: 4 of 7, or 57%. Without the total, 3 of 6 are suppressed.
    """
    share = Fraction(len(SUPPRESSED), len(CELLS))
    inner = [cell for cell in CELLS if cell != "total"]
    return fails(
        exact.refuted(HALF_OF_THE_CELLS),
        exact.decided(FOUR_OF_SEVEN),
        aside(
            exact.compare(
                Fraction(sum(cell in SUPPRESSED for cell in inner), len(inner)),
                "==",
                Fraction(1, 2),
                "share of the cells by county and by sector",
            )
        ),
        counterexample="7 cells, of which County X, Sector 52, the total and County Y are suppressed",
        value=str(share),
        condition="50% of the six cells by county and by sector",
    )


@claim(
    "webb2025/appE-safe",
    where="Appendix E",
    says="When the total and County Y are suppressed as well, what remains, County Z and sectors 23 and 11, "
    "does not reconstruct sensitive values.",
)
def remaining_cells_are_sensitive_themselves() -> Verdict:
    """Read as the example reads it, with single establishments as the sensitive values, this is true: an
    outsider cannot compute any of the five from the three cells. By the p% rule of Section 2.2 it is false:
    each cell adds up two establishments, so total minus the two largest is 0 < p% of the largest, and all
    three are sensitive; Isaac subtracts 𝔽 from County Z and has 𝔸. And suppressing County Y achieves
    nothing: it is Sector 23 + Sector 11 − County Z. Suppressing the total alone hides 𝔹 as well.
    """
    published = [cell for cell in CELLS if cell not in SUPPRESSED]
    return ill_posed(
        *(
            exact.compare(
                int(p_percent_sensitive([1] * len(CELLS[cell]), 1)),
                "==",
                1,
                f"{cell}, with wages of 1, is sensitive at p = 1",
            )
            for cell in published
        ),
        _answers("A", [*published, "F"], True, "𝔸 for the owner of 𝔽"),
        _answers("County Y", published, True, "County Y from the published cells"),
        exact.compare(
            sum(recoverable(name, published) for name in WAGES),
            "==",
            0,
            "establishments that an outsider can compute",
        ),
        aside(
            _answers("B", [*published, "County Y"], False, "𝔹 with County Y published after all")
        ),
        counterexample="County Z − 𝔽 = 𝔸 for the owner of 𝔽; County Y = Sector 23 + Sector 11 − County Z",
        condition="sensitive are the values of single establishments, and the attacker is none of them",
    )
