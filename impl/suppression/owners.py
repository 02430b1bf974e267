"""What the owner of a one-establishment cell, or two of them together, learn beyond the outsider.

An owner knows the value of its own cell. Every unknown is a linear form in free ones, plus a constant; a cell
whose form is a multiple of the owner's is then known too, whatever the values are, and two owners know
every form that theirs span. This is linear algebra alone: what else the owner rules out by values being at
least 0 depends on its value, and is audited with an attacker who knows that cell.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

Form = dict[int, Fraction]
"""Coefficients of free unknowns; {} for a value that is known."""


def forms(rows: Iterable[Mapping[int, int]], known: Collection[int], count: int) -> list[Form]:
    """Each of ``count`` unknowns as a form in free ones, constants left out.

    rows: the sums. known: the unknowns that the outsider determines already.
    """
    out = set(known)
    pivots: dict[int, Form] = {}
    users: dict[int, set[int]] = {}
    live = ({k: v for k, v in row.items() if k not in out} for row in rows)
    for row in sorted(live, key=len):
        form: Form = {}
        for place, factor in row.items():
            _add(form, pivots.get(place, {place: Fraction(1)}), Fraction(factor))
        if not form:
            continue
        pivot = min(form, key=lambda place: len(users.get(place, ())))
        scale = form.pop(pivot)
        solved = {place: -value / scale for place, value in form.items()}
        for other in users.pop(pivot, set()):
            times = pivots[other].pop(pivot, None)
            if times is not None:
                _add(pivots[other], solved, times)
                for place in solved:
                    users.setdefault(place, set()).add(other)
        pivots[pivot] = solved
        for place in solved:
            users.setdefault(place, set()).add(pivot)
    return [{} if k in out else pivots[k] if k in pivots else {k: Fraction(1)} for k in range(count)]


def _add(form: Form, other: Mapping[int, Fraction], factor: Fraction) -> None:
    for place, value in other.items():
        total = form.get(place, Fraction(0)) + factor * value
        if total:
            form[place] = total
        else:
            form.pop(place, None)


def learned_by_one(found: Sequence[Form], owners: Collection[int]) -> dict[int, list[int]]:
    """Which other unknowns each owner's value determines, for owners who learn any."""
    classes: dict[tuple[tuple[int, Fraction], ...], list[int]] = {}
    for place, form in enumerate(found):
        if form:
            classes.setdefault(_direction(form), []).append(place)
    return {
        owner: [place for place in same if place != owner]
        for owner in owners
        if found[owner] and len(same := classes[_direction(found[owner])]) > 1
    }


def _direction(form: Form) -> tuple[tuple[int, Fraction], ...]:
    """The same for all multiples of a form."""
    entries = sorted(form.items())
    return tuple((place, value / entries[0][1]) for place, value in entries)


def learned_by_two(
    found: Sequence[Form], pairs: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], list[int]]:
    """Which other unknowns two owners' values determine that neither does alone, for pairs who learn any."""
    users: dict[int, list[int]] = {}
    for place, form in enumerate(found):
        for free in form:
            users.setdefault(free, []).append(place)
    learned = {}
    for first, second in pairs:
        a, b = found[first], found[second]
        if not a or not b or _direction(a) == _direction(b):
            continue
        near = {place for free in {*a, *b} for place in users[free]} - {first, second}
        both = [place for place in sorted(near) if _spanned(found[place], a, b)]
        if both:
            learned[first, second] = both
    return learned


def _spanned(form: Form, a: Form, b: Form) -> bool:
    """Whether form = s·a + t·b with s and t both not 0."""
    places = {*a, *b}
    if not form.keys() <= places:
        return False
    for i, j in combinations(sorted(places), 2):
        size = _at(a, i) * _at(b, j) - _at(a, j) * _at(b, i)
        if size:
            s = (_at(form, i) * _at(b, j) - _at(form, j) * _at(b, i)) / size
            t = (_at(a, i) * _at(form, j) - _at(a, j) * _at(form, i)) / size
            return bool(s and t) and all(_at(form, k) == s * _at(a, k) + t * _at(b, k) for k in places)
    return False


def _at(form: Form, place: int) -> Fraction:
    return form.get(place, Fraction(0))


def neighbors(rows: Iterable[Mapping[int, int]], owners: Collection[int]) -> list[tuple[int, int]]:
    """Pairs of owners whose cells stand in one sum."""
    known = set(owners)
    found = {pair for row in rows for pair in combinations(sorted(known.intersection(row)), 2)}
    return sorted(found)
