"""From the unknowns that presolve leaves back to all of them, and which of them hang together."""

from collections.abc import Iterable
from dataclasses import dataclass

from establish.impl.suppression.presolve import Presolved


@dataclass(frozen=True)
class Component:
    """Unknowns that sums connect. kept: those that presolve left, in order; rows: its sums about them."""

    kept: tuple[int, ...]
    rows: tuple[int, ...]


def components(presolved: Presolved) -> list[Component]:
    """The unknowns that are kept, by what connects them in the sums of the original system."""
    final = presolved.final
    kept = [
        place
        for place in range(len(presolved.table.lower))
        if place not in final and place not in presolved.fixed
    ]
    leader = {place: place for place in kept}

    def lead(place: int) -> int:
        while leader[place] != place:
            leader[place] = leader[leader[place]]
            place = leader[place]
        return place

    def join(places: Iterable[int]) -> None:
        leads = [lead(place) for place in places]
        for other in leads[1:]:
            leader[lead(other)] = lead(leads[0])

    for row in presolved.table.rows:
        named = (final[place].of if place in final else place for place in row)
        join(dict.fromkeys(place for place in named if place in leader))
    groups: dict[int, tuple[list[int], list[int]]] = {}
    for place in kept:
        groups.setdefault(lead(place), ([], []))[0].append(place)
    for at, row in enumerate(presolved.rows):
        if row:
            groups[lead(next(iter(row)))][1].append(at)
    return [Component(tuple(members), tuple(rows)) for members, rows in groups.values()]
