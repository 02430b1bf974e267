"""What rests on what: from a place in a paper to the releases of a mechanism, with the weakest evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from establish.proofs_check.engine.verdicts import Grade, weakest
from establish.proofs_check.report.citations import name_of
from establish.proofs_check.report.gather import Sheet

CERTIFIED = re.compile(r"mechanism (?P<name>[^ ,]+)(?: \((?P<place>[^)]*)\))?, certificate (?P<file>.+)")


class Node(NamedTuple):
    """What stands in a graph: its words, where they lead, and the grade that colors it ("" for none)."""

    words: str
    link: str = ""
    grade: str = ""


class Picture(NamedTuple):
    """The SVG of a graph and the sentence that says the same."""

    svg: Markup
    text: str


class Ground(NamedTuple):
    """A claim that a certificate names: where it is printed, the weakest evidence of it and below it, the
    claims that it rests on, directly or not, and the names of the formulas that it reads.
    """

    id: str
    place: str
    weakest: str
    below: list[str]
    reads: list[str]


@dataclass(frozen=True)
class Carried:
    """A mechanism, the claims its certificate names, and the weakest evidence among all it rests on."""

    name: str
    place: str
    certificate: str
    claims: tuple[Ground, ...]
    weakest: str


class Graph:
    """The claims, and what stands between them. page: the link of a claim's page."""

    def __init__(self, sheets: Sequence[Sheet], page: Mapping[str, str]) -> None:
        self.sheets = {sheet.id: sheet for sheet in sheets}
        self.page = page

    def below(self, id: str) -> list[str]:
        """The claims that ``id`` rests on, directly or not, without itself."""
        return self._reached(id, lambda sheet: sheet.around.rests_on)

    def above(self, id: str) -> list[str]:
        """The claims that rest on ``id``, directly or not, without itself."""
        return self._reached(id, lambda sheet: sheet.around.used_by)

    def _reached(self, id: str, step: Callable[[Sheet], Iterable[str]]) -> list[str]:
        found: dict[str, None] = {}
        waiting = [id]
        while waiting:
            for other in step(self.sheets[waiting.pop()]):
                if other in self.sheets and other != id and other not in found:
                    found[other] = None
                    waiting.append(other)
        return list(found)

    def weakest(self, ids: Iterable[str]) -> str:
        """The weakest evidence of some claims and of all that they rest on; "" where one has none."""
        reached = dict.fromkeys(other for id in ids for other in (id, *self.below(id)))
        grades = [self.sheets[id].record.evidence for id in reached]
        return "" if "" in grades else str(weakest(map(Grade, grades)) or "")

    @cached_property
    def _mechanisms(self) -> Mapping[str, tuple[str, str, tuple[str, ...]]]:
        """By name: where the mechanism is written, its certificate, and the claims that this names."""
        found: dict[str, tuple[str, str, tuple[str, ...]]] = {}
        for sheet in self.sheets.values():
            for place in sheet.around.used_by:
                if at := CERTIFIED.fullmatch(place):
                    before = found.get(at["name"], ("", "", ()))[2]
                    found[at["name"]] = (at["place"] or "", at["file"], (*before, sheet.id))
        return found

    def mechanisms(self) -> Iterator[Carried]:
        """Every certified mechanism that rests on a claim here."""
        for name, (place, file, ids) in sorted(self._mechanisms.items()):
            yield Carried(name, place, file, tuple(map(self._ground, ids)), self.weakest(ids))

    def _ground(self, id: str) -> Ground:
        reads = dict.fromkeys(each.name for each in self.sheets[id].around.reads)
        return Ground(id, self._place(id), self.weakest([id]), self.below(id), list(reads))

    def _place(self, id: str) -> str:
        sheet = self.sheets[id]
        return f"{name_of(sheet.record.source)}, {sheet.section}"

    def _node(self, id: str) -> Node:
        return Node(id, self.page[id], self.weakest([id]))

    def around(self, id: str) -> Picture | None:
        """The graph of one claim: its place, what it rests on, what rests on it, and what is released; None
        where it has more edges than an eye follows.
        """
        sheet = self.sheets[id]
        own = self.weakest([id])
        lower = [other for other in sheet.around.rests_on if other in self.sheets]
        upper = [other for other in sheet.around.used_by if other in self.sheets]
        carried = [name for name, (_, _, ids) in self._mechanisms.items() if {id, *self.above(id)} & set(ids)]
        formulas = [
            Node(each.name.rpartition(".")[2], f"formulas.html#{each.name}", own)
            for each in sheet.around.reads
        ]
        columns = [
            [Node(self._place(id)), *(self._node(other) for other in lower)],
            [self._node(id)],
            [*formulas, *(self._node(other) for other in upper)],
            [Node(f"{name}: certificate and releases", "graph.html", own) for name in carried],
        ]
        if max(map(len, columns)) > FOLLOWED:
            return None
        edges: list[Edge] = [((0, n), (1, 0)) for n in range(len(columns[0]))]
        edges += [((1, 0), (2, n)) for n in range(len(columns[2]))]
        for n, name in enumerate(carried):
            named = self._mechanisms[name][2]
            via = [len(formulas) + k for k, other in enumerate(upper) if other in named]
            edges += [((2, k), (3, n)) for k in via] or [((1, 0), (3, n))]
        text = (
            f"From left to right: where the claim is printed and what it rests on, the claim, the formulas "
            f"that it reads and the claims that rest on it, and the mechanisms whose certificate names one "
            f"of them. The weakest evidence up to the claim is {own or 'none'}."
        )
        titles = ("place, and rests on", "claim", "formulas, and used by", "mechanisms")
        return Picture(layered(columns, edges, titles, root="../"), text)

    def falls(self, id: str) -> list[tuple[str, str]]:
        """What would lose its ground if the verdict on ``id`` were wrong: words and links."""
        upper = self.above(id)
        found = [(other, self.page[other]) for other in upper]
        for name, (_, file, ids) in sorted(self._mechanisms.items()):
            if {id, *upper} & set(ids):
                found.append((f"mechanism {name}, its certificate {file}, and every release by it", ""))
        named = [p for p in self.sheets[id].around.used_by if p not in self.sheets]
        return [*found, *((place, "") for place in named if not CERTIFIED.fullmatch(place))]


FOLLOWED = 10
"""So many nodes stand in a column of a graph at most."""

Edge = tuple[tuple[int, int], tuple[int, int]]
"""From and to, each a column and a place in it."""

WIDE, HIGH, GAP, ROW, TOP = 176, 36, 40, 42, 26
"""Width and height of a node, the gap between columns, the height of a row, and the headings."""

LINE = 22
"""Characters of a line in a node; a node has two lines."""


def layered(
    columns: Sequence[Sequence[Node]], edges: Iterable[Edge], titles: Sequence[str], root: str = ""
) -> Markup:
    """The nodes in columns, from left to right, with their edges; empty columns are left out."""
    kept = [n for n, column in enumerate(columns) if column]
    at = {n: place for place, n in enumerate(kept)}
    rows = max(len(columns[n]) for n in kept)
    width, height = len(kept) * (WIDE + GAP) - GAP + 4, rows * ROW + TOP

    def corner(where: tuple[int, int]) -> tuple[int, int]:
        column, place = where
        return 2 + at[column] * (WIDE + GAP), TOP + place * ROW

    body: list[Markup] = []
    for n in kept:
        x = corner((n, 0))[0]
        body.append(Markup('<text x="{}" y="16" class="head">{}</text>').format(x, titles[n]))
    for start, end in dict.fromkeys(edges):
        (x1, y1), (x2, y2) = corner(start), corner(end)
        x1, y1, y2 = x1 + WIDE, y1 + HIGH // 2, y2 + HIGH // 2
        middle = (x1 + x2) // 2
        body.append(
            Markup('<path class="edge" d="M{},{} C{},{} {},{} {},{}"/>').format(
                x1, y1, middle, y1, middle, y2, x2, y2
            )
        )
    for n in kept:
        for place, node in enumerate(columns[n]):
            body.append(_box(node, *corner((n, place)), root))
    return Markup(
        '<svg role="group" viewBox="0 0 {0} {1}" width="{0}" height="{1}" font-size="12">{2}</svg>'
    ).format(width, height, Markup("").join(body))


def _box(node: Node, x: int, y: int, root: str) -> Markup:
    lines = list(_lines(node.words))
    first = y + (22 if len(lines) == 1 else 15)
    words = Markup("").join(
        Markup('<tspan x="{}" y="{}">{}</tspan>').format(x + 8, first + 14 * k, part)
        for k, part in enumerate(lines)
    )
    said = f"{node.words}{f' ({node.grade})' if node.grade else ''}"
    box = Markup(
        '<g class="node n-{}"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="4"/>'
        "<text>{}</text></g>"
    ).format(node.grade or "none", said, x, y, WIDE, HIGH, words)
    if not node.link:
        return box
    return Markup('<a href="{}" aria-label="{}">{}</a>').format(root + node.link, said, box)


def _lines(words: str) -> Iterator[str]:
    """Two lines at most, broken behind a space, a slash or a hyphen where that is possible."""
    if len(words) <= LINE:
        yield words
        return
    cut = max((words.rfind(sign, 0, LINE) + 1 for sign in " /-._"), default=0)
    cut = cut if cut > LINE // 3 else LINE
    yield words[:cut].rstrip()
    rest = words[cut:]
    yield rest if len(rest) <= LINE + 1 else rest[:LINE] + "…"
