"""A score for outputs of several numbers: a table of how much likelier each cell of a grid is under one law.

Flags and other values that repeat are cells of their own, and the rest of each coordinate is cut into bins;
the finest grid is taken whose cells are still seen often. So a sparse vector's answers, or the bits of a
randomized response, are told apart in all their combinations, not one by one.
"""

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.audit.black.events import Feature
from establish.proofs_check.audit.question.level import Floats

CUTS = (32, 12, 6, 3, 2)
"""So many bins per coordinate are tried, besides the atoms."""

ATOM, MOST_ATOMS = 0.02, 8
"""A value with at least such a share in a coordinate is a cell of its own, if there are few."""

SEEN = 40
"""The cells are seen so often on average."""

LOOKED_AT = 1 << 16
"""Outputs by which atoms and bins are chosen."""

LARGEST_CODE = 2**62
"""Cells are numbered below this."""

SHRUNK = 20.0
"""A cell's ratio is drawn towards none by so many outputs that are as likely under both laws."""

Codes = NDArray[np.int64]


class Grid:
    """Cells of outputs: by coordinate the ends of its bins, an atom being a bin of one value."""

    def __init__(self, both: Floats, cuts: int) -> None:
        looked = both[:LOOKED_AT]
        self.ends = [_ends(column, cuts) for column in looked.T]

    @property
    def sizes(self) -> list[int]:
        return [ends.size + 1 for ends in self.ends]

    def codes(self, x: Floats) -> Codes:
        """The number of each output's cell."""
        code = np.zeros(len(x), dtype=np.int64)
        for column, (ends, size) in enumerate(zip(self.ends, self.sizes, strict=True)):
            code = code * size + np.searchsorted(ends, x[:, column], side="right")
        return code


def table_score(p: Floats, q: Floats) -> Feature | None:
    """The logarithm of the ratio of the two laws' shares in an output's cell; None without a grid."""
    both = np.concatenate([p[: LOOKED_AT // 2], q[: LOOKED_AT // 2]])
    for cuts in CUTS:
        grid = Grid(both, cuts)
        fits = np.prod([float(size) for size in grid.sizes]) <= LARGEST_CODE
        if not fits or np.unique(grid.codes(both)).size * SEEN > len(p) + len(q):
            continue
        codes = [grid.codes(side) for side in (p, q)]
        known = np.unique(np.concatenate(codes))
        if known.size * SEEN <= len(p) + len(q):
            return _score(grid, known, codes)
    return None


def _score(grid: Grid, known: Codes, codes: list[Codes]) -> Feature:
    shares = [np.bincount(np.searchsorted(known, code), minlength=known.size) + SHRUNK / 2 for code in codes]
    logs = np.append(np.log(shares[0] / shares[1]), 0.0)

    def score(x: Floats) -> Floats:
        cells = grid.codes(x)
        at = np.searchsorted(known, cells).clip(0, known.size - 1)
        return np.asarray(logs[np.where(known[at] == cells, at, known.size)])

    words = f"the learned log likelihood ratio on a grid of {known.size} cells"
    return Feature(words, score, 3)


def _ends(column: Floats, cuts: int) -> Floats:
    values, counts = np.unique(column, return_counts=True)
    if values.size <= cuts:
        return values[1:]
    atoms = values[counts >= ATOM * column.size][:MOST_ATOMS]
    rest = column[~np.isin(column, atoms)]
    ends = [atoms, np.nextafter(atoms, np.inf)]
    if rest.size:
        ends.append(np.quantile(rest, np.arange(1, cuts) / cuts, method="nearest"))
    return np.unique(np.concatenate(ends))
