"""What ``establish suppress audit`` prints, and what it writes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from establish.impl.suppression.audit import Answer, Contradiction
from establish.impl.suppression.cells import Cells
from establish.impl.suppression.confidential import private_file
from establish.impl.suppression.formulas import Formulas
from establish.impl.suppression.layout import Attacker, Layout
from establish.impl.suppression.likelihood import TABLES, Law
from establish.impl.suppression.noise import Known
from establish.impl.suppression.owners import forms, learned_by_one, learned_by_two, neighbors
from establish.impl.suppression.presolve import LOWER, UPPER
from establish.impl.suppression.sums import Problem
from establish.impl.suppression.verdicts import (
    EXACT,
    SHORT,
    UNDECIDED,
    Interval,
    counts,
    distinct,
    record,
    text,
)
from establish.proofs_check.commands.terminal import output
from establish.spec.disclosure_limitation.code_systems import CODE_SYSTEMS
from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise

CLEAR = Fraction(1, 2)
"""A share of the likelihood that leaves little doubt."""


def say(text: str) -> None:
    """One line on standard output."""
    output().print(text, soft_wrap=True)


def tell_contradiction(asked: Problem, found: Contradiction) -> None:
    """The sums that clash."""
    say("contradiction: no table fits the published cells as this attacker sees them")
    say("these sums clash, each taken with its factor:")
    for row, factor in found.dual.items():
        say(f"  {factor} × {asked.sum_named(row)}")


def tell_absent(absent: Mapping[str, int]) -> None:
    """How many codes of a list the table leaves out."""
    for name, number in absent.items():
        say(
            f"{name}: the table leaves out {number} codes of the list beside codes that it has; their cells "
            "count as 0"
        )


def tell_reading(asked: Problem, layout: Layout, cells: Cells, absent: Mapping[str, int]) -> None:
    """The rules by which labels add up, and values that suppressed cells still hold."""
    tell_absent(absent)
    for name, rules in asked.ways.items():
        for rule in dict.fromkeys(rule.split()[0] for rule in rules):
            if rule in CODE_SYSTEMS:
                say(f"{name}: {CODE_SYSTEMS[rule].what} ({CODE_SYSTEMS[rule].source})")
        if len(rules) > 1:
            say(f"{name} adds up {len(rules)} ways, and the attacker uses all of them: {', '.join(rules)}")
    left = sum(entry.left for entry in cells.values() if entry.value is None)
    if left:
        say(
            f"{left} suppressed cells still hold a value other than 0 in {layout.value}: the audit does not "
            "use it; take it out of the file before it is published"
        )


def tell(asked: Problem, layout: Layout, known: Attacker, answer: Answer, found: Sequence[Interval]) -> None:
    """The attacker, the system, and how much of the answer is proved."""
    say(f"attacker: {known}")
    if layout.status and layout.dash:
        say(f'a status "-" is read as {layout.dash}')
    bounds = [name for name in (layout.lower, layout.upper) if name]
    if bounds and not known.bounds:
        say(f"not known to this attacker: the bounds in {' and '.join(bounds)}")
    say(
        f"{asked.listed} cells, {len(found)} of them unknown, in {len(asked.sums)} sums; "
        f"{len(asked.cells) - asked.listed} totals are not listed; parts that are not listed add nothing"
    )
    whole = sum(one.attained for one in found)
    say(f"{whole} intervals certified and attained at both ends, {len(found) - whole} enclosures")
    say(
        f"{answer.programs} linear programs over {answer.left} unknowns in {answer.components} "
        f"components, the largest of {answer.largest}"
    )


def tell_verdicts(
    asked: Problem, layout: Layout, cells: Cells, found: Sequence[Interval], words: Sequence[str]
) -> None:
    """How many cells have which verdict: in all, by level, by number of establishments."""
    say("outsider: " + _counted(words))
    exact = [one.place for one in found if one.exact]
    if exact:
        say(f"  exact, a total and its only part counted once: {distinct(asked, exact)}")
    pairs = list(zip(found, words, strict=True))
    if any(len(set(column)) > 1 for column in zip(*asked.levels, strict=True)):
        groups = [
            (", ".join(f"{n} {d}" for n, d in zip(layout.by, asked.levels[one.place], strict=False)), w)
            for one, w in pairs
        ]
        _tell_groups("level", groups)
    if layout.count:
        sizes = [entry.extra.get(layout.count) for entry in cells.values()]
        _tell_groups("establishments", [(_size(sizes[one.place]), word) for one, word in pairs])


def _size(count: object) -> str:
    return "not given" if count is None else str(count) if count in (0, 1, 2) else "3 or more"


def _tell_groups(title: str, pairs: Iterable[tuple[str, str]]) -> None:
    groups: dict[str, list[str]] = {}
    for group, word in pairs:
        groups.setdefault(group, []).append(word)
    for group in sorted(groups):
        say(f"  {title} {group}: {_counted(groups[group])}")


def _counted(words: Sequence[str]) -> str:
    return ", ".join(f"{number} {word}" for word, number in counts(words).items()) or "no cell"


def owned(layout: Layout, cells: Cells, found: Sequence[Interval]) -> list[int]:
    """The places of cells of one establishment that the outsider does not know."""
    sizes = [entry.extra.get(layout.count) for entry in cells.values()]
    return [one.place for one in found if sizes[one.place] == 1 and not one.exact]


def tell_owners(asked: Problem, layout: Layout, cells: Cells, found: Sequence[Interval]) -> bool:
    """What owners of one-establishment cells learn by sums, alone and in pairs; whether any does."""
    at = {place: k for k, place in enumerate(asked.unknown)}
    owners = [at[place] for place in owned(layout, cells, found)]
    table = asked.table
    known = [at[one.place] for one in found if one.exact]
    shapes = forms(table.rows, known, len(asked.unknown))
    alone = learned_by_one(shapes, owners)
    two = learned_by_two(shapes, neighbors(table.rows, owners))
    own = set(owners)
    say(f"owners of one-establishment cells: {len(owners)}; by sums alone, whatever the values are,")
    for who, learned in (("one owner", alone), ("two owners in one sum", two)):
        cells_ = {place for places in learned.values() for place in places}
        say(
            f"  {who}: {len(cells_)} other cells are learned, {len(cells_ - own)} of them not of one "
            f"establishment; {len(learned)} {'owners' if who == 'one owner' else 'pairs'} learn some"
        )

    return bool(alone or two)


def tell_seen(owners: int, words: Mapping[int, str]) -> None:
    """What the best informed owner sees of each cell, with the true value of its own."""
    say(
        f"the {owners} owners with their own values, each cell as the best informed one sees it: "
        f"{_counted(list(words.values()))}"
    )


def _judged(one: Interval, word: str, seen: Mapping[int, str]) -> dict[str, str]:
    """The verdict, and that of the best informed owner where owners were asked for."""
    return {"verdict": word, **({"owner": seen[one.place]} if one.place in seen else {})}


def write_intervals(
    path: Path,
    asked: Problem,
    layout: Layout,
    found: Sequence[Interval],
    words: Sequence[str],
    attacker: str,
    seen: Mapping[int, str],
) -> None:
    """The list of intervals, with verdicts."""
    pairs = zip(found, words, strict=True)
    rows = ({**record(asked, layout.by, one, attacker), **_judged(one, word, seen)} for one, word in pairs)
    _write("--json", path, rows)


def write_explained(
    path: Path,
    asked: Problem,
    layout: Layout,
    found: Sequence[Interval],
    words: Sequence[str],
    formulas: Formulas,
    attacker: str,
    seen: Mapping[int, str],
) -> None:
    """The same with the sums that give each end."""
    at = {place: k for k, place in enumerate(asked.unknown)}
    _write(
        "--explain",
        path,
        (
            {
                **record(asked, layout.by, one, attacker),
                **_judged(one, word, seen),
                "lower_by": formulas.of(asked, at[one.place], LOWER),
                "upper_by": formulas.of(asked, at[one.place], UPPER),
            }
            for one, word in zip(found, words, strict=True)
        ),
    )


def tell_likelihood(asked: Problem, laws: Mapping[int, Law]) -> None:
    """For how many rounded cells it was computed how likely each value is."""
    clear = sum(max(law.values()) >= CLEAR for law in laws.values())
    say(
        f"likelihood: told for {len(laws)} of {len(asked.unknown)} cells (not where more than {TABLES} "
        f"tables fit); in {clear} of them one value has {CLEAR} or more"
    )


def write_likelihood(
    path: Path, asked: Problem, layout: Layout, laws: Mapping[int, Law], attacker: str
) -> None:
    """How likely each value of a rounded cell is, where that was computed."""
    _write(
        "--likelihood",
        path,
        (
            {
                "cell": dict(zip(layout.by, asked.cells[place], strict=True)),
                "likelihood": {str(value): str(share) for value, share in law.items()},
                "attacker": attacker,
            }
            for place, law in laws.items()
        ),
    )


def _write(option: str, path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    with private_file(option, path) as file:
        before = "[\n"
        for row in rows:
            file.write(before + json.dumps(row, ensure_ascii=False))
            before = ",\n"
        file.write("[]\n" if before == "[\n" else "\n]\n")


def bad(words: Sequence[str]) -> bool:
    """Whether any cell is known exactly, or not proved to have the protection that it must have."""
    return bool({EXACT, SHORT, UNDECIDED}.intersection(words))


def tell_noise(
    noise: MultiplicativeNoise, found: Sequence[Known], tables: int, redrawn: bool, whole: bool
) -> None:
    """The attacker, and how much is known exactly."""
    factors = "drawn anew for each table" if redrawn else "one for each establishment"
    say(
        f"attacker: knows which cells have one establishment; that factors are {noise.factors.s} to "
        f"{noise.factors.t} away from 1, {factors}"
        + ("; that values were rounded" if noise.rounding else "")
        + ("; that true values are whole numbers" if whole else "")
    )
    ratios = sum(len(one.ratios) for one in found)
    values = sum(len(one.values) for one in found)
    say(f"{len(found)} cells of one establishment in {tables} tables")
    say(f"  ratios of two values: {sum(one.ratios_known for one in found)} of {ratios} known exactly")
    say(f"  values: {sum(one.values_known for one in found)} of {values} known exactly")
    impossible = sum(one.impossible for one in found)
    if impossible:
        say(f"contradiction: {impossible} cells could not be published so from whole numbers")


def write_noise(path: Path, by: Sequence[str], found: Sequence[Known]) -> None:
    """Where values and ratios lie, by cell."""
    _write(
        "--json",
        path,
        (
            {
                "cell": dict(zip(by, one.cell, strict=True)),
                "values": {
                    name: [[text(low), text(high)] for low, high in parts]
                    for name, parts in one.values.items()
                },
                "ratios": {name: [text(low), text(high)] for name, (low, high) in one.ratios.items()},
                "whole": {name: list(map(str, left)) for name, left in one.whole.items()},
            }
            for one in found
        ),
    )
