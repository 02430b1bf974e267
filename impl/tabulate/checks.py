"""What the model asks of the tables, as plans whose answers are a few truth values.

Identifiers are compared a word of 32 at a time (see :mod:`establish.impl.tabulate.words`), each a
bit of it. A word has as many bits as rows exactly when no identifier occurs twice, so one short
aggregation finds repetitions, and one join of words finds what the other table lacks.
"""

from dataclasses import dataclass

from establish.impl.tabulate import words
from establish.impl.tabulate.engine import ROW, Engine, Relation
from establish.impl.tabulate.listed import all_different, listed
from establish.impl.tabulate.numbered import numbered
from establish.impl.tabulate.tables import WORKER, WORKPLACE, OpenTables, Rows
from establish.spec.parameters import ParameterError

_K = 5
"""2^5 = 32 identifiers to a word: the next power of two would reach the sign of 64 bits."""


@dataclass(frozen=True)
class Found:
    """What is in the column of identifiers of a table, and what the other one lacks."""

    rows: int
    missing: bool = False
    twice: bool = False
    only_here: bool = False


def require_valid(tables: OpenTables, engine: Engine, several_jobs: bool) -> tuple[OpenTables, Rows]:
    """The tables, identifiers as whole numbers where they can be, and how many rows they have.

    several_jobs: whether a worker may have several jobs; workplaces then keep their identifiers,
    whose order chooses among the jobs.

    Raises ParameterError when they are not a dataset of the model. Refused: a missing identifier, a
    workplace or worker that is listed twice, a job at an unknown workplace or of an unknown worker, a
    worker without a job (Haney et al. 2017, Section 3.1). The message never says which, nor how many.
    """
    tables, found = _compared(tables, engine, several_jobs)
    jobs, workplaces = found[WORKPLACE]
    _refuse(jobs.missing, "column workplace of jobs has a missing value")
    _refuse(workplaces.missing, "column workplace of workplaces has a missing value")
    _refuse(workplaces.twice, "the table of workplaces lists a workplace twice")
    _refuse(jobs.only_here, "the table of jobs has a workplace that workplaces does not list")
    held, workers = found[WORKER]
    _refuse(held.missing, "column worker of jobs has a missing value")
    if tables.workers is not None:
        _refuse(workers.missing, "column worker of workers has a missing value")
        _refuse(workers.twice, "the table of workers lists a worker twice")
        _refuse(held.only_here, "the table of jobs has a worker that workers does not list")
        _refuse(workers.only_here, "the table of workers has a worker without a job")
    _refuse(
        held.twice and not several_jobs,
        "a worker has two jobs, and the model assumes one: choose beforehand, or ask for the job "
        "at the first workplace (two_jobs = first)",
    )
    rows = Rows(jobs.rows, workplaces.rows, None if tables.workers is None else workers.rows)
    return tables, rows


def _refuse(broken: bool, message: str) -> None:
    if broken:
        raise ParameterError(message)


def _compared(
    tables: OpenTables, engine: Engine, several_jobs: bool
) -> tuple[OpenTables, dict[str, tuple[Found, Found]]]:
    """The tables, with quicker identifiers where nothing is wrong then, and what was found by identifier."""
    found: dict[str, tuple[Found, Found]] = {}
    ids = (WORKER,) if several_jobs else (WORKPLACE, WORKER)
    texts = [id for id in ids if tables.jobs.is_text(id)]
    far = [id for id in ids if id not in texts and far_apart(tables, id, engine)]
    in_rows = listed(tables, texts + far, engine, several_jobs)
    if in_rows is not None:
        tables, sizes = in_rows
        found |= {id: (Found(sizes["jobs"]), Found(size)) for id, size in sizes.items() if id != "jobs"}
    for id in texts:
        if id in found:
            continue
        short = numbered(tables, id, engine)
        if short is not tables:
            pair = _found_in(short, id, engine)
            if not any(one.missing for one in pair):
                tables, found[id] = short, pair
                continue
        if id == WORKER and tables.workers is None:
            size = all_different(tables.jobs, WORKER, engine)
            if size is not None:
                found[WORKER] = (Found(size), Found(size))
    for id in {WORKPLACE, WORKER} - found.keys():
        found[id] = _found_in(tables, id, engine)
    return tables, found


def far_apart(tables: OpenTables, id: str, engine: Engine) -> bool:
    """Whether whole numbers have so wide gaps that there are fewer of them than words.

    A word then holds less than one on average, and counting several to a word saves nothing. False where
    rows have no numbers to take their place.
    """
    table = tables.workplaces if id == WORKPLACE else tables.workers
    if table is None or ROW not in table.columns:
        return False
    asked = f"SELECT count(*), min({id}), max({id}) FROM {table}"
    rows, least, most = engine.row(table.of(asked))
    return bool(rows) and least is not None and (most >> _K) - (least >> _K) >= rows


def _found_in(tables: OpenTables, id: str, engine: Engine) -> tuple[Found, Found]:
    """What is in jobs and in the other table; without one, twice what is in jobs."""
    other = tables.workplaces if id == WORKPLACE else tables.workers
    first = _words(tables.jobs, id)
    if other is None:
        asked = f"SELECT {_asked('here')}, false AS only_here FROM {first} AS here"
        (held,) = _found(engine, first.of(asked))
        return held, held
    here, there = "coalesce(here.bits, 0)", "coalesce(there.bits, 0)"
    asked = (
        f"SELECT {_asked('here')}, bool_or(({here} & {there}) <> {here}) AS only_here, "
        f"{_asked('there')}, bool_or(({here} & {there}) <> {there}) AS only_there "
        f"FROM {first} AS here FULL OUTER JOIN {_words(other, id)} AS there ON here.word = there.word"
    )
    held, listing = _found(engine, first.of(asked))
    return held, listing


def _words(table: Relation, id: str) -> Relation:
    """One row per word: its bits, how many rows it has, whether it is missing."""
    bit = words.shifted("1", words.place(table, id, _K))
    rows = f"SELECT {words.word(table, id, _K)} AS word, {bit} AS bit FROM {table}"
    return table.of(
        f"SELECT word, bit_or(bit) AS bits, count(*) AS size, word IS NULL AS missing FROM ({rows}) "
        "GROUP BY word"
    )


def _asked(side: str) -> str:
    """Of words of this name: the first fields of Found."""
    return (
        f"CAST(sum({side}.size) AS BIGINT) AS rows_{side}, bool_or({side}.missing) AS missing_{side}, "
        f"bool_or(bit_count({side}.bits) <> {side}.size) AS twice_{side}"
    )


def _found(engine: Engine, asked: Relation) -> list[Found]:
    """What an aggregate tells, four columns each; without any row it is null, and nothing is wrong."""
    values = [value or 0 for value in engine.row(asked)]
    return [
        Found(int(rows), bool(missing), bool(twice), bool(only_here))
        for rows, missing, twice, only_here in zip(*[iter(values)] * 4, strict=True)
    ]
