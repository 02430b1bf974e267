"""Answers to a plan on establishment microdata: a table for each query, and the fitted cells."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from establish.impl.arrays import Floats
from establish.impl.budget.plan import Plan
from establish.impl.budget.queries import SumQuery
from establish.impl.budget.sources import Establishments as Source
from establish.impl.microdata.establishments import Establishments, read
from establish.impl.microdata.estimates import Estimates, from_left
from establish.impl.microdata.group_by import base_of
from establish.impl.microdata.least_squares import finest
from establish.impl.publish.establishment_answers import Answers, answer, fitted, mechanism_of
from establish.impl.publish.plan import Advance, Answered
from establish.impl.publish.sidecar import describe
from establish.impl.sampling.bits import Bits
from establish.impl.tables.columns import Column
from establish.spec.composition import Gedp
from establish.spec.parameters import ParameterError

FITTED = "fitted"
"""The table of least-squares estimates, but for its ending."""

METHOD = "least squares, weighted by the inverse variances in the tables"

COLUMNS = {
    "answer": "the released noisy number; all other columns are computed from released numbers only",
    "estimate": "of the sum, without bias but for clipping (pnc); it may be negative",
    "variance": "of the estimate: known (pnc), or estimated from the answer (psi) and above 0",
    "low": "start of a 95% confidence interval for the sum",
    "high": "end of that interval",
}
"""What a column with this ending, after the measure's name and a hyphen, holds."""

EXACT = (
    "Every answer is drawn from exactly the stated law, rounded to the grid: no low bits of a "
    "floating-point sum are released."
)


class MicrodataAnswerer:
    """Answers a GEDP plan: a table for each query and, if ``fit``, FITTED.

    FITTED holds the least-squares estimate of every group of the query that refines all others (by
    establishment: microdata); nonnegative: estimated over numbers ≥ 0. Raises ParameterError for a plan
    of another kind, and for a mechanism outside its domain.
    """

    def __init__(self, plan: Plan, *, fit: bool = True, nonnegative: bool = False) -> None:
        queries = tuple(query for query in plan.queries if isinstance(query, SumQuery))
        definition, source = plan.definition, plan.source
        if not (isinstance(definition, Gedp) and isinstance(source, Source) and queries):
            raise ParameterError(f"plan {plan.title}: its definition is not gedp: it has no microdata")
        for query in queries:
            for name in query.mu:
                mechanism_of(query, name, definition)
        self._queries, self._definition, self._source = queries, definition, source
        self._fit, self._nonnegative = fit, nonnegative

    @property
    def names(self) -> Sequence[str]:
        return [name for query in self._queries for name in query.tables] + [FITTED] * self._fit

    @property
    def reads(self) -> Sequence[Path]:
        return [self._source.table]

    def answer(self, bits: Bits, verdicts: Mapping[str, str], advance: Advance) -> Answered:
        advance("reading")
        data = _read(self._source, self._queries)
        answers = answer(data, self._queries, self._definition, bits, advance)
        tables = []
        for query in self._queries:
            own = [one for one in answers if one.query is query]
            tables.append(_table(data, query, own))
            if query.remainder:
                tables.append(_each(data, own))
        if self._fit:
            advance("least squares")
            tables.append(_fitted(data, answers, self._nonnegative))
        described = [
            {
                "query": one.query.name,
                "by": list(one.query.by),
                "groups": one.formed.number,
                "measure": one.measure,
                **describe(one.mechanism, verdicts),
            }
            for one in answers
        ]
        about = {
            "establishments": len(data),
            "columns": COLUMNS,
            "fitted": {"method": METHOD, "nonnegative": self._nonnegative} if self._fit else None,
            "notes": [EXACT],
        }
        return Answered(tables, described, about)


def _read(source: Source, queries: Sequence[SumQuery]) -> Establishments:
    levels = [level for query in queries for level in query.by if level != source.id]
    return read(
        source.table,
        identifier=source.id,
        attributes=list(dict.fromkeys(base_of(level) for level in levels)),
        measures=list(dict.fromkeys(name for query in queries for name in query.mu)),
    )


def _labels(data: Establishments, by: Sequence[str], *, identity: bool) -> dict[str, Column]:
    """What names the groups; an establishment comes with all public attributes that were read."""
    labels: dict[str, Column] = dict(zip(by, data.groups(by).labels, strict=True))
    if identity:
        labels |= {name: codes.labels[codes.codes] for name, codes in data.attributes.items()}
    return labels


def _table(data: Establishments, query: SumQuery, answers: Sequence[Answers]) -> Mapping[str, Column]:
    table = _labels(data, query.by, identity=query.identity)
    for one in answers:
        _add_answers(table, one.measure, one.answers, one.estimates())
    return table


def _each(data: Establishments, answers: Sequence[Answers]) -> Mapping[str, Column]:
    """The second answers by establishment of one query."""
    table = _labels(data, (data.id_name,), identity=True)
    for one in answers:
        assert one.left is not None
        _add_answers(table, one.measure, one.left.answers, from_left(one.mechanism.psi, one.left))
    return table


def _add_answers(table: dict[str, Column], measure: str, answers: Floats, found: Estimates) -> None:
    columns = (answers, found.values, found.variances, found.low, found.high)
    _add(table, {f"{measure}-{kind}": c for kind, c in zip(COLUMNS, columns, strict=True)})


def _fitted(data: Establishments, answers: Sequence[Answers], nonnegative: bool) -> Mapping[str, Column]:
    """The groups are those of one query for every measure; else they could not stand in one table."""
    measures = list(dict.fromkeys(one.measure for one in answers))
    by_measure = [[one for one in answers if one.measure == name] for name in measures]
    bases = [own[finest([one.formed for one in own])].query for own in by_measure]
    if any(base is not bases[0] for base in bases):
        raise ParameterError(
            "the measures are not answered by the same finest query: leave out the fitted table"
        )
    table = _labels(data, bases[0].by, identity=bases[0].identity)
    _add(table, dict(fitted(answers, nonnegative=nonnegative)))
    return table


def _add(table: dict[str, Column], columns: Mapping[str, Column]) -> None:
    for name, column in columns.items():
        if name.lower() in {other.lower() for other in table}:
            raise ParameterError(f"column {name} would be written twice: rename it in the data")
        table[name] = column
