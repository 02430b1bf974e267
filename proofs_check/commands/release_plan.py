"""``establish release PLAN.toml``: a whole plan, from confidential tables to published ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from establish.impl.budget.accountant import cost
from establish.impl.budget.plan import Plan, read_plan
from establish.impl.budget.sources import Establishments, JobTables
from establish.impl.certificate import CertificateError
from establish.impl.publish.plan import Answerer, PlanRelease, release_plan
from establish.proofs_check.certification.certify import true
from establish.proofs_check.commands.cautions import cautions
from establish.proofs_check.commands.terminal import complaints
from establish.spec.parameters import ParameterError

FORMATS = ("parquet", "csv", "csv.gz")
"""What ``--format`` accepts: the ending of the tables."""


def release_from_plan(
    file: Path,
    out: Path,
    *,
    ending: str,
    two_jobs: str,
    memory: str,
    fit: bool,
    nonnegative: bool,
    seed: int | None,
    force: bool,
    as_json: bool,
    verdicts: Mapping[str, str],
) -> None:
    """Release the plan in ``file`` into the folder ``out`` and say what was written."""
    if ending not in FORMATS:
        raise ParameterError(f"--format = {ending} is not allowed: use {', '.join(FORMATS)}")
    plan = read_plan(file)
    _require_true(plan, verdicts)
    with (
        complaints().status("reading the plan") as status,
        _answerer(plan, two_jobs, memory, fit, nonnegative) as answerer,
    ):
        released = release_plan(
            plan,
            answerer,
            out,
            ending=f".{ending}",
            seed=seed,
            force=force,
            verdicts=verdicts,
            advance=lambda stage: status.update(stage),
        )
    _tell(plan, released, as_json)


def _require_true(plan: Plan, verdicts: Mapping[str, str]) -> None:
    """Raise CertificateError unless every claim that the plan's cost rests on is recorded as true."""
    for claim in cost(plan).rests_on:
        found = verdicts.get(claim, "not recorded")
        if not true(found):
            raise CertificateError(
                f"the cost of plan {plan.title} rests on {claim}, which is {found}"
            )


@contextmanager
def _answerer(
    plan: Plan, two_jobs: str, memory: str, fit: bool, nonnegative: bool
) -> Iterator[Answerer]:
    """What answers the plan; libraries that only one kind of plan needs are loaded for it alone."""
    if isinstance(plan.source, JobTables):
        from establish.impl.publish.jobs import JobAnswerer
        from establish.impl.tabulate.engine import embedded

        with embedded(memory=memory) as engine:
            yield JobAnswerer(plan, engine, two_jobs)
    elif isinstance(plan.source, Establishments):
        from establish.impl.publish.establishments import MicrodataAnswerer

        yield MicrodataAnswerer(plan, fit=fit, nonnegative=nonnegative)
    else:
        from establish.impl.publish.persons import EarningsAnswerer

        yield EarningsAnswerer(plan)


def _tell(plan: Plan, released: PlanRelease, as_json: bool) -> None:
    record = json.loads(released.record.read_text("utf-8"))
    replaced = [f"removed, of the release before: {path}" for path in released.superseded.removed]
    replaced += [
        f"left, of the release before, because it was changed: {path}"
        for path in released.superseded.left
    ]
    if as_json:
        print(json.dumps(record, ensure_ascii=False, indent=2))
        for line in replaced:
            complaints().print(line)
        return
    print(f"{plan.title}: {len(plan.queries)} queries released")
    loss = ", ".join(f"{symbol} = {value}" for symbol, value in record["loss"].items())
    print(
        f"cost: {plan.definition.name} with {loss}, entry {released.receipt.number} of {plan.ledger}"
    )
    for path in (*released.tables, released.record):
        print(f"written: {path}")
    for line in replaced:
        print(line)
    for note in record["notes"]:
        print(f"note: {note}")
    for line in cautions(record):
        print(line)
