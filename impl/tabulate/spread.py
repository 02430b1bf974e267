"""The cells of one query where they were counted, on executors: no cell comes to this process."""

from dataclasses import dataclass, field

from establish.impl.tabulate.cells import Numbering
from establish.impl.tabulate.engine import Engine, Relation
from establish.impl.tabulate.plan import CELL, CODE, LEFT_OUT, Digits

MAX_SPREAD = 10_000_000_000
"""The most cells that one query may have where they are spread over executors."""

NUMBER, PART = "number", "part"
"""The number of a cell, and that of the part that holds it; :data:`OUTSIDE` for what has no cell."""

OUTSIDE = -1
"""The part of jobs whose worker has a value that is missing or outside its domain."""


@dataclass(frozen=True)
class SpreadCells:
    """attributes: those tabulated, as they were asked for. numbering: which cell has which number.

    occupied: the cells that hold a job, as :func:`establish.impl.tabulate.plan.occupied_cells` gives them.
    digits: how the values of worker attributes are numbered.
    """

    attributes: tuple[str, ...]
    numbering: Numbering
    engine: Engine = field(repr=False)
    occupied: Relation = field(repr=False)
    digits: Digits = field(repr=False)

    def __len__(self) -> int:
        """The number of cells."""
        return len(self.numbering)

    def rows(self, size: int) -> Relation:
        """PART, NUMBER, count and largest of occupied cells, in parts of ``size`` cells.

        Besides one row without a number for each part, so that a part without a job is one, too.
        """
        width = self.numbering.width
        number = f"{CELL} * {width} + {CODE}"
        placed = (
            f"SELECT {CODE}, {number} AS {NUMBER}, count, largest FROM {self.occupied} "
            f"WHERE {CODE} = {width} OR ({CELL} <> {LEFT_OUT} AND {CODE} < {width})"
        )
        part = f"CASE WHEN {CODE} = {width} THEN {OUTSIDE} ELSE ({NUMBER} - {NUMBER} % {size}) / {size} END"
        return self.occupied.of(
            f"SELECT CAST({part} AS BIGINT) AS {PART}, {NUMBER}, count, largest FROM ({placed}) UNION ALL "
            f"SELECT CAST(part AS BIGINT), NULL, NULL, NULL FROM range(0, {-(-len(self) // size)}) AS r(part)"
        )
