"""The two-sided geometric law, and the draw of one quantile, against sums that are worked out anew."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Every
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.arithmetic import EXACT
from establish.spec.distributions.geometric import Geometric, mean_absolute, variance
from establish.spec.earnings.quantile_tree import QuantileTree

PLACE = "Two-sided geometric noise"
RATIOS = tuple(map(Fraction, ("1/10", "1/2", "3/4")))

Case = tuple[int, Fraction, int]


def _cases() -> Iterator[Case]:
    yield from product((0, 3, -2), RATIOS, range(-6, 7))


def _adds_up(case: Case) -> bool:
    """Masses fall by the ratio on each side of the center, add up to the distribution function, and to 1."""
    center, ratio, k = case
    law = Geometric(center, ratio, EXACT)
    falls = law.mass(center + abs(k)) == law.mass(center) * ratio ** abs(k)
    symmetric = law.mass(center + k) == law.mass(center - k)
    whole = law.mass(center) * (1 + 2 * ratio / (1 - ratio)) == 1
    rises = law.cdf(k) - law.cdf(k - 1) == law.mass(k) and law.cdf(center) > Fraction(1, 2)
    mirrored = law.cdf(center + k) + law.cdf(center - k - 1) == 1
    before, at = law.cdf(k - 1), law.cdf(k)
    quantiles = [law.quantile(p) for p in (at, (before + at) / 2)] == [k, k]
    return all((falls, symmetric, whole, rises, mirrored, quantiles))


def _is_centered_at_0(case: Case) -> bool:
    center, ratio, k = case
    law = Geometric(center, ratio, EXACT)
    return bool(law.mass(k) == law.mass(-k))


LAW = Every("center, ratio and k", _cases, _adds_up, wrong=_is_centered_at_0)


def _moments_solve_their_recursion(ratio: Fraction) -> bool:
    """Σ|k|·m·ρ^|k| and Σk²·m·ρ^|k|, cut off where less than 10⁻⁹ is left."""
    mass = Geometric(0, ratio, EXACT).mass(0)
    first = 2 * sum(k * mass * ratio**k for k in range(1, 130))
    second = 2 * sum(k * k * mass * ratio**k for k in range(1, 130))
    tiny = Fraction(1, 10**9)
    return bool(0 <= mean_absolute(ratio) - first < tiny and 0 <= variance(ratio) - second < tiny)


MOMENTS = Every("ratio", lambda: iter(RATIOS), _moments_solve_their_recursion)


@claim(
    "establish/geometric-noise-adds-up",
    where=PLACE,
    says="The masses of two-sided geometric noise around any center fall by its ratio, add up to its "
    "distribution function and to 1, and its quantiles and moments are theirs.",
    states=(LAW, MOMENTS),
)
def geometric_noise_adds_up() -> Verdict:
    """In exact fractions; the sums of the moments are cut off where ρ^130 is left."""
    return holds(
        exhaustive.each(LAW, "centers 0, 3, −2, ratios 1/10, 1/2, 3/4, k from −6 to 6"),
        exhaustive.each(MOMENTS, "ratios 1/10, 1/2, 3/4"),
    )


EARNED, CANDIDATES, WEIGHTS = (1, 3, 3, 5), (1, 3, 4, 6), tuple(map(Fraction, (2, 1, 3, 1)))

Ends = tuple[int, int]
"""The first and the last place that are drawn from."""


def _ends() -> Iterator[Ends]:
    yield from ((0, 3), (1, 2), (0, 0), (2, 3))


def _has_its_weights(ends: Ends) -> bool:
    """For the median chances are as w·2^(−2|#{e < y} − n/2|), also where y itself is earned."""
    median = Fraction(1, 2)
    law = QuantileTree(CANDIDATES, WEIGHTS, [median], median, EXACT).draw(EARNED, median, ends)
    strictly_below = (0, 1, 3, 4)
    places = range(ends[0], ends[1] + 1)
    chances = {k: WEIGHTS[k] / 2 ** (2 * abs(strictly_below[k] - 2)) for k in places}
    total = sum(chances.values())
    return law == {k: chance / total for k, chance in chances.items()}


DRAWN = Every("range of candidates", _ends, _has_its_weights)


@claim(
    "establish/quantile-draws-count-what-is-below",
    where="Recursive exponential mechanism for several quantiles",
    says="A quantile is drawn with chances as its weights times e^(−ε_l·u/2), u counting the earnings that "
    "are strictly less than the candidate.",
    states=DRAWN,
)
def quantile_draws_count_what_is_strictly_below() -> Verdict:
    """Ratios of chances, cubed, since u is a multiple of 1/3 here; two candidates are earned themselves."""
    return holds(exhaustive.each(DRAWN, "four earnings, four candidates, three shares, four ranges"))
