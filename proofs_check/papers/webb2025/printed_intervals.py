"""Table 2: uncertainty intervals for √ at γ = 0.5 and for log at γ = 0.1."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from establish.proofs_check.engine.methods import enclosure, exact
from establish.proofs_check.engine.methods.enclosure import Constant, digits
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Evidence, Outcome, Verdict, holds, misprint
from establish.proofs_check.papers.webb2025.interval_lengths import log_length, root_lengths
from establish.proofs_check.papers.webb2025.intervals import end, rounds_to, shown
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.neighbor_functions.functions import logarithm, root
from establish.spec.neighbor_functions.intervals import rational_root_interval, relative_length

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)

PRINTED: dict[int, tuple[str, str, str, str]] = {
    3: ("1.5", "5.0", "2.7", "3.3"),
    36: ("30.2", "42.2", "32.6", "39.8"),
    360: ("341.3", "379.2", "325.7", "397.9"),
    36000: ("35810.5", "36190.0", "32574.1", "39786.2"),
}
"""The ends of √ and of log in each row, separators of thousands left out, 39.786.2 read as 39,786.2."""


def _root_ends(x: int) -> list[Evidence]:
    printed = [Fraction(number) for number in PRINTED[x][:2]]
    if x != 36:
        return [
            piece
            for k in (0, 1)
            for piece in rounds_to(end(root(), x, HALF, k), printed[k], TENTH, f"√, end {k}")
        ]
    ends = rational_root_interval(x, HALF)
    return [
        exact.compare(abs(ends[k] - printed[k]), "<=", TENTH / 2, f"√, end {k}: a tie")
        for k in (0, 1)
    ]


def _log_ends(x: int) -> list[Evidence]:
    return [
        piece
        for k in (0, 1)
        for piece in rounds_to(
            end(logarithm(), x, TENTH, k), Fraction(PRINTED[x][2 + k]), TENTH, f"log, end {k}"
        )
    ]


def _values(x: int) -> str:
    roots = ", ".join(shown(end(root(), x, HALF, k)) for k in (0, 1))
    logs = ", ".join(shown(end(logarithm(), x, TENTH, k)) for k in (0, 1))
    return f"√ [{roots}], log [{logs}]"


def row_rounds_as_printed(x: int) -> Verdict:
    """The ends are x + 1/4 ± √x and x·e^(∓0.1). All four round to the printed decimal. For x = 36 the ends
    of √ are 30.25 and 42.25, ties, which are printed as 30.2 and 42.2: rounded half to even.
    """
    return holds(*_root_ends(x), *_log_ends(x), value=_values(x))


for size in (3, 36, 360):
    claim(
        f"webb2025/tab-2-{size}",
        where="Section 5.3, Table 2",
        says=f"Around {size}: √ [{PRINTED[size][0]}, {PRINTED[size][1]}], "
        f"log [{PRINTED[size][2]}, {PRINTED[size][3]}].",
    )(partial(row_rounds_as_printed, size))


@claim(
    "webb2025/tab-2-36000",
    where="Section 5.3, Table 2",
    says="Around 36,000: √ [35,810.5, 36,190.0], log [32,574.1, 39.786.2].",
)
def separator_is_printed_as_a_point() -> Verdict:
    """36000·e^0.1 = 39786.15…: the first point of the upper end is a comma. The others round as printed."""
    return misprint(
        exact.compare("39.786.2".count("."), ">", 1, "decimal points in the printed number"),
        *_root_ends(36000),
        *_log_ends(36000),
        reading="39,786.2",
        reading_is=Outcome.HOLDS,
        counterexample="39.786.2 is no number; 36000·e^0.1 = 39786.15…",
        value=_values(36000),
    )


@claim(
    "webb2025/sec5.3-crossover",
    where="Section 5.3, last sentence, with Table 2",
    says="Against ψ = log (γ = 0.1), ψ = √ with γ = 0.5 increases the relative error of smaller "
    "establishments and decreases that of larger ones.",
)
def relative_lengths_cross_once() -> Verdict:
    """The relative length is 2·sinh 0.1 = 0.2003 at every size for log, and 2/√x for √ (x ≥ 1/4; more below),
    which decreases. They are equal at x = 1/sinh² 0.1 = 99.67: √ is the wider one up to 99 employees, as
    for 3 and 36 in Table 2, and the narrower one from 100, as for 360 and 36,000.
    """

    def by_log(c: World) -> Number:
        return relative_length(logarithm(), 1, TENTH, c)

    def by_root(x: int) -> Constant:
        return lambda c: relative_length(root(), x, HALF, c)

    with enclosing():
        meet = digits(4 / by_log(ARB) ** 2)
    return holds(
        *root_lengths(),
        log_length(),
        enclosure.compare(by_root(99), ">", by_log, "relative length at 99, √ against log"),
        enclosure.compare(by_root(100), "<", by_log, "relative length at 100, √ against log"),
        value=f"smaller means x < {meet}",
    )
