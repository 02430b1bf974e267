"""Release a whole plan: every query that it names, under its cap, into one folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from establish.proofs_check.api.asked import require_there
from establish.proofs_check.api.engines import chosen, opened
from establish.proofs_check.api.progress import complaints
from establish.proofs_check.api.python import FilePath, optional_path, path_of
from establish.proofs_check.api.release import recorded_verdicts, signer_of
from establish.proofs_check.api.told import Shown
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.budget.engines import EngineChoice
    from establish.impl.budget.plan import Plan
    from establish.impl.publish.plan import Answerer, PlanRelease

FORMATS = ("parquet", "csv", "csv.gz", "xlsx")
"""What the form of the tables may be: their ending."""

REFUSE = "refuse"
"""What becomes of a worker with two jobs, unless it is said."""


@dataclass(frozen=True, repr=False)
class PlanReleased(Shown):
    """A plan that was released. written: the tables and the record, and how they were entered."""

    plan: Plan
    written: PlanRelease

    @property
    def record(self) -> Mapping[str, Any]:
        """What was done, what it costs and satisfies, and what that rests on."""
        found: Mapping[str, Any] = json.loads(self.written.record.read_text("utf-8"))
        return found

    def __repr__(self) -> str:
        loss = ", ".join(f"{symbol} = {value}" for symbol, value in self.record["loss"].items())
        return (
            f"PlanReleased: {self.plan.title}, {len(self.plan.queries)} queries\n"
            f"cost: {self.plan.definition.name} with {loss}\n"
            f"written: {len(self.written.tables)} tables in {self.written.record.parent}"
        )


def release_plan(
    plan: FilePath,
    *,
    out: FilePath,
    format: str = FORMATS[0],
    two_jobs: str = REFUSE,
    memory: str | None = None,
    engine: str | None = None,
    master: str | None = None,
    no_fit: bool = False,
    nonnegative: bool = False,
    additive: str | None = None,
    ledger: FilePath | None = None,
    head: FilePath | None = None,
    without_ledger: bool = False,
    sign: FilePath | None = None,
    seed: int | None = None,
    force: bool = False,
) -> PlanReleased:
    """Every query of a plan, with noise, into one folder, as ``establish release plan``.

    plan: a file in TOML, which names the confidential tables, the queries, a cap and the ledger. out: the
    folder of the tables and of release.json. format: of FORMATS. For plans on jobs: two_jobs, "refuse" or
    "first"; memory, such as "4GB"; engine, "duckdb" or "spark", and its master; additive, "real" or "whole".
    For plans on establishments: no_fit, nonnegative. The others: see ``release_counts``. Raises
    ParameterError or CertificateError, and then spends nothing.
    """
    source, folder = path_of("PLAN", plan), path_of("--out", out)
    if format not in FORMATS:
        raise ParameterError(f"--format = {format} is not allowed: use {', '.join(FORMATS)}")
    require_there("PLAN", source)

    from establish.impl.budget.books import books_of_plan
    from establish.impl.budget.plan import read_plan
    from establish.impl.budget.sources import confidential_files
    from establish.impl.publish import plan as publish

    found, known = read_plan(source), recorded_verdicts()
    choice = chosen(found, engine, master)
    if choice.is_spark and format != FORMATS[0]:
        raise ParameterError(
            f"--format = {format} is not possible with spark: it writes folders of Parquet files"
        )
    for file in () if choice.is_spark else confidential_files(found.source):
        if not file.exists():
            raise ParameterError(f"PLAN = {source}: [data] names {file}, which does not exist")
    own, second = optional_path("--ledger", ledger), optional_path("--head", head)
    books = books_of_plan(found, ledger=own, second=second, without=without_ledger)
    _require_true(found, known)
    with (
        complaints().status("reading the plan") as status,
        _answerer(found, choice, two_jobs, memory, not no_fit, nonnegative, additive) as answerer,
    ):
        written = publish.release_plan(
            found,
            answerer,
            folder,
            ending=f".{format}",
            seed=seed,
            force=force,
            books=books,
            sign=signer_of(sign),
            verdicts=known,
            advance=lambda stage: status.update(stage),
        )
    return PlanReleased(found, written)


def _require_true(plan: Plan, verdicts: Mapping[str, str]) -> None:
    """Raise CertificateError unless every claim that the plan's cost rests on is recorded as true."""
    from establish.impl.budget.accountant import cost
    from establish.impl.certificate import CertificateError
    from establish.proofs_check.engine.verdicts import true

    for claim in cost(plan).rests_on:
        found = verdicts.get(claim, "not recorded")
        if not true(found):
            raise CertificateError(f"the cost of plan {plan.title} rests on {claim}, which is {found}")


@contextmanager
def _answerer(
    plan: Plan,
    choice: EngineChoice,
    two_jobs: str,
    memory: str | None,
    fit: bool,
    nonnegative: bool,
    additive: str | None,
) -> Iterator[Answerer]:
    """What answers the plan; libraries that only one kind of plan needs are loaded for it alone."""
    from establish.impl.budget.sources import Establishments, JobTables

    of_jobs = {
        f"--two-jobs = {two_jobs}": two_jobs != REFUSE,
        f"--memory = {memory}": memory is not None,
        f"--additive = {additive}": additive is not None,
    }
    of_establishments = {"--no-fit": not fit, "--nonnegative": nonnegative}
    for kind, own, options in (
        (JobTables, "jobs", of_jobs),
        (Establishments, "establishments", of_establishments),
    ):
        for option, given in options.items():
            if given and not isinstance(plan.source, kind):
                raise ParameterError(f"{option} is about plans on {own}: leave it out")
    if nonnegative and not fit:
        raise ParameterError("--nonnegative is for the fitted cells that --no-fit leaves out: use one")
    if isinstance(plan.source, JobTables):
        from establish.impl.publish.jobs import JobAnswerer

        with opened(choice, memory=memory) as engine:
            yield JobAnswerer(plan, engine, two_jobs, additive=additive)
    elif isinstance(plan.source, Establishments):
        from establish.impl.publish.establishments import MicrodataAnswerer

        yield MicrodataAnswerer(plan, fit=fit, nonnegative=nonnegative)
    else:
        from establish.impl.publish.persons import EarningsAnswerer

        yield EarningsAnswerer(plan)
