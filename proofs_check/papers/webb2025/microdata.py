"""Appendix A.4, Algorithm 7: establishments from county × NAICS-6 cells, and the law of their shares."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import sympy
import z3

from establish.proofs_check.engine.methods import enclosure, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.methods.enclosure import digits
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import (
    AtMost,
    Below,
    Compares,
    Equal,
    Every,
    Moment,
    Real,
)
from establish.proofs_check.engine.verdicts import Verdict, aside, holds, holds_loosely, ill_posed
from establish.proofs_check.papers.webb2025.least_squares import (
    MEAN_OF_COMPONENT,
    SECOND_OF_COMPONENT,
    gamma_moment,
)
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.distributions.gamma import Gamma
from establish.spec.synthetic.divider import divided_as_published, shares, variance_share
from establish.spec.synthetic.microdata import (
    SCALE,
    SHAPE,
    Draws,
    Totals,
    establishments,
    keys_as_published,
)

F = Fraction
CELLS = "1 to 3 establishments, draws 0…1, totals 0…3 (month 2 one more), offsets 0 and 1/2"


KEYS = Every(
    "numbers of establishments by cell",
    lambda: (counts for size in range(4) for counts in product(range(4), repeat=size)),
    lambda counts: (
        [key for cell in keys_as_published(counts) for key in cell]
        == list(range(1, sum(counts) + 1))
    ),
)
"""The keys are 1, 2, …, up to the number of establishments."""


@claim(
    "webb2025/alg-7-keys",
    where="Appendix A.4, Algorithm 7, lines 3, 12 and 14",
    says="primary_key identifies each establishment.",
    states=KEYS,
)
def keys_count_from_one() -> Verdict:
    """Before each cell n is the number of establishments so far; the cell's keys are n + 1, …, n + d."""

    return holds(exhaustive.each(KEYS, "up to 3 cells of 0…3 establishments"))


def _cells() -> Iterator[tuple[Totals, Draws]]:
    for d in (1, 2, 3):
        for g, total, half in product(product((F(0), F(1)), repeat=d), range(4), (F(0), F(1, 2))):
            cell = Totals(d, total, total + 1, total, 1000 * total)
            noise = tuple(F(j - 1) for j in range(d))
            yield cell, Draws(g, g[::-1], g, noise, (half,) * 4)


def _kept(case: tuple[Totals, Draws]) -> bool:
    cell, draws = case
    rows = establishments(cell, draws)
    sums = [
        sum(getattr(row, name) for row in rows)
        for name in ("month_1", "month_2", "month_3", "wages")
    ]
    values = [value for row in rows for value in vars(row).values()]
    return sums == [cell.month_1, cell.month_2, cell.month_3, cell.wages] and all(
        isinstance(value, int) and value >= 0 for value in values
    )


IN_WHOLE_NUMBERS = Every(
    "case (draws, total)",
    lambda: product(product((1, 2), repeat=2), range(4)),
    lambda case: all(
        part.denominator == 1 for part in divided_as_published([F(g) for g in case[0]], F(case[1]))
    ),
)
KEPT = Every("case (totals, draws)", _cells, _kept)


@claim(
    "webb2025/alg-7-totals",
    where="Appendix A.4, Algorithm 7, lines 5–9",
    says="The establishments' employment and wages are those of their cell.",
    states=IN_WHOLE_NUMBERS,
    meant=KEPT,
)
def totals_are_kept_in_whole_numbers() -> Verdict:
    """Lines 7–9 keep the sums as real numbers, for cells that have an establishment (alg-6-sum). As whole
    numbers they are kept by cumulative rounding, and month 2, which line 13 draws for each
    establishment on its own, by dividing the cell's month 2 with those draws as weights.
    """
    return ill_posed(
        exact.refuted(IN_WHOLE_NUMBERS, case=((1, 1), 3)),
        exhaustive.each(KEPT, CELLS),
        condition="a cell with employment has an establishment, and parts are rounded cumulatively",
        counterexample="3 jobs, 2 establishments, p = (1/2, 1/2): 3/2 jobs each",
    )


STATES = {"01001": "AL", "01003": "AL", "44001": "RI", "44003": "RI"}
"""Counties by their five-digit code (FIPS), with their state: Autauga, Baldwin, Bristol and Kent."""


BY_NUMBER = Every(
    "county number",
    lambda: sorted({code[2:] for code in STATES}),
    lambda number: len({STATES[code] for code in STATES if code[2:] == number}) == 1,
)
BY_CODE = Every(
    "five-digit code",
    lambda: sorted(STATES),
    lambda code: len({STATES[c] for c in STATES if c[:2] == code[:2]}) == 1,
)
"""The number, or the first two digits of the code, give one state."""


@claim(
    "webb2025/alg-7-state",
    where="Appendix A.4, Algorithm 7, line 17, against Table 4",
    says="state can be extracted from cnty, a numeric value that is numbered within each state.",
    states=BY_NUMBER,
    meant=BY_CODE,
)
def county_numbers_repeat() -> Verdict:
    """Numbered within each state, county 1 is in nearly every state: no function of cnty gives the state. The
    five-digit code, state and county number together, does: its first two digits.
    """
    return ill_posed(
        exact.refuted(BY_NUMBER, case="001"),
        exhaustive.each(BY_CODE, "four counties of Alabama and Rhode Island"),
        condition="cnty is the five-digit code of state and county",
        counterexample="cnty 1: 01001 lies in Alabama, 44001 in Rhode Island",
    )


K, THETA, D = sympy.symbols("k theta d", positive=True)


def _variance_of_mean_shares() -> sympy.Expr:
    """Var W_j, W = a/Σa with d independent a_j ~ Gamma(k, θ), from moments: W is independent of Σa."""
    first, second = (
        gamma_moment(p, K, 1 / THETA) / gamma_moment(p, D * K, 1 / THETA) for p in (1, 2)
    )
    return sympy.gammasimp(second - first**2)


def _within_over_between() -> sympy.Expr:
    """E[W(1 − W)]/Var W for the mean share W of one of d establishments at shape k."""
    mean, variance = 1 / D, variance_share(K, D * K)
    return (mean - mean**2 - variance) / variance


MOMENTS_OF_SHARE = MEAN_OF_COMPONENT, SECOND_OF_COMPONENT

_D, _K = Real("d", least=2), Real("k", above=0)


def _spread(c: World, d: Number, k: Number) -> Number:
    """Var W of a mean share, W ~ Dirichlet(k, …, k)."""
    return variance_share(k, d * k)


SCALE_CANCELS = Equal(
    Real("θ", above=0),
    *(Real(f"g{i}", above=0) for i in (1, 2, 3)),
    left=lambda c, theta, *g: shares([theta * x for x in g])[0],
    right=lambda c, theta, *g: shares(g)[0],
)
LESS_AT_HIGHER_SHAPE = Below(
    _D,
    _K,
    Real("h", above=lambda c, d, k: k),
    left=lambda c, d, k, h: _spread(c, d, h),
    right=lambda c, d, k, h: _spread(c, d, k),
)
LITTLE_AT_HIGH_SHAPE = Below(_D, _K, left=_spread, right=lambda c, d, k: 1 / k)
"""Whatever the scale, mean shares vary less at a higher shape, and in the end not at all."""

VARIANCE_OF_SHARES = Equal(
    _D,
    _K,
    left=lambda c, d, k: (1 / d) * (1 + k) / (1 + d * k) - (1 / d) * (1 / d),
    right=lambda c, d, k: (d - 1) / (d * d * (d * k + 1)),
)
"""E W² − (E W)² of a mean share, whose moments are MEAN_OF_COMPONENT and SECOND_OF_COMPONENT."""

WITHIN_OVER_BETWEEN = Equal(
    _D,
    _K,
    left=lambda c, d, k: 1 / d - 1 / (d * d) - _spread(c, d, k),
    right=lambda c, d, k: d * k * _spread(c, d, k),
)
"""E[W(1 − W)] is dk times Var W: given the concentration s, a share varies by W(1 − W)/(s + 1) more."""

INVERSE_CONCENTRATION = Moment(
    Real("dk", above=1),
    Real("θ", above=0),
    law=lambda c, shape, theta: Gamma(shape, 1 / theta, c),
    of=lambda c, s: 1 / s,
    closed=lambda c, shape, theta: 1 / (theta * (shape - 1)),
    low=lambda c, shape, theta: c.number(0),
)
"""E 1/s for s ~ Gamma(dk, 1/θ), which is more than E 1/(s + 1)."""

R_IS_SMALL = AtMost(
    Real("dk", least=2),
    Real("θ", above=0),
    left=lambda c, shape, theta: shape * (1 / (theta * (shape - 1))),
    right=lambda c, shape, theta: 2 / theta,
)
"""r = dk·E 1/(s + 1) is at most 2/θ."""

MORE_BETWEEN_ENDS = (
    AtMost(
        Real("s", above=0),
        Real("m", above=0),
        left=lambda c, s, m: 1 / (m + 1) - (s - m) / ((m + 1) * (m + 1)),
        right=lambda c, s, m: 1 / (s + 1),
    ),
    AtMost(Real("s", above=0), left=lambda c, s: 1 / (s + 1), right=lambda c, s: 1 / s),
)
"""1/(s + 1) lies above its tangent at m = E s, whose mean is 1/(m + 1), and below 1/s."""

_SHARES_OF = (
    Real("d", least=2),
    Real(
        "E 1/(s+1)",
        least=lambda c, d: 1 / (SCALE * (d * SHAPE) + c.number(1)),
        most=lambda c, d: 1 / (SCALE * (d * SHAPE - c.number(1))),
    ),
)


def _correlation(c: World, d: Number, inverse: Number) -> Number:
    """Var W/(Var W + E[W(1 − W)]·E 1/(s+1)) at shape 10: of two shares that are alike given s and W."""
    between = _spread(c, d, c.number(SHAPE))
    return between / (between + (1 / d - 1 / (d * d) - between) * inverse)


CORRELATED = (
    AtMost(*_SHARES_OF, left=F(190, 191), right=_correlation),
    AtMost(*_SHARES_OF, left=_correlation, right=F(4001, 4021)),
)


@claim(
    "webb2025/alg-7-scale",
    where="Appendix A.4",
    says="High shape and scale parameters do not produce much variation across the establishments.",
    states=(SCALE_CANCELS, LESS_AT_HIGHER_SHAPE, LITTLE_AT_HIGH_SHAPE, R_IS_SMALL),
    tight=(
        *MOMENTS_OF_SHARE,
        VARIANCE_OF_SHARES,
        WITHIN_OVER_BETWEEN,
        INVERSE_CONCENTRATION,
        R_IS_SMALL,
    ),
)
def a_high_shape_is_enough() -> Verdict:
    """The mean shares W_j = a_j/Σa do not change when every a_j is multiplied by the scale. They are
    Dirichlet(k, …, k): variance (d − 1)/(d²(dk + 1)), which a high shape k makes small and the scale leaves
    alone: with shape 1 they differ as much at scale 200 as at scale 1. A share itself has 1 + r times that
    variance, r between dk/(θdk + 1) and dk/(θ(dk − 1)) (alg-7-alike): a high scale takes r to 0 and no
    more, and a high shape makes the whole small at any scale θ, as r is at most 2/θ where dk ≥ 2.
    """
    g = sympy.symbols("g1:4", positive=True)
    k, h, d, theta = z3.Reals("k h d theta")

    def spread(shape: Number, size: Number) -> Number:
        return variance_share(shape, size * shape)

    return holds_loosely(
        *map(
            solver.proves,
            (
                SCALE_CANCELS,
                LESS_AT_HIGHER_SHAPE,
                LITTLE_AT_HIGH_SHAPE,
                WITHIN_OVER_BETWEEN,
                R_IS_SMALL,
            ),
        ),
        *map(symbolic.integrates, MOMENTS_OF_SHARE),
        solver.proves(VARIANCE_OF_SHARES),
        symbolic.integrates(INVERSE_CONCENTRATION),
        symbolic.identity(
            shares([THETA * x for x in g])[0],
            shares(g)[0],
            "W_1 of three, with and without the scale",
        ),
        symbolic.identity(_variance_of_mean_shares(), spread(K, D), "Var W_j"),
        symbolic.identity(spread(K, D), (D - 1) / (D**2 * (D * K + 1)), "its closed form"),
        symbolic.identity(_within_over_between(), D * K, "E[W(1 − W)]/Var W"),
        solver.for_all(
            [d >= 2, k > 0, h > k],
            (d - 1) / (d**2 * (d * h + 1)) < (d - 1) / (d**2 * (d * k + 1)),
            "a higher shape gives less variation",
        ),
        solver.for_all(
            [d * k >= 2, theta > 0],
            d * k / (theta * (d * k - 1)) <= 2 / theta,
            "r ≤ 2/θ where dk ≥ 2",
        ),
        value="variance (1 + r)(d − 1)/(d²(dk + 1)) of the shares at shape k, 0 < r ≤ 2/scale where dk ≥ 2",
    )


@claim(
    "webb2025/alg-7-alike",
    where="Appendix A.4",
    says="An establishment gets roughly similar proportions of wages and employment, which may still vary.",
    states=CORRELATED,
    tight=(*CORRELATED, *MORE_BETWEEN_ENDS, INVERSE_CONCENTRATION),
    scope="the correlation of two shares that are independent given the concentrations",
)
def shares_are_correlated() -> Verdict:
    """Given a, the two shares are independent with mean W and variance W(1 − W)/(s + 1), s = Σa, and s is
    independent of W. So their correlation is 1/(1 + r), r = E[W(1 − W)]·E[1/(s + 1)]/Var W. As
    1/(E[s] + 1) ≤ E[1/(s + 1)] ≤ E[1/s] = 1/(θ(dk − 1)), r lies between dk/(θdk + 1) and dk/(θ(dk − 1)):
    at k = 10, θ = 200 between 20/4001 and 1/190 for every d ≥ 2.
    """
    n, d = sympy.Symbol("n", positive=True), z3.Real("d")
    low, high = F(2 * SHAPE, 2 * SHAPE * SCALE + 1), F(2 * SHAPE, SCALE * (2 * SHAPE - 1))
    jobs = d * SHAPE
    return holds(
        *map(solver.proves, (*CORRELATED, *MORE_BETWEEN_ENDS)),
        symbolic.integrates(INVERSE_CONCENTRATION),
        symbolic.identity(
            gamma_moment(-1, 1 + n, 1 / THETA),
            1 / (THETA * n),
            "E[1/s] for a sum of shape 1 + n = dk",
        ),
        symbolic.identity(_within_over_between(), D * K, "E[W(1 − W)]/Var W"),
        solver.for_all(
            [d >= 2],
            z3.And(
                jobs * low.denominator >= low.numerator * (SCALE * jobs + 1),
                jobs * high.denominator <= high.numerator * SCALE * (jobs - 1),
            ),
            f"at shape 10 and scale 200, {low} and {high} bound r",
        ),
        value=f"correlation between {1 / (1 + high)} and {1 / (1 + low)} for every d ≥ 2",
    )


def _below(x: Fraction, shape: int = SHAPE, d: int = 10) -> enclosure.Constant:
    """P(W < x) for the mean share W ~ Beta(shape, shape·(d − 1))."""

    def probability(c: World) -> Number:
        return c.beta_share(c.number(x), c.number(shape), c.number(shape * (d - 1)))

    return probability


POSITIVE_PARTS = Every(
    "whole parts",
    lambda: (parts for d in (1, 2, 3, 4) for parts in product(range(4), repeat=d) if sum(parts)),
    lambda parts: 0 not in parts,
)
FORCED_ZEROS = Every(
    "whole parts",
    lambda: (parts for d in (1, 2, 3, 4) for parts in product(range(4), repeat=d)),
    lambda parts: parts.count(0) >= len(parts) - sum(parts),
)
"""At least d − A of d whole parts of A are 0, whatever the law."""

OFTEN_AT_ONE = Compares(left=lambda c: _below(F(1, 10))(c), relation=">", right=F(1, 2))
SELDOM_AT_FIVE = Below(left=lambda c: _below(F(1, 50))(c), right=F(1, 10**4))


@claim(
    "webb2025/alg-7-zero",
    where="Appendix A.4",
    says="The parameters keep values from being so close to zero that they are often rounded down to zero.",
    states=POSITIVE_PARTS,
    meant=SELDOM_AT_FIVE,
    tight=(FORCED_ZEROS, OFTEN_AT_ONE, SELDOM_AT_FIVE),
)
def small_cells_have_zeros_whatever_the_parameters() -> Verdict:
    """d positive whole numbers add up to at least d. So in a cell of A < d jobs at least d − A establishments
    get 0 under any law, and at A = d rounding down leaves a zero unless all parts are exactly 1. The
    parameters matter for larger cells: the mean share W ~ Beta(10, 10(d − 1)).
    """
    a, b, c = z3.Reals("a b c")
    with enclosing():
        one, five = (digits(_below(F(1, 10 * size))(ARB), 6) for size in (1, 5))
    return ill_posed(
        solver.for_all(
            [a >= 1, b >= 1, c >= 1, a + b + c <= 3],
            z3.And(a == 1, b == 1, c == 1),
            "three jobs for three",
        ),
        exact.refuted(POSITIVE_PARTS, case=(0, 1)),
        exhaustive.each(FORCED_ZEROS, "d = 1…4, parts 0…3"),
        exact.decided(OFTEN_AT_ONE),
        exact.decided(SELDOM_AT_FIVE),
        condition="several jobs per establishment",
        counterexample="2 establishments, 1 job: one of them has 0 jobs whatever the shares",
        value=f"at d = 10 a mean share below one job: probability {one} at one job each, {five} at five",
    )


NEAR_ZERO = (
    Compares(left=lambda c: _below(F(1, 100), 1)(c), relation=">", right=F(86, 1000)),
    Below(left=lambda c: _below(F(1, 100))(c), right=F(1, 10**6)),
)
"""P(W < 1%) at d = 10: above 8.6% at shape 1, below a millionth at shape 10."""


@claim(
    "webb2025/alg-7-low-shape",
    where="Appendix A.4",
    says="A low shape value such as 1 results in low and near zero proportions.",
    states=NEAR_ZERO,
)
def low_shape_gives_small_shares() -> Verdict:
    """At d = 10 the mean share is below 1% with probability 1 − (99/100)^9 = 8.6% at shape 1 (W is
    Beta(1, 9), the least of nine uniforms in law), and below 1e-6 at shape 10.
    """
    closed = 1 - F(99, 100) ** 9
    return holds(
        enclosure.compare(
            _below(F(1, 100), 1),
            ">",
            enclosure.rational(closed - F(1, 10**12)),
            "P(W < 1%) at shape 1",
        ),
        enclosure.compare(
            _below(F(1, 100), 1),
            "<",
            enclosure.rational(closed + F(1, 10**12)),
            "P(W < 1%) at shape 1",
        ),
        *map(exact.decided, NEAR_ZERO),
        value=f"{closed}",
    )


_GAMMA = Real("k", above=0), Real("θ", above=0)
CENTRAL_MOMENTS = tuple(
    Moment(
        *_GAMMA,
        law=lambda c, k, theta: Gamma(k, 1 / theta, c),
        of=lambda c, k, theta, x, power=power: c.power(x - k * theta, power),
        closed=closed,
        low=lambda c, k, theta: c.number(0),
        depends=True,
    )
    for power, closed in (
        (2, lambda c, k, theta: k * theta * theta),
        (3, lambda c, k, theta: 2 * k * theta * theta * theta),
    )
)


def _skewness(c: World, k: Number, theta: Number) -> Number:
    """The third central moment over the second to the power 3/2."""
    return 2 * k * theta * theta * theta / c.power(k * theta * theta, F(3, 2))


SKEWNESS = Equal(*_GAMMA, left=_skewness, right=lambda c, k, theta: 2 / c.sqrt(k))
RIGHT_SKEW = Below(*_GAMMA, left=0, right=_skewness)
ADJUSTED = Below(
    *_GAMMA,
    Real("h", above=lambda c, k, theta: k),
    left=lambda c, k, theta, h: _skewness(c, h, theta),
    right=lambda c, k, theta, h: _skewness(c, k, theta),
)
"""It is positive, and the shape adjusts it."""


@claim(
    "webb2025/alg-7-skew",
    where="Appendix A.4",
    says="The Gamma law has a right skew that its shape and scale parameters adjust.",
    states=(*CENTRAL_MOMENTS, RIGHT_SKEW, ADJUSTED),
    tight=(*CENTRAL_MOMENTS, SKEWNESS),
)
def skew_depends_on_the_shape_only() -> Verdict:
    """Skewness 2/√k > 0, 0.632 at k = 10, whatever the scale. It is a mild skew: the chance that a
    concentration exceeds three times its mean is P(Poisson(30) < 10) = e^−30·Σ_{i<10} 30^i/i! < 1e-5, so
    no cell has a dominant establishment. In a cell of two, shares are symmetric: skewness 0.
    """
    m1, m2, m3 = (gamma_moment(p, K, 1 / THETA) for p in (1, 2, 3))
    central = m3 - 3 * m1 * m2 + 2 * m1**3
    skewness = sympy.gammasimp(sympy.simplify(central / (m2 - m1**2) ** sympy.Rational(3, 2)))
    terms = sum(F(30**i, int(sympy.factorial(i))) for i in range(10))
    return holds_loosely(
        *map(symbolic.integrates, CENTRAL_MOMENTS),
        symbolic.proves(SKEWNESS),
        solver.proves(RIGHT_SKEW),
        solver.proves(ADJUSTED),
        symbolic.identity(skewness, 2 / sympy.sqrt(K), "the skewness of Gamma(k, θ)"),
        aside(
            enclosure.compare(
                lambda c: c.exp(c.number(-30)) * c.number(terms),
                "<",
                enclosure.rational(F(1, 10**5)),
                "P(a_j > 3·E a_j) at shape 10",
            )
        ),
        value="skewness 2/√shape, whatever the scale",
    )


TEN = 10
"""Establishments, as in Figure 4."""


def spread_of_mean_share(shape: int) -> Fraction:
    """E[W(1 − W)] for the mean share W ~ Beta(k, (d − 1)k) of one of d = 10 establishments."""
    mean = Fraction(1, TEN)
    return mean - mean**2 - Fraction(variance_share(Fraction(shape), Fraction(TEN * shape)))


def between(shape: int, scale: int) -> tuple[Fraction, Fraction]:
    """Bounds on the mean variance of a share between applications: E[W(1 − W)]·E[1/(s + 1)]."""
    jobs, part = TEN * shape, spread_of_mean_share(shape)
    return part / (scale * jobs + 1), part / (scale * (jobs - 1))


HEAVILY = Every(
    "pair (shape, scale)",
    lambda: ((1, 1), (1, 200)),
    lambda law: between(*law)[1] >= F("0.086") ** 2,
)
HEAVILY_AT_LOW_SCALE = Every(
    "pair (shape, scale)", lambda: ((1, 1),), lambda law: between(*law)[0] >= F("0.086") ** 2
)
"""Ten establishments have shares of 0.1 on average that may vary by 0.086, by the upper bound on the
variance; that they do, by the lower bound, where the scale is 1 as well."""


@claim(
    "webb2025/alg-7-low-shape-varies",
    where="Appendix A.4",
    says="With a low shape value such as 1 the proportions vary heavily across applications of the "
    "Dirichlet Divider.",
    states=HEAVILY,
    meant=HEAVILY_AT_LOW_SCALE,
)
def variation_between_applications_depends_on_the_scale() -> Verdict:
    """The applications share the concentrations a. Given them a share has mean W and variance
    W(1 − W)/(s + 1), s = Σa ~ Gamma(dk, θ) independent of W. As 1/(E s + 1) ≤ E[1/(s + 1)] ≤ E[1/s] =
    1/(θ(dk − 1)), the variance is about E[W(1 − W)]/(θdk): the scale counts as much as the shape. Ten
    establishments at shape 1 have a standard deviation of at least 0.086 at scale 1, beside a mean share of
    0.1, but of at most 0.0068 at the scale 200 of the paper: less than shape 10 has at scale 1.
    """
    n, theta = sympy.symbols("n theta", positive=True)
    s, mean = z3.Reals("s m")
    light = between(1, SCALE)
    return ill_posed(
        symbolic.identity(
            gamma_moment(-1, 1 + n, 1 / theta), 1 / (theta * n), "E[1/s], shape 1 + n = dk"
        ),
        solver.for_all(
            [s >= 0, mean >= 0],
            1 / (s + 1) >= 1 / (mean + 1) - (s - mean) / (mean + 1) ** 2,
            "1/(s + 1) lies above its tangent at the mean, so E[1/(s + 1)] ≥ 1/(E s + 1)",
        ),
        solver.for_all([s > 0], 1 / (s + 1) <= 1 / s, "and E[1/(s + 1)] ≤ E[1/s]"),
        exact.refuted(HEAVILY, case=(1, 200)),
        exhaustive.each(HEAVILY_AT_LOW_SCALE, "shape 1 and scale 1"),
        exact.compare(light[1], "<=", Fraction("0.0068") ** 2, f"shape 1, scale {SCALE}: at most"),
        exact.compare(
            light[1], "<", between(SHAPE, 1)[0], f"shape 1 at scale {SCALE}, shape 10 at scale 1"
        ),
        condition="the scale is low as well: the product of shape, scale and establishments counts",
        counterexample="10 establishments, shape 1, scale 200: standard deviation at most 0.0068 beside a "
        "mean share of 0.1",
        value="standard deviation about √(E[W(1 − W)]/(d·shape·scale))",
    )
