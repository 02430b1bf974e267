"""Release a plan on establishment microdata: one table a query, the fitted cells, and the record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from establish.impl.budget.accountant import cost
from establish.impl.budget.ledger import Receipt, require_left, spend
from establish.impl.budget.plan import Plan
from establish.impl.budget.publish import publish
from establish.impl.budget.queries import SumQuery
from establish.impl.budget.sources import Establishments as Source
from establish.impl.budget.spending import Spending, spending_of
from establish.impl.microdata.establishments import Establishments, read
from establish.impl.microdata.group_by import base_of
from establish.impl.microdata.least_squares import finest
from establish.impl.microdata.workflow import Answers, answer, fitted, mechanism_of
from establish.impl.release import NO_VERDICTS
from establish.impl.sampling.bits import Bits
from establish.impl.sidecar import describe, seeding, versions
from establish.impl.tables_io import format_of, writer
from establish.spec.composition import Gedp
from establish.spec.parameters import ParameterError

RECORD = "release.json"
"""The file that says what was done, beside the tables."""

FITTED = "fitted"
"""The table of least-squares estimates, but for its ending."""

COLUMNS = {
    "answer": "the released noisy number; all other columns are computed from released numbers only",
    "estimate": "of the sum, without bias but for clipping (pnc); it may be negative",
    "variance": "of the estimate: known (pnc), or estimated from the answer (psi) and above 0",
    "low": "start of a 95% confidence interval for the sum",
    "high": "end of that interval",
}
"""What a column with this ending, after the measure's name and a hyphen, holds."""

EXACT = (
    "Every answer is drawn from exactly the stated law, rounded to the grid: no low bits of a "
    "floating-point sum are released."
)

Column = NDArray[np.generic]
Advance = Callable[[str], None]


@dataclass(frozen=True)
class PlanRelease:
    """A written release: its files, the record that RECORD holds, and the ledger's receipt."""

    files: tuple[Path, ...]
    record: Mapping[str, object]
    receipt: Receipt


def release_plan(
    plan: Plan,
    out: Path,
    *,
    ending: str = ".parquet",
    fit: bool = True,
    nonnegative: bool = False,
    seed: int | None = None,
    force: bool = False,
    verdicts: Mapping[str, str] = NO_VERDICTS,
    advance: Advance = lambda _: None,
) -> PlanRelease:
    """Answer a GEDP plan and write the folder ``out``: ``<query>.<ending>`` each, FITTED and RECORD.

    ending: .parquet, .csv or .csv.gz. fit: whether FITTED is written, with the least-squares estimate
    of every group of the query that refines all others (by establishment: microdata); nonnegative:
    estimated over numbers ≥ 0. seed: reproducible noise, for tests; else it is secret. force: whether
    existing files are replaced. verdicts: recorded verdict by claim id. advance: called with what is
    done next.

    The plan is costed and held against its ledger before the data are read; its entry is on disk
    before any file is visible. No file holds a true sum. Raises ParameterError, and neither writes
    nor spends, when the plan, its ledger, the data or the files do not allow the release.
    """
    queries = tuple(query for query in plan.queries if isinstance(query, SumQuery))
    if not (isinstance(plan.definition, Gedp) and isinstance(plan.source, Source) and queries):
        raise ParameterError(f"plan {plan.title}: its definition is not gedp: it has no microdata")
    for query in queries:
        for name in query.mu:
            mechanism_of(query, name, plan.definition)
    names = [f"{query.name}{ending}" for query in queries] + [f"{FITTED}{ending}"] * fit
    paths = _writable(out, plan, [*names, RECORD], force)
    bits = Bits.secret() if seed is None else Bits.seeded(seed)
    entry = spending_of(plan, cost(plan))
    require_left(plan.ledger, entry, plan.cap)
    advance("reading")
    data = _read(plan.source, queries)
    answers = answer(data, queries, plan.definition, bits, advance)
    tables = [_table(data, query, [a for a in answers if a.query is query]) for query in queries]
    if fit:
        advance("least squares")
        tables.append(_fitted(data, answers, nonnegative))
    record = _record(plan, entry, data, answers, names, nonnegative, seed, verdicts)
    text = json.dumps(record, ensure_ascii=False, indent=2) + "\n"
    writes: dict[Path, Callable[[Path], None]] = {
        path: _writer(table, ending) for path, table in zip(paths, tables, strict=False)
    }
    writes[paths[-1]] = lambda path: _write_text(path, text)
    advance("writing")
    try:
        out.mkdir(exist_ok=True)
    except OSError as error:
        raise ParameterError(f"--out = {out} cannot be made: {error.strerror}") from None
    receipt = publish(writes, lambda: spend(plan.ledger, entry, plan.cap))
    return PlanRelease(paths, record, receipt)


def _writable(out: Path, plan: Plan, names: Sequence[str], force: bool) -> tuple[Path, ...]:
    """The paths of the files. Raises ParameterError when one may not be written."""
    format_of("--out", Path(names[0]))
    if len({name.lower() for name in names}) < len(names):
        raise ParameterError(f"query {FITTED}: this name is that of the table of estimates")
    if not out.parent.is_dir() or (out.exists() and not out.is_dir()):
        raise ParameterError(f"--out = {out} is not a folder, nor can one be made there")
    paths = tuple(out / name for name in names)
    assert isinstance(plan.source, Source)
    taken = {plan.path.resolve(), plan.ledger.resolve(), plan.source.table.resolve()}
    for path in paths:
        if path.resolve() in taken:
            raise ParameterError(f"--out = {out}: {path.name} is a file that the plan uses")
        if path.is_dir() or (path.exists() and not force):
            raise ParameterError(
                f"--out = {out}: {path.name} exists: choose another or use --force"
            )
    return paths


def _read(source: Source, queries: Sequence[SumQuery]) -> Establishments:
    levels = [level for query in queries for level in query.by if level != source.id]
    return read(
        source.table,
        identifier=source.id,
        attributes=list(dict.fromkeys(base_of(level) for level in levels)),
        measures=list(dict.fromkeys(name for query in queries for name in query.mu)),
    )


def _labels(data: Establishments, query: SumQuery) -> dict[str, Column]:
    """What names the groups; an establishment comes with all public attributes that were read."""
    labels: dict[str, Column] = dict(zip(query.by, data.groups(query.by).labels, strict=True))
    if query.identity:
        labels |= {name: codes.labels[codes.codes] for name, codes in data.attributes.items()}
    return labels


def _table(
    data: Establishments, query: SumQuery, answers: Sequence[Answers]
) -> Mapping[str, Column]:
    table = _labels(data, query)
    for one in answers:
        found = one.estimates()
        columns = (one.answers, found.values, found.variances, found.low, found.high)
        _add(table, {f"{one.measure}-{kind}": c for kind, c in zip(COLUMNS, columns, strict=True)})
    return table


def _fitted(
    data: Establishments, answers: Sequence[Answers], nonnegative: bool
) -> Mapping[str, Column]:
    """The groups are those of one query for every measure; else they could not stand in one table."""
    measures = list(dict.fromkeys(one.measure for one in answers))
    by_measure = [[one for one in answers if one.measure == name] for name in measures]
    bases = [own[finest([one.formed for one in own])].query for own in by_measure]
    if any(base is not bases[0] for base in bases):
        raise ParameterError(
            "the measures are not answered by the same finest query: leave out the fitted table"
        )
    table = _labels(data, bases[0])
    _add(table, dict(fitted(answers, nonnegative=nonnegative)))
    return table


def _add(table: dict[str, Column], columns: Mapping[str, Column]) -> None:
    for name, column in columns.items():
        if name.lower() in {other.lower() for other in table}:
            raise ParameterError(f"column {name} would be written twice: rename it in the data")
        table[name] = column


def _writer(table: Mapping[str, Column], ending: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        if not table:
            raise ParameterError("a query has no column to write")
        try:
            with duckdb.connect() as db:
                db.register("released", dict(table))
                db.execute(f"COPY (FROM released) TO ? ({writer(ending)})", [str(path)])
        except duckdb.Error:
            raise ParameterError(f"{path.name} cannot be written") from None

    return write


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _record(
    plan: Plan,
    entry: Spending,
    data: Establishments,
    answers: Sequence[Answers],
    names: Sequence[str],
    nonnegative: bool,
    seed: int | None,
    verdicts: Mapping[str, str],
) -> dict[str, object]:
    tables = list(dict.fromkeys(one.query.name for one in answers))
    return {
        **entry.record(),
        "tables": list(names),
        "establishments": len(data),
        "columns": COLUMNS,
        "answers": [
            {
                "query": one.query.name,
                "by": list(one.query.by),
                "groups": one.formed.number,
                "measure": one.measure,
                **describe(one.mechanism, verdicts),
            }
            for one in answers
        ],
        "fitted": {
            "method": "least squares, weighted by the inverse variances in the tables",
            "nonnegative": nonnegative,
        }
        if len(names) > len(tables)
        else None,
        "seed": seeding(seed),
        "notes": [EXACT],
        "versions": versions(),
    }
