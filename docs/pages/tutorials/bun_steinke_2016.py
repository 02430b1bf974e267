"""Nineteen statements of Bun and Steinke (2016), in our own words, and six that are false.

Mark Bun and Thomas Steinke, "Concentrated Differential Privacy: Simplifications, Extensions, and Lower
Bounds", TCC 2016. The sentences are written from memory of the paper, which ``origin="unread"`` says. What is
true of every two laws is true of the outputs of every mechanism on every two neighboring data sets.
"""

from fractions import Fraction
from functools import partial

from establish import (
    EveryPair,
    Integer,
    Real,
    RenyiOfDensities,
    claim,
    exact,
    fails,
    given,
    guarantees,
    holds,
    rules,
    solver,
)
from establish.spec.distributions.gaussian import Gaussian

approximate, concentrated, mean_loss = guarantees.approximate, guarantees.concentrated, guarantees.mean_loss
pure, renyi = guarantees.pure, guarantees.renyi
entered = partial(claim, origin="unread")
RHO, EPSILON, DELTA = Real("ρ", above=0), Real("ε", above=0), Real("δ", above=0, below=1)
ORDER, K = Real("a", above=1), Integer("k", least=1)


def settled(label, where, says, statement, **how):
    """A claim that a rule about every two laws settles."""

    @entered(f"bun-steinke/{label}", where=where, says=says, states=statement)
    def check():
        """By the rule that speaks of these guarantees; the solver shows what it owes."""
        return holds(rules.follows(statement, **how))


NORMALS = RenyiOfDensities(
    Real("m"),
    Real("n"),
    Real("σ", above=0),
    ORDER,
    first=lambda c, m, n, sd, a: Gaussian(m, sd, c),
    second=lambda c, m, n, sd, a: Gaussian(n, sd, c),
    order=lambda c, m, n, sd, a: a,
    most=lambda c, m, n, sd, a: a * (m - n) * (m - n) / (2 * sd * sd),
    relation="==",
    breaks=(lambda c, m, n, sd, a: m, lambda c, m, n, sd, a: n),
)


@entered(
    "bun-steinke/normals",
    where="Section 2, normal laws",
    says="D_a(N(m, σ²)‖N(n, σ²)) is a·(m − n)²/(2σ²).",
    states=NORMALS,
)
def normals():
    """Completing the square."""
    return holds(rules.renyi_of_normals(NORMALS, *map(solver.owed, rules.of_normals(NORMALS))))


GAUSSIAN = RenyiOfDensities(
    Real("Δ", above=0),
    Real("σ", above=0),
    Real("x"),
    Real("y"),
    ORDER,
    first=lambda c, far, sd, x, y, a: Gaussian(x, sd, c),
    second=lambda c, far, sd, x, y, a: Gaussian(y, sd, c),
    order=lambda c, far, sd, x, y, a: a,
    most=lambda c, far, sd, x, y, a: a * (far * far / (2 * sd * sd)),
    breaks=(lambda c, far, sd, x, y, a: x, lambda c, far, sd, x, y, a: y),
    given=[given(lambda c, far, sd, x, y, a: c.absolute(x - y), "<=", lambda c, far, sd, x, y, a: far)],
)


@entered(
    "bun-steinke/gaussian",
    where="Section 1, the Gaussian mechanism",
    says="Normal noise of variance σ² on a query of sensitivity Δ is Δ²/(2σ²)-zCDP.",
    states=GAUSSIAN,
)
def gaussian():
    """(x − y)² ≤ Δ²."""
    return holds(rules.renyi_of_normals(GAUSSIAN, *map(solver.owed, rules.of_normals(GAUSSIAN))))


def level(c, rho, d):
    """ρ + 2·√(ρ·ln(1/δ))."""
    return rho + 2 * c.sqrt(rho * c.log(1 / d))


def best_order(c, rho, d):
    """1 + √(ln(1/δ)/ρ), at which the level of δ is that."""
    return 1 + c.sqrt(c.log(1 / d) / rho)


ZERO_LOG = (lambda c, *_: c.log(c.number(1)), lambda c, rho, d, *_: c.log(1 / d))
APPROXIMATE = EveryPair(
    RHO, DELTA, has=concentrated(lambda c, rho, d: rho), then=approximate(level, lambda c, rho, d: d)
)


@entered(
    "bun-steinke/approximate",
    where="Section 1, relation to differential privacy",
    says="ρ-zCDP implies (ρ + 2·√(ρ·ln(1/δ)), δ)-differential privacy for every δ > 0 below 1.",
    states=APPROXIMATE,
)
def implies_approximate():
    """By the order 1 + √(ln(1/δ)/ρ)."""
    return holds(rules.follows(APPROXIMATE, *ZERO_LOG, order=best_order))


AT_LEVEL = EveryPair(
    RHO,
    Real("ε", above=lambda c, rho: rho),
    has=concentrated(lambda c, rho, e: rho),
    then=approximate(lambda c, rho, e: e, lambda c, rho, e: c.exp(-(e - rho) * (e - rho) / (4 * rho))),
)


@entered(
    "bun-steinke/delta-at-level",
    where="Section 3, from zCDP to differential privacy",
    says="ρ-zCDP implies (ε, e^(−(ε − ρ)²/(4ρ)))-differential privacy at every ε > ρ.",
    states=AT_LEVEL,
)
def delta_at_level():
    """By the order (ε + ρ)/(2ρ)."""
    shown = rules.follows(AT_LEVEL, ZERO_LOG[0], order=lambda c, rho, e: (e + rho) / (2 * rho))
    return holds(shown)


settled(
    "pure",
    "Section 1, relation to differential privacy",
    "ε-differential privacy implies ε²/2-zCDP.",
    EveryPair(EPSILON, has=pure(lambda c, e: e), then=concentrated(lambda c, e: e * e / 2)),
)
settled(
    "largest-loss",
    "Section 3, from differential privacy to zCDP",
    "Where both max-divergences are at most ε, D_a is at most a·ε²/2 at every order a > 1.",
    EveryPair(
        EPSILON,
        ORDER,
        has=pure(lambda c, e, a: e),
        then=renyi(lambda c, e, a: a, lambda c, e, a: a * e * e / 2),
    ),
)
settled(
    "limit-order",
    "Section 2, Rényi divergence",
    "Where the max-divergence of P from Q is at most ε, so is D_a at every order a > 1.",
    EveryPair(
        EPSILON,
        ORDER,
        has=pure(lambda c, e, a: e),
        then=renyi(lambda c, e, a: a, lambda c, e, a: e),
        both=False,
    ),
)
settled(
    "composition",
    "Section 1, composition",
    "A ρ-zCDP release, then one that is ρ'-zCDP for every output of the first, is (ρ + ρ')-zCDP together.",
    EveryPair(
        RHO,
        Real("ρ'", above=0),
        laws="in turn",
        has=[concentrated(lambda c, rho, other: rho), concentrated(lambda c, rho, other: other)],
        then=concentrated(lambda c, rho, other: rho + other),
    ),
)
settled(
    "k-fold",
    "Section 1, composition",
    "k releases in turn, each ρ-zCDP for all outputs before, are kρ-zCDP together.",
    EveryPair(
        RHO,
        K,
        laws="in turn",
        times=lambda c, rho, k: k,
        has=concentrated(lambda c, rho, k: rho),
        then=concentrated(lambda c, rho, k: k * rho),
    ),
)
settled(
    "post-processing",
    "Section 1, post-processing",
    "A randomized map of the output of a ρ-zCDP mechanism is ρ-zCDP.",
    EveryPair(
        RHO, laws="mapped", has=concentrated(lambda c, rho: rho), then=concentrated(lambda c, rho: rho)
    ),
)
settled(
    "group",
    "Section 1, group privacy",
    "ρ-zCDP for one person is k²ρ-zCDP for k persons.",
    EveryPair(
        RHO,
        K,
        laws="in a row",
        times=lambda c, rho, k: k,
        has=concentrated(lambda c, rho, k: rho),
        then=concentrated(lambda c, rho, k: k * k * rho),
    ),
)
settled(
    "pure-group",
    "Section 1, group privacy",
    "ε-differential privacy for one person is kε-differential privacy for k persons.",
    EveryPair(
        EPSILON,
        K,
        laws="in a row",
        times=lambda c, e, k: k,
        has=pure(lambda c, e, k: e),
        then=pure(lambda c, e, k: k * e),
    ),
)
settled(
    "monotone",
    "Section 2, Rényi divergence",
    "D_a is at most D_b for 1 < a ≤ b.",
    EveryPair(
        ORDER,
        Real("b", least=lambda c, a: a),
        Real("r", least=0),
        has=renyi(lambda c, a, b, r: b, lambda c, a, b, r: r),
        then=renyi(lambda c, a, b, r: a, lambda c, a, b, r: r),
        both=False,
    ),
)
AT_ONE_ORDER = renyi(lambda c, a, r: a, lambda c, a, r: r)
settled(
    "quasi-convex",
    "Section 2, Rényi divergence",
    "D_a between two mixtures with the same weights is at most the larger of D_a between their parts.",
    EveryPair(ORDER, Real("r", least=0), laws="mixed", has=AT_ONE_ORDER, then=AT_ONE_ORDER, both=False),
)
settled(
    "data-processing",
    "Section 2, Rényi divergence",
    "D_a does not rise by a randomized map of the outcome.",
    EveryPair(ORDER, Real("r", least=0), laws="mapped", has=AT_ONE_ORDER, then=AT_ONE_ORDER, both=False),
)
settled(
    "two-outcomes",
    "Section 2, Rényi divergence",
    "D_a of two outcomes in turn is at most D_a of the first plus the largest D_a of the second given it.",
    EveryPair(
        ORDER,
        Real("r", least=0),
        Real("s", least=0),
        laws="in turn",
        has=[
            renyi(lambda c, a, r, s: a, lambda c, a, r, s: r),
            renyi(lambda c, a, r, s: a, lambda c, a, r, s: s),
        ],
        then=renyi(lambda c, a, r, s: a, lambda c, a, r, s: r + s),
        both=False,
    ),
)
settled(
    "triangle",
    "Section 5, group privacy",
    "For k, a > 1, D_a(P‖Q) is at most ka/(ka − 1)·D_((ka − 1)/(k − 1))(P‖R) + D_(ka)(R‖Q).",
    EveryPair(
        ORDER,
        Real("k", above=1),
        Real("r", least=0),
        Real("s", least=0),
        laws="in a row",
        has=[
            renyi(lambda c, a, k, r, s: (k * a - 1) / (k - 1), lambda c, a, k, r, s: r),
            renyi(lambda c, a, k, r, s: k * a, lambda c, a, k, r, s: s),
        ],
        then=renyi(lambda c, a, k, r, s: a, lambda c, a, k, r, s: k * a / (k * a - 1) * r + s),
        both=False,
    ),
)
settled(
    "mean-loss",
    "Section 1, the privacy loss",
    "ρ-zCDP bounds the mean of the privacy loss, the KL divergence, by ρ.",
    EveryPair(RHO, has=concentrated(lambda c, rho: rho), then=mean_loss(lambda c, rho: rho)),
)

ADVANCED = EveryPair(
    EPSILON,
    DELTA,
    K,
    laws="in turn",
    times=lambda c, e, d, k: k,
    has=pure(lambda c, e, d, k: e),
    then=approximate(lambda c, e, d, k: level(c, k * (e * e / 2), d), lambda c, e, d, k: d),
)


@entered(
    "bun-steinke/advanced",
    where="Section 1, composition",
    says="k releases in turn, each ε-differentially private, are (kε²/2 + ε·√(2k·ln(1/δ)), δ)-differentially "
    "private together.",
    states=ADVANCED,
)
def advanced():
    """Each is ε²/2-zCDP, so that all are kε²/2-zCDP."""
    each, total = concentrated(lambda c, e, d, k: e * e / 2), concentrated(lambda c, e, d, k: k * (e * e / 2))
    first, middle, last = rules.steps_between(ADVANCED, [each], total)
    shown = rules.follows(
        last,
        *ZERO_LOG,
        lambda c, e, d, k: c.log(1 / d),
        order=lambda c, e, d, k: best_order(c, k * (e * e / 2), d),
    )
    return holds(rules.through(ADVANCED, [each], total, rules.follows(first), rules.follows(middle), shown))


def false(label, says, statement, **point):
    """A sentence that is false, with laws that show it."""

    @entered(f"false/{label}", where="false variants", says=says, states=statement)
    def check():
        """The two laws have the guarantees, and not the conclusion."""
        return fails(exact.refuted(statement, **point), counterexample="the laws of the point")


def coins(*shares):
    """Laws of two outcomes by the probability of the first."""
    return tuple((Fraction(share), 1 - Fraction(share)) for share in shares)


false(
    "third-of-square",
    "ε-differential privacy implies ε²/3-zCDP.",
    EveryPair(EPSILON, has=pure(lambda c, e: e), then=concentrated(lambda c, e: e * e / 3)),
    ε=1,
    laws=coins("0.73", "0.27"),
)
false(
    "half-the-root",
    "ρ-zCDP implies (ρ + √(ρ·ln(1/δ)), δ)-differential privacy.",
    EveryPair(
        RHO,
        DELTA,
        has=concentrated(lambda c, rho, d: rho),
        then=approximate(lambda c, rho, d: rho + c.sqrt(rho * c.log(1 / d)), lambda c, rho, d: d),
    ),
    ρ=1,
    δ="1/10",
    laws=coins("0.2689", "0.0115"),
)
false(
    "any-level",
    "ρ-zCDP implies (ε, e^(−(ε − ρ)²/(4ρ)))-differential privacy at every ε > 0.",
    EveryPair(
        RHO,
        EPSILON,
        has=concentrated(lambda c, rho, e: rho),
        then=approximate(lambda c, rho, e: e, lambda c, rho, e: c.exp(-(e - rho) * (e - rho) / (4 * rho))),
    ),
    ρ=4,
    ε="1/100",
    laws=coins("0.9", "0.1"),
)
false(
    "group-in-proportion",
    "ρ-zCDP for one person is kρ-zCDP for k persons.",
    EveryPair(
        RHO,
        K,
        laws="in a row",
        times=lambda c, rho, k: k,
        has=concentrated(lambda c, rho, k: rho),
        then=concentrated(lambda c, rho, k: k * rho),
    ),
    ρ=1,
    k=2,
    laws=coins("0.44", "0.033", "0.00034"),
)
false(
    "order-reversed",
    "D_b is at most D_a for 1 < a ≤ b.",
    EveryPair(
        ORDER,
        Real("b", least=lambda c, a: a),
        Real("r", least=0),
        has=renyi(lambda c, a, b, r: a, lambda c, a, b, r: r),
        then=renyi(lambda c, a, b, r: b, lambda c, a, b, r: r),
        both=False,
    ),
    a=2,
    b=3,
    r=1,
    laws=coins("0.77", "0.23"),
)
false(
    "order-less-one",
    "ρ-zCDP implies D_a ≤ (a − 1)·ρ at every order a > 1.",
    EveryPair(
        RHO,
        ORDER,
        has=concentrated(lambda c, rho, a: rho),
        then=renyi(lambda c, rho, a: a, lambda c, rho, a: (a - 1) * rho),
    ),
    ρ=1,
    a="11/10",
    laws=coins("0.8", "0.2"),
)
