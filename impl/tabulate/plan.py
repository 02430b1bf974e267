"""The plan that counts: jobs by establishment, then establishments by cell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import ibis
import numpy as np
from numpy.typing import NDArray

from establish.impl.tabulate import words
from establish.impl.tabulate.engine import Expression
from establish.impl.tabulate.tables import WORKER, WORKPLACE, labels

Listed = Mapping[str, tuple[str, ...]]
"""Attribute → its values, the first attribute the slowest in the order of their combinations."""

CELL = "cell"
"""The number of a combination of workplace labels."""

CODE = "code"
"""The number of a combination of worker attributes; one more than the last when it is no cell."""


def names_of(attributes: Sequence[str]) -> list[str]:
    """What workplace attributes are called in a plan, where no name of a user may collide."""
    return [f"label{number}" for number in range(len(attributes))]


def with_first_job(jobs: Expression) -> Expression:
    """Of each worker's jobs the one at the smallest workplace identifier."""
    return jobs.group_by(WORKER).aggregate(**{WORKPLACE: jobs[WORKPLACE].min()})


def combinations(workplaces: Expression, attributes: Sequence[str]) -> Expression:
    """The combinations of public attributes that the table of workplaces has."""
    return workplaces.select(**labels(workplaces, attributes, names_of(attributes))).distinct()


def positions(workers: Expression, listed: Listed) -> Expression:
    """Each worker's position in the values of every attribute, null where it is not in them.

    The columns are worker, position0, position1, …
    """
    names = [f"value{number}" for number in range(len(listed))]
    table = workers.select(WORKER, **labels(workers, list(listed), names))
    for number, (name, values) in enumerate(zip(names, listed.values(), strict=True)):
        known = ibis.memtable(
            {f"known{number}": list(values), f"position{number}": list(range(len(values)))}
        )
        table = table.left_join(known, table[name] == known[f"known{number}"])
    return table.select(WORKER, *(f"position{number}" for number in range(len(listed))))


def sizes(jobs: Expression, workers: Expression | None, listed: Listed) -> Expression:
    """Jobs (``size``) by workplace and by the combination of worker attributes (CODE).

    Codes travel several to a word, so that the join holds few rows; each worker occurs once.
    """
    if not listed or workers is None:
        sized = jobs.group_by(WORKPLACE).aggregate(size=jobs.count())
        return sized.mutate(**{CODE: ibis.literal(0).cast("int64")})
    outside = math.prod(map(len, listed.values()))
    coded = positions(workers, listed)
    code = ibis.literal(0).cast("int64")
    for number, values in enumerate(listed.values()):
        code = code * len(values) + coded[f"position{number}"]
    bits = outside.bit_length()
    k = (63 // bits).bit_length() - 1
    coded = coded.select(
        word=words.word(coded[WORKER], k),
        codes=words.shifted(code.fill_null(outside), words.place(coded[WORKER], k) * bits),
    )
    coded = coded.group_by("word").aggregate(codes=words.joined(coded.codes))
    held = jobs.select(
        WORKPLACE, own=words.word(jobs[WORKER], k), shift=words.place(jobs[WORKER], k) * bits
    )
    joined = held.join(coded, held.own == coded.word)
    joined = joined.select(
        WORKPLACE, **{CODE: (joined.codes >> joined["shift"].cast("int32")) & (2**bits - 1)}
    )
    return joined.group_by([WORKPLACE, CODE]).aggregate(size=joined.count())


def occupied_cells(
    sized: Expression,
    workplaces: Expression,
    attributes: Sequence[str],
    numbered: Mapping[str, Sequence[str] | NDArray[np.int64]],
) -> Expression:
    """The cells that hold a job: jobs, establishments with one, and the most that one has.

    sized: see :func:`sizes`. numbered: the combinations of workplace labels, by their names in a
    plan, and their numbers, CELL. Cells are named by CELL and CODE.
    """
    names = names_of(attributes)
    public = workplaces.select(WORKPLACE, **labels(workplaces, attributes, names))
    known = ibis.memtable(
        {f"known_{name}": column for name, column in numbered.items()},
        schema={f"known_{n}": "int64" if n == CELL else "string" for n in numbered},
    )
    same = [public[name] == known[f"known_{name}"] for name in names]
    located = public.join(known, same) if names else public.cross_join(known)
    located = located.select(WORKPLACE, **{CELL: located[f"known_{CELL}"]})
    placed = sized.join(located, WORKPLACE)
    return placed.group_by([CELL, CODE]).aggregate(
        count=placed["size"].sum(),
        establishments=placed.count(),
        largest=placed["size"].max(),
    )
