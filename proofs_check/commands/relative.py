"""Expected errors of a plan's numbers as shares of what is released, by its size, before the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from establish.impl.budget import EarningsQuery, Plan, SumQuery

MEAN, DEVIATION = "mean absolute error", "standard deviation"
"""Which error is told as a share."""

PRECISION = 128
"""Bits for errors of which three digits are shown."""


def relative(plan: Plan, expected: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Of every number whose error follows from public parameters, its error at each size over the size.

    expected: the errors of counts. Sums are those of one establishment or group of that size, answered by
    psi; with pnc they depend on bounds that are drawn. Of earnings it is the protected count of a cell:
    how far percentiles are off depends on the distribution, which is confidential.
    """
    from establish.impl.budget import EarningsQuery, SumQuery
    from establish.impl.mechanisms.growth_laplace import SIZES

    rows = [_row(row["query"], "count", MEAN, row["errors"]) for row in expected]
    for query in plan.queries:
        if isinstance(query, SumQuery) and query.mechanism == "psi":
            for name in query.mu:
                errors = {str(n): _of_sum(query, name, plan, n) for n in SIZES}
                rows.append(_row(query.name, f"sum of {name}", DEVIATION, errors))
        elif isinstance(query, EarningsQuery) and (own := _of_cell(query)) is not None:
            errors = {str(n): own for n in SIZES}
            rows.append(_row(query.name, "count of a cell", DEVIATION, errors))
    return rows


def _row(query: str, number: str, error: str, errors: Mapping[str, float]) -> dict[str, Any]:
    shares = {size: own / int(size) for size, own in errors.items()}
    return {"query": query, "number": number, "error": error, "shares": shares}


def _of_sum(query: SumQuery, measure: str, plan: Plan, size: int) -> float:
    """The standard deviation of the unbiased estimate of a sum of ``size``, by the specification."""
    from establish.spec.arithmetic import ARB, enclosing
    from establish.spec.composition import Gedp
    from establish.spec.mechanisms import psi_estimators

    assert isinstance(plan.definition, Gedp)
    own = plan.definition.by_name[measure]
    sd = own.gamma / query.mu[measure]
    variance_of = {
        "sqrt": psi_estimators.variance_from_root,
        "log": psi_estimators.variance_from_logarithm,
    }
    if own.psi not in variance_of:
        return float(sd)
    with enclosing(PRECISION):
        variance = variance_of[own.psi](size + own.shift, sd, ARB)
        return sqrt(float(variance.mid()))


def _of_cell(query: EarningsQuery) -> float | None:
    """The standard deviation of the count of a cell with these bins; None for a mechanism without bins."""
    from establish.impl.budget.laws import law_of_earnings
    from establish.impl.earnings.described import deviation_of_total

    if query.mechanism != "histogram-percentiles":
        return None
    law = law_of_earnings(query, cells_given=True)
    return deviation_of_total(float(query.epsilon), len(law.bins))


def told(rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """The cells of a table, a row for each number after the titles."""
    sizes = [f"n = {int(n):,}" for n in rows[0]["shares"]]
    return [["query", "number", "error over n", *sizes], *map(_told, rows)]


def _told(row: Mapping[str, Any]) -> list[str]:
    shares = (f"{100 * share:.3g}%" for share in row["shares"].values())
    return [row["query"], row["number"], row["error"], *shares]
