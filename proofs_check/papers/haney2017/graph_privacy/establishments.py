"""Section 6 and Claim B.1: what edge and node differential privacy protect."""

from fractions import Fraction
from functools import partial

from establish import AtMost, Below, Equal, Real, Universe, claim, enclosure, exact, rules, solver, symbolic
from establish.proofs_check.engine.statements import AtNoMultiple, Chains, Implies, NoMultiple
from establish.proofs_check.engine.verdicts import Evidence, Verdict, holds, holds_loosely
from establish.proofs_check.papers.haney2017.implications.theorems import shapes, sizes
from establish.proofs_check.papers.ours.laplace import OF_ALL, REACHED
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.distributions import laplace
from establish.spec.mechanisms.laplace import privacy_loss
from establish.spec.relations.edge import Edge
from establish.spec.relations.relation import NeighborRelation
from establish.spec.tables import Tables

GROUPS = Chains(
    "datasets that differ in the presence of one individual",
    level=lambda c, level, delta, d: c.power(level, d),
)
"""Equation 14: D and D' that differ in d individuals are the ends of a chain of d neighbors."""

_HEIGHT = (Real("c", above=1), Real("u", above=0, most=1))
STEPS_ATTAINED = (
    AtMost(
        *_HEIGHT,
        left=lambda c, level, u: 1 - (level - 1) / level * u / level,
        right=lambda c, level, u: level * (1 - (level - 1) / level * u),
    ),
    Equal(
        *_HEIGHT,
        left=lambda c, level, u: (level - 1) / level * u,
        right=lambda c, level, u: level * ((level - 1) / level * u / level),
    ),
)
"""An answer 'yes' with probability (c−1)/c·u, u = c^(−k) at the k-th dataset of a chain, is private and
loses the whole level at every step.
"""


@claim(
    "haney2017/eq-14",
    where="Appendix B, equation (14)",
    states=GROUPS,
    tight=STEPS_ATTAINED,
    scope="d individuals are present in one dataset only",
    says="For D and D' differing in d individuals, Pr[A(D)∈S] ≤ e^(dε)·Pr[A(D')∈S] under edge privacy.",
)
def group_privacy_is_tight() -> Verdict:
    """Remove the jobs that only D has, one by one, then add those that only D' has: every step is one of
    neighbors and multiplies the bound by e^ε. The two-sided geometric mechanism attains e^(dε).
    """
    return holds(
        rules.along_chain(GROUPS, *map(symbolic.proves, rules.links_of_chain(GROUPS))),
        *map(solver.proves, STEPS_ATTAINED),
        value="e^(dε), attained",
        condition="d counts jobs (with the worker's attributes) that are in one dataset only",
    )


@claim(
    "haney2017/sec6-edge-laplace",
    states=OF_ALL,
    tight=REACHED,
    where="Section 6",
    says="Under edge privacy the employment of one establishment may be released with Lap(1/ε) noise.",
)
def counts_have_edge_sensitivity_one() -> Verdict:
    """One job more or less changes the count by 1, so Laplace(1/ε) loses exactly ε."""
    return holds(
        rules.pointwise(OF_ALL, *map(solver.proves, rules.densities(OF_ALL))),
        solver.proves(REACHED),
        value="ε",
    )


WITHIN_REACH = Equal(
    Real("ε", above=0),
    Real("p", above=0, below=1),
    left=lambda c, epsilon, p: (
        1 - 2 * laplace.Laplace(c.number(0), 1 / epsilon, c).above(c.log(1 / p) / epsilon)
    ),
    right=lambda c, epsilon, p: 1 - p,
)
"""The probability that Lap(1/ε) noise is at most ln(1/p)/ε, both tails being equal."""

AT_MOST_5 = AtMost(left=lambda c: c.log(1 / c.number(Fraction(1, 100))), right=5)


@claim(
    "haney2017/sec6-10000pm5",
    where="Section 6",
    states=(WITHIN_REACH, AT_MOST_5),
    says="Lap(1/ε) noise is at most log(1/p)/ε with probability 1 − p, which is at most 5 at ε = 1, p = .01.",
)
def noise_of_edge_privacy_is_small() -> Verdict:
    """P(|η| ≤ t) = 1 − e^(−εt), which is 1 − p at t = ln(1/p)/ε: exactly, with the natural logarithm. At
    ε = 1 and p = .01 that is ln 100 = 4.605..., so 5 is a rounded bound: |η| ≤ 5 with probability
    1 − e^(−5) = .99326.... (The decimal logarithm, 2, would give .865.)
    """
    with enclosing():
        least = enclosure.digits(ARB.log(ARB.number(100)))
    return holds_loosely(symbolic.proves(WITHIN_REACH), exact.decided(AT_MOST_5), value=least)


_GROWS = Real("ε", above=0), Real("reach", above=0), Real("x", above=0)


def _count(c: World, epsilon: Number, x: Number) -> laplace.Laplace:
    """A count of x workers under the Laplace mechanism."""
    return laplace.Laplace(c.number(x), 1 / epsilon, c)


SAME_REACH = Equal(
    *_GROWS,
    left=lambda c, epsilon, reach, x: (
        _count(c, epsilon, x).cdf(x + reach / epsilon) - _count(c, epsilon, x).cdf(x - reach / epsilon)
    ),
    right=lambda c, epsilon, reach, x: 1 - c.exp(-reach) + 0 * x,
)
"""x ± reach/ε has the probability 1 − e^(−reach), whatever the size x is."""

LARGER_IS_CLOSER = Below(
    *_GROWS,
    Real("y", above=lambda c, epsilon, reach, x: x),
    left=lambda c, epsilon, reach, x, y: reach / epsilon / y,
    right=lambda c, epsilon, reach, x, y: reach / epsilon / x,
)
"""That reach, relative to the size."""

_SHARE = Real("α", above=0), Real("ε", above=0)
NO_FIXED_LOSS = Below(
    *_SHARE,
    Real("loss", above=0),
    Real("x", above=lambda c, alpha, epsilon, loss: loss / (alpha * epsilon)),
    Real("o", most=lambda c, alpha, epsilon, loss, x: x),
    left=lambda c, alpha, epsilon, loss, x, o: loss,
    right=lambda c, alpha, epsilon, loss, x, o: (
        _count(c, epsilon, x).log_density(o) - _count(c, epsilon, (1 + alpha) * x).log_density(o)
    ),
)
"""Whatever loss is named, the releases of x and of (1+α)x workers lose more from some size on."""

LOSS_OF_A_SHARE = Equal(
    *_SHARE,
    Real("x", above=0),
    left=lambda c, alpha, epsilon, x: privacy_loss(alpha * x, 1 / epsilon),
    right=lambda c, alpha, epsilon, x: alpha * x * epsilon,
)


@claim(
    "haney2017/sec6-inference-improves",
    where="Section 6",
    says="The inference from 10,000 ± 5 improves as establishments grow: edge privacy has no fixed loss for "
    "establishments.",
    states=(SAME_REACH, LARGER_IS_CLOSER, NO_FIXED_LOSS),
    tight=LOSS_OF_A_SHARE,
)
def relative_error_vanishes() -> Verdict:
    """The reach ln(1/p)/ε of the noise does not depend on the size x, so relative to x it falls to 0; and
    between sizes x and (1+α)x the Laplace mechanism's loss is αxε, without bound.
    """
    return holds(
        symbolic.proves(SAME_REACH),
        *map(solver.proves, (LARGER_IS_CLOSER, NO_FIXED_LOSS, LOSS_OF_A_SHARE)),
        value="loss αxε between x and (1+α)x",
    )


def by_edge(universe: Universe, _alpha: Fraction) -> NeighborRelation[Tables]:
    return Edge(universe)


EDGE = partial(Implies, "edge differential privacy", neighbors=by_edge)
NO_SIZES, NO_SHAPES = (AtNoMultiple(EDGE(requirement=of)) for of in (sizes, shapes))
"""Edge privacy meets neither requirement, at whatever multiple of ε."""


def no_multiple_evidence(statement: NoMultiple) -> Evidence:
    """An attack for every multiple."""
    return rules.job_by_job(statement, *map(solver.proves, rules.more_steps_than_any_multiple(statement)))


@claim(
    "haney2017/sec6-edge-size",
    where="Section 6 and Claim B.1",
    says="Edge differential privacy does not ensure the size requirement (Definition 4.2).",
    states=NO_SIZES,
    tight=NO_SIZES,
)
def edge_privacy_reveals_sizes() -> Verdict:
    """Sizes x and y = ⌈(1+α)x⌉ are ⌈αx⌉ neighbors apart. At α = 1/10 the smallest pair that is more
    than one step apart is 11 and 13: an attacker who knows 11 workers of e, and two more that work
    there or not with probability 1/2 each, multiplies the odds of 13 against 11 by e^(2ε) when
    geometric noise (the integer form of the Laplace mechanism) puts the count at 13. The factor
    e^(⌈αx⌉ε) has no bound.
    """
    return holds(no_multiple_evidence(NO_SIZES), value="no finite multiple of ε")


@claim(
    "haney2017/sec6-edge-shape",
    where="Section 6",
    says="Edge differential privacy does not ensure the shape requirement (Definition 4.3).",
    states=NO_SHAPES,
    tight=NO_SHAPES,
)
def edge_privacy_reveals_shapes() -> Verdict:
    """Among z workers the shares p and q ≤ (1+α)p are two neighbors per worker apart, 2⌊αpz⌋ at most. At
    α = 1/10, 10 and 11 men among 11 workers: geometric noise on the counts of men and of women, each
    private for jobs of its own, gives the factor e^(2ε) at output (11, 0).
    """
    return holds(no_multiple_evidence(NO_SHAPES), value="no finite multiple of ε")


@claim(
    "haney2017/claim-b.1-proof",
    where="Appendix B, proof of Claim B.1",
    says="As |e| goes to infinity the dε of (14) is no constant, and edge privacy does not satisfy the "
    "requirements.",
    states=NO_SIZES,
)
def no_multiple_of_the_level_is_enough() -> Verdict:
    """(14) bounds the loss from above, for every private algorithm, also for one that publishes nothing and
    meets all requirements. What refutes them is an algorithm that attains the bound: geometric noise does.
    (A change by a factor of α is read as growth by α|e|, that is by a factor of 1 + α.)
    """
    return holds(no_multiple_evidence(NO_SIZES))
