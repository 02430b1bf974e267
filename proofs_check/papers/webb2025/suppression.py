"""Appendix E: which suppressed cells of Table 10 can be computed from the others."""

from collections.abc import Sequence
from fractions import Fraction

import sympy

from establish import Evidence, Verdict, claim, exact, exhaustive, fails, holds, ill_posed, solver, symbolic
from establish.proofs_check.engine.statements import Condition, Equal, Every, Real, given
from establish.proofs_check.engine.verdicts import aside
from establish.spec.arithmetic import Number
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


_B, _C, _G, _F, _A = (Real(name) for name in "BCGFA")


def _total(b: Number, c: Number, g: Number, f: Number, a: Number) -> Number:
    return b + c + g + f + a


BY_COUNTY = Equal(
    *(_B, _C, _G, _F, _A),
    left=lambda w, b, c, g, f, a: _total(b, c, g, f, a) - (c + g) - (f + a),
    right=lambda w, b, c, g, f, a: b,
)
BY_SECTOR = Equal(
    *(_B, _C, _G, _F, _A),
    left=lambda w, b, c, g, f, a: _total(b, c, g, f, a) - (c + f) - (a + g),
    right=lambda w, b, c, g, f, a: b,
)
"""The total minus the counties Y and Z, or minus the sectors 23 and 11, is 𝔹."""


PUBLISHED = tuple(cell for cell in CELLS if cell not in SUPPRESSED)

NOT_COMPUTED = Every(
    "establishment",
    lambda: WAGES,
    lambda name: name not in formulas(SUMS, list(PUBLISHED)),
    wrong=lambda name: name not in formulas(SUMS, ["total", "County Y", "County Z"]),
)
"""An outsider computes no establishment from what is left."""


@claim(
    "webb2025/appE-recover",
    where="Table 10, caption, and Appendix E",
    says="Secondary suppression is needed: total minus counties Y and Z, or total minus sectors 23 and 11, "
    "recovers 𝔹. With the total and County Y suppressed as well no establishment follows from what remains.",
    states=(BY_COUNTY, BY_SECTOR, NOT_COMPUTED),
)
def total_recovers_the_suppressed_cells() -> Verdict:
    """(B+C+G+F+A) − (C+G) − (F+A) = B, and the same with C+F and A+G. Without the total it is not so."""
    return holds(
        symbolic.proves(BY_COUNTY),
        symbolic.proves(BY_SECTOR),
        exhaustive.each(NOT_COMPUTED, "the five establishments of Table 10"),
    )


_FOUR = tuple(Real(name, least=0) for name in "CGFA")
_OTHER = tuple(Real(f"{name}'", least=0) for name in "CGFA")


def _same(first: int, second: int) -> Condition:
    """Both solutions have the same sum of two establishments."""
    return given(lambda w, *v: v[first] + v[second], "==", lambda w, *v: v[4 + first] + v[4 + second])


ONE_SOLUTION = tuple(
    Equal(
        *(*_FOUR, *_OTHER),
        left=lambda w, *v, place=place: v[place],
        right=lambda w, *v, place=place: v[4 + place],
        given=[_same(0, 1), _same(2, 3), _same(0, 2), _same(3, 1)],
    )
    for place in range(4)
)
"""The cells C + G, F + A, C + F and A + G leave one value for each establishment."""

DEPENDENT = Equal(
    *_FOUR, left=lambda w, c, g, f, a: (c + g) + (f + a), right=lambda w, c, g, f, a: (c + f) + (a + g)
)
THREE_INDEPENDENT = Equal(
    *(Real("u"), Real("v"), Real("w")),
    left=lambda c, u, v, w: u * u + v * v + w * w,
    right=0,
    given=[
        given(lambda c, u, v, w: u + w, "==", 0),
        given(lambda c, u, v, w: u, "==", 0),
        given(lambda c, u, v, w: v + w, "==", 0),
        given(lambda c, u, v, w: v, "==", 0),
    ],
)
POINTS = dict(zip("CGFA", (1, 1, 1, 1), strict=True)) | dict(
    zip(("C'", "G'", "F'", "A'"), (2, 0, 0, 2), strict=True)
)
"""The fourth cell follows from the others; of these no combination u, v, w vanishes in C, G, F and A."""


@claim(
    "webb2025/appE-rank",
    where="Appendix E",
    says="The cells of counties Y, Z and sectors 23, 11 are 4 equations in 4 unknowns, hence "
    "uniquely solvable.",
    states=ONE_SOLUTION,
    tight=(DEPENDENT, THREE_INDEPENDENT),
)
def four_equations_have_rank_three() -> Verdict:
    """(C+G) + (F+A) = (C+F) + (A+G): the equations depend on each other, rank 3. Adding t to C and A and
    subtracting it from G and F changes none of them, so no single establishment is determined.
    """
    cells = ["County Y", "County Z", "Sector 23", "Sector 11"]
    system = sympy.Matrix([[int(name in CELLS[cell]) for name in WAGES] for cell in cells])
    return fails(
        *(exact.refuted(one, **POINTS) for one in ONE_SOLUTION),
        symbolic.proves(DEPENDENT),
        solver.proves(THREE_INDEPENDENT),
        exact.compare(int(system.rank()), "<", 4, "rank, unknowns"),
        *(_answers(name, cells, False, f"{name} from the four cells") for name in "CGFA"),
        counterexample="(ℂ, 𝔾, 𝔽, 𝔸) = (1, 1, 1, 1) and (2, 0, 0, 2): all four cells are 2",
        value="rank 3",
    )


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
    return fails(
        exact.refuted(HALF_OF_THE_CELLS),
        exact.decided(FOUR_OF_SEVEN),
        counterexample="7 cells, of which County X, Sector 52, the total and County Y are suppressed",
        value=str(share),
        condition="50% of the six cells by county and by sector",
    )


NOT_SENSITIVE = Every(
    "published cell", lambda: PUBLISHED, lambda cell: not p_percent_sensitive([1] * len(CELLS[cell]), 1)
)


@claim(
    "webb2025/appE-safe",
    where="Appendix E",
    says="When the total and County Y are suppressed as well, what remains, County Z and sectors 23 and 11, "
    "does not reconstruct sensitive values.",
    states=NOT_SENSITIVE,
    meant=NOT_COMPUTED,
    origin="implied",
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
        exact.refuted(NOT_SENSITIVE, case="County Z"),
        exhaustive.each(NOT_COMPUTED, "the five establishments of Table 10"),
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
        aside(_answers("B", [*published, "County Y"], False, "𝔹 with County Y published after all")),
        counterexample="County Z − 𝔽 = 𝔸 for the owner of 𝔽; County Y = Sector 23 + Sector 11 − County Z",
        condition="the values of single establishments are sensitive, and the attacker does not own one",
    )
