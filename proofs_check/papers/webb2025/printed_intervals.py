"""Table 2: uncertainty intervals for √ at γ = 0.5 and for log at γ = 0.1."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import chain

from establish import Outcome, Verdict, claim, exact, holds, misprint, solver, symbolic
from establish.proofs_check.engine.methods.enclosure import digits
from establish.proofs_check.engine.statements import Below, Comparison, Equal, Printed, Real
from establish.proofs_check.papers.webb2025.intervals import end, shown
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.neighbor_functions.functions import NeighborFunction, logarithm, root
from establish.spec.neighbor_functions.intervals import (
    rational_root_interval,
    relative_length,
    root_length,
    uncertainty_interval,
)

HALF, TENTH = Fraction(1, 2), Fraction(1, 10)

PRINTED: dict[int, tuple[str, str, str, str]] = {
    3: ("1.5", "5.0", "2.7", "3.3"),
    36: ("30.2", "42.2", "32.6", "39.8"),
    360: ("341.3", "379.2", "325.7", "397.9"),
    36000: ("35810.5", "36190.0", "32574.1", "39786.2"),
}
"""The ends of √ and of log in each row, separators of thousands left out, 39.786.2 read as 39,786.2."""


def _printed_end(psi: Callable[[], NeighborFunction], x: int, which: int, digits: str) -> Comparison:
    """One end of the interval around x rounds to the printed digits."""
    if psi is root and x == 36:  # its ends are rational, and halfway between two decimals
        return Printed(lambda c: c.number(rational_root_interval(x, HALF)[which]), digits)
    gamma = HALF if psi is root else TENTH
    return Printed(lambda c: uncertainty_interval(psi(), x, gamma, c)[which], digits)


def row(x: int, printed: Sequence[str]) -> tuple[Comparison, ...]:
    """The four ends of a row."""
    ends = ((root, 0), (root, 1), (logarithm, 0), (logarithm, 1))
    return tuple(
        _printed_end(psi, x, which, digits) for (psi, which), digits in zip(ends, printed, strict=True)
    )


TABLE_2 = {x: row(x, printed) for x, printed in PRINTED.items()}
"""Table 2 as statements, with 39.786.2 read as 39,786.2."""

ENDS = tuple(chain.from_iterable(TABLE_2.values()))

AS_PRINTED = row(36000, (*PRINTED[36000][:3], "39.786"))
"""Its last row, with 39.786.2 read as the number that it begins with."""


def _values(x: int) -> str:
    roots = ", ".join(shown(end(root(), x, HALF, k)) for k in (0, 1))
    logs = ", ".join(shown(end(logarithm(), x, TENTH, k)) for k in (0, 1))
    return f"√ [{roots}], log [{logs}]"


@claim(
    "webb2025/tab-2-36000",
    where="Section 5.3, Table 2",
    says="; ".join(
        f"around {x:,}: √ [{ends[0]}, {ends[1]}], log [{ends[2]}, {ends[3]}]" for x, ends in PRINTED.items()
    )
    + ", its last end printed 39.786.2.",
    states=(*ENDS[:-4], *AS_PRINTED),
    meant=ENDS,
    tight=ENDS,
)
def every_end_rounds_as_printed_but_for_a_separator() -> Verdict:
    """The ends are x + 1/4 ± √x and x·e^(∓0.1). All four of a row round to the printed decimal. For x = 36
    the ends of √ are 30.25 and 42.25, ties, which are printed as 30.2 and 42.2: rounded half to even.
    36000·e^0.1 = 39786.15…: the first point of the last end is a comma.
    """
    return misprint(
        exact.refuted(AS_PRINTED[3]),
        *map(exact.decided, ENDS),
        reading="39,786.2",
        reading_is=Outcome.HOLDS,
        counterexample="39.786.2 is not a number; 36000·e^0.1 = 39786.15…",
        value="; ".join(f"{x}: {_values(x)}" for x in TABLE_2),
    )


def _shorter(x: int, psi: Callable[[], NeighborFunction]) -> Comparison:
    """The relative length at x is larger under the other ψ."""

    def by(of: Callable[[], NeighborFunction]) -> Callable[[World], Number]:
        return lambda c: relative_length(of(), x, HALF if of is root else TENTH, c)

    return Below(left=by(psi), right=by(logarithm if psi is root else root))


CROSSING = (
    Below(
        Real("γ", above=0),
        Real("r", above=0),
        Real("s", above=lambda c, gamma, r: r),
        left=lambda c, gamma, r, s: root_length(s, gamma, c) / (s * s),
        right=lambda c, gamma, r, s: root_length(r, gamma, c) / (r * r),
    ),
    Equal(
        Real("γ", above=0),
        Real("x", above=0),
        left=lambda c, gamma, x: (
            logarithm().inverse(c.log(x) + gamma, c) - logarithm().inverse(c.log(x) - gamma, c)
        ),
        right=lambda c, gamma, x: (c.exp(gamma) - c.exp(-gamma)) * x,
    ),
    _shorter(99, logarithm),
    _shorter(100, root),
)
"""The relative length decreases for √, is constant for log, and they cross between 99 and 100."""


@claim(
    "webb2025/sec5.3-crossover",
    where="Section 5.3, last sentence, with Table 2",
    says="Against ψ = log (γ = 0.1), ψ = √ with γ = 0.5 increases the relative error of smaller "
    "establishments and decreases that of larger ones.",
    states=CROSSING,
)
def relative_lengths_cross_once() -> Verdict:
    """The relative length is 2·sinh 0.1 = 0.2003 at every size for log, and 2/√x for √ (x ≥ 1/4; more below),
    which decreases. They are equal at x = 1/sinh² 0.1 = 99.67: √ is the wider one up to 99 employees, as
    for 3 and 36 in Table 2, and the narrower one from 100, as for 360 and 36,000.
    """

    def by_log(c: World) -> Number:
        return relative_length(logarithm(), 1, TENTH, c)

    with enclosing():
        meet = digits(4 / by_log(ARB) ** 2)
    falls, constant, *ends = CROSSING
    return holds(
        solver.proves(falls),
        symbolic.proves(constant),
        *map(exact.decided, ends),
        value=f"smaller means x < {meet}",
    )
