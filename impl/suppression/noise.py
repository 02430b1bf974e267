"""What noisy tables say of establishments that are alone in a cell: values, ratios, whole numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

from establish.impl.suppression.cells import read_cells
from establish.impl.suppression.layout import Cell, Layout
from establish.spec.disclosure_limitation.multiplicative_noise import Interval, MultiplicativeNoise
from establish.spec.parameters import ParameterError

Shown = Mapping[str, Sequence[Fraction]]
"""What the tables show of one cell: by column, once for each table."""


@dataclass(frozen=True)
class Known:
    """What is known of one establishment.

    values: where each value lies. ratios: of the first value to the second, None for no bound. whole: the
    whole values that are left of each, where these are asked for. Values are named by their column, and by
    the number of their table where each table has its own.
    """

    cell: Cell
    values: Mapping[str, Sequence[Interval]]
    ratios: Mapping[str, tuple[Fraction, Fraction | None]]
    whole: Mapping[str, Sequence[int]]

    @property
    def ratios_known(self) -> int:
        """How many ratios are single numbers."""
        return sum(low == high for low, high in self.ratios.values())

    @property
    def values_known(self) -> int:
        """How many values are."""
        single = {name for name, left in self.whole.items() if len(left) == 1}
        single |= {name for name, parts in self.values.items() if _point(parts)}
        return len(single)

    @property
    def impossible(self) -> bool:
        """Whether no whole values could be published so."""
        return any(not left for left in self.whole.values())


def _point(parts: Sequence[Interval]) -> bool:
    return len({end for part in parts for end in part}) == 1


def alone(
    tables: Sequence[Path], by: tuple[str, ...], values: tuple[str, ...], count: str
) -> Iterator[tuple[Cell, Shown]]:
    """The cells of one establishment, in every table, with what each shows of their values.

    Raises ParameterError for a table that cannot be read, a value below 0, or a cell that is not in all.
    """
    first, *others = values
    layout = Layout(by=by, value=first, count=count, contributions=tuple(others))
    read = [read_cells([path], layout) for path in tables]
    for cell, entry in read[0].items():
        if entry.extra.get(count) != 1:
            continue
        shown: dict[str, list[Fraction]] = {name: [] for name in values}
        for path, cells in zip(tables, read, strict=True):
            if cell not in cells:
                raise ParameterError(f"{path.name} has no cell {layout.named(cell)}")
        if any(cells[cell].extra.get(count) != 1 for cells in read):
            continue
        for path, cells in zip(tables, read, strict=True):
            own = cells[cell]
            for name in values:
                value = own.value if name == first else own.extra.get(name)
                if value is None or value < 0:
                    raise ParameterError(
                        f"{path.name}: the cell {layout.named(cell)} needs a {name} of at least 0"
                    )
                shown[name].append(Fraction(value))
        yield cell, shown


def known(noise: MultiplicativeNoise, seen: tuple[Cell, Shown], redrawn: bool, whole: bool) -> Known:
    """All of it for one cell.

    redrawn: whether tables show the same values with new factors; else all values have one factor.
    whole: whether true values are whole numbers. Raises ParameterError that names the cell when real values
    could not be published so.
    """
    cell, shown = seen
    if noise.rounding and any(y.denominator > 1 for each in shown.values() for y in each):
        raise ParameterError(f"the cell {', '.join(cell)} is not rounded to whole numbers")
    try:
        return _known(noise, cell, shown, redrawn, whole)
    except ParameterError as error:
        raise ParameterError(f"the cell {', '.join(cell)}: {error}") from None


def _known(noise: MultiplicativeNoise, cell: Cell, shown: Shown, redrawn: bool, whole: bool) -> Known:
    if redrawn:
        values = {name: noise.repeated(each) for name, each in shown.items()}
        rounds = [{name: each[k] for name, each in shown.items()} for k in range(_tables(shown))]
    else:
        single = {_named(n, k, each): y for n, each in shown.items() for k, y in enumerate(each)}
        values = {name: noise.repeated([y]) for name, y in single.items()}
        rounds = [single]
    ratios: dict[str, tuple[Fraction, Fraction | None]] = {}
    for each in rounds:
        for one, two in combinations(each, 2):
            if each[two] or noise.rounding:
                _narrow(ratios, f"{one}/{two}", noise.ratio(each[one], each[two]))
    left = _whole(noise, values, rounds) if whole else {}
    return Known(cell, values, ratios, left)


def _tables(shown: Shown) -> int:
    return len(next(iter(shown.values())))


def _named(name: str, k: int, each: Sequence[Fraction]) -> str:
    return f"{name} in table {k + 1}" if len(each) > 1 else name


def _narrow(
    ratios: dict[str, tuple[Fraction, Fraction | None]], name: str, found: tuple[Fraction, Fraction | None]
) -> None:
    low, high = ratios.get(name, (Fraction(0), None))
    ends = [end for end in (high, found[1]) if end is not None]
    ratios[name] = max(low, found[0]), min(ends, default=None)
    if ends and ratios[name][0] > min(ends):
        raise ParameterError(f"two tables give {name} different values, whatever the factors")


def _whole(
    noise: MultiplicativeNoise,
    values: Mapping[str, Sequence[Interval]],
    rounds: Sequence[Mapping[str, Fraction]],
) -> dict[str, list[int]]:
    """The whole numbers in the intervals; of values in step, those that fit together."""
    left = {
        name: sorted({n for low, high in parts for n in range(-(-low // 1), high // 1 + 1)})
        for name, parts in values.items()
    }
    if noise.rounding:
        return left
    for each in rounds:
        if any(each.values()):
            fitting = noise.whole_values(list(each.values()))
            for at, name in enumerate(each):
                allowed = {candidate[at] for candidate in fitting}
                left[name] = [n for n in left[name] if n in allowed]
    return left
