"""Which engine counts the tables of a plan: one machine, or many."""

from __future__ import annotations

from dataclasses import dataclass

from establish.impl.budget.section import Section
from establish.spec.parameters import ParameterError

ENGINES = ("duckdb", "spark")
"""DuckDB inside the process, or Spark."""


@dataclass(frozen=True)
class EngineChoice:
    """An engine by name, and for Spark the master where it is; None for its default.

    Raises ParameterError for an unknown name, and for a master of DuckDB.
    """

    name: str = ENGINES[0]
    master: str | None = None

    def __post_init__(self) -> None:
        if self.name not in ENGINES:
            raise ParameterError(f"engine = {self.name} is not known: use {' or '.join(ENGINES)}")
        if self.master is not None and not self.is_spark:
            raise ParameterError(
                f"master = {self.master} is about spark, and the engine is {self.name}: add --engine spark, "
                "or leave it out"
            )

    @property
    def is_spark(self) -> bool:
        return self.name == "spark"

    def over(self, name: str | None, master: str | None) -> EngineChoice:
        """This choice, with what the command line says in its place."""
        if name is None and master is None:
            return self
        same = name is None or name == self.name
        return EngineChoice(name or self.name, master or (self.master if same else None))


def read_engine(section: Section) -> EngineChoice:
    """The table [engine] of a plan: ``name``, and ``master`` for Spark. Raises ParameterError."""
    name = section.text("name")
    master = section.text_or("master", "") or None
    section.end()
    return EngineChoice(name, master)
