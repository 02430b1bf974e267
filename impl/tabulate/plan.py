"""The plan that counts: jobs by establishment, then establishments by cell."""

import math
from collections.abc import Mapping, Sequence

import ibis

from establish.impl.arrays import Integers
from establish.impl.tabulate import words
from establish.impl.tabulate.engine import Expression
from establish.impl.tabulate.tables import WORKER, WORKPLACE, OpenTables, labels

LEFT_OUT = -1
"""In place of a number: what a filter leaves out."""

Digits = Mapping[str, Mapping[str, int]]
"""Attribute → value → its digit in the number of a combination, from 0, or LEFT_OUT.

The first attribute has the highest place; its radix is its largest digit and 1.
"""

CELL = "cell"
"""The number of a combination of workplace labels, or LEFT_OUT."""

CODE = "code"
"""The number of a combination of worker attributes. The number after the last one says that a value
is missing or outside the domain, the one after that, that a filter leaves the worker out.
"""


def names_of(attributes: Sequence[str]) -> list[str]:
    """What workplace attributes are called in a plan, where no name of a user may collide."""
    return [f"label{number}" for number in range(len(attributes))]


def with_first_job(jobs: Expression) -> Expression:
    """Of each worker's jobs the one at the smallest workplace identifier."""
    return jobs.group_by(WORKER).aggregate(**{WORKPLACE: jobs[WORKPLACE].min()})


def combinations(workplaces: Expression, attributes: Sequence[str]) -> Expression:
    """The combinations of public attributes that the table of workplaces has."""
    return workplaces.select(**labels(workplaces, attributes, names_of(attributes))).distinct()


def digits_of(table: Expression, id: str, digits: Digits) -> Expression:
    """Each worker's or workplace's digit for every attribute, null where the value is not listed.

    The columns are ``id``, value0, value1, … and digit0, digit1, …
    """
    names = [f"value{number}" for number in range(len(digits))]
    table = table.select(id, **labels(table, list(digits), names))
    for number, (name, of_values) in enumerate(zip(names, digits.values(), strict=True)):
        known = ibis.memtable({f"known{number}": list(of_values), f"digit{number}": list(of_values.values())})
        table = table.left_join(known, table[name] == known[f"known{number}"])
    return table.select(id, *names, *(f"digit{number}" for number in range(len(digits))))


def sizes(tables: OpenTables, digits: Digits) -> Expression:
    """Jobs (``size``) by workplace and by the combination of worker attributes (CODE).

    Codes travel several to a word, so that the join holds few rows; each worker occurs once.
    """
    jobs, workers = tables.jobs, tables.workers
    if not digits or workers is None:
        sized = jobs.group_by(WORKPLACE).aggregate(size=jobs.count())
        return sized.mutate(**{CODE: ibis.literal(0).cast("int64")})
    radices = [max(of_values.values()) + 1 for of_values in digits.values()]
    outside = last = math.prod(radices)
    coded = digits_of(workers, WORKER, digits)
    columns = [coded[f"digit{number}"] for number in range(len(digits))]
    code = ibis.literal(0).cast("int64")
    for column, radix in zip(columns, radices, strict=True):
        code = code * radix + column
    if any(LEFT_OUT in of_values.values() for of_values in digits.values()):
        last = outside + 1
        left_out = ibis.or_(*(column == LEFT_OUT for column in columns))
        code = ibis.ifelse(code.notnull() & left_out, last, code)
    bits = last.bit_length()
    alone = workers[WORKER].type().is_string()
    k = 0 if alone else (63 // bits).bit_length() - 1
    coded = coded.select(
        word=words.word(coded[WORKER], k),
        codes=words.shifted(code.fill_null(outside), words.place(coded[WORKER], k) * bits),
    )
    if not alone:
        coded = coded.group_by("word").aggregate(codes=words.joined(coded.codes))
    held = jobs.select(WORKPLACE, own=words.word(jobs[WORKER], k), shift=words.place(jobs[WORKER], k) * bits)
    joined = held.join(coded, held.own == coded.word)
    joined = joined.select(
        WORKPLACE, **{CODE: (joined.codes >> joined["shift"].cast("int32")) & (2**bits - 1)}
    )
    return joined.group_by([WORKPLACE, CODE]).aggregate(size=joined.count())


def located_by_combination(
    workplaces: Expression, attributes: Sequence[str], numbered: Mapping[str, Sequence[str] | Integers]
) -> Expression:
    """Each workplace's CELL, by the combinations of labels under their names in a plan, and CELL."""
    names = names_of(attributes)
    public = workplaces.select(WORKPLACE, **labels(workplaces, attributes, names))
    known = ibis.memtable(
        {f"known_{name}": column for name, column in numbered.items()},
        schema={f"known_{n}": "int64" if n == CELL else "string" for n in numbered},
    )
    same = [public[name] == known[f"known_{name}"] for name in names]
    located = public.join(known, same) if names else public.cross_join(known)
    return located.select(WORKPLACE, **{CELL: located[f"known_{CELL}"]})


def located_by_digits(workplaces: Expression, digits: Digits, weights: Mapping[str, int]) -> Expression:
    """Each workplace's CELL, by the digit of each attribute; null where a value is not listed.

    weights: what a step of the digit adds; an attribute without one is summed out.
    """
    placed = digits_of(workplaces, WORKPLACE, digits)
    columns = [placed[f"digit{number}"] for number in range(len(digits))]
    cell = ibis.literal(0).cast("int64")
    for column, attribute in zip(columns, digits, strict=True):
        cell = cell + column * weights.get(attribute, 0)
    if any(LEFT_OUT in of_values.values() for of_values in digits.values()):
        cell = ibis.ifelse(ibis.or_(*(column == LEFT_OUT for column in columns)), LEFT_OUT, cell)
    return placed.select(WORKPLACE, **{CELL: cell})


def occupied_cells(sized: Expression, located: Expression, below: int | None) -> Expression:
    """The cells that hold a job: jobs, establishments with one, and the most that one has.

    sized: see :func:`sizes`. located: each workplace's CELL. below: an establishment with as many jobs or
    more is LEFT_OUT. Cells are named by CELL and CODE.
    """
    placed = sized.join(located, WORKPLACE)
    if below is not None:
        total = placed["size"].sum().over(group_by=WORKPLACE)
        placed = placed.mutate(**{CELL: ibis.ifelse(total < below, placed[CELL], LEFT_OUT)})
    return placed.group_by([CELL, CODE]).aggregate(
        count=placed["size"].sum(), establishments=placed.count(), largest=placed["size"].max()
    )
