"""All tables of whole numbers that satisfy sums and bounds, one after the other."""

from collections.abc import Iterator, Mapping

from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.parameters import ParameterError


def whole_tables(table: LinearTable) -> Iterator[tuple[int, ...]]:
    """Each of them once. Raises ParameterError for a cell without both bounds.

    Depth first, cell by cell; a branch ends where the bounds of the cells that are still open cannot make
    up a sum.
    """
    pairs = zip(table.lower, table.upper, strict=True)
    ends = [(low, high) for low, high in pairs if low is not None and high is not None]
    count = len(table.lower)
    if len(ends) < count:
        raise ParameterError("every cell needs both bounds")
    about: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for at, row in enumerate(table.rows):
        for place, factor in row.items():
            about[place].append((at, factor))
    # What the open cells of each sum can add up to, at least and at most.
    least, most = ([_extreme(row, ends, side) for row in table.rows] for side in (0, 1))
    left = list(table.right)
    values = [0] * count

    def fits(at: int) -> bool:
        return least[at] <= left[at] <= most[at]

    def branch(place: int) -> Iterator[tuple[int, ...]]:
        if place == count:
            yield tuple(values)
            return
        low, high = ends[place]
        for at, factor in about[place]:
            least[at] -= min(factor * low, factor * high)
            most[at] -= max(factor * low, factor * high)
        for value in range(low, high + 1):
            values[place] = value
            for at, factor in about[place]:
                left[at] -= factor * value
            if all(fits(at) for at, _ in about[place]):
                yield from branch(place + 1)
            for at, factor in about[place]:
                left[at] += factor * value
        for at, factor in about[place]:
            least[at] += min(factor * low, factor * high)
            most[at] += max(factor * low, factor * high)

    if all(fits(at) for at in range(len(left))):
        yield from branch(0)


def _extreme(row: Mapping[int, int], ends: list[tuple[int, int]], side: int) -> int:
    return sum(f * ends[place][side if f > 0 else 1 - side] for place, f in row.items())
