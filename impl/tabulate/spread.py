"""The cells of one query where they were counted, on executors: no cell comes to this process."""

from dataclasses import dataclass, field

import ibis

from establish.impl.tabulate.cells import Numbering
from establish.impl.tabulate.engine import Engine, Expression
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
    occupied: Expression = field(repr=False)
    digits: Digits = field(repr=False)

    def __len__(self) -> int:
        """The number of cells."""
        return len(self.numbering)

    def rows(self, size: int) -> Expression:
        """PART, NUMBER, count and largest of occupied cells, in parts of ``size`` cells.

        Besides one row without a number for each part, so that a part without a job is one, too.
        """
        found, width = self.occupied, self.numbering.width
        outside = found[CODE] == width
        held = found.filter(outside | ((found[CELL] != LEFT_OUT) & (found[CODE] < width)))
        number = held[CELL] * width + held[CODE]
        part = ibis.ifelse(held[CODE] == width, OUTSIDE, number // size)
        held = held.mutate(**{NUMBER: number, PART: part})
        held = held.select(**{name: held[name].cast("int64") for name in (PART, NUMBER, "count", "largest")})
        parts = ibis.range(0, -(-len(self) // size)).unnest().name(PART).as_table()
        nothing = ibis.null("int64")
        empty = parts.select(
            **{PART: parts[PART].cast("int64"), NUMBER: nothing, "count": nothing, "largest": nothing}
        )
        return held.union(empty)
