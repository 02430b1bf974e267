"""Synthetic establishment microdata from published cells, written with a record of how."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from establish.impl.publish.sidecar import SEEDED, versions
from establish.impl.synthetic.industries import SECTOR, SUPERSECTOR
from establish.impl.synthetic.microdata import Establishments, establishments
from establish.impl.synthetic.qcew import Cells, read_cells
from establish.impl.tables.files import format_of, writer
from establish.impl.tables.outputs import require_writable, write_both
from establish.spec.parameters import ParameterError, Rational, probability
from establish.spec.synthetic.microdata import SCALE, SHAPE
from establish.spec.synthetic.month_2 import ETA_ESTABLISHMENTS

BATCH = 1_000_000
"""Establishments that are drawn at once, at most, unless one copy has more."""

LARGEST = 100_000_000
"""Establishments in one file, at most: about 70 bytes of memory each."""

LAW = (
    f"Concentrations are independent Gamma(shape {SHAPE}, scale {SCALE}). Months 1 and 3 and wages are "
    "Dirichlet shares of the cell's totals, rounded cumulatively; month 2 is the cell's month 2 divided "
    f"by Algorithm 2's values with noise parameter {ETA_ESTABLISHMENTS}."
)
"""The law of the generator, for the record beside the table."""

DOMINANT_LAW = (
    "In each cell of two establishments or more one, chosen uniformly, has concentration cR: R is the "
    "sum of the others' and c = dominant/(1 − dominant), so that its shares are Beta(cR, R)."
)
"""What the option for dominant establishments adds to it."""


@dataclass(frozen=True)
class Synthesis:
    """A written table of synthetic establishments, its sidecar, and the record that the sidecar holds."""

    table: Path
    sidecar: Path
    record: dict[str, object]


def synthesize(
    source: Path,
    out: Path,
    *,
    seed: int,
    dominant: Rational | None = None,
    copies: int = 1,
    ownership: Sequence[str] = ("5",),
    force: bool = False,
    drawn: Callable[[int], None] = lambda _: None,
) -> Synthesis:
    """Write ``out`` with one row per establishment of the cells in ``source``, and ``<out>.json`` beside it.

    source: see :func:`establish.impl.synthetic.qcew.read_cells`, as for ownership. seed: a whole number ≥ 0;
    the same seed gives the same table. dominant: strictly between 0 and 1, the average share of one
    establishment in every cell of two or more; see :func:`establish.spec.synthetic.microdata.with_dominant`.
    copies: how often every cell is drawn, each time anew. drawn: told how many copies are drawn.

    The columns are primary_key (1, 2, …), copy (1 … copies), year, qtr, state, cnty (five digits), own,
    supersector, sector, naics3, naics4, naics5, naics (six digits), m1emp, m2emp, m3emp (jobs) and wage
    (dollars a quarter). Every copy keeps the totals of every cell exactly, also in cells with fewer jobs
    than establishments; an establishment may have wages without jobs. Both files appear, or none. Raises
    ParameterError, and writes nothing, when an argument or the input does not allow it.
    """
    format_of("--out", out)  # it is read again, which a workbook is not
    ending, sidecar = require_writable(source, out, force)
    if seed < 0:
        raise ParameterError("the seed must be a whole number >= 0")
    rng = np.random.default_rng(seed)
    share = None if dominant is None else probability("dominant", dominant)
    if copies < 1:
        raise ParameterError(f"copies = {copies} is not allowed: it must be at least 1")
    cells = read_cells(source, ownership)
    per_copy = int(cells.totals.establishments.sum())
    if per_copy * copies > LARGEST:
        raise ParameterError(
            f"copies = {copies} is not allowed: {per_copy * copies} establishments are more than {LARGEST}"
        )
    columns = _empty(per_copy * copies)
    at_once = max(1, BATCH // per_copy)
    for done in range(0, copies, at_once):
        number = min(at_once, copies - done)
        rows = establishments(cells.totals.repeated(number), rng, share)
        _fill(columns, slice(done * per_copy, (done + number) * per_copy), rows)
        drawn(done + number)
    record: dict[str, object] = {
        "source": source.name,
        "cells": int(cells.totals.establishments.size) + cells.empty,
        "cells without establishments": cells.empty,
        "suppressed cells left out": cells.suppressed,
        "ownership": list(ownership),
        "copies": copies,
        "rows": per_copy * copies,
        "establishments per copy": per_copy,
        "jobs in month 3 per copy": int(columns.month_3[:per_copy].sum()),
        "wages per copy": int(columns.wages[:per_copy].sum()),
        "dominant": None if share is None else str(share),
        "law": LAW if share is None else f"{LAW} {DOMINANT_LAW}",
        "seed": seed,
        "notes": [
            SEEDED,
            "Synthetic: no row is a real establishment; the totals of every cell are the published ones.",
        ],
        "versions": versions(),
    }
    write_both(
        out,
        sidecar,
        record,
        lambda path: _write(path, ending, cells, columns, copies, per_copy),
        replace=force,
    )
    return Synthesis(out, sidecar, record)


def _empty(rows: int) -> Establishments:
    return Establishments(*(np.empty(rows, dtype=np.int64) for _ in range(4)))


def _fill(columns: Establishments, place: slice, rows: Establishments) -> None:
    for name, values in vars(rows).items():
        vars(columns)[name][place] = values


def _labels(cells: Cells) -> dict[str, NDArray[np.generic]]:
    """One value per cell for every column that describes it."""
    county, naics = cells.labels["area_fips"], cells.labels["industry_code"]
    texts = {
        "year": cells.labels["year"],
        "qtr": cells.labels["qtr"],
        "state": [code[:2] for code in county],
        "cnty": county,
        "own": cells.labels["own_code"],
        "supersector": [SUPERSECTOR[code[:2]] for code in naics],
        "sector": [SECTOR[code[:2]] for code in naics],
        **{f"naics{digits}": [code[:digits] for code in naics] for digits in (3, 4, 5)},
        "naics": naics,
    }
    return {name: np.array(values, dtype=object) for name, values in texts.items()}


def _write(
    path: Path, ending: str, cells: Cells, columns: Establishments, copies: int, per_copy: int
) -> None:
    """Write the table in the order of primary_key. Raises OSError or duckdb.Error."""
    sizes = cells.totals.establishments
    rows = {
        "copy": np.repeat(np.arange(1, copies + 1, dtype=np.int32), per_copy),
        "cell": np.tile(np.repeat(np.arange(sizes.size, dtype=np.int32), sizes), copies),
        "primary_key": np.arange(1, copies * per_copy + 1),
        "m1emp": columns.month_1,
        "m2emp": columns.month_2,
        "m3emp": columns.month_3,
        "wage": columns.wages,
    }
    labels = _labels(cells)
    described = ", ".join(f"labels.{name}" for name in labels)
    with duckdb.connect() as db:
        # One thread that streams the rows past a table of labels keeps their order, without sorting.
        db.execute("SET threads = 1")
        db.execute("SET disabled_optimizers = 'join_order,build_side_probe_side'")
        db.register("rows_drawn", rows)
        db.register("labels", {"cell": np.arange(sizes.size, dtype=np.int32), **labels})
        db.execute(
            f"COPY (SELECT primary_key, copy, {described}, m1emp, m2emp, m3emp, wage "
            f"FROM rows_drawn LEFT JOIN labels USING (cell)) TO ? ({writer(ending)})",
            [str(path)],
        )
