"""Which unknowns sums connect, before any presolve."""

from collections.abc import Iterable, Mapping


def connected(rows: Iterable[Mapping[int, int]], count: int) -> list[list[int]]:
    """For each of ``count`` unknowns, all that sums connect it with; the same list for all of them."""
    parts = [[k] for k in range(count)]
    for row in rows:
        found = {id(parts[k]): parts[k] for k in row}
        merged = max(found.values(), key=len, default=[])
        for part in found.values():
            if part is not merged:
                merged += part
                for k in part:
                    parts[k] = merged
    return parts
