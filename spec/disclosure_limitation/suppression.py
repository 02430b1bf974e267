"""Cell suppression: what an attacker gets back who knows which cells add up (Webb et al., Section 2.2).

Cells are named. Relations say that one cell is the sum of others; cells that are not published are
suppressed. By linear algebra a suppressed cell is either a fixed combination of published ones,
whatever the values, or not determined. As values are at least 0, it lies in an interval even then.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from establish.spec.disclosure_limitation.simplex import maximum
from establish.spec.parameters import ParameterError, Rational, exact

Cell = Hashable
"""The name of a cell."""

Sum = tuple[Cell, Sequence[Cell]]
"""A cell and the cells that it adds up."""

Form = dict[Cell, Fraction]
"""A linear combination of cells."""


def _add(form: Form, other: Form, factor: Fraction) -> None:
    for cell, value in other.items():
        total = form.get(cell, Fraction(0)) + factor * value
        if total:
            form[cell] = total
        else:
            form.pop(cell, None)


def _reduced(sums: Iterable[Sum], published: Collection[Cell]) -> tuple[dict[Cell, Form], list[Form]]:
    """Each suppressed pivot cell as a form that is 0, no pivot in another's; and forms without any."""
    known = set(published)
    pivots: dict[Cell, Form] = {}
    users: dict[Cell, set[Cell]] = {}
    rest = []
    for whole, parts in sums:
        form: Form = {whole: Fraction(1)}
        for part in parts:
            _add(form, {part: Fraction(1)}, Fraction(-1))
        for cell in [cell for cell in form if cell in pivots]:
            _add(form, pivots[cell], -form[cell])
        pivot = next((cell for cell in form if cell not in known), None)
        if pivot is None:
            rest += [form] if form else []
            continue
        scale = form[pivot]
        form = {cell: value / scale for cell, value in form.items()}
        for other in users.pop(pivot, set()):
            if pivot in pivots[other]:
                _add(pivots[other], form, -pivots[other][pivot])
                for cell in form:
                    users.setdefault(cell, set()).add(other)
        pivots[pivot] = form
        for cell in form:
            users.setdefault(cell, set()).add(pivot)
        users.pop(pivot)
    return pivots, rest


def formulas(sums: Iterable[Sum], published: Collection[Cell]) -> dict[Cell, Form]:
    """Every suppressed cell that published ones determine, as a combination of them.

    ``{"B": {"total": 1, "Y": -1}}`` says B = total − Y. All others are not determined by linear
    algebra, whatever the values are.
    """
    known = set(published)
    return {
        cell: {name: -value for name, value in form.items() if name != cell}
        for cell, form in _reduced(sums, known)[0].items()
        if all(name == cell or name in known for name in form)
    }


def secondary_suppression(
    sums: Sequence[Sum], published: Collection[Cell], sensitive: Collection[Cell]
) -> frozenset[Cell]:
    """The fewest published cells to suppress as well, so that no sensitive cell has a formula.

    sensitive: cells already suppressed, or hidden contributions. An exact search over all choices,
    smallest first and in the given order: for small tables.
    """
    offered = list(published)
    for size in range(len(offered) + 1):
        for chosen in combinations(offered, size):
            left = [cell for cell in offered if cell not in chosen]
            if not formulas(sums, left).keys() & set(sensitive):
                return frozenset(chosen)
    raise ParameterError("sensitive cells are determined by the sums alone: none can be protected")


class SuppressedTable:
    """Published values, and the sums between cells; a cell without a value is suppressed.

    Raises ParameterError for a value below 0, or values that contradict the sums.
    """

    def __init__(self, sums: Iterable[Sum], values: Mapping[Any, Rational]) -> None:
        self.sums = [(whole, tuple(parts)) for whole, parts in sums]
        self.values: dict[Cell, Fraction] = {cell: exact("value", value) for cell, value in values.items()}
        if any(value < 0 for value in self.values.values()):
            raise ParameterError("values must be at least 0")
        self._pivots, rest = _reduced(self.sums, self.values)
        if any(self._value(form) for form in rest):
            raise ParameterError("values contradict each other: published parts and totals differ")

    @property
    def suppressed(self) -> tuple[Cell, ...]:
        """The cells without a value, in order of their first appearance."""
        named = (cell for whole, parts in self.sums for cell in (whole, *parts))
        return tuple(dict.fromkeys(cell for cell in named if cell not in self.values))

    def recovered(self) -> dict[Cell, Fraction]:
        """The suppressed cells that linear algebra determines, with their values."""
        found = formulas(self.sums, self.values)
        return {cell: self._value(form) for cell, form in found.items()}

    def interval(self, cell: Cell) -> tuple[Fraction, Fraction | None]:
        """The least and the greatest value of a suppressed cell, None for no bound.

        All suppressed cells are at least 0. Both ends are attained, and all between them. Raises
        ParameterError for a cell that is not suppressed, or when no values of at least 0 fit.
        """
        if cell not in self.suppressed:
            raise ParameterError(f"cell = {cell} is not a suppressed cell of the table")
        forms = self._connected(cell)
        names = list(dict.fromkeys([cell, *(n for f in forms for n in f if n not in self.values)]))
        rows = [[form.get(name, Fraction(0)) for name in names] for form in forms]
        right = [-self._value({n: v for n, v in form.items() if n in self.values}) for form in forms]
        aim = [Fraction(name == cell) for name in names]
        try:
            least = maximum([-value for value in aim], rows, right)
            return -(least or Fraction(0)), maximum(aim, rows, right)
        except ValueError:
            raise ParameterError("no values of at least 0 fit the published ones") from None

    def _value(self, form: Form) -> Fraction:
        return sum((value * self.values[cell] for cell, value in form.items()), Fraction(0))

    def _connected(self, cell: Cell) -> list[Form]:
        """The reduced equations that say something about a suppressed cell."""
        reached, left = {cell}, list(self._pivots.values())
        found: list[Form] = []
        while near := [form for form in left if not reached.isdisjoint(form)]:
            left = [form for form in left if reached.isdisjoint(form)]
            found += near
            reached |= {name for form in near for name in form if name not in self.values}
        return found
