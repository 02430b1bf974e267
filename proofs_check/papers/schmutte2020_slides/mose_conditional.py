"""What "conditional on χ" can mean for MOSE, each reading with its verdict."""

from collections.abc import Iterator
from fractions import Fraction
from math import isinf

import sympy
import z3

from establish import AtMost, Below, Equal, Every, Real, claim, enclosure, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.verdicts import Verdict, aside, fails, holds, ill_posed
from establish.proofs_check.papers.schmutte2020_slides.groups import (
    BENT,
    FLAT,
    FLATTER,
    GRID,
    HALF,
    KINK,
    KINK_MORE,
    are_neighbors,
    fewer_than_three_have_no_finite_sensitivity,
    no_level_suffices,
    tail_log_ratio,
)
from establish.proofs_check.papers.schmutte2020_slides.releases import chi, law, public_scale_loss
from establish.spec.arithmetic import ARB, SYM, enclosing
from establish.spec.distributions import laplace
from establish.spec.mechanisms.laplace import privacy_loss
from establish.spec.regression.local import neighbors
from establish.spec.regression.mose import Groups, Mose, envelope, maximum_observed_sensitivity
from establish.spec.regression.neighbors import AddOrRemovePerson
from establish.spec.regression.ols import predict


def _tails(made: Mose, wide: Groups, narrow: Groups) -> Comparison:
    """ln of P(Y > t)/P'(Y > t) is at most ε = 1 for all t from 1 on."""
    return AtMost(
        Real("t", least=1),
        left=lambda c, t: made.tail_exponent(narrow, 0, t) - made.tail_exponent(wide, 0, t),
        right=1,
    )


SAME_CHI = _tails(Mose(1, HALF, GRID), (KINK,), (KINK_MORE,))
RECOMPUTED = _tails(Mose(1, HALF, GRID, sizes=[3]), (FLATTER,), (FLAT,))
"""The guarantee for two neighbors: with equal χ, and with χ recomputed and public sizes."""

ONE_JOINS = Equal(
    left=lambda c: c.number(int(AddOrRemovePerson(GRID, 1, 4).related((KINK,), (KINK_MORE,)))), right=1
)
AS_RELEASED = tuple(
    Equal(left=left, right=right)
    for group, reciprocal in ((KINK, 3), (KINK_MORE, 4))
    for left, right in (
        (lambda c, d=(group,): c.number(Fraction(maximum_observed_sensitivity(d, HALF, GRID))), 1),
        (lambda c, d=(group,): c.number(Mose(1, HALF, GRID).center(d, 0)), Fraction(1, reciprocal)),
        (lambda c, d=(group,): c.number(Mose(1, HALF, GRID).scale(d, 0)), Fraction(1, reciprocal)),
    )
)
"""Who differ in one person have the same χ; what MOSE releases of both has these centers and scales."""


@claim(
    "schmutte2020_slides/mose-conditional/same-chi",
    where="Slides, Maximum Observed Sensitivity, Properties",
    says="Conditional on χ, read as 'for neighbors that have the same χ', MOSE satisfies the ε-DP guarantee.",
    states=(ONE_JOINS, *AS_RELEASED, SAME_CHI),
)
def own_size_changes_the_scale() -> Verdict:
    """With χ equal N_g still differs by one, and so does the scale: χ/(Nε) against χ/((N+1)ε). Outcomes
    0, 0, 1 at ranks 0, 1/2, 1, and one more at (1/2, 0), both have χ = 1; the predictions are 1/3 and 1/4,
    P(Y > t) = ½·e^(−(3t−1)ε) against ½·e^(−(4t−1)ε), ratio e^(εt). The exact loss is infinite. See
    same-chi/delta for how improbable the outputs are that exceed a level above ε, and same-chi/public-size
    for the repair.
    """
    return fails(
        *map(exact.decided, (ONE_JOINS, *AS_RELEASED)),
        exact.refuted(SAME_CHI, t=2),
        no_level_suffices(),
        aside(fewer_than_three_have_no_finite_sensitivity()),
        counterexample="ε = 1, χ = 1: outcomes 0, 0, 1 at ranks 0, 1/2, 1, and one more at (1/2, 0): "
        "P(Y > t) = ½·e^(1−3t) against ½·e^(1−4t), ratio e^t; at t = 2 it is e² > e",
        value="∞",
        condition="true with a public size in place of N_g",
    )


@claim(
    "schmutte2020_slides/mose-conditional/same-chi/delta",
    where="Slides, Maximum Observed Sensitivity, Properties",
    says="For neighbors that have the same χ the guarantee at a level above ε fails with a small "
    "probability.",
    origin="ours",
)
def same_chi_fails_rarely() -> Verdict:
    """Let N be the smaller size, b = χ/(Nε), b' = χ/((N+1)ε). The change of θ_g is at most χ/(N+1) = b'ε. At
    output x the log ratio is at most |x−θ|·(1/b' − 1/b) + ε + ln(b'/b) = |x−θ|·ε/χ + ε − ln(1+1/N), so that
    it exceeds ε' only if |x−θ|/b > N·(ε' − ε + ln(1+1/N)): probability e^(−N(ε'−ε))·(N/(N+1))^N. In the other
    direction the log ratio is bounded by Nε/(N+1) + ln(1+1/N). So MOSE with the data's own N_g is
    (ε', δ)-indistinguishable on such pairs. At N = 20 and ε' = ε + 1, δ = 7.7...·10⁻¹⁰.
    (Ours; the slides do not state it.)
    """
    n, epsilon, level, top, x = sympy.symbols("N epsilon level chi x", positive=True)
    wide, narrow = top / (n * epsilon), top / ((n + 1) * epsilon)
    reach = n * (level - epsilon + sympy.log(1 + 1 / n))
    a, b, y, u, v, far = z3.Reals("a b y u v far")

    def distance(p: z3.ArithRef, q: z3.ArithRef) -> z3.ArithRef:
        return z3.If(p >= q, p - q, q - p)

    def delta(n: int, above: int) -> enclosure.Constant:
        return lambda c: c.exp(c.number(-n * above)) * c.power(c.number(Fraction(n, n + 1)), n)

    with enclosing():
        shown = enclosure.digits(delta(20, 1)(ARB), 15)
    return holds(
        solver.for_all(
            [u > 0, v > u, distance(a, b) <= far],
            z3.And(
                distance(y, b) * v - distance(y, a) * u <= distance(y, a) * (v - u) + far * v,
                distance(y, a) * u - distance(y, b) * v <= far * u,
            ),
            "with u = 1/b < v = 1/b': log ratios of the exponents, both directions",
        ),
        symbolic.identity(1 / narrow - 1 / wide, epsilon / top, "1/b' − 1/b"),
        symbolic.identity(top / (n + 1) / narrow, epsilon, "the largest change over b'"),
        symbolic.identity(
            reach * wide * epsilon / top + epsilon - sympy.log(1 + 1 / n),
            level,
            "the log ratio at |x−θ| = N·(ε' − ε + ln(1+1/N))·b",
        ),
        symbolic.identity(
            2 * laplace.cdf(-x, 0, 1, SYM), sympy.exp(-x), "P(|noise| > x·b) for the wider noise"
        ),
        symbolic.identity(
            sympy.exp(-reach), sympy.exp(-n * (level - epsilon)) * (n / (n + 1)) ** n, "e^(−reach)"
        ),
        enclosure.compare(delta(20, 1), "<", lambda c: c.number(Fraction(1, 10**9)), "N = 20, ε' = ε + 1: δ"),
        value="(ε', δ) with δ = (N/(N+1))^N·e^(−N(ε'−ε)), ε' ≥ ε + ln(1+1/N)",
        condition=f"N the smaller size; δ = {shown} at N = 20, ε' = ε + 1",
    )


COVERED_BY_CHI = AtMost(
    Real("χ", above=0),
    Real("ε", above=0),
    Real("N", above=0),
    Real("n", above=0, most=lambda c, chi, epsilon, size: size),
    Real("change", least=0, most=lambda c, chi, epsilon, size, public: chi / size),
    left=lambda c, chi, epsilon, size, public, change: privacy_loss(change, chi / public / epsilon),
    right=lambda c, chi, epsilon, *_: epsilon,
)
"""A change of at most χ/N costs at most ε at the scale χ/(nε), n ≤ N."""


def _bound(d: Groups) -> Fraction | None:
    """χ of a dataset of one group, None where it is not finite or there is no regression."""
    if predict(d[0], HALF) is None or isinf(top := maximum_observed_sensitivity(d, HALF, GRID)):
        return None
    return Fraction(top)


def _changes_within_chi(pair: tuple[Groups, Groups]) -> bool:
    """Whether the prediction changes by at most χ/max(N, N')."""
    d, other = pair
    mose = Mose(1, HALF, GRID)
    change = abs(mose.center(other, 0) - mose.center(d, 0))
    return change <= envelope(_bound(d) or Fraction(0), max(len(d[0]), len(other[0])))


def _same_chi() -> Iterator[tuple[Groups, Groups]]:
    """Neighbors with the same finite χ, of one group of three people."""
    for d in AddOrRemovePerson(GRID, 1, 3).datasets():
        if len(d[0]) == 3 and _bound(d) is not None:
            for other in AddOrRemovePerson(GRID, 1, 4).neighbors(d):
                if _bound(other) == _bound(d):
                    yield d, other


WITHIN_CHI = Every("pair of neighbors with the same χ", _same_chi, _changes_within_chi)


@claim(
    "schmutte2020_slides/mose-conditional/same-chi/public-size",
    where="Slides, Maximum Observed Sensitivity, Properties",
    says="For neighbors that have the same χ, MOSE with a public size n ≤ N_g satisfies the ε-DP guarantee.",
    states=(WITHIN_CHI, COVERED_BY_CHI),
    tight=COVERED_BY_CHI,
    scope="one group of 3 people with a finite χ, ranks 0, 1/2, 1, outcomes 0, 1, one joins or leaves",
    origin="ours",
)
def same_chi_and_public_size_are_enough() -> Verdict:
    """|θ_g(D) − θ_g(D')| ≤ LS_g ≤ χ/N_g on both sides, so at most χ/max(N_g, N_g'): the grade is that of
    this step, which is decided on small groups. A scale χ/(nε), the same on both sides, with n at most the
    larger size, then costs at most ε, for all sizes. But the guarantee may be empty: outcomes 0 at ranks 0,
    1/2, 1 have no neighbor with the same χ, so nobody in that dataset is protected by it. (Ours; the slides
    do not state it.)
    """
    return holds(
        exhaustive.each(WITHIN_CHI, "one group of 3 people, ranks 0, 1/2, 1, outcomes 0, 1"),
        solver.proves(COVERED_BY_CHI),
        value="ε",
        condition="speaks only of pairs with equal χ, of which a dataset may have none",
    )


BOUND_OF_FLAT = Mose(1, HALF, GRID, chi=chi(FLAT), sizes=[3])
"""MOSE with χ = 3/4, which bounds FLAT, and the size 3."""

PUBLIC_CHI = Every(
    "neighbor of outcomes 1, 0, 1",
    lambda: neighbors(BENT, GRID),
    lambda other: (
        privacy_loss(
            abs(BOUND_OF_FLAT.center((BENT,), 0) - BOUND_OF_FLAT.center((other,), 0)),
            BOUND_OF_FLAT.scale((BENT,), 0),
        )
        <= BOUND_OF_FLAT.epsilon
    ),
)
"""With public χ and size no neighbor costs more than ε = 1."""


@claim(
    "schmutte2020_slides/mose-conditional/public-chi",
    where="Slides, Maximum Observed Sensitivity, Properties",
    says="Conditional on χ, read as 'χ and the sizes are public constants', MOSE satisfies ε-DP.",
    states=PUBLIC_CHI,
    origin="implied",
)
def public_bound_must_cover_every_dataset() -> Verdict:
    """With a fixed scale χ/(n_g ε) the loss between neighbors is ε·n_g·|change|/χ. So it is ε-private exactly
    when χ/n_g bounds the local sensitivity of every dataset. A χ that happens to bound the observed data
    covers only the pairs of the observed dataset with its neighbors (individual privacy, not differential
    privacy): with χ = 3/4, from outcomes 0, 0, 0, the prediction from outcomes 1, 0, 1 changes by 1/3 when
    the person in the middle leaves, a loss of 4ε/3.
    """
    constant = BOUND_OF_FLAT
    fixed = constant.scale((BENT,), 0)
    without = tuple(point for point in BENT if point[0] != HALF)
    change = abs(constant.center((BENT,), 0) - constant.center((without,), 0))
    return ill_posed(
        *public_scale_loss(),
        are_neighbors((BENT,), (without,)),
        exact.refuted(PUBLIC_CHI, case=without),
        exact.compare(fixed, "==", Fraction(1, 4), "scale at χ = 3/4, n = 3, ε = 1"),
        exact.compare(privacy_loss(change, fixed), "==", Fraction(4, 3), "loss at ε = 1"),
        aside(
            exhaustive.for_all(
                neighbors(FLAT, GRID),
                lambda other: (
                    abs(constant.center((other,), 0) - constant.center((FLAT,), 0))
                    <= constant.scale((FLAT,), 0)
                ),
                "no neighbor of the observed dataset changes more than χ/n",
                "the neighbors of outcomes 0 at ranks 0, 1/2, 1",
            )
        ),
        condition="χ/n_g bounds the local sensitivity of every dataset, not of the observed one only",
        counterexample="χ = 3/4, n = 3: outcomes 1, 0, 1 at ranks 0, 1/2, 1 predict 2/3 at 1/2, without the "
        "one at 1/2 they predict 1: loss (1/3)/(1/4)·ε = 4ε/3",
        value="ε·n_g·LS_g/χ",
    )


NO_LEVEL = Below(
    Real("k", least=1),
    left=lambda c, k: k,
    right=lambda c, k: (
        Mose(1, HALF, GRID, sizes=[3]).tail_exponent((FLAT,), 0, 4 * k + 1)
        - Mose(1, HALF, GRID, sizes=[3]).tail_exponent((FLATTER,), 0, 4 * k + 1)
    ),
)
"""Whatever k is, the event {Y > 4k + 1} has a larger loss."""


@claim(
    "schmutte2020_slides/mose-conditional/recomputed",
    where="Slides, Maximum Observed Sensitivity, Properties",
    says="Conditional on χ, read as 'χ is what the data give', MOSE with public sizes satisfies ε-DP.",
    states=RECOMPUTED,
    tight=NO_LEVEL,
    origin="implied",
)
def recomputed_chi_breaks_public_sizes_too() -> Verdict:
    """With n = 3 public for both, the scales are χ/(3ε) with χ = 3/4 and 4/5: 1/4 and 4/15. The tails tell
    them apart: P(Y > t) = ½·e^(−4t) against ½·e^(−15t/4).
    """
    own = Mose(1, HALF, GRID, sizes=[3])
    narrow, wide = law(own, (FLAT,)), law(own, (FLATTER,))
    return fails(
        solver.proves(NO_LEVEL),
        are_neighbors((FLAT,), (FLATTER,)),
        exact.refuted(RECOMPUTED, t=8),
        exact.compare(tail_log_ratio(wide, narrow, Fraction(8)), "==", 2, "ε = 1: ln ratio of P(Y > 8)"),
        counterexample="ε = 1, n = 3: outcomes 0 at ranks 0, 1/2, 1, and one more at (1/2, 0): P(Y > 8) = "
        "½·e^(−32) against ½·e^(−30), ratio e² > e",
        value="∞",
    )
