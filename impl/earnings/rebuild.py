"""Individual earnings rebuilt from a cell's count and its three quartiles, for experiments.

The 2018 beta release of the Post-Secondary Employment Outcomes has counts and (protected) quartiles, not
individuals. The quantile function Q(u) = p50·exp(s(u)·z_u), z_u the standard normal quantile, with
s = ln(p50/p25)/z_0.75 below the median and ln(p75/p50)/z_0.75 above, passes through all three quartiles
and is monotone: two halves of log-normal laws. Individual i of N earns Q(i/(N+1)), at least the bottom
cutoff, to the dollar. Nothing is random, so that accuracy varies with the noise only.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from establish.impl.arrays import Floats, Integers
from establish.impl.earnings.bins import BOTTOM
from establish.spec.parameters import ParameterError

UPPER_QUARTILE = float(ndtri(0.75))
"""z with Φ(z) = 3/4."""


def rebuilt(counts: ArrayLike, p25: ArrayLike, p50: ArrayLike, p75: ArrayLike) -> tuple[Integers, Floats]:
    """The cell of each individual, from 0, and the earnings, sorted within each cell.

    counts: whole numbers >= 0. p25, p50, p75: dollars, 0 < p25 <= p50 <= p75, one per cell. Raises
    ParameterError otherwise.
    """
    sizes = np.asarray(counts, dtype=np.int64)
    low, middle, high = (np.asarray(p, dtype=np.float64) for p in (p25, p50, p75))
    if not (np.all(sizes >= 0) and np.all((low > 0) & (low <= middle) & (middle <= high))):
        raise ParameterError("a cell needs a count >= 0 and quartiles 0 < p25 <= p50 <= p75")
    cells = np.repeat(np.arange(sizes.size), sizes)
    starts = np.cumsum(sizes) - sizes
    z = ndtri((np.arange(cells.size) - starts[cells] + 1) / (sizes[cells] + 1))
    below, above = np.log(middle / low), np.log(high / middle)
    slope = np.where(z < 0, below[cells], above[cells]) / UPPER_QUARTILE
    return cells, np.maximum(np.rint(middle[cells] * np.exp(slope * z)), BOTTOM)
