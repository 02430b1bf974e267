"""Sections 3 and 5.2: Gaussian differential privacy, its composition and its groups."""

from fractions import Fraction

import z3

from establish import AtMost, Equal, Every, Real, claim, exact, exhaustive, given, rules, solver, symbolic
from establish.proofs_check.engine.rules.calculus import slope_obligations
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import EventsAndTests, EveryCase, GaussianChains
from establish.proofs_check.engine.verdicts import Evidence, Outcome, Verdict, holds, misprint
from establish.spec.distributions.gaussian import Gaussian, cdf, log_density, quantile
from establish.spec.earnings.neighbors import Earnings, EarningsOfOne, PresenceOfOne
from establish.spec.gaussian import raised
from establish.spec.indistinguishability import Distribution

EXTENDED = "Φ⁻¹(0) = −∞ and Φ⁻¹(1) = ∞; S runs over events"


Z, MU, T = Real("z"), Real("μ", least=0), Real("t", least=0)

RISES = AtMost(
    Z, MU, T, left=lambda c, z, mu, t: raised(z, mu, c), right=lambda c, z, mu, t: raised(z + t, mu, c)
)
"""G_μ does not decrease; here and below x = Φ(z)."""

ABOVE = AtMost(Z, MU, left=lambda c, z, mu: cdf(z, c), right=lambda c, z, mu: raised(z, mu, c))
"""G_μ(x) ≥ x."""

CONCAVE = AtMost(
    Z,
    MU,
    T,
    Real("s", least=0),
    left=lambda c, z, mu, t, s: (raised(z + s, mu, c) - raised(z, mu, c)) * (cdf(z, c) - cdf(z - t, c)),
    right=lambda c, z, mu, t, s: (raised(z, mu, c) - raised(z - t, mu, c)) * (cdf(z + s, c) - cdf(z, c)),
)
"""G_μ is concave: chords to the right of x are not steeper than those to its left."""

CLASS = (RISES, ABOVE, CONCAVE)
"""What Definition 3.1 asks of a trade-off function, for G_μ; that it is continuous is REACHED."""

REACHED = Equal(
    Real("y", above=0, below=1),
    MU,
    left=lambda c, y, mu: raised(quantile(y, c) - mu, mu, c),
    right=lambda c, y, mu: y,
)
"""G_μ has every value between 0 and 1: as it does not decrease, it is continuous, at 0 and 1 as well."""


@shared
def trade_off_is_of_the_class() -> tuple[Evidence, ...]:
    """Each by the sign of a slope: Φ' is positive, and dG_μ/dx = e^(−μz − μ²/2) falls in z."""
    (end, slope) = slope_obligations(CONCAVE, "s")
    inner = rules.slope_and_end(
        slope, "t", *(method(s) for method, s in zip(SIGNS, slope_obligations(slope, "t"), strict=True))
    )
    return (
        *(
            rules.slope_and_end(statement, name, *map(symbolic.signed, slope_obligations(statement, name)))
            for statement, name in ((RISES, "t"), (ABOVE, "μ"))
        ),
        rules.slope_and_end(CONCAVE, "s", symbolic.signed(end), inner),
    )


SIGNS = symbolic.signed, solver.proves
"""What decides the value at t = 0, and the slope in t."""


_RATES = Real("z_1"), Real("z_2"), MU
_WITHIN = given(lambda c, z_1, z_2, mu, *_: z_2, "<=", lambda c, z_1, z_2, mu, *_: z_1 + mu)
IMPLIES = AtMost(
    *_RATES,
    T,
    left=lambda c, z_1, z_2, mu, t: cdf(z_2, c),
    right=lambda c, z_1, z_2, mu, t: raised(z_1 + t, mu, c),
    given=[_WITHIN],
)
IMPLIED = AtMost(
    *_RATES,
    left=lambda c, z_1, z_2, mu: z_2,
    right=lambda c, z_1, z_2, mu: z_1 + mu,
    given=[given(lambda c, z_1, z_2, mu: cdf(z_2, c), "<=", lambda c, z_1, z_2, mu: raised(z_1, mu, c))],
)
"""With z_i = Φ⁻¹(P_i): z_2 ≤ z_1 + μ gives P_2 ≤ G_μ(x) for every x ≥ P_1, and it follows from x = P_1."""


EQUIVALENT = EventsAndTests()
"""The formulation by events and that by tests."""


def events_and_tests() -> Evidence:
    """Evidence for EQUIVALENT."""
    return rules.mixtures_of_events(EQUIVALENT, solver.proves(rules.two_events(EQUIVALENT)))


@claim(
    "webb2025/def-3.1",
    where="Section 3, Definition 3.1",
    says="f-DP: P(M(D1) ∈ S) ≤ x implies P(M(D2) ∈ S) ≤ f(x), f continuous, concave, non-decreasing, "
    "f(x) ≥ x. With f = Φ(Φ⁻¹(x)+μ) it is Φ⁻¹(P(M(D2) ∈ S)) ≤ Φ⁻¹(P(M(D1) ∈ S)) + μ.",
    states=(*CLASS, REACHED, IMPLIES, IMPLIED, EQUIVALENT),
    scope="G_μ is of the class, and what f-DP says for f = G_μ",
)
def gaussian_dp_is_an_instance_of_f_dp() -> Verdict:
    """G_μ is continuous, has a positive slope that decreases, and G_μ(x) ≥ x as μ ≥ 0: it is of the class.
    For a non-decreasing f the implication for every x says P2 ≤ f(P1): take x = P1; conversely
    P2 ≤ f(P1) ≤ f(x). Φ is increasing, so P2 ≤ Φ(Φ⁻¹(P1)+μ) is the stated condition. Events suffice for
    randomized tests too, by concavity of f.
    """
    return holds(
        solver.proves(IMPLIES),
        solver.proves(IMPLIED),
        *trade_off_is_of_the_class(),
        symbolic.proves(REACHED),
        events_and_tests(),
        condition=f"x in [0, 1]; {EXTENDED}",
    )


def _both_ways() -> tuple[Evidence, ...]:
    """One direction of f-DP is not the other: P = (1/2, 1/2), Q = (1, 0), f(x) = min(1, 2x)."""
    half = Fraction(1, 2)
    f = {Fraction(0): Fraction(0), half: Fraction(1), Fraction(1): Fraction(1)}
    p, q = (half, half), (Fraction(1), Fraction(0))
    return (
        exact.compare(q[0], "<=", f[p[0]], "Q ≤ f(P) on the first output"),
        exact.compare(q[1], "<=", f[p[1]], "Q ≤ f(P) on the second output"),
        exact.compare(p[1], ">", f[q[1]], "but P > f(Q) on the second output"),
    )


@claim(
    "webb2025/fn1-equivalent",
    where="Section 3, footnote 1",
    says="The formulation is equivalent to that of Dong et al. with trade-off function 1 − f.",
    states=EQUIVALENT,
)
def events_and_randomized_tests_give_the_same_definition() -> Verdict:
    """Dong et al. bound the type II error 1 − E_Q φ of every test φ with values in [0, 1] by 1 − f(E_P φ)
    from below; events are the tests with values 0 and 1. A test is a mixture of the events {φ > u}, so by
    concavity E_Q φ ≤ mean of f(P(φ > u)) ≤ f(E_P φ): two events are shown, more follow one after another.
    1 − f is convex, non-increasing and at most 1 − x. It may be negative where f > 1, which is not excluded:
    then min(f, 1) says the same and is of the class.
    """
    return holds(events_and_tests(), condition="1 − min(f, 1), a trade-off function being nonnegative")


@claim(
    "webb2025/def-3.1-fnr",
    where="Section 3, after Definition 3.1",
    says="If an attack has false positive rate x its true positive rate is at most f(x); if it has false "
    "negative rate y its true negative rate is at most f(y).",
)
def false_negatives_are_false_positives_of_the_swapped_pair() -> Verdict:
    """The false positive rate is P1(S), the true positive rate P2(S): the definition. The false negative
    rate is P2(Sᶜ), the true negative rate P1(Sᶜ): the definition for (D2, D1) and the event Sᶜ. The relation
    of the definition is symmetric, which is needed for a general f. For f = G_μ one direction is enough,
    by Φ⁻¹(1−p) = −Φ⁻¹(p).
    """
    tpr, fpr, mu = z3.Reals("z_tpr z_fpr mu")
    fnr, tnr = -tpr, -fpr  # Φ⁻¹ of the complements
    return holds(
        solver.for_all([tpr <= fpr + mu], tnr <= fnr + mu, "G_μ: the bound on negatives follows"),
        *_both_ways(),
        condition="the pairs of the definition are taken in both orders",
    )


@claim(
    "webb2025/lem-3.2",
    where="Section 3, Lemma 3.2",
    says="Under f-DP datasets that differ in k values satisfy P(M(D2) ∈ S) ≤ f^(k)(P(M(D1) ∈ S)); under "
    "μ-GDP Φ⁻¹ moves by at most kμ.",
)
def group_privacy_iterates_the_trade_off() -> Verdict:
    """Change the values one after another: P_{i+1}(S) ≤ f(P_i(S)) ≤ f(f^(i)(P_0(S))), since f does not
    decrease. Φ⁻¹(G_μ(x)) = Φ⁻¹(x)+μ, so k applications add kμ, and shifted Gaussians attain it.
    """
    p_next, f_p, f_bound, p, bound = z3.Reals("p_next f_p f_bound p bound")
    z_0, z_k, z_next, mu, k = z3.Reals("z_0 z_k z_next mu k")
    return holds(
        solver.for_all(
            [p_next <= f_p, p <= bound, z3.Implies(p <= bound, f_p <= f_bound)],
            p_next <= f_bound,
            "one more change applies f once more",
        ),
        solver.for_all(
            [z_k <= z_0 + k * mu, z_next <= z_k + mu], z_next <= z_0 + (k + 1) * mu, "one more change adds μ"
        ),
        value="kμ",
        condition="D1 and D2 differ in the values of k records",
    )


ONE_BY_ONE = GaussianChains("datasets that differ in the value of one record", level=lambda c, mu, d: d * mu)


def _number(d: Earnings) -> Distribution:
    """The law of the published number of records."""
    return {len(d): Fraction(1)}


def _same_number(told: str, neighbors: EarningsOfOne | PresenceOfOne) -> EveryCase:
    """f-DP with f(x) = x of the published number, for these pairs in both orders."""
    return Every(
        f"list of up to 3 records with values 0 and 1, beside those with one {told}",
        lambda: neighbors.datasets(),
        lambda d: all(_number(e) == _number(d) for e in neighbors.neighbors(d)),
    )


OF_CHANGED_VALUE = _same_number("value changed", EarningsOfOne(range(2), 0, 3))
OF_ADDED_RECORD = _same_number("record more or less", PresenceOfOne(range(2), 0, 3))


@claim(
    "webb2025/sec3-group-records",
    where="Section 3, before Lemma 3.2",
    says="Group privacy of Gaussian DP is the guarantee for datasets that differ in several records "
    "that were added or removed.",
    states=(OF_CHANGED_VALUE, OF_ADDED_RECORD),
    meant=ONE_BY_ONE,
)
def group_privacy_is_about_changed_values() -> Verdict:
    """Definition 3.1 compares datasets that differ in the value of one record, Lemma 3.2 those that differ in
    the values of k. Whoever publishes how many records there are is private in this sense for f(x) = x, as
    a changed value changes no number; and tells with certainty whether a record was added.
    """
    return misprint(
        exhaustive.each(OF_CHANGED_VALUE, "up to 3 records with values 0 and 1, one value changed"),
        exact.refuted(OF_ADDED_RECORD, case=()),
        rules.along_gaussian_chain(ONE_BY_ONE, *map(solver.proves, rules.steps_of_chain(ONE_BY_ONE))),
        reading="datasets that differ in the values of several records, as in Lemma 3.2",
        reading_is=Outcome.HOLDS,
        counterexample="the number of records is published: 0 of (), and 1 of (0)",
    )


BOTH_ORDERS = AtMost(
    Real("z_1"),
    Real("z_2"),
    Real("μ"),
    left=0,
    right=lambda c, z_1, z_2, mu: mu,
    given=[
        given(lambda c, z_1, z_2, mu: z_2, "<=", lambda c, z_1, z_2, mu: z_1 + mu),
        given(lambda c, z_1, z_2, mu: z_1, "<=", lambda c, z_1, z_2, mu: z_2 + mu),
    ],
)
"""What neighbors in both orders, with z_i = Φ⁻¹(P(M(D_i) ∈ S)), say of μ."""

NEGATIVES = AtMost(
    Z, MU, T, left=lambda c, z, mu, t: cdf(-z, c), right=lambda c, z, mu, t: raised(-(z + mu - t), mu, c)
)
"""Where the true positive rate Φ(z + μ − t) obeys the bound at the false positive rate Φ(z), the true
negative rate Φ(−z) obeys it at the false negative rate Φ(−(z + μ − t)): one order of the pair gives the
other.
"""


@claim(
    "webb2025/def-5.6",
    where="Section 5.2, Definition 5.6",
    says="μ-GEDP: Φ⁻¹(P(M(D2) ∈ S)) ≤ Φ⁻¹(P(M(D1) ∈ S)) + μ for all ψ-neighbors and all sets S.",
    states=(*CLASS, NEGATIVES, BOTH_ORDERS),
    scope="ψ-neighbors, all events",
    origin="implied",
)
def gedp_is_gaussian_indistinguishability_of_neighbors() -> Verdict:
    """The condition of Definition 3.1 over another relation. At probabilities 0 and 1 it needs Φ⁻¹ = ±∞, and
    then says that a set has probability 0 (or 1) under both or neither. μ ≥ 0 is not printed: with μ < 0 no
    mechanism satisfies it, since neighbors are neighbors in either order.
    """
    return holds(
        *trade_off_is_of_the_class(),
        one_order_gives_the_other(),
        solver.proves(BOTH_ORDERS),
        condition=f"μ ≥ 0; {EXTENDED}",
    )


def one_order_gives_the_other() -> Evidence:
    """Evidence for NEGATIVES: Φ rises with t."""
    return rules.slope_and_end(NEGATIVES, "t", *map(symbolic.signed, slope_obligations(NEGATIVES, "t")))


LEVEL = Equal(
    Z, left=lambda c, z: 1 - Gaussian(c.number(0), c.number(1), c).cdf(-z), right=lambda c, z: cdf(z, c)
)
"""The test y > −z has level Φ(z) against N(0, 1)."""

POWER = Equal(
    Z,
    MU,
    left=lambda c, z, mu: 1 - Gaussian(mu, c.number(1), c).cdf(-z),
    right=lambda c, z, mu: raised(z, mu, c),
)
"""Its power against N(μ, 1)."""

RATIO = Equal(
    Z,
    MU,
    left=lambda c, z, mu: log_density(z, mu, c.number(1), c) - log_density(z, c.number(0), c.number(1), c),
    right=lambda c, z, mu: mu * z - mu * mu / 2,
)
"""The log likelihood ratio, which increases with the answer: no test of that level has more power."""


@claim(
    "webb2025/sec5.3-tpr",
    where="Section 5.3",
    says="At false positive rate α the true positive rate is at most Φ(μ+Φ⁻¹(α)), and at false negative rate "
    "α the true negative rate is at most the same; it is as hard as telling N(0,1) from N(μ,1).",
    states=(NEGATIVES, LEVEL, POWER, RATIO),
    tight=(LEVEL, POWER),
)
def rates_of_an_attack_are_bounded() -> Verdict:
    """Definition 5.6 with S the outputs that the attack calls y. For N(0,1) against N(μ,1) the best test at
    level α, by the likelihood ratio e^(μz − μ²/2), is z > −Φ⁻¹(α); its power is Φ(μ + Φ⁻¹(α)).
    """
    return holds(
        one_order_gives_the_other(),
        *(symbolic.proves(statement) for statement in (LEVEL, POWER, RATIO)),
        value="Φ(μ + Φ⁻¹(α)), attained by N(0,1) and N(μ,1)",
    )
