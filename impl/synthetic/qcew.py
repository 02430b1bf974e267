"""County × NAICS-6 cells of the Quarterly Census of Employment and Wages, as published by area."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Flags, Integers
from establish.impl.counts import LARGEST_COUNT, require_rows, whole_counts
from establish.impl.synthetic.industries import SECTOR
from establish.impl.synthetic.microdata import Totals
from establish.impl.tables.files import ROW, quoted
from establish.impl.tables.table import Table
from establish.spec.parameters import ParameterError

LEVEL = "78"
"""The aggregation level of county × NAICS-6 × ownership."""

LABELS = ("year", "qtr", "area_fips", "own_code", "industry_code")
"""The columns that together identify a cell."""

COUNTS = {
    "establishments": "qtrly_estabs_count",
    "month_1": "month1_emplvl",
    "month_2": "month2_emplvl",
    "month_3": "month3_emplvl",
    "wages": "total_qtrly_wages",
}
"""The column of each total."""

DISCLOSED = ("", "-")
"""Disclosure codes of cells that are published; "N" marks those that are suppressed."""


@dataclass(frozen=True)
class Cells:
    """Disclosed cells with at least one establishment: labels as text, and totals.

    empty: disclosed cells without establishments. suppressed: cells that are not disclosed.
    """

    labels: Mapping[str, NDArray[np.object_]]
    totals: Totals
    empty: int
    suppressed: int


class Census(Table):
    """One file of the census."""

    def require(self, counts: Iterable[str], named: str) -> None:
        """Raise ParameterError about what is ``named`` so without the columns of labels, or of ``counts``."""
        for column in ("agglvl_code", "disclosure_code", *LABELS, *counts):
            if column not in self.columns:
                raise ParameterError(
                    f"{named} has no column {column}; a file of the Quarterly Census of Employment and Wages "
                    "by area is expected"
                )

    def texts(self, column: str) -> NDArray[np.object_]:
        """The column as text, an absent value as empty, in the order of the rows."""
        text = f"coalesce(CAST({quoted(column)} AS VARCHAR), '')"
        return np.asarray(
            np.ma.filled(self._column(f"SELECT {text} FROM input ORDER BY {ROW}"), ""), dtype=object
        )

    def chosen(self, ownership: Sequence[str]) -> Flags:
        """Which rows are county × NAICS-6 cells of the ownership codes."""
        level = np.array([text.strip() for text in self.texts("agglvl_code")])
        owned = np.isin(self.texts("own_code").astype(str), list(ownership))
        return np.asarray((level == LEVEL) & owned)


def read_cells(source: Path, ownership: Sequence[str] = ("5",)) -> Cells:
    """The cells of a CSV, gzipped CSV or Parquet file in the layout of the BLS files by area.

    ownership: the codes to take; 5 is private. Several quarters may be in one file. A cell may have fewer
    jobs than establishments, or no jobs.

    Raises ParameterError for a missing column, a disclosure code that is not known, a code of county or
    industry that is malformed, a cell that is listed twice, a total that is not a whole number ≥ 0, a column
    that adds up to more than 2^53 − 1, jobs or wages without an establishment, or when no establishment is
    left. Rows are named by number, not by value.
    """
    with Census(source) as table:
        table.require(COUNTS.values(), f"INPUT = {source}")
        chosen = table.chosen(ownership)
        codes = table.texts("disclosure_code")
        rows = table.row_numbers()
        known = np.isin(codes.astype(str), (*DISCLOSED, "N")) | ~chosen
        require_rows(known, rows, "column disclosure_code must be empty, '-' or 'N'")
        disclosed = chosen & (codes != "N")
        kept = rows[disclosed]
        labels = {column: table.texts(column)[disclosed] for column in LABELS}
        counts = {
            name: whole_counts(f"column {column}", table.numbers(column)[disclosed], kept)
            for name, column in COUNTS.items()
        }
    if not kept.size:
        raise ParameterError(
            f"INPUT = {source} has no disclosed county × NAICS-6 cell (agglvl_code {LEVEL}) with "
            f"own_code {', '.join(ownership)}"
        )
    _require_labels(labels, kept)
    values = {name: column.astype(np.int64) for name, column in counts.items()}
    present = values["establishments"] > 0
    for name, column in COUNTS.items():
        if sum(values[name].tolist()) > LARGEST_COUNT:
            raise ParameterError(f"column {column} adds up to more than 2^53 − 1")
    nothing = sum(column for name, column in values.items() if name != "establishments") == 0
    require_rows(present | nothing, kept, "a cell without establishments must have no jobs or wages")
    if not present.any():
        raise ParameterError(f"INPUT = {source} has no establishment in any disclosed cell")
    return Cells(
        {name: column[present] for name, column in labels.items()},
        Totals(**{name: column[present] for name, column in values.items()}),
        empty=int((~present).sum()),
        suppressed=int((chosen & ~disclosed).sum()),
    )


def _require_labels(labels: Mapping[str, NDArray[np.object_]], rows: Integers) -> None:
    for column, digits in (("area_fips", 5), ("industry_code", 6)):
        good = [text.isascii() and text.isdigit() and len(text) == digits for text in labels[column]]
        require_rows(np.array(good), rows, f"column {column} must be a code of {digits} digits")
    industry = [text[:2] in SECTOR for text in labels["industry_code"]]
    require_rows(np.array(industry), rows, "column industry_code must be a NAICS code")
    seen: set[tuple[str, ...]] = set()
    once = []
    for cell in zip(*labels.values(), strict=True):
        once.append(cell not in seen)
        seen.add(cell)
    require_rows(np.array(once), rows, "each cell must be listed once")
