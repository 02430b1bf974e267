"""What the model asks of the tables, as plans whose answers are a few truth values.

Identifiers that are whole numbers are compared 32 at a time: the 32 numbers that share a quotient
by 32 are one row, their remainders the bits of a word. The sum of the powers of two equals their
bitwise or exactly when no number occurs twice, so one short aggregation finds repetitions, and one
join of words finds what the other table lacks. It is exact for any integers, and fast where they
are dense. Texts are one to a row.
"""

from __future__ import annotations

import ibis

from establish.impl.tabulate.engine import Answer, Engine, Expression
from establish.impl.tabulate.tables import WORKER, WORKPLACE, OpenTables, Rows
from establish.spec.parameters import ParameterError


def require_valid(tables: OpenTables, engine: Engine, several_jobs: bool) -> Rows:
    """The tables' numbers of rows. Raises ParameterError when they are not a dataset of the model.

    several_jobs: whether a worker may have several jobs. Refused: a missing identifier, a workplace
    or worker that is listed twice, a job at an unknown workplace or of an unknown worker, a worker
    without a job (Haney et al. 2017, Section 3.1). The message never says which, nor how many.
    """
    jobs = _size(tables.jobs, (WORKER, WORKPLACE), "jobs", engine)
    workplaces = _size(tables.workplaces, (WORKPLACE,), "workplaces", engine)
    found = _compare(tables.jobs[WORKPLACE], tables.workplaces[WORKPLACE], engine)
    _refuse(found["twice_right"], "the table of workplaces lists a workplace twice")
    _refuse(found["only_left"], "the table of jobs has a workplace that workplaces does not list")
    if tables.workers is None:
        words = _words(tables.jobs[WORKER])
        twice = engine.run(words.aggregate(twice=_repeats(words)))
        _refuse(not several_jobs and _flag(twice, "twice"), SECOND_JOB)
        return Rows(jobs, workplaces, None)
    workers = _size(tables.workers, (WORKER,), "workers", engine)
    found = _compare(tables.jobs[WORKER], tables.workers[WORKER], engine)
    _refuse(found["twice_right"], "the table of workers lists a worker twice")
    _refuse(found["only_left"], "the table of jobs has a worker that workers does not list")
    _refuse(found["only_right"], "the table of workers has a worker without a job")
    _refuse(not several_jobs and found["twice_left"], SECOND_JOB)
    return Rows(jobs, workplaces, workers)


SECOND_JOB = (
    "a worker has two jobs, and the model assumes one: keep one of them beforehand, or ask for the "
    "job at the first workplace (two jobs = first)"
)


def _refuse(broken: bool, message: str) -> None:
    if broken:
        raise ParameterError(message)


def _size(table: Expression, ids: tuple[str, ...], name: str, engine: Engine) -> int:
    missing = {id: table[id].isnull().any() for id in ids}
    answer = engine.run(table.aggregate(size=table.count(), **missing))
    for id in ids:
        _refuse(_flag(answer, id), f"column {id} of {name} has a missing value")
    return int(answer["size"][0].as_py())


def _words(ids: Expression) -> Expression:
    """One row per word: its number, the bits of the ids in it, and the sum of their powers."""
    one = ibis.literal(1).cast("int64")
    if ids.type().is_string():
        key, bit = ids, one
    else:
        key, bit = ids >> 5, one << (ids & 31)
    words = ids.as_table().select(key=key, bit=bit)
    return words.group_by("key").aggregate(bits=words.bit.bit_or(), total=words.bit.sum())


def _repeats(words: Expression) -> Expression:
    return (words.bits != words.total).any()


def _compare(left: Expression, right: Expression, engine: Engine) -> dict[str, bool]:
    """Whether an id occurs twice on a side, and whether one occurs on one side only."""
    first = _words(left)
    second = _words(right).rename(key2="key", bits2="bits", total2="total")
    both = first.join(second, first.key == second.key2, how="outer")
    bits, bits2 = both.bits.fill_null(0), both.bits2.fill_null(0)
    answer = engine.run(
        both.aggregate(
            twice_left=(both.bits != both.total).any(),
            twice_right=(both.bits2 != both.total2).any(),
            only_left=((bits & bits2) != bits).any(),
            only_right=((bits & bits2) != bits2).any(),
        )
    )
    return {name: _flag(answer, name) for name in answer.column_names}


def _flag(answer: Answer, name: str) -> bool:
    """An empty table answers with a null: nothing is wrong with it."""
    return bool(answer[name][0].as_py())
