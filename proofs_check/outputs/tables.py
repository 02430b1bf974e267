"""What commands tell of tables: suppressed, perturbed, made up, counted."""

from typing import Literal, NotRequired, TypedDict

from establish.proofs_check.outputs.words import Digest, Rational


class Suppressed(TypedDict):
    """One row for each cell that is not published. Confidential."""

    cell: dict[str, str]
    lower: str | None
    upper: str | None
    exact: bool
    certified: bool
    attained: bool
    attacker: str
    verdict: str
    owner: NotRequired[str]
    reached: NotRequired[tuple[str | None, str | None]]


class Perturbed(TypedDict):
    """One row for each cell of one establishment. Confidential."""

    cell: dict[str, str]
    values: dict[str, list[tuple[str, str]]]
    ratios: dict[str, tuple[str, str]]
    whole: dict[str, list[str]]


class Source(TypedDict):
    """Where made-up data come from."""

    source: str
    cells: int
    ownership: list[str]
    copies: int
    rows: int
    dominant: Rational | None
    law: str
    seed: int
    notes: list[str]
    versions: dict[str, str]
    tables: dict[str, Digest]


Counted = TypedDict(
    "Counted",
    {
        "cells without establishments": int,
        "suppressed cells left out": int,
        "establishments per copy": int,
        "jobs in month 3 per copy": int,
        "wages per copy": int,
    },
)


class Synthesized(Source, Counted):
    """The record beside a table that was made up."""


class Tabulated(TypedDict):
    """The summary of a tabulation, without a count."""

    by: list[str]
    where: dict[str, list[str]]
    cells: int
    workplaces: int
    two_jobs: Literal["refuse", "first"]
    seconds: float
    confidential_file: str | None
