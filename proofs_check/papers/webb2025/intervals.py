"""Definition 5.2 and the numbers and properties of uncertainty intervals in Sections 5.1 to 5.4.2."""

from __future__ import annotations

from fractions import Fraction

import z3

from establish.proofs_check.engine.methods import enclosure, exact, solver
from establish.proofs_check.engine.methods.enclosure import Constant, digits, rational
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Outcome,
    Verdict,
    aside,
    holds,
    misprint,
)
from establish.proofs_check.papers.webb2025.neighbor_functions import grows_beyond_all_bounds
from establish.spec.arithmetic import ARB, World, enclosing
from establish.spec.neighbor_functions.functions import NeighborFunction, logarithm, root
from establish.spec.neighbor_functions.intervals import (
    rational_root_interval,
    uncertainty_interval,
)

TENTH = Fraction(1, 10)


def end(psi: NeighborFunction, y: int, gamma: Fraction, which: int) -> Constant:
    """The lower (0) or upper (1) end of the interval around y, as a formula."""

    def formula(c: World) -> object:
        return uncertainty_interval(psi, y, gamma, c)[which]

    return formula


def shown(constant: Constant) -> str:
    """Its value to 17 certain digits."""
    with enclosing():
        return digits(constant(ARB))


def rounds_to(constant: Constant, printed: Fraction, unit: Fraction, says: str) -> list[Evidence]:
    """An irrational constant lies within half a unit of the printed number."""
    return [
        enclosure.compare(constant, ">", rational(printed - unit / 2), f"{says}, from below"),
        enclosure.compare(constant, "<", rational(printed + unit / 2), f"{says}, from above"),
    ]


@claim(
    "webb2025/def-5.2",
    where="Section 5.1, Definition 5.2",
    says="The interval around y is [ψ⁻¹(max(ψ(0), ψ(x) − γ)), ψ⁻¹(ψ(x) + γ)].",
)
def interval_around_y_is_printed_with_x() -> Verdict:
    """x is no argument of I(y), so the printed ends belong to another interval. With ψ(y) the interval
    contains y, because ψ(y) ≥ ψ(0) and γ ≥ 0, and both ends exist, because ψ is unbounded. (The length is
    printed without its argument as well. For log, ψ(0) is −∞ and the maximum is never active.)
    """
    psi_y, zero, gamma = z3.Reals("psi_y zero gamma")
    around_y, around_x = rational_root_interval(9, 1), rational_root_interval(4, 1)
    return misprint(
        exact.compare(around_x[0], "!=", around_y[0], "ψ = √, γ = 1: L with x = 4, and with y = 9"),
        exact.compare(around_x[1], "!=", around_y[1], "ψ = √, γ = 1: U with x = 4, and with y = 9"),
        solver.for_all(
            [psi_y >= zero, gamma >= 0],
            z3.And(
                z3.If(psi_y - gamma > zero, psi_y - gamma, zero) <= psi_y, psi_y <= psi_y + gamma
            ),
            "the interval with ψ(y) contains y",
        ),
        grows_beyond_all_bounds(),
        reading="ψ(y) in place of ψ(x)",
        reading_is=Outcome.HOLDS,
        counterexample="ψ = √, γ = 1, y = 9: with x = 4 it is [1, 9], with y it is [4, 16]",
    )


@claim(
    "webb2025/sec5.1-iff",
    where="Section 5.1, after Definition 5.2, and Section 5.3",
    says="|ψ(x) − ψ(y)| ≤ γ puts x and y into each other's intervals, and each of the two follows from the "
    "other.",
)
def being_in_the_interval_is_closeness() -> Verdict:
    """ψ is strictly increasing, so y ∈ I(x) reads max(ψ(0), ψ(x)−γ) ≤ ψ(y) ≤ ψ(x)+γ. As ψ(y) ≥ ψ(0)
    anyway, this is |ψ(x) − ψ(y)| ≤ γ, which is symmetric in x and y.
    """
    p, q, zero, gamma = z3.Reals("psi_x psi_y psi_0 gamma")

    def inside(value: z3.ArithRef, center: z3.ArithRef) -> z3.BoolRef:
        low = z3.If(center - gamma > zero, center - gamma, zero)
        return z3.And(low <= value, value <= center + gamma)

    close = z3.And(p - q <= gamma, q - p <= gamma)
    return holds(
        solver.for_all(
            [p >= zero, q >= zero, gamma >= 0],
            z3.And(inside(q, p) == close, inside(p, q) == close),
            "y ∈ I(x), x ∈ I(y) and closeness are the same",
        )
    )


@claim(
    "webb2025/sec5.3-log-10pct",
    where="Section 5.3",
    says="For ψ = log and γ = 0.1 the interval around x is approximately [0.9x, 1.10x].",
)
def ends_agree_to_first_order() -> Verdict:
    """The ends are e^(−0.1)x and e^(0.1)x, 9.5% down and 10.5% up. 1 − γ and 1 + γ leave out γ²/2 = 0.005
    and smaller terms: both printed factors are too small, by less than 0.0052. That is what "approximately"
    has to cover; to two decimals the upper end would be 1.11.
    """
    ends = [end(logarithm(), 1, TENTH, k) for k in (0, 1)]
    factors = Fraction(9, 10), Fraction(11, 10)
    slack = Fraction(52, 10_000)
    return holds(
        *(
            piece
            for found, printed in zip(ends, factors, strict=True)
            for piece in (
                enclosure.compare(found, ">", rational(printed), "the printed factor is too small"),
                enclosure.compare(found, "<", rational(printed + slack), "by less than 0.0052"),
            )
        ),
        aside(
            enclosure.compare(
                ends[1], ">", rational(Fraction(1105, 1000)), "e^0.1 rounds to 1.11, not to 1.10"
            )
        ),
        value=f"[{shown(ends[0])}·x, {shown(ends[1])}·x]",
        condition="approximately: within 0.0052·x, as 1 ± γ to first order",
    )


def whole_numbers_close_to_three(psi: NeighborFunction, gamma: Fraction) -> list[int]:
    """The sizes from 0 to 9 that are close to 3."""
    return [y for y in range(10) if psi.close(3, y, gamma)]


@claim(
    "webb2025/sec5.3-three",
    where="Section 5.3",
    says="For a shop with 3 employees, being between 2.7 and 3.3 is no protection at all.",
)
def three_employees_are_alone_under_log() -> Verdict:
    """3 is the only whole number in [2.71, 3.32], so the number may be released exactly. Under √ with γ = 1/2
    it is hidden among 2, 3 and 4; 5 is not inside, since the end that is printed as 5.0 is 4.98.
    """
    by_root = whole_numbers_close_to_three(root(), Fraction(1, 2))
    return holds(
        *rounds_to(end(logarithm(), 3, TENTH, 0), Fraction(27, 10), TENTH, "the lower end"),
        *rounds_to(end(logarithm(), 3, TENTH, 1), Fraction(33, 10), TENTH, "the upper end"),
        exact.compare(
            len(whole_numbers_close_to_three(logarithm(), TENTH)), "==", 1, "sizes close to 3, log"
        ),
        aside(exact.compare(len(by_root), "==", 3, "sizes close to 3, √")),
        aside(exact.compare(max(by_root), "<", 5, "the largest of them")),
        condition="employment is a whole number",
    )


@claim(
    "webb2025/sec5.3-disney",
    where="Section 5.3",
    says="An uncertainty between ±500 and ±50 about 36,000 employees is a relative error between 0.3% and "
    "2.8%.",
)
def relative_error_is_taken_of_the_whole_width() -> Verdict:
    """500/36000 = 1.4% and 50/36000 = 0.14%. The printed figures are the lengths of the intervals relative
    to 36,000: 1000/36000 = 2.8% and 100/36000 = 0.28%. The 10% of ψ = log, with which they are compared, is
    half a length: its interval has a relative length of 20%.
    """
    percent = Fraction(1, 100)
    slack = Fraction(5, 100) * percent  # half a unit of the last printed digit
    wide, narrow = Fraction(500, 36000), Fraction(50, 36000)
    log = end(logarithm(), 1, TENTH, 1)
    log_low = end(logarithm(), 1, TENTH, 0)
    return misprint(
        exact.compare(wide, "<", Fraction(275, 100) * percent, "500/36000 does not round to 2.8%"),
        exact.compare(narrow, "<", Fraction(25, 100) * percent, "50/36000 does not round to 0.3%"),
        exact.compare(abs(2 * wide - Fraction(28, 1000)), "<=", slack, "1000/36000 rounds to 2.8%"),
        exact.compare(abs(2 * narrow - Fraction(3, 1000)), "<=", slack, "100/36000 rounds to 0.3%"),
        aside(
            enclosure.compare(
                lambda c: log(c) - log_low(c),
                ">",
                rational(Fraction(1, 5)),
                "relative length for log",
            )
        ),
        reading="lengths of the intervals relative to x, to be compared with 20% for log",
        reading_is=Outcome.HOLDS,
        counterexample="500/36000 = 1/72 = 1.39%, 50/36000 = 1/720 = 0.139%",
        value="1/720 to 1/72 as relative error; 1/360 to 1/36 as relative length",
    )


@claim(
    "webb2025/sec5.4.2-20000",
    where="Section 5.4.2",
    says="√ with γ = 100 gives quarterly wages of $20,000 the interval [$1,715.7, $58,284.3].",
)
def interval_of_twenty_thousand_dollars() -> Verdict:
    """(√20000 ± 100)² = 30000 ± 200·√20000 = 30000 ± 20000·√2."""
    low, high = (end(root(), 20_000, Fraction(100), k) for k in (0, 1))
    return holds(
        *rounds_to(low, Fraction(17157, 10), TENTH, "the lower end"),
        *rounds_to(high, Fraction(582843, 10), TENTH, "the upper end"),
        value=f"[{shown(low)}, {shown(high)}]",
    )


@claim(
    "webb2025/sec5.4.2-1m",
    where="Section 5.4.2",
    says="√ with γ = 100 gives quarterly wages of $1,000,000 the interval [$810,000, $1,210,000], a decrease "
    "by $190,000 or an increase by $210,000; changes to one person's wages by $190,000 are inside.",
)
def interval_of_a_million_dollars() -> Verdict:
    """(1000 ± 100)², exactly. A change by 190,000 either way stays inside. (The person of the example
    earns 20,000, so a decrease beyond that cannot be asked for.)
    """
    low, high = rational_root_interval(10**6, 100)
    return holds(
        exact.compare(low, "==", 810_000, "the lower end"),
        exact.compare(high, "==", 1_210_000, "the upper end"),
        exact.compare(10**6 - low, "==", 190_000, "the decrease"),
        exact.compare(high - 10**6, "==", 210_000, "the increase"),
        exact.compare(min(10**6 - low, high - 10**6), "==", 190_000, "either way"),
        value="[810000, 1210000]",
    )
