"""The slides on Algorithms 2 and 3: unbiased."""

from establish import Moment, Real, Verdict, claim, holds, symbolic
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace

HEAVY_TAILED_MEAN, LAPLACE_MEAN = (
    Moment(
        Real("q", least=0),
        Real("s", above=0),
        law=law,
        of=lambda c, output: output,
        closed=lambda c, count, scale: count,
        breaks=(lambda c, count, scale: count,),
    )
    for law in (
        lambda c, count, scale: HeavyTailed(count, scale, 4, c),
        lambda c, count, scale: Laplace(count, scale, c),
    )
)
"""The mean of the output around a count q, for every scale that the smooth sensitivity may have."""


@claim(
    "schmutte2020_slides/alg-2/unbiased",
    where="Slides, Algorithm 2",
    says="Smooth Gamma is unbiased.",
    states=HEAVY_TAILED_MEAN,
    tight=HEAVY_TAILED_MEAN,
)
def smooth_gamma_is_unbiased() -> Verdict:
    """The output is the count plus a multiple of Z, whose density ∝ 1/(1+z⁴) is even. E|Z| = 1/√2 is finite,
    so E Z exists and is 0. (With z² in place of z⁴, as in Cauchy noise, it would not exist.)
    """
    return holds(symbolic.integrates(HEAVY_TAILED_MEAN), value="bias 0")


@claim(
    "schmutte2020_slides/alg-3/unbiased",
    where="Slides, Algorithm 3",
    says="Smooth Laplace is unbiased.",
    states=LAPLACE_MEAN,
    tight=LAPLACE_MEAN,
    origin="implied",
)
def smooth_laplace_is_unbiased() -> Verdict:
    """The output is the count plus a multiple of η, whose density is even with E|η| = 1."""
    return holds(symbolic.integrates(LAPLACE_MEAN), value="bias 0")
