"""The plan that counts: jobs by establishment, then establishments by cell."""

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from establish.impl.arrays import Integers
from establish.impl.tabulate import words
from establish.impl.tabulate.engine import TEXT, WHOLE, Columns, Relation
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


def with_first_job(jobs: Relation) -> Relation:
    """Of each worker's jobs the one at the smallest workplace identifier."""
    found = f"SELECT {WORKER}, min({WORKPLACE}) AS {WORKPLACE} FROM {jobs} GROUP BY {WORKER}"
    return jobs.of(found, jobs.kinds)


def combinations(workplaces: Relation, attributes: Sequence[str]) -> Relation:
    """The combinations of public attributes that the table of workplaces has."""
    fields = ", ".join(labels(workplaces, attributes, names_of(attributes)))
    return workplaces.of(f"SELECT DISTINCT {fields} FROM {workplaces}")


def digits_of(table: Relation, id: str, digits: Digits) -> Relation:
    """Each worker's or workplace's digit for every attribute, null where the value is not listed.

    The columns are ``id``, value0, value1, … and digit0, digit1, …
    """
    places = range(len(digits))
    own = [id, *labels(table, list(digits), [f"value{n}" for n in places])]
    fields = [id, *(f"value{n}" for n in places), *(f"known{n}.digit AS digit{n}" for n in places)]
    joins = []
    for n, of_values in enumerate(digits.values()):
        columns: Columns = {"value": [*of_values], "digit": [*of_values.values()]}
        known = table.engine.held(columns, {"value": TEXT, "digit": WHOLE})
        joins.append(f"LEFT JOIN {known} AS known{n} ON value{n} = known{n}.value")
    return table.of(
        f"SELECT {', '.join(fields)} FROM (SELECT {', '.join(own)} FROM {table}) AS own {' '.join(joins)}"
    )


def sizes(tables: OpenTables, digits: Digits) -> Relation:
    """Jobs (``size``) by workplace and by the combination of worker attributes (CODE).

    Codes travel several to a word, so that the join holds few rows; each worker occurs once.
    """
    jobs, workers = tables.jobs, tables.workers
    if not digits or workers is None:
        return jobs.of(
            f"SELECT {WORKPLACE}, count(*) AS size, CAST(0 AS BIGINT) AS {CODE} FROM {jobs} "
            f"GROUP BY {WORKPLACE}"
        )
    radices = _radices(digits)
    outside = last = math.prod(radices)
    coded = digits_of(workers, WORKER, digits)
    code = "0"
    for n, radix in enumerate(radices):
        code = f"({code} * {radix} + digit{n})"
    if any(LEFT_OUT in of_values.values() for of_values in digits.values()):
        last = outside + 1
        code = f"CASE WHEN {code} IS NOT NULL AND {_left_out(digits)} THEN {last} ELSE {code} END"
    bits = last.bit_length()
    alone = workers.is_text(WORKER)
    k = 0 if alone else (63 // bits).bit_length() - 1
    codes = words.shifted(f"coalesce({code}, {outside})", f"{words.place(workers, WORKER, k)} * {bits}")
    of_words = f"SELECT {words.word(workers, WORKER, k)} AS word, {codes} AS codes FROM {coded}"
    if not alone:
        of_words = f"SELECT word, bit_or(codes) AS codes FROM ({of_words}) GROUP BY word"
    held = (
        f"SELECT {WORKPLACE}, {words.word(jobs, WORKER, k)} AS own, "
        f"CAST({words.place(jobs, WORKER, k)} * {bits} AS INT) AS shift FROM {jobs}"
    )
    joined = (
        f"SELECT {WORKPLACE}, ((codes >> shift) & {2**bits - 1}) AS {CODE} FROM ({held}) AS held "
        f"JOIN ({of_words}) AS of_words ON own = word"
    )
    return jobs.of(
        f"SELECT {WORKPLACE}, {CODE}, count(*) AS size FROM ({joined}) GROUP BY {WORKPLACE}, {CODE}"
    )


def recoded(sized: Relation, every: Digits, digits: Digits) -> Relation:
    """The :func:`sizes` by ``digits``, from those by ``every``, which tells all values apart.

    A workplace may have several rows of what a filter leaves out.
    """
    radices = _radices(digits)
    outside = math.prod(radices)
    codes = []
    for values in product(*every.values()):
        value_of = dict(zip(every, values, strict=True))
        places = [of_values[value_of[a]] for a, of_values in digits.items()]
        codes.append(outside + 1 if LEFT_OUT in places else int(np.ravel_multi_index(places, radices)))
    columns: Columns = {"every": range(len(codes) + 1), CODE: [*codes, outside]}
    known = sized.engine.held(columns, dict.fromkeys(columns, WHOLE))
    joined = f"{sized} AS own JOIN {known} AS known ON own.{CODE} = every"
    rows = f"SELECT {WORKPLACE}, known.{CODE}, size FROM {joined}"
    counted = [code for code in codes if code < outside]
    if len(set(counted)) < len(counted):
        total = "CAST(sum(size) AS BIGINT) AS size"
        rows = f"SELECT {WORKPLACE}, {CODE}, {total} FROM ({rows}) GROUP BY {WORKPLACE}, {CODE}"
    return sized.of(rows)


def _radices(digits: Digits) -> list[int]:
    """One more than the largest digit of each attribute."""
    return [max(of_values.values()) + 1 for of_values in digits.values()]


def _left_out(digits: Digits) -> str:
    """Whether a filter leaves a row out, in SQL."""
    return f"({' OR '.join(f'digit{n} = {LEFT_OUT}' for n in range(len(digits)))})"


def located_by_combination(
    workplaces: Relation, attributes: Sequence[str], numbered: Mapping[str, Sequence[str] | Integers]
) -> Relation:
    """Each workplace's CELL, by the combinations of labels under their names in a plan, and CELL."""
    names = names_of(attributes)
    fields = [WORKPLACE, *labels(workplaces, attributes, names)]
    known = workplaces.engine.held(numbered, {n: WHOLE if n == CELL else TEXT for n in numbered})
    same = " AND ".join(f"own.{name} = known.{name}" for name in names) or "true"
    return workplaces.of(
        f"SELECT own.{WORKPLACE}, known.{CELL} FROM (SELECT {', '.join(fields)} FROM {workplaces}) AS own "
        f"JOIN {known} AS known ON {same}"
    )


def located_by_digits(workplaces: Relation, digits: Digits, weights: Mapping[str, int]) -> Relation:
    """Each workplace's CELL, by the digit of each attribute; null where a value is not listed.

    weights: what a step of the digit adds; an attribute without one is summed out.
    """
    placed = digits_of(workplaces, WORKPLACE, digits)
    cell = " + ".join(["0", *(f"digit{n} * {weights.get(a, 0)}" for n, a in enumerate(digits))])
    if any(LEFT_OUT in of_values.values() for of_values in digits.values()):
        cell = f"CASE WHEN {_left_out(digits)} THEN {LEFT_OUT} ELSE {cell} END"
    return placed.of(f"SELECT {WORKPLACE}, {cell} AS {CELL} FROM {placed}")


def occupied_cells(sized: Relation, located: Relation, below: int | None) -> Relation:
    """The cells that hold a job: jobs, establishments with one, and the most that one has.

    sized: see :func:`sizes`. located: each workplace's CELL. below: an establishment with as many jobs or
    more is LEFT_OUT. Cells are named by CELL and CODE.
    """
    placed = f"SELECT {WORKPLACE}, {CODE}, size, {CELL} FROM {sized} JOIN {located} USING ({WORKPLACE})"
    if below is not None:
        small = f"sum(size) OVER (PARTITION BY {WORKPLACE}) < {below}"
        cell = f"CASE WHEN {small} THEN {CELL} ELSE {LEFT_OUT} END"
        placed = f"SELECT {CODE}, size, {cell} AS {CELL} FROM ({placed})"
    return sized.of(
        f"SELECT {CELL}, {CODE}, CAST(sum(size) AS BIGINT) AS count, count(*) AS establishments, "
        f"max(size) AS largest FROM ({placed}) GROUP BY {CELL}, {CODE}"
    )
