"""The error of noise on the growth scale, below the count: the integral of the distribution function."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from establish import Every, Verdict, claim, exhaustive, holds
from establish.spec import growth_scale
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism, mean_errors

Case = tuple[int, str, str]
"""A count, α and ε."""


def _cases() -> Iterator[Case]:
    yield from ((0, "1/4", "2"), (1, "1/4", "2"), (4, "1/4", "1/2"), (12, "1/10", "2"))


def _is_the_integral(case: Case) -> bool:
    """E(n − out)⁺ = ∫ P(out ≤ x) over [0, n], joint by joint: to 12 digits."""
    n, alpha, epsilon = case[0], Fraction(case[1]), Fraction(case[2])
    mechanism = GrowthStaircaseMechanism(alpha, epsilon)
    center = growth_scale.scale(Fraction(n), alpha, MP)
    law = mechanism.noisy(center)
    joints = [1 / alpha - j for j in range(ceil(1 / alpha))]
    ends = [center - MP.number(mechanism.down) - j for j in range(ceil(center + 1 / alpha) + n + 1)]
    cuts = {MP.number(0), MP.number(n), *map(MP.number, joints)}
    cuts |= {growth_scale.inverse(y, alpha, MP) for y in ends}
    tiny = MP.number(10) ** -40
    places = sorted(x for x in cuts if -tiny < x < n + tiny)
    _, below = mean_errors(Fraction(n), alpha, epsilon, mechanism.down, mechanism.up)
    if len(places) < 2:
        return bool(abs(below) < MP.number(10) ** -12)
    whole = MP.mp.quad(
        lambda x: law.cdf(growth_scale.scale(x, alpha, MP)), places, method="gauss-legendre", maxdegree=3
    )
    return bool(abs(whole - below) < MP.number(10) ** -12)


BELOW = Every("count, α and ε", _cases, _is_the_integral)


@claim(
    "establish/growth-staircase-errors-below",
    where="Noise on the growth scale",
    says="What outputs fall short of the count on average, negative ones raised to 0, is the integral of "
    "their distribution function up to the count.",
    states=BELOW,
)
def errors_below_are_an_integral() -> Verdict:
    """By parts, E(n − out)⁺ = ∫ P(out ≤ x) dx; quadrature between the joints of both, at 50 digits."""
    return holds(exhaustive.each(BELOW, "counts 0, 1, 4 and 12"))
