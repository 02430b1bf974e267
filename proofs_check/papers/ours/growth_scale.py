"""The errors of noise on the growth scale, below the count and above it: integrals of the law."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil

from establish import Every, Verdict, claim, exhaustive, holds
from establish.spec import growth_scale
from establish.spec.arithmetic import MP, Number
from establish.spec.mechanisms import growth_laplace, growth_staircase
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism

Case = tuple[str, int, str, str]
"""A kind of noise, a count, α and ε."""

THIRD = Fraction(1, 3)
"""Where Laplace noise is cut, which has no steps."""


def _cases() -> Iterator[Case]:
    for noise in ("smooth", "stepwise"):
        for row in ((0, "1/4", "2"), (1, "1/4", "2"), (4, "1/4", "1"), (25, "1/10", "2")):
            yield noise, *row


def _integral(of: Callable[[Number], Number], places: Sequence[Number]) -> Number:
    return MP.mp.quad(of, places, method="gauss-legendre", maxdegree=3)


def _are_integrals(case: Case) -> bool:
    """E(n − out)⁺ = ∫ P(out ≤ x) dx over [0, n], and E(out − n)⁺ = ∫ (x − n)·p(x) dx from n to where e^(−30)
    of it is left, joint by joint: to 12 digits.
    """
    noise, n, alpha, epsilon = case[0], case[1], Fraction(case[2]), Fraction(case[3])
    made: GrowthLaplaceMechanism | GrowthStaircaseMechanism
    if noise == "smooth":
        made, down, up = GrowthLaplaceMechanism(alpha, epsilon), THIRD, THIRD
        stated = growth_laplace.mean_errors(Fraction(n), alpha, epsilon)
    else:
        made = GrowthStaircaseMechanism(alpha, epsilon)
        down, up = made.down, made.up
        stated = growth_staircase.mean_errors(Fraction(n), alpha, epsilon, down, up)
    law, center = made.output((n,)), growth_scale.scale(Fraction(n), alpha, MP)
    far = ceil(30 / (MP.number(epsilon) - MP.log(1 + MP.number(alpha))))
    ends = [center - MP.number(down) - j for j in range(ceil(center + 1 / alpha) + 1)]
    ends += [center + MP.number(up) + j for j in range(far + 1)]
    joints = (MP.number(1 / alpha - j) for j in range(ceil(1 / alpha)))
    places = sorted({*joints, *(growth_scale.inverse(y, alpha, MP) for y in ends)})
    tiny = MP.number(10) ** -40
    further = [MP.number(n), *(x for x in places if x > n + tiny)]
    above = _integral(lambda x: (x - n) * MP.exp(law.log_density(x)), further)
    below = _integral(law.cdf, [MP.number(0), *(x for x in places if tiny < x < n - tiny), MP.number(n)])
    return all(abs(x - y) < MP.number(10) ** -12 for x, y in zip((above, below), stated, strict=True))


ERRORS = Every("noise, count, α and ε", _cases, _are_integrals)


@claim(
    "establish/growth-scale-errors",
    where="Noise on the growth scale",
    says="What outputs fall short of the count on average, negative ones raised to 0, is the integral of "
    "their distribution function up to the count, and what they exceed it by is that of the excess under "
    "their density, for Laplace noise and for a staircase.",
    states=ERRORS,
)
def errors_are_integrals() -> Verdict:
    """By parts, E(n − out)⁺ = ∫ P(out ≤ x) dx; quadrature between the joints of both, at 50 digits."""
    return holds(exhaustive.each(ERRORS, "counts 0, 1, 4 and 25, with either noise"))
