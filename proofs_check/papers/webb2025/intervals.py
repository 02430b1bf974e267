"""Definition 5.2 and the numbers and properties of uncertainty intervals in Sections 5.1 to 5.4.2."""

from collections.abc import Callable
from fractions import Fraction

from establish import AtMost, Compares, Equal, Outcome, Printed, Real, Verdict, aside, claim, holds, misprint
from establish.proofs_check.engine.methods import enclosure, exact, solver, symbolic
from establish.proofs_check.engine.methods.enclosure import Constant, digits, rational
from establish.proofs_check.engine.rules import any_psi
from establish.proofs_check.engine.statements import Comparison, ComparisonOfPsi, EveryPsi
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.mechanisms.clipped_inverse import clipped_inverse
from establish.spec.neighbor_functions.functions import NeighborFunction, logarithm, root
from establish.spec.neighbor_functions.intervals import rational_root_interval, uncertainty_interval

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


GAMMA = Real("γ", least=0)


def _upper(psi: NeighborFunction, c: World, gamma: Number, x: Number, y: Number) -> Number:
    """The upper end of the interval, with ψ(x)."""
    return psi.inverse(psi.value(x, c) + gamma, c)


def _lower(psi: NeighborFunction, c: World, gamma: Number, x: Number, y: Number) -> Number:
    """The lower end of the interval, with ψ(x)."""
    return clipped_inverse(psi, psi.value(x, c) - gamma, c)


def _member(psi: NeighborFunction, c: World, gamma: Number, x: Number, y: Number) -> Number:
    return y


AROUND_Y_AS_PRINTED = EveryPsi(
    GAMMA, Real("x", least=0), Real("y", least=0), left=_member, relation="<=", right=_upper
)
"""The interval around y contains y, when its ends are printed with ψ(x)."""


def _around(of: Callable[..., Number], word: str, real: bool) -> ComparisonOfPsi:
    """One end of the same with ψ(y)."""
    return EveryPsi(
        GAMMA,
        Real("y", least=0) if real else Real("y", above=0),
        left=lambda psi, c, gamma, y: of(psi, c, gamma, y, y),
        relation=word,
        right=lambda psi, c, gamma, y: y,
        real=real,
    )


AROUND_Y = tuple(
    _around(of, word, real) for real in (True, False) for of, word in ((_lower, "<="), (_upper, ">="))
)


@claim(
    "webb2025/def-5.2",
    where="Section 5.1, Definition 5.2",
    says="The interval around y is [ψ⁻¹(max(ψ(0), ψ(x) − γ)), ψ⁻¹(ψ(x) + γ)].",
    states=AROUND_Y_AS_PRINTED,
    meant=AROUND_Y,
    origin="implied",
)
def interval_around_y_is_printed_with_x() -> Verdict:
    """x is not an argument of I(y), so the printed ends belong to another interval. With ψ(y) the interval
    contains y, because ψ(y) ≥ ψ(0) and γ ≥ 0, and both ends exist, because ψ is unbounded. (The length is
    printed without its argument as well. For log, ψ(0) is −∞ and the maximum is never active.)
    """
    return misprint(
        exact.refuted(AROUND_Y_AS_PRINTED, ψ=root(), γ=1, x=4, y=16),
        *(any_psi(piece, solver.proves(piece.arbitrary)) for piece in AROUND_Y),
        reading="ψ(y) in place of ψ(x)",
        reading_is=Outcome.HOLDS,
        counterexample="ψ = √, γ = 1, y = 16: with x = 4 it is [1, 9], with y it is [9, 25]",
    )


def _apart(psi: NeighborFunction, c: World, gamma: Number, x: Number, y: Number) -> Number:
    return c.absolute(psi.value(x, c) - psi.value(y, c))


def _distance(psi: NeighborFunction, c: World, gamma: Number, x: Number, y: Number) -> Number:
    return gamma


def _equivalent(real: bool) -> tuple[ComparisonOfPsi, ...]:
    """Closeness gives both ends of the interval around x, and they give closeness."""
    low = {"least" if real else "above": 0}
    variables = GAMMA, Real("x", **low), Real("y", **low)
    close = (_apart, "<=", _distance)
    inside = ((_lower, "<=", _member), (_member, "<=", _upper))
    return (
        *(
            EveryPsi(*variables, left=a, relation=word, right=b, given=[close], real=real)
            for a, word, b in inside
        ),
        EveryPsi(*variables, left=_apart, relation="<=", right=_distance, given=inside, real=real),
    )


CLOSENESS = (*_equivalent(True), *_equivalent(False))
"""y ∈ I(x) and |ψ(x) − ψ(y)| ≤ γ follow from each other; the second is symmetric, so x ∈ I(y) as well."""


@claim(
    "webb2025/sec5.1-iff",
    where="Section 5.1, after Definition 5.2, and Section 5.3",
    says="|ψ(x) − ψ(y)| ≤ γ puts x and y into each other's intervals, and each of the two follows from the "
    "other.",
    states=CLOSENESS,
)
def being_in_the_interval_is_closeness() -> Verdict:
    """ψ is strictly increasing, so y ∈ I(x) reads max(ψ(0), ψ(x)−γ) ≤ ψ(y) ≤ ψ(x)+γ. As ψ(y) ≥ ψ(0)
    anyway, this is |ψ(x) − ψ(y)| ≤ γ, which is symmetric in x and y.
    """
    return holds(*(any_psi(piece, solver.proves(piece.arbitrary)) for piece in CLOSENESS))


def _multiple(sign: int, factor: str) -> tuple[Comparison, Comparison]:
    """An end of the interval, for log and γ = 0.1, is a multiple of x, within 1% of x the printed one."""
    psi, step = logarithm(), sign * TENTH
    return (
        Equal(
            Real("x", above=0),
            left=lambda c, x: psi.inverse(psi.value(x, c) + step, c),
            right=lambda c, x: c.exp(c.number(step)) * x,
        ),
        AtMost(
            left=lambda c: c.absolute(c.exp(c.number(step)) - c.number(Fraction(factor))),
            right=Fraction(1, 100),
        ),
    )


MULTIPLES = _multiple(-1, "0.9"), _multiple(1, "1.10")
ABOUT_TEN_PERCENT = tuple(piece for end_of in MULTIPLES for piece in end_of)


@claim(
    "webb2025/sec5.3-log-10pct",
    where="Section 5.3",
    says="For ψ = log and γ = 0.1 the interval around x is approximately [0.9x, 1.10x].",
    states=ABOUT_TEN_PERCENT,
)
def factors_are_about_ten_percent() -> Verdict:
    """The ends are e^(−0.1)x and e^(0.1)x, 9.5% down and 10.5% up. 'Approximately' is read as within
    1% of x: 1.1052 is 1.11 rounded, and 1.10 cut off, or 1 + γ.
    """
    ends = [end(logarithm(), 1, TENTH, k) for k in (0, 1)]
    return holds(
        *(symbolic.proves(multiple) for multiple, _ in MULTIPLES),
        *(exact.decided(about) for _, about in MULTIPLES),
        value=f"[{shown(ends[0])}·x, {shown(ends[1])}·x]",
    )


def _far_from_three(n: int) -> Comparison:
    return Compares(
        left=lambda c: c.absolute(c.log(c.number(n)) - c.log(c.number(3))), relation=">", right=TENTH
    )


THREE = (
    Printed(lambda c: uncertainty_interval(logarithm(), 3, TENTH, c)[0], "2.7"),
    Printed(lambda c: uncertainty_interval(logarithm(), 3, TENTH, c)[1], "3.3"),
    *map(_far_from_three, (2, 4)),
)
"""The ends around 3, and that its neighbors 2 and 4, and so all other whole numbers, are not close to it."""


@claim(
    "webb2025/sec5.3-three",
    where="Section 5.3",
    says="For a shop with 3 employees, being between 2.7 and 3.3 is no protection at all.",
    states=THREE,
)
def three_employees_are_alone_under_log() -> Verdict:
    """3 is the only whole number in [2.71, 3.32], so the number may be released exactly. Under √ with γ = 1/2
    it is hidden among 2, 3 and 4; 5 is not inside, since the end that is printed as 5.0 is 4.98.
    """
    return holds(*map(exact.decided, THREE), condition="employment is a whole number")


def _percent(part: int, digits: str) -> Comparison:
    """``part`` of 36,000 employees in percent, as printed."""
    return Printed(lambda c: c.number(Fraction(100 * part, 36000)), digits)


AS_RELATIVE_ERRORS = _percent(50, "0.3"), _percent(500, "2.8")
AS_RELATIVE_LENGTHS = _percent(100, "0.3"), _percent(1000, "2.8")


@claim(
    "webb2025/sec5.3-disney",
    where="Section 5.3",
    says="An uncertainty between ±500 and ±50 about 36,000 employees is a relative error between 0.3% and "
    "2.8%.",
    states=AS_RELATIVE_ERRORS,
    meant=AS_RELATIVE_LENGTHS,
)
def relative_error_is_taken_of_the_whole_width() -> Verdict:
    """500/36000 = 1.4% and 50/36000 = 0.14%. The printed figures are the lengths of the intervals relative
    to 36,000: 1000/36000 = 2.8% and 100/36000 = 0.28%. The 10% of ψ = log, with which they are compared, is
    half a length: its interval has a relative length of 20%.
    """
    log, log_low = end(logarithm(), 1, TENTH, 1), end(logarithm(), 1, TENTH, 0)
    return misprint(
        *map(exact.refuted, AS_RELATIVE_ERRORS),
        *map(exact.decided, AS_RELATIVE_LENGTHS),
        aside(
            enclosure.compare(
                lambda c: log(c) - log_low(c), ">", rational(Fraction(1, 5)), "relative length for log"
            )
        ),
        reading="lengths of the intervals relative to x, to be compared with 20% for log",
        reading_is=Outcome.HOLDS,
        counterexample="500/36000 = 1/72 = 1.39%, 50/36000 = 1/720 = 0.139%",
        value="1/720 to 1/72 as relative error; 1/360 to 1/36 as relative length",
    )


TWENTY_THOUSAND = (
    Printed(lambda c: uncertainty_interval(root(), 20_000, 100, c)[0], "1715.7"),
    Printed(lambda c: uncertainty_interval(root(), 20_000, 100, c)[1], "58284.3"),
)
A_MILLION = tuple(
    Equal(left=value, right=printed)
    for value, printed in (
        (lambda c: rational_root_interval(10**6, 100)[0], 810_000),
        (lambda c: rational_root_interval(10**6, 100)[1], 1_210_000),
        (lambda c: 10**6 - rational_root_interval(10**6, 100)[0], 190_000),
        (lambda c: rational_root_interval(10**6, 100)[1] - 10**6, 210_000),
    )
)


@claim(
    "webb2025/sec5.4.2-1m",
    where="Section 5.4.2",
    says="√ with γ = 100 gives quarterly wages of $1,000,000 the interval [$810,000, $1,210,000], a decrease "
    "by $190,000 or an increase by $210,000; changes to one person's wages by $190,000 are inside.",
    states=A_MILLION,
    tight=A_MILLION,
)
def interval_of_a_million_dollars() -> Verdict:
    """(1000 ± 100)², exactly. A change by 190,000 either way stays inside. (The person of the example
    earns 20,000, so a decrease beyond that cannot be asked for.)
    """
    return holds(*map(exact.decided, A_MILLION), value="[810000, 1210000]")
