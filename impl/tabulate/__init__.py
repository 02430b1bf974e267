"""Cells of marginal queries, counted from Job, Worker and Workplace tables."""

from establish.impl.tabulate.cells import Tabulation
from establish.impl.tabulate.domain import MAX_CELLS, Domain
from establish.impl.tabulate.engine import Engine, embedded, spark
from establish.impl.tabulate.spread import SpreadCells
from establish.impl.tabulate.tables import Rows, TableFiles
from establish.impl.tabulate.tabulate import TWO_JOBS, Tabulator, tabulate

__all__ = [
    "MAX_CELLS",
    "TWO_JOBS",
    "Domain",
    "Engine",
    "Rows",
    "SpreadCells",
    "TableFiles",
    "Tabulation",
    "Tabulator",
    "embedded",
    "spark",
    "tabulate",
]
