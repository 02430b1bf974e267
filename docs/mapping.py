"""For MkDocs: reference/mapping.md, from the sections of each source to claims, formulas, code, theorems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.formal_evidence import formal_of
from establish.proofs_check.engine.index import index
from establish.proofs_check.engine.references import References
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.sections import family, section, section_order
from establish.proofs_check.report.citations import SOURCES, name_of
from establish.proofs_check.report.graph import CERTIFIED

MOST = 4
"""So many names stand in a cell."""

HEAD = """# From the papers to the code

For each section of a source: the claims about it and how the ledger records them, the files of the \
specification that their checks read, the mechanisms that run because a certificate names one of the claims, \
and the theorems that the kernel of a proof assistant accepted. The page is made from the register when the \
documentation is built. `establish show ID` shows one claim; claims that share the first two parts of their \
ids stand in one row.
"""

COLUMNS = ("Section", "Claims", "Verdicts", "Specification", "Running code", "Theorems")


@dataclass
class Row:
    """Claims of one section whose ids begin alike, and what stands around them, each name once."""

    place: str
    ids: list[str] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    spec: dict[str, None] = field(default_factory=dict)
    code: dict[str, None] = field(default_factory=dict)
    theorems: dict[str, None] = field(default_factory=dict)

    def cells(self) -> Iterator[str]:
        """The row in Markdown."""
        one, *more = self.ids
        yield self.place
        yield f"`{family(one)}/*` ({len(self.ids)})" if more else f"`{one}`"
        words = ((f"{word} {number}" if more else word) for word, number in self.verdicts.items())
        yield ", ".join(words).replace("_", " ")
        yield from map(_named, (self.spec, self.code, self.theorems))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """MkDocs calls this."""
    known = index()
    recorded = {id: entry.verdict for id, entry in ledger.recorded().items()}
    found = rows(known.claims.values(), known.around, recorded, theorems_of)
    files.append(File.generated(config, "reference/mapping.md", content=page(found)))
    return files


def theorems_of(claim: Claim) -> list[str]:
    """The theorems that were accepted for exactly what the claim says."""
    kernel = formal_of(claim)
    return [theorem.name for theorem in kernel.theorems] if kernel else []


def rows(
    claims: Iterable[Claim],
    around: Mapping[str, References],
    verdicts: Mapping[str, str],
    theorems: Callable[[Claim], Iterable[str]],
) -> dict[str, list[Row]]:
    """By source, in the order of its sections."""
    found: dict[str, dict[tuple[str, str], Row]] = {}
    for claim in sorted(claims, key=lambda claim: section_order(claim.location)):
        place = section(claim.location)
        key = place, family(claim.id)
        row = found.setdefault(claim.source, {}).setdefault(key, Row(place))
        row.ids.append(claim.id)
        row.verdicts[verdicts.get(claim.id, "not recorded")] += 1
        row.spec.update(dict.fromkeys(each.file for each in around[claim.id].reads))
        certified = filter(None, map(CERTIFIED.fullmatch, around[claim.id].used_by))
        row.code.update(dict.fromkeys((at["place"] or at["name"]).rpartition(":")[0] for at in certified))
        row.theorems.update(dict.fromkeys(theorems(claim)))
    order = [source for source in SOURCES if source in found]
    return {source: list(found[source].values()) for source in order}


def page(found: Mapping[str, Iterable[Row]]) -> str:
    """The page in Markdown, a table for each source."""
    lines = [HEAD]
    for source, own in found.items():
        lines += [f"\n## {name_of(source)}\n", _line(COLUMNS), _line("---" for _ in COLUMNS)]
        lines += [_line(row.cells()) for row in own]
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _named(names: Iterable[str]) -> str:
    """The first names as code, and how many more there are."""
    all = list(names)
    more = f" and {len(all) - MOST} more" if len(all) > MOST else ""
    return ", ".join(f"`{name}`" for name in all[:MOST]) + more
