"""Section 4.2: what attackers believe and what must be hidden from them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import z3

from establish import Outcome, Universe, Verdict, claim, exact, exhaustive, holds, ill_posed, misprint, solver
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import AtMost, Below, Equal, Every, EverySum, Integer, Real
from establish.proofs_check.engine.verdicts import aside
from establish.proofs_check.papers.haney2017.attacker import at, dataset, universe
from establish.spec.priors import ProductPrior, two_point_prior
from establish.spec.relations.growth import may_grow
from establish.spec.requirements import Comparison, RecordIs, ShapeRequirement, SizeRequirement, bayes_factor
from establish.spec.tables import Workplace

TENTH, HALF = Fraction(1, 10), Fraction(1, 2)


UNCORRELATED = EverySum(
    Equal(
        Real("π(e)", least=0, most=1),
        Real("π(f)", least=0, most=lambda c, p: 1 - p),
        left=0,
        right=lambda c, p, q: p * q,
    )
)
"""Any number of workers, each at e, at f or elsewhere: Cov(|e|, |f|) = 0, where independent workers have
−Σ π(e)·π(f), as nobody is at both.
"""


_AT_PLACES = (Real("π_w", least=0, most=1), Real("π_v", least=0, most=1))
EMPLOYEES = Equal(
    *_AT_PLACES,
    left=lambda c, p, q: (
        p * q * (1 - p) * (1 - q)
        + p * (1 - q) * (1 - p) * (0 - q)
        + (1 - p) * q * (0 - p) * (1 - q)
        + (1 - p) * (1 - q) * (0 - p) * (0 - q)
    ),
    right=0,
)
"""The covariance of w at a place and of another worker v at any place: over both, one and neither of them."""


@claim(
    "haney2017/prior-theta",
    where="Section 4.2, Informed Attacker",
    says="Θ is the set of beliefs θ = ∏ π_w, which assume no correlation between employees and between "
    "employers.",
    states=(EMPLOYEES, UNCORRELATED),
)
def independent_workers_correlate_employers() -> Verdict:
    """A worker who may be at e or at f is at most at one of them, so with independent workers
    Cov(|e|, |f|) = −Σ_w π_w(e)·π_w(f): employers are uncorrelated only if no worker has two possible
    employers. The product formula, which Definitions 4.1 to 4.3 use, is the wider class; with the
    sentence taken literally no worker may move between employers, and what is claimed about sizes
    becomes easier.
    """
    p, q = z3.Reals("pi_e pi_f")
    return ill_posed(
        solver.proves(EMPLOYEES),
        exact.refuted(UNCORRELATED, terms=[(HALF, HALF)]),
        solver.for_all([p > 0, q > 0, p + q <= 1], 0 - p * q < 0, "covariance of 'at e' and 'at f' < 0"),
        exact.compare(_covariance(), "==", Fraction(-1, 4), "one worker at e or f, 1/2 each"),
        condition="no worker has two possible employers, or employers may be correlated",
        counterexample="one worker at e or f with probability 1/2 each: E|e||f| = 0, E|e|·E|f| = 1/4",
        value="Cov(|e|, |f|) = −Σ_w π_w(e)·π_w(f)",
    )


def _covariance() -> Fraction:
    space = universe(1, ("e", "f"))
    prior = two_point_prior(space, dataset(space, at("e")), dataset(space, at("f")))
    support = prior.support()

    def mean(*workplaces: str) -> Fraction:
        total = Fraction(0)
        for d, weight in support.items():
            product = 1
            for workplace in workplaces:
                product *= len(d.workforce(workplace))
            total += weight * product
        return total

    return mean("e", "f") - mean("e") * mean("f")


def _told() -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """Prior odds of w1 at e against w1 at f, and the probabilities of an output ω there."""
    yield from product((Fraction(1, 3), Fraction(2)), *2 * [(Fraction(1, 8), Fraction(1, 2), Fraction(1))])


def _factor_is_the_ratio(case: tuple[Fraction, Fraction, Fraction]) -> bool:
    """Posterior odds over prior odds of two values of a record are the ratio Pr[ω | a]/Pr[ω | b]."""
    odds, at_e, at_f = case
    at_places = [("e", ()), ("f", ())]
    space = Universe((Workplace("e"), Workplace("f")), ("w1",))
    prior = ProductPrior(
        space, {"w1": dict(zip(at_places, (odds / (1 + odds), 1 / (1 + odds)), strict=True))}
    )
    told = {
        d: at_e if d.workforce("e") else at_f
        for d in space.datasets()
        if d.workforce("e") or d.workforce("f")
    }
    values = Comparison(*(RecordIs("w1", place) for place in at_places))
    return bayes_factor(prior, told, values) == at_e / at_f


ODDS = Every("prior odds and likelihoods", cases=_told, holds=_factor_is_the_ratio)
"""Where ω is possible, posterior odds over prior odds are the likelihood ratio."""


@claim(
    "haney2017/def-4.1",
    where="Section 4.2, Definition 4.1",
    says="The requirement on employees bounds a Bayes factor, posterior over prior odds of w = a against "
    "w = b, which is the likelihood ratio Pr[ω | a]/Pr[ω | b].",
    states=ODDS,
    origin="implied",
)
def employee_requirement_bounds_a_likelihood_ratio() -> Verdict:
    """It bounds the ratio Pr(ω|a)/Pr(ω|b), up and down, because a and b may be exchanged. The posterior
    is undefined at an output that is impossible under the attacker's belief, as when A publishes the
    data and the attacker is sure that w2 is absent; nobody sees such an output whose belief is right.
    """
    return holds(
        exhaustive.each(ODDS, "one worker, two places, prior odds 1/3 and 2, likelihoods 1/8, 1/2 and 1"),
        condition=by_convention("possible outcomes", "haney2017"),
    )


PAIRS = EverySum(
    AtMost(
        Real("c", least=1),
        *(Real(name, least=0, most=1) for name in ("θ(a)", "θ(b)", "L(b)")),
        Real("L(a)", least=0, most=lambda c, level, first, second, b: level * b),
        left=lambda c, level, first, second, b, a: first * a * second,
        right=lambda c, level, first, second, b, a: level * (second * b * first),
    ),
    shared=["c"],
)
"""Σ θ(a)L(a)·θ(b) ≤ c·Σ θ(b)L(b)·θ(a) over the pairs of a value a in X and a value b outside: with o =
Σθ(a)/Σθ(b) the posterior odds of X are at most c·o.
"""

NOT_CERTAIN = Below(
    Real("c", least=1),
    Real("o", above=0),
    Real("posterior odds", least=0, most=lambda c, level, prior: level * prior),
    left=lambda c, level, prior, odds: odds / (1 + odds),
    right=1,
)
"""Finite odds are a probability below 1."""

AT_MOST = AtMost(
    *NOT_CERTAIN.domain.variables,
    left=lambda c, level, prior, odds: odds / (1 + odds),
    right=lambda c, level, prior, odds: level * prior / (1 + level * prior),
)


@claim(
    "haney2017/def-4.1-implication",
    states=(PAIRS, NOT_CERTAIN),
    tight=AT_MOST,
    where="Section 4.2, after Definition 4.1",
    says="It implies that no attacker learns a property of a record with probability 1 who did not know it.",
)
def no_property_becomes_certain() -> Verdict:
    """Let X be a property with prior probability in (0, 1), and let L(a) ≤ c·L(b) for all values. Summing
    θ(a)·θ(b)·(L(a) − c·L(b)) ≤ 0 over a in X, b outside gives posterior odds of at most c times the prior
    odds, which are finite: the posterior is below 1.
    """
    return holds(
        term_by_term(PAIRS, solver.proves(PAIRS.term)),
        solver.proves(NOT_CERTAIN),
        solver.proves(AT_MOST),
        value="posterior ≤ c·o/(1 + c·o) for prior odds o",
    )


FACTOR_ALPHA = AtMost(
    Real("α", above=0),
    Integer("x", least=1),
    Integer("y", least=lambda c, alpha, x: x, most=lambda c, alpha, x: (1 + alpha) * x),
    left=lambda c, alpha, x, y: y,
    right=lambda c, alpha, x, y: alpha * x,
)
"""The sizes that the formula compares are within a factor of α (the ceiling only adds to them)."""


@claim(
    "haney2017/def-4.2-factor",
    where="Section 4.2, requirement 2 and Definition 4.2",
    says="Establishment size must not be inferred 'to within a multiplicative factor of α'; formally "
    "x ≤ y ≤ ⌈(1+α)x⌉, whenever Pr[w = x], Pr[w = y] > 0.",
    states=FACTOR_ALPHA,
    origin="implied",
)
def factor_is_one_plus_alpha() -> Verdict:
    """The formula has the factor 1+α, and means Pr[|e| = x] (w is a worker, x a number). A factor α < 1
    would ask about smaller sizes only, none of which satisfies x ≤ y. The ceiling compares sizes that
    Definition 7.1 does not make neighbors: ⌈1.1·11⌉ = 13, but 11 may grow to 12 only.
    """
    x, y, alpha = z3.Reals("x y alpha")
    asked = set(SizeRequirement(universe(13, ("e",)), TENTH).sizes())
    return misprint(
        exact.refuted(FACTOR_ALPHA, α="1/10", x=10, y=11),
        aside(solver.for_all([alpha < 1, x > 0, y <= alpha * x], y < x, "y ≤ α·x contradicts x ≤ y")),
        exact.compare(int((11, 13) in asked), "==", 1, "Definition 4.2 compares 11 and 13 at α = 1/10"),
        aside(exact.compare(int(may_grow(11, 13, TENTH)), "==", 0, "Definition 7.1 relates them")),
        reading="a factor of 1 + α, and Pr[|e| = x], Pr[|e| = y] > 0",
        reading_is=Outcome.HOLDS,
        counterexample="α = 1/10, x = 10: within a factor α would be y ≤ 1; meant is y ≤ ⌈1.1·10⌉ = 11",
        value="1 + α",
    )


def _rates() -> tuple[Fraction, ...]:
    """α below, at and above 1, and workforces of up to 5 workers."""
    return Fraction(1, 2), Fraction(1), Fraction(2)


def _shares_are_counts(alpha: Fraction) -> bool:
    """The shares 0 < p < q ≤ min(1, (1+α)p) of z ≥ 1 workers are the compared counts j = pz and i = qz."""
    workers = 5
    shares = {
        (j, i, z)
        for z in range(1, workers + 1)
        for j, i in product(range(z + 1), repeat=2)
        if 0 < Fraction(j, z) < Fraction(i, z) <= min(Fraction(1), (1 + alpha) * Fraction(j, z))
    }
    space = Universe((Workplace("e"),), tuple(map(str, range(workers))), (("X",), ("Y",)))
    return set(ShapeRequirement(space, alpha).counts()) == shares


SHARES = Every("α", cases=_rates, holds=_shares_are_counts)


@claim(
    "haney2017/def-4.3",
    where="Section 4.2, Definition 4.3",
    says="For shares 0 < p ≤ q ≤ min(1, (1+α)p) of a property among z workers, the log Bayes factor is at "
    "most ε, for every natural number z.",
    states=SHARES,
    origin="implied",
)
def shape_requirement_compares_counts() -> Verdict:
    """The compared events have counts j = pz and i = qz, whole numbers with 0 < j ≤ i ≤ min(z, (1+α)j).
    Shares p = 0 are not protected: that an establishment has no worker of a kind may be told. At z = 0
    there is no share.
    """
    return holds(
        exhaustive.each(SHARES, "up to 5 workers, α in {1/2, 1, 2}"),
        condition=by_convention("where defined", "haney2017"),
    )
