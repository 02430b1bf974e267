"""Whole releases of small plans, against what the specification counts, costs and composes.

Noise is drawn from known bits by the mechanism itself, whose law has checks of its own: here the question is
which mechanism gets which cells, what the record and the ledger say, and what is refused.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from establish.impl.budget.heads import heads_in
from establish.impl.budget.ledger import entries_of, read_ledger
from establish.impl.budget.plan import Plan
from establish.impl.publish.additive import ADDITIVE
from establish.impl.publish.jobs import COUNT, JobAnswerer
from establish.impl.publish.plan import PlanRelease, release_plan
from establish.impl.sampling.bits import Bits
from establish.impl.tables.publishing import digest_of
from establish.impl.tabulate.engine import DuckDB, Relation, embedded
from establish.impl.tabulate.tables import Rows
from establish.proofs_check.certification.compared import Triple, agree
from establish.proofs_check.certification.small_plans import (
    EDGE,
    EMPLOYED,
    NODE,
    WEAK_PLAN,
    WORKPLACES,
    Asked,
    SmallPlan,
    counted,
)
from establish.proofs_check.certification.subject import SEED, refused
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec import least_squares
from establish.spec.composition import in_sequence

ROWS = Rows(len(EMPLOYED), len(WORKPLACES), len(EMPLOYED))


def _read(path: Path) -> dict[str, list[Any]]:
    """The columns of a released table, numbers as numbers."""
    if path.suffix == ".parquet" or path.is_dir():
        return dict(pq.read_table(path).to_pydict())
    names, *rows = _cells(path)
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    numbers = (COUNT, ADDITIVE)
    return {
        name: [float(value) for value in column] if name in numbers else column
        for name, column in columns.items()
    }


def _cells(path: Path) -> list[list[str]]:
    """The texts of a CSV file, or of the first sheet of a workbook, line by line."""
    if path.suffix == ".csv":
        return [line.split(",") for line in path.read_text("utf-8").splitlines()]
    with zipfile.ZipFile(path) as book:
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    place = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    rows = sheet.iter(f"{place}row")
    return [["".join(cell.itertext()) for cell in row.iter(f"{place}c")] for row in rows]


class InThisProcess(DuckDB):
    """An engine whose executors are this process: it writes parts as they do on a cluster."""

    def __init__(self, engine: DuckDB) -> None:
        vars(self).update(vars(engine), session=object())

    def by_part(
        self, plan: Relation, key: str, function: Callable[[Any], Any], schema: str
    ) -> list[dict[str, Any]]:
        rows = pa.table({name: pa.array(kept, pa.int64()) for name, kept in self.columns(plan).items()})
        names = [column.split()[0] for column in schema.split(",")]
        told: list[dict[str, Any]] = []
        for part in sorted(set(rows[key].to_pylist())):
            answer = function(rows.filter(pc.equal(rows[key], part)))
            assert answer.column_names == names
            told += answer.to_pylist()
        return told


def _is_released(case: SmallPlan) -> Iterator[Triple]:
    """The plan released twice under a cap that allows it twice, and refused the third time."""
    with tempfile.TemporaryDirectory() as name, embedded(threads=1, memory="200MB") as engine:
        folder = Path(name)
        plan, bits = case.in_folder(folder), Bits.seeded(SEED)
        meant = case.columns(bits)
        for number, parts in enumerate((False, True)):
            own = InThisProcess(engine) if parts else engine
            answerer = JobAnswerer(plan, own, part=2)
            yield "rows", answerer.require_answerable(lambda _: None), ROWS
            ending = ".parquet" if parts else case.ending
            out = folder / f"out{number}"
            done = release_plan(plan, answerer, out, ending=ending, seed=SEED, verdicts={})
            for table, (query, columns) in zip(done.tables, meant.items(), strict=True):
                yield f"table {query}", _read(table), columns
            yield from _recorded(case, plan, done, number)
            yield "heads", [h.number for h in heads_in(out, "small")], [number + 1]
            again = partial(release_plan, plan, answerer, out, ending=ending, verdicts={})
            yield "a folder that is taken", refused(again), True
        account = read_ledger(plan.ledger)
        assert account is not None
        spent = in_sequence([case.lost, case.lost])
        yield "spent", account.spent, spent
        yield "left", account.left, case.cap.left(spent)
        third = partial(release_plan, plan, answerer, folder / "third", verdicts={})
        yield "over the cap", refused(third), True
        yield ("nothing of it", ((folder / "third").exists(), len(entries_of(plan.ledger))), (False, 2))
        where_data_are = partial(release_plan, plan, answerer, folder, verdicts={})
        yield "beside the data", refused(where_data_are), True
        plan.ledger.unlink()
        yield "a ledger that is lost", refused(third), True


def _recorded(case: SmallPlan, plan: Plan, done: PlanRelease, number: int) -> Iterator[Triple]:
    """What the record and the ledger say."""
    record = json.loads(done.record.read_text("utf-8"))
    losses = {name: loss.record() for name, loss in case.losses.items()}
    digest = hashlib.sha256(case.text().encode()).hexdigest()
    yield "loss", record["loss"], case.lost.record()
    yield "losses", record["queries"], losses
    own = {"title": "small", "plan": digest, "dataset": "small", "seeded": True}
    yield "the plan", {key: record[key] for key in own}, own
    yield "definition", {k: record[k] for k in case.definition.record()}, case.definition.record()
    (*before, entry) = entries_of(plan.ledger)
    yield "entries", len(before), number
    yield "ledger", record["ledger"], {"entry": number + 1, "head": entry.checksum}
    spending, told = entry.spending, (record["release"], record["time"])
    yield "entry", (spending.release, spending.time), told
    yield "its losses", (spending.queries, spending.loss), (case.losses, case.lost)
    yield "its data", (spending.title, spending.plan, spending.dataset), ("small", digest, "small")
    yield "its place", spending.output, str(done.record)
    yield "its definition", (spending.definition, spending.seeded), (case.definition, True)
    digests = {path.name: digest_of(path) for path in done.tables}
    yield "tables", record["tables"], digests
    for asked, answer in zip(case.queries, record["answers"], strict=True):
        yield from _told(case, asked, answer)
    yield ("receipt", (done.receipt and done.receipt.number, done.superseded.removed), (number + 1, ()))


def _told(case: SmallPlan, asked: Asked, answer: Mapping[str, Any]) -> Iterator[Triple]:
    """What the record says of one query."""
    runs = asked.runs
    where = {key: [value] for key, value in asked.where.items()}
    cells = sum(1 for _ in counted(asked))
    own = {"query": asked.name, "by": list(asked.by), "where": where, "cells": cells}
    yield f"query {asked.name}", {key: answer[key] for key in own}, own
    own = {"mechanism": runs.name, "calibration": runs.calibration, "parameters": runs.parameters}
    yield f"mechanism of {asked.name}", {key: answer[key] for key in own}, own
    (said,) = answer["satisfies"]
    meant = f"{case.definition}, {case.losses[asked.name]}"
    yield f"guarantee of {asked.name}", said["definition"], meant


def _adds_up(kind: str) -> Iterator[Triple]:
    """Tables that add up are the least squares of the noisy ones by the variances of their noise."""
    case = EDGE
    with tempfile.TemporaryDirectory() as name, embedded(threads=1, memory="200MB") as engine:
        folder = Path(name)
        plan = case.in_folder(folder, f'additive = "{kind}"\n')
        answerer = JobAnswerer(plan, engine)
        done = release_plan(plan, answerer, folder / "out", ending=case.ending, seed=SEED, verdicts={})
        found = [_read(path) for path in done.tables]
        weights = json.loads(done.record.read_text("utf-8"))["additive"]["weights"]
    finest = found[0]
    names = list(zip(*(finest[key] for key in case.queries[0].by), strict=True))
    rows, answers, variances = [], [], []
    for asked, table in zip(case.queries, found, strict=True):
        variance = 2 / asked.each.epsilon**2
        yield f"weight of {asked.name}", weights[asked.name], float(1 / variance)
        for k, count in enumerate(table[COUNT]):
            own = [table[key][k] for key in asked.by]
            places = [case.queries[0].by.index(key) for key in asked.by]
            rows.append([int([cell[p] for p in places] == own) for cell in names])
            answers.append(Fraction(count))
            variances.append(variance)
    cells = least_squares.estimate(rows, answers, variances)
    step = {"real": Fraction(1, 256), "whole": Fraction(1)}[kind]
    rounded = [round(cell / step) * step for cell in cells]
    sums = [sum(x * cell for x, cell in zip(row, rounded, strict=True)) for row in rows]
    published = [value for table in found for value in table[ADDITIVE]]
    yield f"additive {kind}", published, [float(total) for total in sums]


@cache
def released() -> Evidence:
    """Evidence that releases of plans publish, record and spend what the specification says."""
    plans = (WEAK_PLAN, replace(WEAK_PLAN, source=".csv", identifiers="free"), EDGE, NODE)

    def everything() -> Iterator[Triple]:
        for case in plans:
            yield from _is_released(case)
        for kind in ("real", "whole"):
            yield from _adds_up(kind)

    return agree(
        everything(),
        "releases of plans on jobs publish, record and spend what the specification counts and composes",
        f"four small plans, each released whole and in parts; {len(EMPLOYED)} jobs at three of "
        f"{len(WORKPLACES)} workplaces",
    )
