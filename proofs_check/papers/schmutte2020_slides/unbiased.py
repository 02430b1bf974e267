"""The slides on Algorithms 2 and 3: unbiased."""

import sympy

from establish import Moment, Real, Verdict, claim, holds, symbolic
from establish.spec.arithmetic import SYM
from establish.spec.distributions import heavy_tailed, laplace
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace

Z = sympy.Symbol("z", real=True)
FAR = sympy.Symbol("z", positive=True)


_COUNT, _SCALE = Real("q", least=0), Real("s", above=0)

HEAVY_TAILED_MEAN = Moment(
    _COUNT,
    _SCALE,
    law=lambda c, count, scale: HeavyTailed(count, scale, 4, c),
    of=lambda c, output: output,
    closed=lambda c, count, scale: count,
    breaks=(lambda c, count, scale: count,),
)
LAPLACE_MEAN = Moment(
    _COUNT,
    _SCALE,
    law=lambda c, count, scale: Laplace(count, scale, c),
    of=lambda c, output: output,
    closed=lambda c, count, scale: count,
    breaks=(lambda c, count, scale: count,),
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
    density = heavy_tailed.log_density(Z, 4, SYM)
    half = sympy.integrate(FAR / (1 + FAR**4), (FAR, 0, sympy.oo))
    mass = sympy.integrate(1 / (1 + FAR**4), (FAR, 0, sympy.oo))
    return holds(
        symbolic.integrates(HEAVY_TAILED_MEAN),
        symbolic.identity(density.subs(Z, -Z), density, "the density is even"),
        symbolic.identity(half / mass, 1 / sympy.sqrt(2), "E|Z|, by integration"),
        symbolic.identity(heavy_tailed.absolute_moment(1, 4, SYM), half / mass, "E|Z|, closed form"),
        value="bias 0",
    )


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
    density = laplace.log_density(Z, 0, 1, SYM)
    beyond = sympy.exp(laplace.log_density(FAR, 0, 1, SYM))
    return holds(
        symbolic.integrates(LAPLACE_MEAN),
        symbolic.identity(density.subs(Z, -Z), density, "the density is even"),
        symbolic.identity(2 * sympy.integrate(FAR * beyond, (FAR, 0, sympy.oo)), 1, "E|η|, by integration"),
        value="bias 0",
    )
