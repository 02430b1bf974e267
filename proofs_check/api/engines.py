"""Where tables are counted: DuckDB or Spark, as the plan says or whoever releases it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.budget.engines import EngineChoice
    from establish.impl.budget.plan import Plan
    from establish.impl.tabulate.engine import Engine


def chosen(plan: Plan, engine: str | None, master: str | None) -> EngineChoice:
    """The plan's engine, or what the command line says in its place.

    Raises ParameterError for an engine, a master or a combination that there is not.
    """
    from establish.impl.budget.sources import JobTables

    if (engine or master) and not isinstance(plan.source, JobTables):
        option = f"--engine = {engine}" if engine else f"--master = {master}"
        raise ParameterError(f"{option} is about plans on jobs: leave it out")
    return plan.engine.over(engine, master)


@contextmanager
def opened(
    choice: EngineChoice,
    *,
    threads: int | None = None,
    memory: str | None = None,
    temporary: Path | None = None,
) -> Iterator[Engine]:
    """The engine that was chosen. threads, memory and temporary are for DuckDB alone.

    Raises ParameterError where one of them is given for Spark, whose own settings say that.
    """
    if choice.is_spark:
        given = {"--threads": threads, "--memory": memory, "--temporary": temporary}
        for option, value in given.items():
            if value is not None:
                raise ParameterError(
                    f"{option} = {value} is about duckdb, and the engine is spark: its own settings "
                    "(spark-defaults.conf) say that"
                )
        from establish.impl.tabulate.cluster import DEFAULT_MASTER, spark_at

        with spark_at(choice.master or DEFAULT_MASTER) as engine:
            yield engine
    else:
        from establish.impl.tabulate.engine import DEFAULT_MEMORY, embedded

        with embedded(threads, memory or DEFAULT_MEMORY, temporary) as engine:
            yield engine
