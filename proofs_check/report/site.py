"""The pages of the site, written into one folder that needs nothing else."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from establish.proofs_check.engine import ledger, meanings, readings
from establish.proofs_check.engine.reads import Definition
from establish.proofs_check.engine.references import in_files
from establish.proofs_check.engine.sections import family
from establish.proofs_check.engine.trust import PARTIES, theorems_behind
from establish.proofs_check.engine.verdicts import NOT_RUN, Grade, Outcome
from establish.proofs_check.report.citations import citation, name_of
from establish.proofs_check.report.counts import heat_maps, tables
from establish.proofs_check.report.difference import differing
from establish.proofs_check.report.first_page import FIRST, by_family, failing, folded, strips
from establish.proofs_check.report.gather import Sheet, source_at
from establish.proofs_check.report.graph import Graph
from establish.proofs_check.report.notes import Note
from establish.proofs_check.report.one_file import TEMPLATES, environment
from establish.proofs_check.report.pictures import Album, Pictures
from establish.proofs_check.report.scopes import scopes

PREDICATES = {
    Outcome.HOLDS: ("holds", "hold"),
    Outcome.HOLDS_LOOSELY: ("holds loosely", "hold loosely"),
    Outcome.FAILS: ("fails", "fail"),
    Outcome.ILL_POSED: ("is ill-posed", "are ill-posed"),
    Outcome.MISPRINT: ("is a misprint", "are misprints"),
    Outcome.NOT_CHECKABLE: ("cannot be checked", "cannot be checked"),
    Outcome.UNSETTLED: ("is unsettled", "are unsettled"),
    NOT_RUN: ("was not checked", "were not checked"),
}
"""Each verdict as a sentence says it of one statement, and of several."""

VERDICTS = [*map(str, Outcome), NOT_RUN]
GRADES = list(map(str, Grade))


def page(id: str) -> str:
    """The file of a claim's page, as a link: ``claims/haney2017~lemma-8.6.html``, the same in every run."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "-._") else _escaped(c) for c in id)
    return f"claims/{safe}.html"


def _escaped(character: str) -> str:
    return "~" if character == "/" else f"~{ord(character):x}~"


def paragraphs(text: str) -> Iterator[tuple[str, bool]]:
    """The paragraphs of a docstring, each with whether its lines are indented and so kept as they are."""
    for block in text.split("\n\n"):
        lines = block.strip("\n").splitlines()
        if kept := any(line.startswith((" ", "\t")) for line in lines):
            yield "\n".join(lines), kept
        elif lines:
            yield " ".join(line.strip() for line in lines), kept


def breakable(text: str) -> Markup:
    """A name that may be broken behind its signs, where a line is too short for it."""
    return Markup("").join(Markup("{}<wbr>").format(part) for part in re.split(r"(?<=[/._~-])(?=\w)", text))


_OF_DRAWING = re.compile(r"\b[dh][0-9a-f]{10}\b")


def apart(svg: str, place: int) -> Markup:
    """A picture with ids of its own, where two claims on a page have the same one."""
    return Markup(_OF_DRAWING.sub(rf"\g<0>-c{place}", svg))


LONG = 80
"""Signs from which on the text of an object is named and not repeated."""


def referred(text: str, quantified: Sequence[str]) -> str:
    """A text in which the long texts of a claim's objects are named by their numbers."""
    for number, whole in sorted(enumerate(quantified, start=1), key=lambda pair: -len(pair[1])):
        if len(whole) > LONG:
            name = f"statement {number}" if len(quantified) > 1 else "the statement"
            text = text.replace(whole, name)
    return text


def embedded(data: object) -> Markup:
    """JSON inside a page: without a character that could end the element that holds it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


@dataclass
class Site:
    """The sheets of all claims, in order, and what pages share.

    whole: whether they are all claims of the register. own: the ids of the reader's own claims. against:
    another ledger to compare with, and what to call it. album: the pictures that are kept.
    """

    sheets: Sequence[Sheet]
    album: Album
    whole: bool = True
    own: frozenset[str] = frozenset()
    against: tuple[str, ledger.Ledger] | None = None
    known: Mapping[str, Sheet] = field(init=False)
    graph: Graph = field(init=False)

    def __post_init__(self) -> None:
        places = {source: n for n, source in enumerate(dict.fromkeys(s.record.source for s in self.sheets))}
        self.sheets = sorted(self.sheets, key=lambda s: (places[s.record.source], s.order))
        self.known = {sheet.id: sheet for sheet in self.sheets}
        self.graph = Graph(self.sheets, {id: page(id) for id in self.known})
        self.environment = environment()
        own = {each.__name__: each for each in (page, breakable, paragraphs, referred, embedded, apart)}
        self.environment.filters.update(own, source_name=name_of, quoted=shlex.quote)
        self.environment.globals.update(
            pages=list(self._pages()),
            version=version("establish"),
            total=len(self.sheets),
            whole=self.whole,
            settled=sum(sheet.ran for sheet in self.sheets),
            known=self.known,
            grades=GRADES,
            parties=PARTIES,
        )

    def _pages(self) -> Iterator[tuple[str, str]]:
        yield "index.html", "Claims"
        yield "counts.html", "Counts"
        yield "refutations.html", "Refutations"
        yield "constants.html", "Constants"
        yield "graph.html", "What rests on what"
        yield "formulas.html", "Formulas"
        if self.against:
            yield "difference.html", "Difference"

    def write(self, out: Path, tick: Callable[[], None] = lambda: None) -> None:
        """Write every page below the folder ``out``, which exists; ``tick`` is called after each claim."""
        for name in ("site.css", "site.js"):
            (out / name).write_bytes((TEMPLATES / name).read_bytes())
        records = [{**s.record.to_json(), **in_files(s.claim, s.around)} for s in self.sheets]
        lines = (json.dumps(record, ensure_ascii=False, separators=(",", ":")) for record in records)
        (out / "claims.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
        pictures = {sheet.id: self.album.pictures(sheet) for sheet in self.sheets}
        drawn = {sheet.id: pictures[sheet.id].drawings for sheet in self.sheets if sheet.is_refuted}
        self._write(out, "index.html", **self._index(), drawn=drawn)
        self._write(
            out,
            "counts.html",
            tables=tables(self.sheets, VERDICTS, [*GRADES, ""]),
            maps=heat_maps(self.sheets, VERDICTS),
        )
        self._write(out, "formulas.html", formulas=list(self._formulas()))
        self._write(out, "constants.html", constants=self.album.constants())
        self._write(
            out, "graph.html", mechanisms=list(self.graph.mechanisms()), carrying=list(self._carrying())
        )
        if self.against:
            name, other = self.against
            settled = [sheet.record for sheet in self.sheets]
            compared = self.known.keys() - self.own
            rows = differing(other, settled, compared, whole=self.whole)
            same = len(self.known.keys() & other.keys()) - sum(r[0] in other for r in rows)
            self._write(out, "difference.html", against=name, rows=rows, same=same)
        (out / "claims").mkdir(exist_ok=True)
        recorded = ledger.recorded()
        for place, sheet in enumerate(self.sheets):
            before, after = (
                self.sheets[n].id if 0 <= n < len(self.sheets) else "" for n in (place - 1, place + 1)
            )
            self._write(
                out,
                page(sheet.id),
                template="claim.html",
                sheet=sheet,
                before=before,
                after=after,
                difference="" if sheet.id in self.own else ledger.compare(sheet.record, recorded),
                **self._claim(sheet, pictures[sheet.id]),
            )
            tick()
        refuted = [self.known[id] for id in drawn]
        self._write(
            out,
            "refutations.html",
            refuted=refuted,
            families=[(first, drawn[first.id], more) for first, *more in by_family(refuted)],
            printed=sum(sheet.record.origin == "printed" for sheet in refuted),
            drawn=sum(map(bool, drawn.values())),
        )

    def _write(self, out: Path, file: str, template: str = "", **values: Any) -> None:
        root = "../" * file.count("/")
        made = self.environment.get_template(template or file)
        (out / file).write_text(_thin(made.render(root=root, here=file, **values)), "utf-8")

    def _index(self) -> dict[str, Any]:
        printed = [sheet for sheet in self.sheets if sheet.record.origin == "printed"]
        counted = Counter(sheet.record.verdict for sheet in printed)
        return {
            "sheets": self.sheets,
            "sources": self._values("source"),
            "printed": printed,
            "printed_verdicts": [(word, counted[word]) for word in VERDICTS if counted[word]],
            "strips": list(strips(self.sheets, VERDICTS)),
            "meanings": meanings.VERDICTS,
            "predicates": PREDICATES,
            "failing": failing(self.sheets)[:FIRST],
            "folded": folded(self.sheets),
            "refuted": sum(sheet.is_refuted for sheet in self.sheets),
            "columns": [
                ("id", "Claim"),
                ("location", "Place"),
                ("statement", "Statement"),
                ("verdict", "Verdict"),
                ("evidence", "Evidence"),
            ],
            "filters": list(self._filters()),
            "index": [self._searched(sheet) for sheet in self.sheets],
        }

    def _searched(self, sheet: Sheet) -> dict[str, Any]:
        """What the list searches, filters and sorts by."""
        record = sheet.record
        fields = ("id", "source", "location", "statement", "verdict", "evidence", "value")
        more = ("counterexample", "condition", "origin", "quantified")
        return {
            **{name: getattr(record, name) for name in (*fields, *more)},
            "section": sheet.section,
            "family": family(sheet.id),
            "scopes": scopes(record),
        }

    def _values(self, key: str) -> list[str]:
        return list(dict.fromkeys(self._searched(sheet)[key] for sheet in self.sheets))

    def _filters(self) -> Iterator[tuple[str, str, list[tuple[str, str, str]]]]:
        """(field, label, and its values with what is shown and the sources that have them)."""
        yield "source", "Paper", [(s, name_of(s), "") for s in self._values("source")]
        places: dict[str, set[str]] = {}
        for sheet in sorted(self.sheets, key=lambda s: s.order):
            places.setdefault(sheet.section, set()).add(sheet.record.source)
        yield "section", "Section", [(p, p, " ".join(sorted(o))) for p, o in places.items()]
        for key, name, order in (("verdict", "Verdict", VERDICTS), ("evidence", "Evidence", GRADES)):
            held = set(self._values(key))
            yield key, name, [(word, word, "") for word in order if word in held]
        yield "origin", "Origin", [(word, word, "") for word in self._values("origin")]
        tags = {tag: None for sheet in self.sheets for tag in scopes(sheet.record)}
        yield "scopes", "Scope", [(tag, tag, "") for tag in sorted(tags)]

    def _formulas(self) -> Iterator[tuple[Definition, str, list[str]]]:
        read: dict[Definition, list[str]] = {}
        for sheet in self.sheets:
            for each in sheet.around.reads:
                read.setdefault(each, []).append(sheet.id)
        for each in sorted(read):
            yield each, source_at(each.file, each.line), read[each]

    def _carrying(self) -> Iterator[tuple[Sheet, str, list[tuple[str, str]]]]:
        """The claims on which something rests, with the weakest evidence below them and what would fall."""
        falls = {id: self.graph.falls(id) for id in self.known}
        for id in sorted((id for id in falls if falls[id]), key=lambda id: -len(falls[id])):
            yield self.known[id], self.graph.weakest([id]), falls[id]

    def _claim(self, sheet: Sheet, pictures: Pictures) -> dict[str, Any]:
        file, _, line = sheet.claim.place.rpartition(":")
        ours = sheet.id in self.own or sheet.record.source == "establish"
        return {
            "source_name": name_of(sheet.record.source),
            "meaning": meanings.VERDICTS[sheet.record.verdict],
            "condition": meanings.CONDITIONS.get(sheet.record.verdict, "Condition"),
            "code": source_at(file, int(line)),
            "drawings": pictures.drawings,
            "undrawn": pictures.undrawn,
            "drawn": pictures.formulas,
            "typeset": pictures.typeset,
            "reading": "" if ours else readings.told(sheet.claim),
            "citation": citation(sheet.claim, version("establish")),
            "note": Note(sheet) if sheet.is_refuted else None,
            "graph": self.graph.around(sheet.id),
            "falls": self.graph.falls(sheet.id),
            "argued": list(theorems_behind(sheet.record.trusts)),
        }


def _thin(page: str) -> str:
    """The same page with fewer bytes: no indentation outside of code, and no escaped quotes in code."""
    parts = re.split("(<pre.*?</pre>)", page, flags=re.DOTALL)
    parts[::2] = [re.sub(r"\n +", "\n", part) for part in parts[::2]]
    parts[1::2] = [part.replace("&#34;", '"').replace("&#39;", "'") for part in parts[1::2]]
    return "".join(parts)
