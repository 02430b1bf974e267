"""Small job tables, queries on them, and what the specification counts, charges and expects of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from establish.impl.budget.plan import Plan, read_plan
from establish.impl.mechanisms.laplace import Laplace
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.mechanisms.smooth_lomax import SmoothLomax
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.mechanisms.whole_staircase import WholeStaircase
from establish.impl.sampling.bits import Bits
from establish.spec.cells import MarginalQuery
from establish.spec.composition import (
    Approximate,
    DifferentialPrivacy,
    ErEe,
    Loss,
    Marginal,
    cost_of_marginal,
    in_sequence,
)
from establish.spec.tables import Tables, Worker, Workplace

PLACES, SECTORS, SEXES, SCHOOLS = ("a", "b"), ("x", "y"), ("F", "M"), ("l", "h", "u")

WORKPLACES = (
    Workplace("11", ("a", "x")),
    Workplace("12", ("a", "x")),
    Workplace("13", ("a", "y")),
    Workplace("14", ("b", "x")),
)
EMPLOYED = (
    *(("11", "F", "l"),) * 5,
    *(("11", "M", "h"),) * 3,
    ("11", "F", "u"),
    ("12", "F", "l"),
    ("12", "M", "l"),
    *(("13", "M", "h"),) * 4,
    ("13", "F", "h"),
)
"""Where each worker is employed, and both attributes; nobody is at the last workplace."""

HEAD = """title = "small"
[budget]
definition = "{definition}"
{alpha}cap = {cap}
[data]
dataset = "small"
jobs = "jobs{source}"
workers = "workers{source}"
workplaces = "workplaces{source}"
[domain.establishment]
place = ["a", "b"]
sector = ["x", "y"]
[domain.worker]
sex = ["F", "M"]
school = ["l", "h", "u"]
"""


@dataclass(frozen=True)
class Asked:
    """One query as the plan writes it, and what should answer it.

    runs: the mechanism. each: what one of its counts costs. where: by attribute, one value. below: the
    size from which establishments are left out.
    """

    name: str
    by: tuple[str, ...]
    rest: str
    runs: Any
    each: Approximate
    where: Mapping[str, str]
    below: int | None = None

    def text(self) -> str:
        named = ", ".join(f'{key} = "{value}"' for key, value in self.where.items())
        by = ", ".join(f'"{name}"' for name in self.by)
        where = f"where = {{ {named} }}\n" if named else ""
        return f'[[query]]\nname = "{self.name}"\nby = [{by}]\n{where}{self.rest}\n'


def tables_of(employed: Sequence[tuple[str, str, str]] = EMPLOYED) -> Tables:
    workers = tuple(Worker(str(100 + k), own[1:]) for k, own in enumerate(employed))
    jobs = tuple((str(100 + k), own[0]) for k, own in enumerate(employed))
    return Tables(WORKPLACES, workers, jobs)


ATTRIBUTES = {"place": PLACES, "sector": SECTORS, "sex": SEXES, "school": SCHOOLS}
OF_WORKPLACES = ("place", "sector")


def counted(asked: Asked) -> Iterator[tuple[dict[str, str], int, int]]:
    """Labels, count and largest of every cell by the specification, in the order of the table."""
    tables = tables_of()
    kept = {
        worker.id
        for place in tables.workplaces
        for worker in tables.workforce(place.id)
        if asked.below is None or len(tables.workforce(place.id)) < asked.below
    }
    workers = tuple(worker for worker in tables.workers if worker.id in kept)
    tables = Tables(tables.workplaces, workers, tuple(job for job in tables.jobs if job[0] in kept))
    every = MarginalQuery({0: SEXES, 1: SCHOOLS}, {0: PLACES, 1: SECTORS})
    shown = [name for name in asked.by if name in OF_WORKPLACES]
    shown += [name for name in asked.by if name not in OF_WORKPLACES]
    values = [(asked.where[name],) if name in asked.where else ATTRIBUTES[name] for name in shown]
    for chosen in product(*values):
        labels = dict(zip(shown, chosen, strict=True))
        sizes = {place.id: 0 for place in tables.workplaces}
        for name in every.cells():
            own = dict(zip(("sex", "school", "place", "sector"), name, strict=True))
            if all(own[key] == value for key, value in {**asked.where, **labels}.items()):
                for place, size in zip(_matching(tables, own), every.cell(tables, name).sizes, strict=True):
                    sizes[place] += size
        yield labels, sum(sizes.values()), max(sizes.values())


def _matching(tables: Tables, own: Mapping[str, str]) -> list[str]:
    wanted = own["place"], own["sector"]
    return [place.id for place in tables.workplaces if place.attributes == wanted]


IDENTIFIERS: dict[str, Callable[[int], Any]] = {
    "whole": lambda number: number,
    "prefixed": lambda number: f"E{number}",
    "free": lambda number: f"{number}-{'xy'[number % 2]}",
}
"""Forms of an identifier, each of which is joined in another way."""


def write_tables(folder: Path, ending: str, identifiers: str) -> None:
    """The three tables as .parquet or .csv files."""
    tables, known = tables_of(), IDENTIFIERS[identifiers]
    columns: dict[str, dict[str, list[Any]]] = {
        "jobs": {
            "worker": [known(int(worker)) for worker, _ in tables.jobs],
            "workplace": [known(int(workplace)) for _, workplace in tables.jobs],
        },
        "workplaces": {
            "workplace": [known(int(place.id)) for place in tables.workplaces],
            "place": [place.attributes[0] for place in tables.workplaces],
            "sector": [place.attributes[1] for place in tables.workplaces],
        },
        "workers": {
            "worker": [known(int(worker.id)) for worker in tables.workers],
            "sex": [worker.attributes[0] for worker in tables.workers],
            "school": [worker.attributes[1] for worker in tables.workers],
        },
    }
    for name, own in columns.items():
        write_table(folder / f"{name}{ending}", own)


def write_table(path: Path, columns: Mapping[str, Sequence[Any]]) -> None:
    """One table as a .parquet or .csv file; None is a missing value."""
    if path.suffix == ".parquet":
        pq.write_table(pa.table(dict(columns)), path)
        return
    rows = zip(*columns.values(), strict=True)
    lines = [columns.keys(), *(["" if x is None else str(x) for x in row] for row in rows)]
    path.write_text("".join(f"{','.join(line)}\n" for line in lines), "utf-8")


def _marginal(asked: Asked) -> Marginal:
    own = [name for name in asked.by if name not in OF_WORKPLACES]
    cells = prod(1 if name in asked.where else len(ATTRIBUTES[name]) for name in own)
    return Marginal(cells, any(name not in OF_WORKPLACES for name in (*asked.by, *asked.where)))


def _losses(definition: Any, queries: Sequence[Asked]) -> dict[str, Loss]:
    return {asked.name: cost_of_marginal(definition, asked.each, _marginal(asked)).loss for asked in queries}


def _together(queries: Sequence[Asked], losses: Mapping[str, Loss]) -> Loss:
    """What the establishment loses that is in the costliest queries."""
    of_each = []
    for chosen in product(PLACES, SECTORS):
        own = dict(zip(OF_WORKPLACES, chosen, strict=True))
        passed = [
            losses[asked.name]
            for asked in queries
            if all(own[key] == value for key, value in asked.where.items() if key in own)
        ]
        of_each.append(in_sequence(passed))
    total = of_each[0]
    for other in of_each[1:]:
        total = total.either(other)
    return total


def _drawn(law: Any, cells: Sequence[tuple[dict[str, str], int, int]], bits: Bits) -> list[int]:
    counts = np.array([count for _, count, _ in cells])
    largest = np.array([size for _, _, size in cells])
    truncated = isinstance(law, TruncatedLaplace)
    drawn = law.noisy(counts, bits) if truncated else law.release(counts, bits, largest)
    return list(drawn.tolist())


def _expected(queries: Sequence[Asked], bits: Bits) -> dict[str, dict[str, list[Any]]]:
    """By query, the columns that are released."""
    found: dict[str, dict[str, list[Any]]] = {}
    for asked in queries:
        cells = list(counted(asked))
        columns: dict[str, list[Any]] = {name: [labels[name] for labels, _, _ in cells] for name in asked.by}
        found[asked.name] = {**columns, "count": _drawn(asked.runs, cells, bits)}
    return found


@dataclass(frozen=True)
class SmallPlan:
    """A plan, and what the specification says of its releases. ending: of its tables; source: of the data."""

    definition: Any
    cap: Loss
    queries: tuple[Asked, ...]
    ending: str = ".parquet"
    source: str = ".parquet"
    identifiers: str = "whole"

    def text(self, more: str = "") -> str:
        own = self.definition.record()
        alpha = f'alpha = "{own["alpha"]}"\n' if "alpha" in own else ""
        kept = self.cap.record().items()
        cap = ", ".join(f'{key} = "{value}"' for key, value in kept if alpha or key != "delta")
        head = HEAD.format(definition=own["definition"], alpha=alpha, cap=f"{{ {cap} }}", source=self.source)
        return more + head + "".join(asked.text() for asked in self.queries)

    def in_folder(self, folder: Path, more: str = "") -> Plan:
        write_tables(folder, self.source, self.identifiers)
        (folder / "plan.toml").write_text(self.text(more), "utf-8")
        return read_plan(folder / "plan.toml")

    @property
    def losses(self) -> dict[str, Loss]:
        return _losses(self.definition, self.queries)

    def columns(self, bits: Bits) -> dict[str, dict[str, list[Any]]]:
        """By query, the columns that are released with the noise of these bits."""
        return _expected(self.queries, bits)

    @property
    def lost(self) -> Loss:
        return _together(self.queries, self.losses)


WEAK = ErEe.of("weak-er-ee", "1/10")

ASKED = (
    Asked(
        "cells",
        ("sex", "place"),
        'mechanism = "log-laplace"\ncalibration = "published"\nepsilon = 1',
        LogLaplace("1/10", 1, "published"),
        Approximate.of(1),
        {},
    ),
    Asked(
        "women",
        ("sector", "school"),
        'mechanism = "smooth-laplace"\nepsilon = 2\ndelta = "1/100"',
        SmoothLaplace("1/10", 2, "1/100", "tight"),
        Approximate.of(2, "1/100"),
        {"sex": "F", "place": "a"},
    ),
    Asked(
        "b",
        ("sector",),
        "epsilon = 1\none_establishment = true",
        WholeStaircase("1/10", 1),
        Approximate.of(1),
        {"place": "b"},
    ),
    Asked(
        "all",
        (),
        'mechanism = "smooth-lomax"\nepsilon = "1/2"',
        SmoothLomax("1/10", "1/2"),
        Approximate.of("1/2"),
        {},
    ),
)
"""The third is on workplaces that the second leaves out, and names no mechanism: of those for one
establishment the one with the least error is taken."""


WEAK_PLAN = SmallPlan(WEAK, Approximate.of(18, "1/10"), ASKED)
EDGE_ASKED = tuple(
    Asked(
        name,
        by,
        f'mechanism = "laplace"\nepsilon = "{epsilon}"',
        Laplace(epsilon),
        Approximate.of(epsilon),
        {},
    )
    for name, by, epsilon in (
        ("cells", ("place", "sex"), "1/2"),
        ("sexes", ("sex",), "1/3"),
        ("total", (), 1),
    )
)
EDGE = SmallPlan(DifferentialPrivacy("edge-dp"), Approximate.of(4), EDGE_ASKED, ".csv", ".csv", "prefixed")
NODE = SmallPlan(
    DifferentialPrivacy("node-dp"),
    Approximate.of(10),
    (
        Asked(
            "kept",
            ("place", "sector"),
            'mechanism = "truncated-laplace"\nepsilon = 2\ntheta = 6',
            TruncatedLaplace(2, 6, calibration="tight"),
            Approximate.of(2),
            {},
            6,
        ),
        Asked(
            "kept-women",
            ("place",),
            'mechanism = "truncated-laplace"\nepsilon = 2\ntheta = 3\ncalibration = "published"',
            TruncatedLaplace(2, 3, calibration="published"),
            Approximate.of(2),
            {"sex": "F"},
            3,
        ),
    ),
    ".xlsx",
    ".csv",
    "free",
)
