"""Section 6.1: the confidence interval and the maximum likelihood estimate from one noisy answer."""

from establish import Evidence, Verdict, aside, claim, exact, ill_posed, solver, symbolic
from establish.proofs_check.engine.rules import any_psi
from establish.proofs_check.engine.statements import AtMost, ComparisonOfPsi, Equal, EveryPsi, Moment, Real
from establish.proofs_check.engine.statements.statement import Formula
from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.distributions import gaussian
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms.clipped_inverse import clipped_inverse
from establish.spec.mechanisms.psi_estimators import maximum_likelihood
from establish.spec.neighbor_functions.arbitrary import Arbitrary
from establish.spec.neighbor_functions.functions import NeighborFunction, root

_ANSWER, _HALF_LENGTH = Real("ω"), Real("h", above=0)

INVERSE_IS_DEFINED = AtMost(_ANSWER, _HALF_LENGTH, left=0, right=lambda c, answer, half: answer - half)
"""For ψ = √ both ends ψ⁻¹(ω ± h) exist: they are at least ψ(0) = 0."""


def _end(name: str, relation: str, real: bool) -> ComparisonOfPsi:
    """An end of the raised interval against x, where the raw one lies there against ψ(x)."""
    sign = -1 if name == "low" else 1
    least = {"above" if relation in ("<", ">") or not real else "least": 0}

    def raw(psi: NeighborFunction, c: World, answer: Number, half: Number, x: Number) -> Number:
        return answer + sign * half

    return EveryPsi(
        _ANSWER,
        _HALF_LENGTH,
        Real("x", **least),
        left=lambda psi, c, answer, half, x: clipped_inverse(psi, answer + sign * half, c),
        relation=relation,
        right=lambda psi, c, answer, half, x: x,
        given=[(raw, relation, lambda psi, c, answer, half, x: psi.value(x, c))],
        real=real,
    )


COVERS = tuple(
    _end(name, relation, real)
    for real in (True, False)
    for name, relation in (("low", "<="), ("high", ">="), ("low", ">"), ("high", "<"))
)
"""For x > 0 the raised interval contains x exactly when |ω − ψ(x)| ≤ h; for x = 0 when ω ≤ ψ(0) + h, and
maybe otherwise.
"""

COVERAGE = Equal(
    Real("ψ(x)"),
    Real("s", above=0),
    Real("z", above=0),
    left=lambda c, center, sd, z: (
        Gaussian(center, sd, c).cdf(center + z * sd) - Gaussian(center, sd, c).cdf(center - z * sd)
    ),
    right=lambda c, center, sd, z: 2 * gaussian.cdf(z, c) - 1,
)
"""Which has the probability that a standard normal variable lies in [−z, z]."""


def coverage() -> tuple[Evidence, ...]:
    """Evidence for COVERS."""
    return tuple(any_psi(one, solver.proves(one.arbitrary)) for one in COVERS)


@claim(
    "webb2025/sec6.1-ci",
    where="Section 6.1",
    says="[ψ⁻¹(ω − zγ/μ), ψ⁻¹(ω + zγ/μ)] is a 95% confidence interval when P(|N(0, 1)| ≤ z) = 95%.",
    states=(INVERSE_IS_DEFINED, COVERAGE),
    meant=(*COVERS, COVERAGE),
)
def interval_needs_clipping_at_zero() -> Verdict:
    """ψ⁻¹ is not defined below ψ(0), where ω − zγ/μ lies for small x (ψ = √, x = 0: with probability
    97.5%). Reading ψ⁻¹ as the square loses the coverage: at x = 0 the interval [(ω−h)², (ω+h)²] contains
    0 only if ω = h, that is never. With both ends raised to ψ(0) the interval contains x exactly when
    |ω − ψ(x)| ≤ h, if ψ(x) > ψ(0), and when ω ≤ ψ(x) + h, if x = 0: 95%, and 97.5% at x = 0. For ψ = ln,
    ψ(0) = −∞ and nothing needs raising.
    """
    return ill_posed(
        exact.refuted(INVERSE_IS_DEFINED, ω=0, h=1),
        *coverage(),
        symbolic.proves(COVERAGE),
        condition="ψ⁻¹ of max(ψ(0), ·) at both ends; then at least 95%, and 97.5% at x = 0",
        counterexample="ψ = √, γ = μ, ω = 0: ψ⁻¹(−z) is undefined; squared, both ends are z²",
    )


ANSWER_IS_A_VALUE = AtMost(_ANSWER, left=0, right=lambda c, answer: answer)
"""For ψ = √ the answer ω is the root of a number, so that ψ⁻¹(ω) exists."""


def _likeliest(real: bool) -> ComparisonOfPsi:
    """No value is nearer to the answer, under ψ, than the raised estimate: so none is likelier."""
    return EveryPsi(
        _ANSWER,
        Real("x", **{"least" if real else "above": 0}),
        left=lambda psi, c, answer, x: c.absolute(answer - psi.value(clipped_inverse(psi, answer, c), c)),
        relation="<=",
        right=lambda psi, c, answer, x: c.absolute(answer - psi.value(x, c)),
        real=real,
    )


LIKELIEST = _likeliest(True), _likeliest(False)
MEAN_OF_EXPONENTIAL = Moment(
    Real("x", above=0),
    Real("s", above=0),
    law=lambda c, x, sd: Gaussian(c.log(x), sd, c),
    of=lambda c, answer: c.exp(answer),
    closed=lambda c, x, sd: x * c.exp(sd * sd / 2),
    breaks=(lambda c, x, sd: c.log(x),),
)
"""For ψ = ln the mean of the estimate is above x."""


MEAN_OF_SQUARE = Moment(
    Real("x", least=0),
    Real("s", above=0),
    law=lambda c, x, sd: Gaussian(c.sqrt(x), sd, c),
    of=lambda c, answer: c.power(answer, 2),
    closed=lambda c, x, sd: x + sd * sd,
    breaks=(lambda c, x, sd: c.sqrt(x),),
)
"""For ψ = √ the mean of ω² is above x, for every x."""


def _mirrored(real: bool, far: bool) -> ComparisonOfPsi:
    """Two estimates whose noises z and −z are equally likely have a mean of at least x, and above x for z far
    from 0.
    """

    def both(psi: NeighborFunction, c: World, x: Number, z: Number) -> Number:
        answer = psi.value(x, c)
        return (psi.inverse(answer + z, c) + clipped_inverse(psi, answer - z, c)) / 2

    beyond = (lambda psi, c, x, z: z, ">", lambda psi, c, x, z: psi.value(2 * x, c) - psi.value(x, c))
    return EveryPsi(
        Real("x", **{"least" if real else "above": 0}),
        Real("z", above=0),
        left=lambda psi, c, x, z: x,
        relation="<" if far else "<=",
        right=both,
        given=[beyond] if far else [],
        real=real,
    )


NEVER_LESS = _mirrored(True, False), _mirrored(False, False)
OFTEN_MORE = _mirrored(True, True), _mirrored(False, True)
"""For every ψ the mean of the estimate is above x, as the noise is symmetric."""


def never_less(statement: ComparisonOfPsi) -> Evidence:
    """By concavity, in steps of half the distance from the lower estimate to x, up to as far above x."""

    def step(number: int) -> Formula:
        def value(c: World, x: Number, z: Number) -> Number:
            psi = Arbitrary(statement.real)
            low = clipped_inverse(psi, psi.value(x, c) - z, c)
            return psi.value(low + number * (x - low) / 2, c)

        return value

    return any_psi(statement, solver.proves(statement.arbitrary, *map(step, (1, 3, 4))))


@claim(
    "webb2025/sec6.1-mle",
    where="Section 6.1",
    says="ψ⁻¹(ω) is the maximum likelihood estimate of the true value, but is biased.",
    states=ANSWER_IS_A_VALUE,
    meant=(*LIKELIEST, *NEVER_LESS, *OFTEN_MORE, MEAN_OF_SQUARE, MEAN_OF_EXPONENTIAL),
)
def maximum_likelihood_needs_clipping_at_zero() -> Verdict:
    """The likelihood decreases with |ω − ψ(x)|. For ω ≥ ψ(0) the best x is ψ⁻¹(ω); for ω < ψ(0) it is 0,
    and ψ⁻¹(ω) is undefined (squaring ω = −1 gives 1, which is less likely than 0). The raised ψ⁻¹ is convex,
    so the estimates at ψ(x) ± z have a mean of at least x. It is above x where z > ψ(2x) − ψ(x), which has a
    positive probability, as the upper one alone exceeds 2x. So the bias is upward. Not raised, ω² has the
    mean x + s² for √; e^ω has the mean x·e^(s²/2) for ln.
    """
    squared = exact.compare(
        (-1 - 1) ** 2, ">", (-1 - 0) ** 2, "ω = −1 is farther from √1, 1 = ω², than from √0"
    )
    return ill_posed(
        exact.refuted(ANSWER_IS_A_VALUE, ω=-1),
        *(any_psi(one, solver.proves(one.arbitrary)) for one in LIKELIEST),
        *map(never_less, NEVER_LESS),
        *(any_psi(one, solver.proves(one.arbitrary)) for one in OFTEN_MORE),
        symbolic.integrates(MEAN_OF_SQUARE),
        symbolic.integrates(MEAN_OF_EXPONENTIAL),
        squared,
        aside(
            exact.compare(maximum_likelihood(root(), -1, EXACT), "==", 0, "the estimate for ω = −1, ψ = √")
        ),
        condition="ψ⁻¹(max(ψ(0), ω)), over real x ≥ 0",
        counterexample="ψ = √, ω = −1: ψ⁻¹ is undefined, ω² = 1 is less likely than 0",
    )
