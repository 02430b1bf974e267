"""The proof of Lemma 8.6, equations 38 and 39: the ratio of a dilated density."""

from establish import AtMost, Equal, Outcome, Real, Verdict, claim, exact, fails, misprint, symbolic
from establish.proofs_check.papers.haney2017.heavy_tailed import admissible
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import heavy_tailed


def _ratio(c: World, gamma: Number, log_factor: Number, z: Number) -> Number:
    """The printed right side of equation 38."""
    factor = c.exp(log_factor)
    moved = 1 + c.power(factor * c.absolute(z), gamma)
    return c.log(factor * moved / (1 + c.power(c.absolute(z), gamma)))


def _turned(c: World, gamma: Number, log_factor: Number, z: Number) -> Number:
    factor = c.exp(log_factor)
    moved = 1 + c.power(factor * c.absolute(z), gamma)
    return c.log(factor * (1 + c.power(c.absolute(z), gamma)) / moved)


DILATED = (Real("γ", above=0), Real("λ"), Real("z", above=0))
EQ_38, EQ_38_TURNED = (
    Equal(
        *DILATED[:2],
        Real("z"),
        left=lambda c, gamma, log_factor, z: -heavy_tailed.dilation_loss(z, log_factor, gamma, c),
        right=right,
    )
    for right in (_ratio, _turned)
)


@claim(
    "haney2017/eq-38",
    where="Appendix B, proof of Lemma 8.6, equation 38",
    says="ln(e^λ·h(e^λz)/h(z)) = ln(e^λ·(1+(e^λ|z|)^γ)/(1+|z|^γ)).",
    states=EQ_38,
    meant=EQ_38_TURNED,
)
def dilation_ratio_is_upside_down() -> Verdict:
    """h is a reciprocal, so the ratio is e^λ·(1+|z|^γ)/(1+(e^λ|z|)^γ); the printed fraction is inverted.
    At e^λ = 2, z = 1, γ = 4 the left side is ln(4/17) and the right side ln 17.
    """
    return misprint(
        exact.refuted(EQ_38, γ=4, λ=1, z=1),
        symbolic.proves(EQ_38_TURNED),
        reading="ln(e^λ·(1+|z|^γ)/(1+(e^λ|z|)^γ))",
        reading_is=Outcome.HOLDS,
        counterexample="λ = 1, z = 1, γ = 4: the ratio is 2e/(1+e⁴) = 0.097..., and the printed one "
        "e·(1+e⁴)/2 = 75.5...",
    )


EQ_39_FIRST = AtMost(
    *DILATED,
    left=_ratio,
    right=lambda c, gamma, log_factor, z: c.log(c.power(c.exp(log_factor) * z, gamma) / c.power(z, gamma)),
)
EQ_39_SECOND = AtMost(
    *DILATED, left=EQ_39_FIRST.right, right=lambda c, gamma, log_factor, z: log_factor * (gamma + 1)
)


@claim(
    "haney2017/eq-39",
    where="Appendix B, proof of Lemma 8.6, equation 39",
    says="ln(e^λ·(1+(e^λ|z|)^γ)/(1+|z|^γ)) ≤ ln((e^λ|z|)^γ/|z|^γ) ≤ λ(γ+1).",
    states=(EQ_39_FIRST, EQ_39_SECOND),
    scope="z > 0: both sides depend on |z| only",
)
def dilation_steps_do_not_chain() -> Verdict:
    """The middle term is λγ. At λ = 1, z = 1, γ = 4 the first term is ln 75.5... and the middle 4: the first
    step is false. For λ < 0 the second is false too: λγ ≤ λ(γ+1) needs λ ≥ 0. The bound itself is true for
    the reading of equation 38 that is meant, since max(1, γ−1)·|λ| ≤ (γ+1)·|λ|.
    """
    return fails(
        exact.refuted(EQ_39_FIRST, γ=4, λ=1, z=1),
        exact.refuted(EQ_39_SECOND, γ=4, λ=-1, z=1),
        *admissible.dilation_evidence(),
        counterexample="λ = 1, z = 1, γ = 4: ln(e·(1+e⁴)/2) = 4.32... > 4; and λ = −1: −4 > −5",
        value="the ratio that is meant lies within e^(±max(1, γ−1)·|λ|)",
    )
