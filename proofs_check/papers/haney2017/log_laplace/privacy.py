"""Algorithm 1, Theorem 8.1 and its proof: the privacy of Log-Laplace."""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from establish import AtMost, Below, Equal, Private, Rational, Real, claim, solver, symbolic
from establish.proofs_check.engine.rules import comparison_of_levels, densities, pointwise, weakened
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison, Satisfies
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import Evidence, Verdict, holds, holds_loosely
from establish.proofs_check.papers.haney2017.points import at_points
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import laplace
from establish.spec.mechanisms import log_laplace
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism, TightLogLaplaceMechanism
from establish.spec.relations.growth import largest_after


class Privacies(NamedTuple):
    """Strong privacy for counts over establishment attributes, weak privacy for all counts."""

    strong: Satisfies
    weak: Satisfies


PARAMETERS = Rational("α", above=0), Rational("ε", above=0)


def _private(mechanism: type[LogLaplaceMechanism], name: str, *levels: Fraction) -> tuple[Privacies, ...]:
    """(α, level·ε)-ER-EE privacy at each level: strong for establishment counts, weak for all counts."""

    def stated(neighbors: str, queries: str, level: Fraction) -> Satisfies:
        return Private(
            *PARAMETERS,
            name=name,
            mechanism=mechanism,
            alpha=lambda alpha, epsilon: alpha,
            neighbors=neighbors,
            queries=queries,
            level=lambda c, alpha, epsilon: c.number(epsilon) * c.number(level),
        )

    return tuple(
        Privacies(stated("strong", "establishment", level), stated("weak", "worker", level))
        for level in levels
    )


PRINTED, SPENT = _private(LogLaplaceMechanism, "Log-Laplace", Fraction(1), Fraction(1, 2))
"""What Theorem 8.1 prints, ε of the budget, and what its noise spends, ε/2."""

(TIGHT,) = _private(TightLogLaplaceMechanism, "Log-Laplace with half the noise", Fraction(1))


def _reached(mechanism: type[LogLaplaceMechanism], level: Fraction) -> Comparison:
    """ln p(o) − ln q(o) = level·ε at the outputs −γ < o ≤ 0, for an empty cell and a cell with one worker."""

    def loss(c: World, alpha: Number, epsilon: Number, o: Number) -> Number:
        made = mechanism(alpha, epsilon)
        empty, one = (made.output((count,), c).log_density(o) for count in (0, 1))
        return empty - one

    return Equal(
        Real("α", above=0),
        Real("ε", above=0),
        Real("o", above=lambda c, alpha, epsilon: -log_laplace.shift(alpha), most=0),
        left=loss,
        right=lambda c, alpha, epsilon, o: c.number(epsilon) * c.number(level),
    )


HALF_IS_REACHED = _reached(LogLaplaceMechanism, Fraction(1, 2))
ALL_IS_REACHED = _reached(TightLogLaplaceMechanism, Fraction(1))

FORMULA = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    left=lambda c, alpha, epsilon: log_laplace.privacy_loss(
        0, 1, log_laplace.shift(alpha), log_laplace.published_scale(alpha, epsilon, c), c
    ),
    right=lambda c, alpha, epsilon: c.number(epsilon) / 2,
)
"""The formula of the privacy loss gives ε/2 for an empty cell and a cell with one worker."""

HALF_OF_THE_NOISE = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    left=lambda c, alpha, epsilon: 2 * log_laplace.tight_scale(alpha, epsilon, c),
    right=lambda c, alpha, epsilon: log_laplace.published_scale(alpha, epsilon, c),
)
"""Half of the printed noise is what spends ε."""


def _grown(c: World, *values: Number) -> Number:
    """ln((1+α)·(n+γ)), between ln(n'+γ) and ln(n+γ)."""
    alpha, _, x, _, rest, _ = values
    return c.log((1 + alpha) * (x + rest + log_laplace.shift(alpha)))


def _hired(c: World, *values: Number) -> Number:
    """ln((1+γ)/γ), which is ln(1+α)."""
    gamma = c.number(1) / values[0]
    return c.log((1 + gamma) / gamma)


@shared
def _private_evidence(statement: Satisfies) -> Evidence:
    return pointwise(statement, *(solver.proves(owed, _grown) for owed in densities(statement)))


def printed_evidence(printed: Satisfies, spent: Satisfies) -> Evidence:
    """That no more than ε is spent, as ε/2 is."""
    less = solver.proves(comparison_of_levels(printed, spent))
    return weakened(printed, spent, _private_evidence(spent), less)


def _loose_evidence(printed: Satisfies, spent: Satisfies) -> tuple[Evidence, ...]:
    """That ε/2 is spent and reached, and so no more than ε."""
    reached = [solver.proves(statement, _hired) for statement in (HALF_IS_REACHED, FORMULA)]
    return printed_evidence(printed, spent), _private_evidence(spent), *reached


ATTAINED = (
    "counts 0 and 1, event {output ≤ 0}: P(0) = 1/2 and P(1) = (1/2)·e^(−ε/2), "
    "so the loss is ε/2 and never more"
)


@claim(
    "haney2017/thm-8.1-strong",
    where="Section 8.1, Theorem 8.1",
    says="Algorithm 1 is (α, ε)-ER-EE private for a count over establishment attributes.",
    states=PRINTED.strong,
    tight=(SPENT.strong, HALF_IS_REACHED, FORMULA),
)
def log_laplace_protects_establishment_counts() -> Verdict:
    """The output is a bijection of ln(n+γ) + η, so its loss is that of a shifted Laplace law:
    |ln((n'+γ)/(n+γ))|/λ. One establishment of size s ≤ n grows by k ≤ max(αs, 1), and with γ = 1/α
    n+k+γ ≤ (1+α)(n+γ) in both cases: αs ≤ αn, and 1 = αγ. So the loss is at most ln(1+α)/λ = ε/2 at
    the printed λ = 2·ln(1+α)/ε, and it is reached between an empty cell and one worker: half of the
    budget is never spent.
    """
    return holds_loosely(
        *_loose_evidence(PRINTED.strong, SPENT.strong),
        value="total privacy loss ε/2",
        counterexample=ATTAINED,
    )


@claim(
    "haney2017/thm-8.1-weak",
    where="Section 8.1, Theorem 8.1",
    says="Algorithm 1 is weakly (α, ε)-ER-EE private for a count that also uses worker attributes.",
    states=PRINTED.weak,
    tight=(SPENT.weak, HALF_IS_REACHED, FORMULA),
)
def log_laplace_weakly_protects_worker_counts() -> Verdict:
    """Let φ be the property that the query counts. Weak neighbors satisfy
    φ(E) ≤ φ(E') ≤ max((1+α)·φ(E), φ(E)+1) for this very φ, which is the growth of Theorem 8.1's first
    part with s = φ(E). A query over several attribute cells is covered because φ may be their union.
    """
    return holds_loosely(
        *_loose_evidence(PRINTED.weak, SPENT.weak), value="total privacy loss ε/2", counterexample=ATTAINED
    )


GROWING = Real("α", above=0), Real("ε", above=0), Real("y", least=0), Real("n", least=0)
"""An establishment of y workers beside n others in its cell."""

_OUTPUT = Real("ln(o + γ)")


def _by_share(c: World, alpha: Number, y: Number) -> Number:
    return (1 + alpha) * y


def _by_one(c: World, alpha: Number, y: Number) -> Number:
    return y + 1


def _case(grown: Formula) -> tuple[Comparison, Comparison, Comparison]:
    """The log-ratio of the densities at an output, either way, is at most the printed exponent, which is at
    most ε; and the loss is at most ε/2.
    """

    def counts(c: World, alpha: Number, y: Number, n: Number) -> tuple[Number, Number]:
        return y + n, grown(c, alpha, y) + n

    def loss(c: World, alpha: Number, epsilon: Number, y: Number, n: Number) -> Number:
        before, after = counts(c, alpha, y, n)
        scale = log_laplace.published_scale(alpha, epsilon, c)
        return log_laplace.privacy_loss(before, after, log_laplace.shift(alpha), scale, c)

    def log_ratio(c: World, alpha: Number, epsilon: Number, y: Number, n: Number, output: Number) -> Number:
        scale = log_laplace.published_scale(alpha, epsilon, c)
        before, after = (
            laplace.log_density(output, c.log(count + log_laplace.shift(alpha)), scale, c)
            for count in counts(c, alpha, y, n)
        )
        return c.absolute(after - before)

    def exponent(
        c: World, alpha: Number, epsilon: Number, y: Number, n: Number, _output: Number = 0
    ) -> Number:
        before, after = (count + log_laplace.shift(alpha) for count in counts(c, alpha, y, n))
        return epsilon / c.log(1 + alpha) * c.log(after / before)

    return (
        AtMost(*GROWING, _OUTPUT, left=log_ratio, right=exponent),
        AtMost(*GROWING, left=exponent, right=lambda c, alpha, epsilon, y, n: epsilon),
        AtMost(*GROWING, left=loss, right=lambda c, alpha, epsilon, y, n: epsilon / 2),
    )


BY_SHARE, BY_ONE = _case(_by_share), _case(_by_one)
SHARE_IS_LESS = replace(BY_SHARE[2], relation="<")
"""Growth by a share never reaches its bound, as n + γ > 0."""


def _case_evidence(case: tuple[Comparison, ...], grown: Formula) -> tuple[Evidence, ...]:
    def parts(c: World, alpha: Number, epsilon: Number, y: Number, n: Number, *_: Number) -> None:
        before = y + n + 1 / alpha
        after = grown(c, alpha, y) + n + 1 / alpha
        for part in (after / before, (1 + alpha) * before, after, c.number(1)):
            c.log(part)

    return tuple(solver.proves(statement, parts) for statement in case)


@claim(
    "haney2017/thm-8.1-case-i",
    where="Appendix B, proof of Theorem 8.1",
    says="Case (i): if an establishment grows from y to (1+α)y, the density ratio is at most "
    "exp(ε/ln(1+α)·ln(((1+α)y+n+γ)/(y+n+γ))) ≤ e^ε.",
    states=BY_SHARE[:2],
    tight=SHARE_IS_LESS,
)
def growth_by_a_share_is_protected() -> Verdict:
    """The bound is true, with room: the exponent belongs to noise of scale ln(1+α)/ε, whereas
    Algorithm 1 draws twice that. At the printed scale the exponent is half as large. The second step is
    ((1+α)y+n+γ) ≤ (1+α)(y+n+γ), strict because n+γ > 0, so the case never reaches its bound.
    """
    return holds_loosely(
        *_case_evidence((*BY_SHARE[:2], SHARE_IS_LESS), _by_share),
        value="loss < ε/2",
        counterexample="the exponent is printed as ε/ln(1+α); with λ = 2·ln(1+α)/ε it is ε/(2·ln(1+α))",
    )


@claim(
    "haney2017/thm-8.1-case-ii",
    where="Appendix B, proof of Theorem 8.1",
    says="Case (ii): if an establishment grows from y to y+1, the density ratio is at most "
    "exp(ε/ln(1+α)·ln((1+y+n+γ)/(y+n+γ))) ≤ e^ε.",
    states=BY_ONE[:2],
    tight=(BY_ONE[2], HALF_IS_REACHED),
)
def one_more_worker_is_protected() -> Verdict:
    """As in case (i) the exponent is twice the loss of the printed noise. (1+y+n+γ)/(y+n+γ) ≤ 1+α is
    1 ≤ α(y+n+γ), true because αγ = 1, with equality exactly in the empty cell y+n = 0: this case is the
    worst one.
    """
    return holds_loosely(
        *_case_evidence(BY_ONE, _by_one),
        solver.proves(HALF_IS_REACHED, _hired),
        value="loss ≤ ε/2",
        counterexample=ATTAINED,
    )


TWICE_THE_NOISE = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    left=lambda c, alpha, epsilon: (
        epsilon / (2 * c.log(1 + alpha)) * log_laplace.published_scale(alpha, epsilon, c)
    ),
    right=1,
)


@claim(
    "haney2017/thm-8.1-proof-scale",
    where="Appendix B, proof of Theorem 8.1",
    says="The λ of Algorithm 1 is twice the one whose exponent 1/λ is the ε/ln(1+α) of the proof.",
    states=TWICE_THE_NOISE,
    tight=(TIGHT.strong, ALL_IS_REACHED),
    origin="ours",
)
def proof_and_listing_have_two_noises() -> Verdict:
    """Algorithm 1 prints λ = 2·ln(1+α)/ε, and so do Lemma 8.2 and Theorem 8.3. The proof's exponent belongs
    to λ = ln(1+α)/ε: its bound is true, and twice the loss. Either noise is private; that of the proof is
    half as large, and it is the one that spends ε exactly.
    """
    return holds(
        symbolic.proves(TWICE_THE_NOISE),
        _private_evidence(TIGHT.strong),
        solver.proves(ALL_IS_REACHED, _hired),
        value="least noise: λ = ln(1+α)/ε",
    )


@claim(
    "haney2017/alg-1-tight",
    where="Section 8.1, Algorithm 1 with half of its noise",
    says="Algorithm 1 with λ = ln(1+α)/ε is (α, ε)-ER-EE private.",
    states=(TIGHT.strong, TIGHT.weak),
    tight=ALL_IS_REACHED,
    origin="ours",
)
def log_laplace_with_half_the_noise_is_private() -> Verdict:
    """The loss is at most ln(1+α)/λ = ε, by the argument of Theorem 8.1, and it is attained between an empty
    cell and one worker. (Ours; it is the `tight` calibration of the release.)
    """
    return holds(
        _private_evidence(TIGHT.strong),
        _private_evidence(TIGHT.weak),
        solver.proves(ALL_IS_REACHED, _hired),
        value="λ = ln(1+α)/ε",
    )


def _growth(c: World, alpha: Number, gamma: Number, x: Number, *_: Number) -> Number:
    return largest_after(x, alpha, c)


SUFFICIENT = AtMost(
    Real("α", above=0),
    Real("γ", least=lambda c, alpha: 1 / alpha),
    Real("x", least=0),
    Real("y", least=lambda c, alpha, gamma, x: x, most=_growth),
    Real("rest", least=0),
    left=lambda c, alpha, gamma, x, y, rest: (y + rest + gamma) / (x + rest + gamma),
    right=lambda c, alpha, *_: 1 + alpha,
)
"""Every shift of at least 1/α keeps the ratio of two neighboring counts within 1 + α."""

NECESSARY = Below(
    Real("α", above=0),
    Real("γ", above=0, below=lambda c, alpha: 1 / alpha),
    left=lambda c, alpha, gamma: 1 + alpha,
    right=lambda c, alpha, gamma: (1 + gamma) / gamma,
)
"""A smaller shift lets an empty cell that hires one worker grow by more."""


@claim(
    "haney2017/alg-1-shift",
    where="Section 8.1, Algorithm 1",
    says="The shift γ = 1/α keeps the logarithm's sensitivity at ln(1+α).",
    states=SUFFICIENT,
    tight=NECESSARY,
    origin="implied",
)
def shift_is_the_least_that_works() -> Verdict:
    """With shift γ the empty cell that hires one worker has ratio (1+γ)/γ = 1 + 1/γ, which is at most
    1+α exactly when γ ≥ 1/α; and γ = 1/α suffices for all neighbors.
    """
    return holds(solver.proves(SUFFICIENT), solver.proves(NECESSARY), value="least shift γ = 1/α")


@shared
def _at_point(alpha: Fraction, epsilon: Fraction) -> tuple[Satisfies, Satisfies, Comparison]:
    """At one point: (α, ε)-ER-EE privacy, the same at ε/2, and that ε/2 is reached."""

    def private(level: Fraction) -> Satisfies:
        return Private(
            name=f"Log-Laplace at α = {alpha}, ε = {epsilon}",
            mechanism=lambda: LogLaplaceMechanism(alpha, epsilon),
            alpha=lambda: alpha,
            neighbors="strong",
            queries="establishment",
            level=lambda c: c.number(level),
        )

    reached = _reached_at(LogLaplaceMechanism, alpha, epsilon, epsilon / 2)
    return private(epsilon), private(epsilon / 2), reached


def _reached_at(
    mechanism: type[LogLaplaceMechanism], alpha: Fraction, epsilon: Fraction, level: Fraction
) -> Comparison:
    """What `_reached` states, at one point of the parameters."""

    def loss(c: World, o: Number) -> Number:
        made = mechanism(alpha, epsilon)
        empty, one = (made.output((count,), c).log_density(o) for count in (0, 1))
        return empty - one

    low = -log_laplace.shift(alpha)
    return Equal(Real("o", above=low, most=0), left=loss, right=lambda c, o: c.number(level))


@shared
def _private_at(statement: Satisfies) -> Evidence:
    """The instance at one point of what is shown for all parameters: the same rule, the same solver."""
    assert statement.alpha is not None
    alpha = statement.alpha()

    def grown(c: World, x: Number, y: Number, rest: Number, o: Number) -> Number:
        return c.log((1 + alpha) * (x + rest + 1 / alpha))

    return pointwise(statement, *(solver.proves(owed, grown) for owed in densities(statement)))


def _exact_loss_at(alpha: Fraction, epsilon: Fraction) -> Verdict:
    """The exact loss is ε/2 for every α, attained between counts 0 and 1 (Theorem 8.1)."""
    at_epsilon, at_half, reached = _at_point(alpha, epsilon)
    return holds_loosely(
        _private_at(at_epsilon),
        _private_at(at_half),
        solver.proves(reached, lambda c, o: _hired(c, alpha)),
        solver.proves(FORMULA, _hired),
        value=str(epsilon / 2),
        counterexample="attained between counts 0 and 1 by every event inside {output ≤ 0}",
    )


def _halved(alpha: Fraction, epsilon: Fraction) -> tuple[Satisfies, Comparison, Comparison]:
    """At one point: half of the printed noise is private at ε, and spends all of it."""
    half = Private(
        name=f"Log-Laplace with half the noise at α = {alpha}, ε = {epsilon}",
        mechanism=lambda: TightLogLaplaceMechanism(alpha, epsilon),
        alpha=lambda: alpha,
        neighbors="strong",
        queries="establishment",
        level=lambda c: c.number(epsilon),
    )
    return half, _reached_at(TightLogLaplaceMechanism, alpha, epsilon, epsilon), HALF_OF_THE_NOISE


def _least_multiplier_at(alpha: Fraction, epsilon: Fraction) -> Verdict:
    """The loss is inversely proportional to the noise scale; at half of the printed noise it is ε."""
    at_epsilon, _, _ = _at_point(alpha, epsilon)
    half, reached, halved = _halved(alpha, epsilon)
    return holds_loosely(
        _private_at(at_epsilon),
        _private_at(half),
        solver.proves(reached, lambda c, o: _hired(c, alpha)),
        solver.proves(halved),
        value="1/2",
    )


at_points(
    "alg-1-loss",
    where="Section 8.1, Algorithm 1",
    says="Algorithm 1 has total privacy loss ε.",
    check=_exact_loss_at,
    states=lambda alpha, epsilon: _at_point(alpha, epsilon)[0],
    tight=lambda alpha, epsilon: (*_at_point(alpha, epsilon)[1:], FORMULA),
    origin="implied",
)
at_points(
    "alg-1-multiplier",
    where="Section 8.1, Algorithm 1",
    says="Algorithm 1 needs 1 times its printed noise.",
    check=_least_multiplier_at,
    states=lambda alpha, epsilon: _at_point(alpha, epsilon)[0],
    tight=_halved,
    origin="ours",
)
