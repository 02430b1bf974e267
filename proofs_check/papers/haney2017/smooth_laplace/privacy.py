"""Algorithm 3 and Lemma 9.2: the exact failure probability of Smooth Laplace."""

from fractions import Fraction
from functools import partial

import flint

from establish import Evidence, Grade, Outcome, Verdict, aside, claim, fails, holds, holds_loosely, misprint
from establish.proofs_check.engine.methods import enclosure, exact, solver, symbolic
from establish.proofs_check.engine.statements import (
    AtMost,
    Below,
    Indistinguishable,
    Private,
    Rational,
    Real,
    Satisfies,
    given,
)
from establish.proofs_check.papers.haney2017.exact_delta import FARTHEST, STRONG, exact_delta_evidence
from establish.proofs_check.papers.haney2017.points import at_points
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms import smooth_laplace
from establish.spec.mechanisms.smooth_laplace import PublishedSmoothLaplaceMechanism
from establish.spec.relations.growth import growth_bound, largest_after


def opposite_evidence(alpha: Fraction, epsilon: Fraction) -> Evidence:
    """The smaller dataset against the larger one never has a loss above ε.

    ln(p/q) is at most t/r + ln r (at output 0), convex in 1/r, so largest at r = 1 (ε/2) or r = 1+α.
    """
    return enclosure.compare(
        lambda c: smooth_laplace.opposite_loss(alpha, epsilon, c),
        "<",
        enclosure.rational(epsilon),
        f"α = {alpha}, ε = {epsilon}: the largest loss in the other direction",
    )


def _by_quadrature(alpha: Fraction, epsilon: Fraction) -> flint.arb:
    """The same divergence by rigorous integration of (q − e^ε·p) beyond the two thresholds.

    A second method, which uses neither the closed form of the tails nor of the total.
    """
    with enclosing(128):
        ratio, eps = ARB.number(1 + alpha), ARB.number(epsilon)
        shift = eps / 2
        upper = (eps + ratio.log() - shift / ratio) / (1 - 1 / ratio)
        lower = (eps + ratio.log() + shift / ratio) / (1 - 1 / ratio)

        def excess(side: int) -> flint.arb:
            def integrand(z: flint.acb, _: bool) -> flint.acb:
                q = (-(z - side * shift) / ratio).exp() / (2 * ratio)
                return q - eps.exp() * (-z).exp() / 2

            start = upper if side == 1 else lower
            end = start + 120
            rest = (-(end - side * shift) / ratio).exp() / 2
            return flint.acb.integral(integrand, start, end).real + rest.union(flint.arb(0))

        return excess(1) + excess(-1)


def _exact_delta_at(alpha: Fraction, epsilon: Fraction) -> Verdict:
    """Neighbors shift the count by t ≤ ε/2 noise units and stretch the scale by r ≤ 1+α. Only the larger
    dataset's tails have a loss above ε; their excess rises with t and r, so 1/α workers against one more
    attain δ* = (α/(2(1+α)))·(1+α)^(−1/α)·(e^(−ε/2α) + e^(−3ε/2α)). Integrating the densities encloses
    the same number. The printed condition allows δ only from e^(−ε/(2·ln(1+α))) on.
    """
    by_integral = _by_quadrature(alpha, epsilon)
    with enclosing():
        value = smooth_laplace.exact_delta(alpha, epsilon, ARB)
        agree = bool(value.overlaps(by_integral)) and bool(
            by_integral.rad() < value * ARB.number(Fraction(1, 10**12))
        )
        digits = enclosure.digits(value)
    return holds_loosely(
        exact_delta_evidence()[0],
        symbolic.proves(FARTHEST),
        opposite_evidence(alpha, epsilon),
        Evidence(
            f"rigorous integration of the densities encloses {digits} too",
            agree,
            Grade.ENCLOSURE,
            "enclosure",
        ),
        enclosure.compare(
            lambda c: smooth_laplace.log_exact_delta(alpha, epsilon, c),
            "<",
            lambda c: smooth_laplace.log_least_delta(alpha, epsilon, c),
            "logarithms: exact δ against the least δ of the printed condition",
        ),
        value=digits,
        counterexample=f"attained between {1 / alpha} and {1 / alpha + 1} workers at one establishment",
    )


at_points(
    "alg-3-delta",
    where="Section 9, Algorithm 3",
    says="the least δ of Algorithm 3 is e^(−ε/(2·ln(1+α))).",
    check=_exact_delta_at,
    origin="implied",
)


def _as_listed(c: World, alpha: Number, epsilon: Number, count: Number, largest: Number) -> Laplace:
    """n + S/(ε/2) − η for a count n of which ``largest`` are at one establishment."""
    return Laplace(count + growth_bound(largest, alpha, c) / (epsilon / 2), c.number(1), c)


AS_LISTED = Indistinguishable(
    Real("α", above=0),
    Real("ε", above=0),
    Real("δ", above=0, below=1),
    Real("x", least=0),
    Real("y", least=lambda c, a, e, d, x: x, most=lambda c, a, e, d, x: largest_after(x, a, c)),
    Real("largest", least=0),
    Real("others", least=lambda c, a, e, d, x, y, largest: largest),
    first=lambda c, alpha, epsilon, delta, x, y, largest, others: _as_listed(
        c, alpha, epsilon, y + others, c.maximum(y, largest)
    ),
    second=lambda c, alpha, epsilon, delta, x, y, largest, others: _as_listed(
        c, alpha, epsilon, x + others, c.maximum(x, largest)
    ),
    level=lambda c, alpha, epsilon, *_: epsilon,
    delta=lambda c, alpha, epsilon, delta, *_: delta,
    given=[
        given(
            lambda c, alpha, epsilon, delta, *_: smooth_laplace.least_epsilon(alpha, delta, c),
            "<=",
            lambda c, alpha, epsilon, *_: epsilon,
        )
    ],
)
"""The listing where its condition is met: one establishment grows from x to y workers beside ``others``, at
most ``largest`` of them at one.
"""


@claim(
    "haney2017/alg-3-text",
    origin="implied",
    where="Section 9, Algorithm 3",
    says="Algorithm 3 releases n + S/(ε/2) − η.",
    states=AS_LISTED,
)
def minus_sign_for_a_product() -> Verdict:
    """As printed the noise has scale 1 whatever S is, and the center is moved by 2S/ε. Between x and
    (1+α)x workers the center moves by αx + 2α²x/ε, so the loss has no bound. Moved by t > ε, Laplace(1)
    exceeds e^ε times itself by 1 − e^(−(t−ε)/2) on {z < (t−ε)/2}, to be at most δ. With a product in
    place of the minus sign it is the mechanism of Theorem 8.4.
    """
    return misprint(
        exact.refuted(
            AS_LISTED, α=Fraction(1, 10), ε=2, δ=Fraction(1, 20_000), x=20, y=22, largest=0, others=0, o=24
        ),
        *map(aside, smooth_laplace_guarantee_fails_for_large_budgets().evidence),
        reading="n + (S/(ε/2))·η, which is haney2017/lemma-9.2",
        reading_is=Outcome.FAILS,
        counterexample="α = 1/10, ε = 2, one establishment: 20 workers give the center 22, 22 workers "
        "24.2; the noise has scale 1, so the loss is 2.2 > 2 and takes δ = 1 − e^(−.1) = .095...",
        value="n + (2S/ε)·η",
    )


def _printed_condition(c: World, alpha: Number, epsilon: Number, delta: Number) -> Number:
    """2·ln(1/δ)·ln(1+α), which the printed condition wants to be at most ε."""
    return smooth_laplace.least_epsilon(alpha, delta, c)


def _by_the_printed_condition(neighbors: str, queries: str) -> Satisfies:
    """(α, ε, δ)-ER-EE privacy wherever the printed condition is met."""
    return Private(
        Rational("α", above=0),
        Rational("ε", above=0),
        Rational("δ", above=0, below=1),
        name="Smooth Laplace",
        mechanism=PublishedSmoothLaplaceMechanism,
        alpha=lambda alpha, epsilon, delta: alpha,
        neighbors=neighbors,
        queries=queries,
        level=lambda c, alpha, epsilon, delta: c.number(epsilon),
        delta=lambda c, alpha, epsilon, delta: c.number(delta),
        given=[given(_printed_condition, "<=", lambda c, alpha, epsilon, delta: c.number(epsilon))],
    )


LEMMA_STRONG = _by_the_printed_condition("strong", "establishment")
LEMMA_WEAK = _by_the_printed_condition("weak", "worker")
SMALL = Real("α", least=Fraction(1, 100), most=Fraction(1, 5)), Real("ε", least=Fraction(1, 100), most=10)
DELTA_IS_LESS = Below(
    *SMALL,
    left=lambda c, alpha, epsilon: smooth_laplace.log_exact_delta(alpha, epsilon, c),
    right=lambda c, alpha, epsilon: smooth_laplace.log_least_delta(alpha, epsilon, c),
)
NO_LOSS_ABOVE = AtMost(
    *SMALL,
    Real("δ", above=0, below=1),
    left=lambda c, alpha, epsilon, delta: smooth_laplace.opposite_loss(alpha, epsilon, c),
    right=lambda c, alpha, epsilon, delta: epsilon,
    given=[
        given(_printed_condition, "<=", lambda c, alpha, epsilon, delta: epsilon),
        given(lambda c, alpha, epsilon, delta: c.log(delta), "<=", -1),
    ],
)
"""Both conditions by which Algorithm 3 is private follow from the printed one there, where δ ≤ 1/e."""


@claim(
    "haney2017/lemma-9.2",
    where="Section 9, Lemma 9.2",
    says="Algorithm 3 is (α, ε, δ)-ER-EE private whenever 1+α ≤ e^(ε/(2·ln(1/δ))).",
    states=(LEMMA_STRONG, LEMMA_WEAK),
)
def smooth_laplace_guarantee_fails_for_large_budgets() -> Verdict:
    """The exact δ falls like e^(−ε/2α) in ε, the printed condition lets δ fall like e^(−ε/(2·ln(1+α))),
    which is faster because ln(1+α) < α. So for every α the guarantee breaks from some ε on: at α = 1,
    ε = 10, δ = 3/4000 one establishment of 1 worker against 2 needs δ* = 0.000842, which the best event
    attains; the event {output > 4.3}, whose numbers are simple, alone needs 0.000839670802. (For small α it
    takes a large ε: see haney2017/lemma-9.2-region.)
    """
    point = {"α": 1, "ε": 10, "δ": Fraction(3, 4000), "x": 2, "y": 1, "rest": 0}
    return fails(
        exact.refuted(LEMMA_STRONG, **point, o=Fraction(43, 10)),
        exact.refuted(LEMMA_WEAK, **point, o=Fraction(43, 10)),
        counterexample="α = 1, ε = 10, δ = 3/4000, one establishment with 1 or 2 workers (S = 1 or 2), "
        "event {output > 4.3}: ½·e^(−2.3/0.4) − e^10·½·e^(−3.3/0.2) = 0.00083967... > 0.00075",
        value="δ* = (α/(2(1+α)))·(1+α)^(−1/α)·(e^(−ε/2α) + e^(−3ε/2α))",
        condition="true where δ*(α, ε) ≤ δ",
    )


def _log_gap(c: World, alpha: Number, epsilon: Number) -> Number:
    """ln δ* less ln of the least printed δ: the guarantee holds at all allowed δ where it is ≤ 0."""
    return smooth_laplace.log_exact_delta(alpha, epsilon, c) - smooth_laplace.log_least_delta(
        alpha, epsilon, c
    )


@claim(
    "haney2017/lemma-9.2-region",
    where="Section 9, Lemma 9.2",
    says="Algorithm 3 is (α, ε, δ)-ER-EE private for 1/100 ≤ α ≤ 1/5, 1/100 ≤ ε ≤ 10 and δ ≤ 1/e that its "
    "condition allows.",
    states=(STRONG, DELTA_IS_LESS, NO_LOSS_ABOVE),
    origin="implied",
)
def smooth_laplace_guarantee_holds_for_small_shares() -> Verdict:
    """Algorithm 3 is private where δ* ≤ δ and no loss the other way is above ε (haney2017/alg-3-exact). On
    1/100 ≤ α ≤ 1/5, 1/100 ≤ ε ≤ 10 branch and bound shows δ* < e^(−ε/(2·ln(1+α))), the least allowed δ; and
    δ ≤ 1/e and the condition give ln(1+α) ≤ ε/2, so that ε/(2(1+α)) + ln(1+α) < ε.
    """
    private, _ = exact_delta_evidence()
    return holds(
        private,
        enclosure.proves(DELTA_IS_LESS),
        solver.proves(NO_LOSS_ABOVE, lambda c, *_: c.log(c.number(1))),
        condition="1/100 ≤ α ≤ 1/5, 1/100 ≤ ε ≤ 10, δ ≤ 1/e, 1+α ≤ e^(ε/(2·ln(1/δ)))",
    )


def _breaking_point(alpha: Fraction) -> Verdict:
    """The gap ln δ* − ln(least δ) is increasing in ε where it vanishes; the root is bracketed by balls."""
    low, high = Fraction(1), Fraction(64)

    def sign(epsilon: Fraction) -> bool:
        with enclosing(160):
            value = _log_gap(ARB, ARB.number(alpha), ARB.number(epsilon))
            if value.contains(0):
                raise ArithmeticError(f"the gap at ε = {epsilon} is not decided")
            return bool(value > 0)

    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if sign(middle) else (middle, high)
    with enclosing():
        root = enclosure.digits(ARB.number(low).union(ARB.number(high)))
    return fails(
        enclosure.compare(
            lambda c: _log_gap(c, c.number(alpha), c.number(low)),
            "<",
            enclosure.rational(0),
            f"the gap at ε = {float(low):.16g}",
        ),
        enclosure.compare(
            lambda c: _log_gap(c, c.number(alpha), c.number(high)),
            ">",
            enclosure.rational(0),
            f"the gap at ε = {float(high):.16g}",
        ),
        symbolic.proves(FARTHEST),
        value=root,
        counterexample=f"α = {alpha}, any ε just above {root}, δ = e^(−ε/(2·ln(1+α)))",
    )


for _alpha in (Fraction(1, 100), Fraction(1, 20), Fraction(1, 10), Fraction(1, 5), Fraction(1)):
    claim(
        f"haney2017/lemma-9.2-breaks/a{float(_alpha):g}".replace("a0.", "a."),
        where="Section 9, Lemma 9.2",
        says=f"At α = {_alpha} and the least δ that Algorithm 3 allows, e^(−ε/(2·ln(1+α))), its guarantee "
        "holds for every ε.",
        origin="implied",
    )(partial(_breaking_point, _alpha))
