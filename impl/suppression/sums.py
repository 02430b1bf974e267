"""From cells and hierarchies to the system of sums that their unknown values satisfy."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from unicodedata import normalize

from establish.impl.suppression.attacker_bounds import box_of, known_bounds, true_value
from establish.impl.suppression.cells import Cells, Entry, Number
from establish.impl.suppression.codes import Parents, system_that_differs, ways_of_codes
from establish.impl.suppression.hierarchies import parents
from establish.impl.suppression.layout import Attacker, Cell, Layout
from establish.spec.disclosure_limitation.code_systems import CODE_SYSTEMS
from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Way:
    """A way to add up: by the label at one place, as a rule says; the label above each label there."""

    at: int
    rule: str
    above: Parents


@dataclass(frozen=True)
class Sum:
    """Σ factor·cell = right over the terms, cells by their places among all; the total comes first."""

    terms: tuple[tuple[int, int], ...]
    right: Number = 0

    @property
    def whole(self) -> int:
        """The place of the first cell."""
        return self.terms[0][0]


@dataclass(frozen=True)
class Problem:
    """What an attacker is up against: all cells, all sums, and the system of the unknown ones.

    listed: how many cells the table lists; those after them are totals that it leaves out. known: the value
    of a cell by its place, for those that are known. unknown: the places of the others, in order; table is
    about them, its rows those of ``sums``, its values multiplied by ``scale``. levels: of each cell, how many
    labels are above each of its own, in the longest way. ways: the ways to add up, by label column.
    """

    names: Sequence[str]
    cells: Sequence[Cell]
    listed: int
    sums: Sequence[Sum]
    known: Mapping[int, Number]
    unknown: Sequence[int]
    table: LinearTable
    scale: int
    levels: Sequence[tuple[int, ...]] = ()
    ways: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def sum_named(self, row: int, most: int | None = None) -> str:
        """The sum, by the cell that is its total and its parts, or the first ``most`` of them."""
        found = self.sums[row]
        parts = [self.names[place] for place, _ in found.terms[1:]]
        more = ", ..." if len(parts) > len(parts[:most]) else ""
        parts = parts[:most]
        return f"[{self.names[found.whole]}] = sum of [{'] ['.join(parts)}]{more}"


def problem(cells: Cells, layout: Layout, attacker: Attacker) -> Problem:
    """The system that an attacker faces.

    Every label that is part of another one gives a sum in that way, with the other labels held fixed: all its
    listed parts. A total that the table does not list is an unknown cell. Parts that are not listed add
    nothing. Raises ParameterError that names the cell and the sum for a label that is in no hierarchy, and
    for one sum that the attacker sees to be wrong by itself.
    """
    ways = _ways(cells, layout)
    places = {cell: place for place, cell in enumerate(cells)}
    sums = _sums(places, ways)
    entries: list[Entry] = [*cells.values(), *(Entry(None) for _ in range(len(places) - len(cells)))]
    names = [layout.named(cell) for cell in places]
    made = assemble(names, list(places), len(cells), sums, entries, layout, attacker)
    return replace(made, levels=_levels(places, ways), ways=_ways_told(cells, layout, ways))


def problem_of_sums(cells: Cells, sums: Sequence[Sum], layout: Layout, attacker: Attacker) -> Problem:
    """The same for sums that are given. Raises ParameterError as :func:`problem` does."""
    names = [layout.named(cell) for cell in cells]
    entries = list(cells.values())
    made = assemble(names, list(cells), len(cells), sums, entries, layout, attacker)
    return replace(made, levels=[(0,)] * len(cells))


def _ways(cells: Cells, layout: Layout) -> list[Way]:
    ways: list[Way] = []
    for at, name in enumerate(layout.by):
        specs = [spec for column, spec in layout.hierarchies if column == name]
        if not specs and name not in layout.totals:
            raise ParameterError(
                f"by = {name} needs a total or a hierarchy: {name}=All, say, or {name}= for no total"
            )
        labels = dict.fromkeys(cell[at] for cell in cells)
        total = layout.totals.get(name, "")
        if total and total not in labels:
            raise ParameterError(
                f"total: {name} = {total} is not a label of the table; {name}= says that it has no total"
            )
        own = [Way(at, spec, parents(name, spec, labels, total)) for spec in specs or ["flat"]]
        named = (label for way in own for pair in way.above.items() for label in pair)
        _require_one_spelling(name, dict.fromkeys([*labels, *named]))
        wholes = {whole for way in own for whole in way.above.values()}
        if total and wholes and total not in wholes:
            raise ParameterError(
                f"total: {name} = {total} is not the total of a hierarchy of {name}: it leads to "
                f"{', '.join(sorted(wholes - {label for way in own for label in way.above}))}"
            )
        if specs in ([], ["prefix"]):
            _require_no_codes(name, own, labels, total)
        inside = set().union(*({*way.above, *way.above.values()} for way in own), {total})
        stray = next((label for label in labels if label not in inside), None)
        if stray is not None and (specs or total) and not CODE_SYSTEMS.keys() & set(specs):
            raise ParameterError(f"{name} = {stray} is not in a hierarchy of {name}")
        ways += own
    return ways


def _ways_told(cells: Cells, layout: Layout, ways: Sequence[Way]) -> dict[str, list[str]]:
    """By label column, the rules; of one that adds up several ways, each way."""
    told: dict[str, list[str]] = {}
    for way in ways:
        several = (
            ways_of_codes(CODE_SYSTEMS[way.rule], {c[way.at] for c in cells})
            if way.rule in CODE_SYSTEMS
            else []
        )
        told.setdefault(layout.by[way.at], []).extend(
            [f"{way.rule} {name}" for name in several] if len(several) > 1 else [way.rule]
        )
    return told


def _require_one_spelling(name: str, labels: Iterable[str]) -> None:
    """No two labels look the same: they would be counted side by side. Capitals make no difference."""
    seen: dict[str, str] = {}
    for label in labels:
        shape = " ".join(normalize("NFKC", label).casefold().split())
        if shape in seen:
            raise ParameterError(
                f"{name} = {seen[shape]} and {name} = {label} are two spellings of one cell: keep one"
            )
        seen[shape] = label


def _require_no_codes(name: str, own: Sequence[Way], labels: Collection[str], total: str) -> None:
    """Labels that are codes of a public system are not added up otherwise without being asked."""
    system = system_that_differs(labels, total, own[0].above) if total and own else ""
    if system:
        raise ParameterError(
            f"{name} holds codes of {system}, some of which are part of others: name the hierarchy "
            f"{name}={system}, or {name}=flat when all of them add up to {total} side by side"
        )


def _levels(cells: Iterable[Cell], ways: Sequence[Way]) -> list[tuple[int, ...]]:
    def depth(label: str, above: Parents) -> int:
        return 1 + depth(above[label], above) if label in above else 0

    known: dict[int, dict[str, int]] = {}
    for way in ways:
        of = known.setdefault(way.at, {})
        for label in way.above:
            of[label] = max(of.get(label, 0), depth(label, way.above))
    return [tuple(of.get(cell[at], 0) for at, of in known.items()) for cell in cells]


def _sums(places: dict[Cell, int], ways: Sequence[Way]) -> list[Sum]:
    """All sums, in order of their first part; totals that are not listed are added to ``places``."""
    found: dict[tuple[int, int], list[int]] = {}
    queue = list(places)
    for cell in queue:
        for number, way in enumerate(ways):
            parent = way.above.get(cell[way.at])
            if parent is None:
                continue
            whole = (*cell[: way.at], parent, *cell[way.at + 1 :])
            if whole not in places:
                places[whole] = len(places)
                queue.append(whole)
            found.setdefault((number, places[whole]), []).append(places[cell])
    return [Sum(((whole, 1), *((part, -1) for part in parts))) for (_, whole), parts in found.items()]


def assemble(
    names: Sequence[str],
    cells: Sequence[Cell],
    listed: int,
    sums: Sequence[Sum],
    entries: Sequence[Entry],
    layout: Layout,
    attacker: Attacker,
) -> Problem:
    """The system, in whole numbers. Raises ParameterError as :func:`problem` does."""
    known = _known(names, cells, entries, sums, layout, attacker)
    _require_signs(names, known, attacker)
    box = box_of(names[:listed], entries[:listed], layout, attacker.rounded) if attacker.box else None
    unknown = [place for place in range(len(cells)) if place not in known]
    ends = [
        known_bounds(names[p], entries[p], layout, attacker, box if p < listed else None) for p in unknown
    ]
    numbers = [*known.values(), *(end for pair in ends for end in pair), *(found.right for found in sums)]
    scale = lcm(*(Fraction(number).denominator for number in numbers if number is not None))
    column = {place: at for at, place in enumerate(unknown)}
    rows: list[dict[int, int]] = []
    right: list[int] = []
    for found in sums:
        row: dict[int, int] = {}
        rest: Number = found.right
        for place, factor in found.terms:
            if place in known:
                rest -= factor * known[place]
            else:
                row[column[place]] = factor
        rows.append(row)
        right.append(int(rest * scale))
    lower = [None if low is None else int(low * scale) for low, _ in ends]
    upper = [None if high is None else int(high * scale) for _, high in ends]
    table = LinearTable(rows, right, lower, upper)
    made = Problem(names, cells, listed, sums, known, unknown, table, scale)
    _require_each_sum(made, layout)
    return made


def _known(
    names: Sequence[str], cells: Sequence[Cell], entries: Sequence[Entry], sums: Sequence[Sum],
    layout: Layout, attacker: Attacker,
) -> dict[int, Number]:  # fmt: skip
    known = {p: e.value for p, e in enumerate(entries) if e.value is not None and not attacker.rounded}
    places = {cell: place for place, cell in enumerate(cells)}
    for cell in attacker.knows:
        if cell not in places:
            raise ParameterError(f"the cell {layout.named(cell)}, which the attacker knows, is not listed")
        entry = entries[places[cell]]
        known[places[cell]] = true_value(layout.named(cell), entry, layout, attacker.rounded)
    if attacker.integers:
        for found in sums:
            if Fraction(found.right).denominator != 1:
                raise ParameterError(
                    f"the sum of the cell {names[found.whole]} and others is not a whole number, as the "
                    "attacker assumes"
                )
        for place, value in known.items():
            if Fraction(value).denominator != 1:
                raise ParameterError(
                    f"the cell {names[place]} is not a whole number, as the attacker assumes"
                )
    return known


def _require_signs(names: Sequence[str], known: Mapping[int, Number], attacker: Attacker) -> None:
    if attacker.nonnegative:
        for place, value in known.items():
            if value < 0:
                raise ParameterError(f"the cell {names[place]} is negative, which the attacker excludes")


def _require_each_sum(found: Problem, layout: Layout) -> None:
    """No sum is wrong by itself: by values outside the bounds of its unknown cells."""
    table = found.table
    for at, row in enumerate(table.rows):
        for side in (1, -1):
            if table.clashes({at: side}):
                what = "have another sum than" if not row else "cannot add up to"
                raise ParameterError(
                    f"the published parts of [{found.names[found.sums[at].whole]}] {what} it: "
                    f"{found.sum_named(at, 2)}"
                )
