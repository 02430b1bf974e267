"""Expected errors of a plan's answers by size of cell, beside what no mechanism can beat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from establish.impl.budget.plan import Plan
    from establish.impl.budget.queries import CountQuery, EarningsQuery, SumQuery
    from establish.impl.mechanisms import Mechanism
    from establish.proofs_check.api.second_answers import SecondAnswers
    from establish.spec.composition import Gedp

Row = dict[str, Any]

SUMS = (1, 100, 10_000, 1_000_000)
"""The sums at which errors of sums are told."""

RECORDS = (30, 100, 300, 1_000, 10_000)
"""The numbers of records at which errors of earnings are told."""

BOUND, VALUE, RANK = "largest bound", "value", "rank of "
"""What the error of pnc follows for groups, and for establishments; how the numbers that percentiles are
about are named.
"""


def expected(plan: Plan) -> list[Row]:
    """Rows in the order of the queries: one for counts of jobs, one for each measure that is summed, and for
    earnings one for the count and, where it is known, for each percentile's rank. What pnc answers by
    establishment comes after its sums; these answers pooled with the first ones come last.

    shares: the errors over the size, of numbers that are of that size; None for pnc, whose error follows a
    bound, and for ranks. over_limit_at_most: the error at the largest size over the least that any mechanism
    has as cells grow, at most; None where no limit is known: for δ > 0, and for all but counts under
    employer-employee privacy.
    """
    return [*(row for query in plan.queries for row in _rows(query, plan)), *_pooled(plan)]


def _rows(query: CountQuery | SumQuery | EarningsQuery, plan: Plan) -> Iterator[Row]:
    from establish.impl.budget.queries import CountQuery, EarningsQuery
    from establish.impl.budget.sources import Persons
    from establish.spec.composition import Gedp

    if isinstance(query, CountQuery):
        yield _counts(query, plan)
    elif isinstance(query, EarningsQuery):
        assert isinstance(plan.source, Persons)
        yield from _earnings(query, cells_given=plan.source.cells is not None)
    else:
        assert isinstance(plan.definition, Gedp)
        yield from _sums(query, plan.definition)


def _row(
    query: CountQuery | SumQuery | EarningsQuery,
    calibration: str,
    of: str,
    measured: str,
    errors: Mapping[int, float | None],
    follows: str,
    over_limit: float | None = None,
    why: tuple[str, ...] = (),
    table: str | None = None,
) -> Row:
    """table: what has these errors, where that is not the table of the query's name."""
    of_that_size = follows != BOUND and not of.startswith(RANK)
    return {
        "query": table or query.name,
        "mechanism": query.mechanism,
        "calibration": calibration,
        "of": of,
        "measured": measured,
        "errors": {str(size): error for size, error in errors.items()},
        "shares": {str(size): _over(error, size) for size, error in errors.items()} if of_that_size else None,
        "follows": follows,
        "over_limit_at_most": over_limit,
        "why": list(why),
    }


def _over(error: float | None, size: int) -> float | None:
    return None if error is None or not isfinite(error) else error / size


def _sums(query: SumQuery, definition: Gedp) -> Iterator[Row]:
    """Of pnc, for groups whose largest bound is the size."""
    from establish.impl.publish.establishment_answers import mechanism_of
    from establish.proofs_check.api.second_answers import second_answers

    for name in query.mu:
        law = mechanism_of(query, name, definition)
        follows = "sum" if query.mechanism == "psi" else BOUND
        errors = {size: law.deviation(size) for size in SUMS}
        yield _row(query, law.calibration, name, DEVIATION, errors, follows)
    if query.remainder:
        yield from (_second(one, definition) for one in second_answers(query, definition, SUMS))


def _pooled(plan: Plan) -> Iterator[Row]:
    from establish.impl.budget.queries import SumQuery
    from establish.proofs_check.api.second_answers import pooled_answers
    from establish.spec.composition import Gedp

    if isinstance(plan.definition, Gedp):
        queries = [query for query in plan.queries if isinstance(query, SumQuery)]
        for one in pooled_answers(queries, plan.definition, SUMS):
            yield _second(one, plan.definition)


def _second(one: SecondAnswers, definition: Gedp) -> Row:
    from establish.impl.publish.establishment_answers import mechanism_of

    law = mechanism_of(one.query, one.measure, definition)
    of = f"{one.measure} {one.at}"
    return _row(one.query, law.calibration, of, DEVIATION, one.errors, VALUE, table=one.table)


def _earnings(query: EarningsQuery, *, cells_given: bool) -> Iterator[Row]:
    from establish.impl.budget.mechanisms_of_queries import law_of_earnings

    law = law_of_earnings(query, cells_given=cells_given)
    counts = {size: law.count_deviation(size) for size in RECORDS}
    follows = "class" if law.classes else "nothing"
    yield _row(query, law.calibration, "count", DEVIATION, counts, follows, why=query.why)
    found = {size: law.rank_deviations(size) for size in RECORDS}
    if any(found.values()):
        for place, label in enumerate(law.labels):
            ranks = {size: None if each is None else each[place] for size, each in found.items()}
            yield _row(query, law.calibration, f"{RANK}{label}", DEVIATION, ranks, follows)


def _counts(query: CountQuery, plan: Plan) -> Row:
    from establish.impl.budget.mechanisms_of_queries import law_of_counts
    from establish.impl.mechanisms.growth_laplace import SIZES
    from establish.impl.mechanisms.least_error import errors
    from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace

    law = law_of_counts(query, plan.definition)
    if isinstance(law, TruncatedLaplace):
        found: tuple[float, ...] = (law.noise_scale,) * len(SIZES)
    else:
        found = errors(law)
    return _row(
        query,
        query.calibration,
        "jobs",
        "E|out − n|",
        dict(zip(SIZES, found, strict=True)),
        _follows(law),
        _over_limit(law, found[-1], SIZES[-1]),
        query.why,
    )


def _follows(law: Mechanism | Any) -> str:
    from establish.impl.mechanisms.smooth_scale import SmoothNoise

    if "alpha" not in law.parameters:
        return "nothing"
    return "largest" if isinstance(law, SmoothNoise) else "count"


def _over_limit(law: Any, error: float, size: int) -> float | None:
    alpha, delta = getattr(law, "alpha", None), getattr(law, "delta", Fraction(0))
    if alpha is None or delta or not isfinite(error):
        return None
    lower = _least(alpha, law.epsilon)
    return error / (float(lower) * float(alpha * size)) if lower else None


@cache
def _least(alpha: Fraction, epsilon: Fraction) -> Fraction:
    """The lower end of the limit: a second or two."""
    from establish.proofs_check.limits.limit import enclosed

    return enclosed(alpha, epsilon).lower


DEVIATION = "standard deviation"

NOTES = {
    "jobs": "The expected error is E|out − n| before rounding, in jobs, for a cell with one establishment of "
    "n workers. In a cell with many, noise that follows the largest establishment has the error of a cell of "
    "that size. For truncated-laplace, the error does not include the establishments that are removed.",
    "sums": "These are standard deviations of the estimates, in units of the measure: for psi, at a group "
    "whose sum is n; for pnc, at a group whose largest bound is n. The bound is above the largest "
    "establishment of the group and comes from released answers. The deviation does not include the effect "
    "of clipping, which is unlikely.",
    "earnings": "These are approximate standard deviations, in records, for a cell of n records that is in "
    "the class of n: of its count, and of the rank error of a percentile where that does not depend on the "
    "data. A rank error matters little where earnings are close together, and much where they are not. They "
    "do not include that percentiles of cells with few records are pulled toward a public distribution.",
}
"""By kind of data, what a table says."""

AGAIN = (
    " With remainder = true, pnc also answers every establishment (-each): the errors are for a value of n "
    "with the bound n, in a group whose largest bound u* is 10n (at u*/10) or n (at u*). A line with + pools "
    "these answers with the first ones; the fitted table starts from the pooled answers."
)
"""What it says where there are second answers."""


def tables(rows: list[Row]) -> Iterator[tuple[str, list[list[str]], str]]:
    """A title, the cells with a row of titles first, and a note, for each kind of data."""
    for (kind, title), own in groupby(rows, key=_kind):
        listed = list(own)
        again = AGAIN if any(row["follows"] == VALUE for row in listed) else ""
        yield title, _told(listed), NOTES[kind] + again
        if shared := [row for row in listed if row["shares"]]:
            yield "Relative errors, as shares of n", _told_shares(shared), ""


def _kind(row: Row) -> tuple[str, str]:
    from establish.impl.budget.queries import MECHANISMS

    if row["mechanism"] in MECHANISMS["gedp"]:
        return "sums", "Expected errors of sums"
    if row["mechanism"] in MECHANISMS["record-dp"]:
        return "earnings", "Expected errors of counts and percentiles of earnings, in records"
    return "jobs", "Expected errors, in jobs"


def _told(rows: list[Row]) -> list[list[str]]:
    from establish.proofs_check.api.told import rounded_up

    sizes = [f"n = {int(n):,}" for n in rows[0]["errors"]]
    limited = rows[0]["measured"] != DEVIATION
    titles = ["query", "mechanism", *([] if limited else ["of"]), *sizes, "follows"]
    lines = [titles + ["over the limit"] * limited]
    for row in rows:
        over = row["over_limit_at_most"]
        lines.append(
            [
                row["query"],
                f"{row['mechanism']} ({row['calibration']})",
                *([] if limited else [row["of"]]),
                *("not known" if x is None else f"{x:.4g}" for x in row["errors"].values()),
                row["follows"],
                *([f"≤ {rounded_up(over)}" if over else "not known"] * limited),
            ]
        )
    return lines


def _told_shares(rows: list[Row]) -> list[list[str]]:
    sizes = [f"n = {int(n):,}" for n in rows[0]["shares"]]
    told = [["not known" if x is None else f"{100 * x:.3g}%" for x in row["shares"].values()] for row in rows]
    own = [[row["query"], row["of"], *shares] for row, shares in zip(rows, told, strict=True)]
    return [["query", "of", *sizes], *own]
