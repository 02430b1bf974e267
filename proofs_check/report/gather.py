"""What the site says of each claim: its record, what stands around it, its evidence and its code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TypeGuard

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.cache import Cache
from establish.proofs_check.engine.fingerprint import Fingerprints
from establish.proofs_check.engine.formal_evidence import formal_of
from establish.proofs_check.engine.ours import path_of
from establish.proofs_check.engine.readings import compared
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.references import References
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.runner import Result, run
from establish.proofs_check.engine.sections import section, section_order
from establish.proofs_check.engine.selection import Selection
from establish.proofs_check.engine.verdicts import NOT_RUN, Evidence
from establish.proofs_check.formal.accepted import FormalEntry

REFUTED = ("fails", "ill_posed", "misprint")
"""The verdicts that say that a sentence is not true as it is printed."""


@dataclass(frozen=True)
class Sheet:
    """One claim and all that its page shows.

    pieces: the evidence; empty where the check did not run for this report. ran: whether the verdict
    comes from a check of the present text (now, or in the cache) and not from the ledger alone.
    """

    claim: Claim
    record: Record
    around: References
    pieces: tuple[Evidence, ...]
    ran: bool

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def section(self) -> str:
        return section(self.claim.location)

    @property
    def order(self) -> tuple[int, int, str]:
        return section_order(self.claim.location)

    @cached_property
    def kernel(self) -> FormalEntry | None:
        return formal_of(self.claim)

    @property
    def is_refuted(self) -> bool:
        return self.record.verdict in REFUTED


def gather(selection: Selection, *, cache: Cache, jobs: int = 1, thorough: bool = False) -> Iterator[Sheet]:
    """A sheet for every claim of a selection, as soon as each is known.

    A claim that takes long is settled when ``thorough`` asks for it, or when its result is in the cache;
    otherwise its sheet says what the ledger records.
    """
    chosen = dict(selection.to_check(thorough))
    prints = Fingerprints()
    left = [entry for id, entry in selection.claims.items() if id not in chosen]
    for entry in left:
        if cache.get(prints.key(entry)) is not None:
            chosen[entry.id] = entry
    for result in run(chosen.values(), cache=cache, jobs=jobs, files=selection.files):
        yield _settled(result, selection.around(result.claim.id))
    known = ledger.recorded()
    for entry in left:
        if entry.id not in chosen:
            yield _recorded(entry, known, selection.around(entry.id))


def _settled(result: Result, around: References) -> Sheet:
    settlement = result.settlement
    return Sheet(result.claim, result.record, around, settlement.verdict.evidence, ran=not settlement.lacks)


def _recorded(entry: Claim, known: ledger.Ledger, around: References) -> Sheet:
    """What the ledger says of a claim that was not run."""
    line = known.get(entry.id)
    record = Record(
        id=entry.id,
        source=entry.source,
        location=entry.location,
        statement=entry.statement,
        verdict=NOT_RUN if line is None else line.verdict,
        evidence="" if line is None else line.evidence,
        value="" if line is None else line.value,
        counterexample="",
        condition="",
        method="",
        seconds=0.0,
        origin=entry.origin,
        compared=compared(entry, "" if line is None else line.verdict),
        scope=entry.scope,
        value_evidence="" if line is None else line.value_evidence,
        condition_evidence="" if line is None else line.condition_evidence,
        quantified=list(entry.quantified),
    )
    return Sheet(entry, record, around, (), ran=False)


def source_at(file: str, line: int) -> str:
    """The text of the function, class or assignment of a file of ours whose first line is ``line``.

    file: as `establish.proofs_check.engine.ours.name_of` calls it. Empty where none begins there.
    """
    return _definitions(file).get(line, "")


@cache
def _definitions(file: str) -> Mapping[int, str]:
    """Every definition of a file by the line at which it begins, decorators included."""
    text = path_of(file).read_text("utf-8")
    lines = text.splitlines()
    found: dict[int, str] = {}
    tree = ast.parse(text)
    inner = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n not in tree.body]
    nodes = [*inner, *tree.body]
    for node, after in zip(nodes, [*nodes[1:], None], strict=True):
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        last = node.end_lineno or node.lineno
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_text(after):  # what it says of itself
            last = after.end_lineno or last
        found[first] = "\n".join(lines[first - 1 : last])
    return found


def _is_text(node: ast.AST | None) -> TypeGuard[ast.Expr]:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
