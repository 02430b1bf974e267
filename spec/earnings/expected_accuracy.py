"""The mean relative accuracy (Foote et al. 2019, (5.1)) of a percentile of few protected counts, enclosed."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.distributions import geometric
from establish.spec.earnings.percentiles import Edges, NoPercentile, percentile, relative_accuracy
from establish.spec.parameters import Rational


def by_histogram(
    edges: Edges,
    counts: Sequence[int],
    share: Rational,
    true: Fraction | int,
    ratio: Number,
    reach: int,
    c: World = EXACT,
) -> tuple[Number, Number]:
    """Bounds on the mean over draws of geometric noise with a positive total.

    share: of the percentile, in (0, 1). true: its value > 0, inside the bins. ratio: ρ = e^(−ε). Noises up to
    ``reach`` ≥ 0 are summed, (2·reach + 1)^M of them for M bins; of what is left a draw has no percentile, or
    an accuracy between the worse one of the ends of the bins and 1.
    """
    worst = min(relative_accuracy(Fraction(end), true) for end in (edges[0], edges[-1]))
    total = released = seen = c.number(0)
    masses = {k: geometric.mass(k, ratio, c) for k in range(-reach, reach + 1)}
    for noise in product(masses, repeat=len(counts)):
        chance = prod(masses[k] for k in noise)
        seen += chance
        value = percentile(edges, [q + k for q, k in zip(counts, noise, strict=True)], share)
        if not isinstance(value, NoPercentile):
            total += chance * c.number(relative_accuracy(value, true))
            released += chance
    rest = 1 - seen
    return (total + rest * c.number(worst)) / (released + rest), (total + rest) / (released + rest)
