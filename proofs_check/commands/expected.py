"""Expected errors of a plan's counts by size of cell, beside what no mechanism can beat."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from establish.impl.budget import CountQuery, Plan
    from establish.impl.mechanisms import Mechanism


def expected(plan: Plan) -> list[dict[str, Any]]:
    """Of each query, in jobs, for cells of one establishment; nothing for queries that count no jobs.

    over_limit_at_most: the error at the largest size over the least that any mechanism has as cells grow, at
    most; None where no limit is known: for δ > 0, and outside of employer-employee privacy.
    """
    from establish.impl.budget import CountQuery

    return [_of(query, plan) for query in plan.queries if isinstance(query, CountQuery)]


def _of(query: CountQuery, plan: Plan) -> dict[str, Any]:
    from establish.impl.budget import law_of_counts
    from establish.impl.mechanisms.growth_laplace import SIZES
    from establish.impl.mechanisms.least_error import FOLLOWS_LARGEST, errors
    from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace

    law = law_of_counts(query, plan.definition)
    if isinstance(law, TruncatedLaplace):
        found: tuple[float, ...] = (law.noise_scale,) * len(SIZES)
    else:
        found = errors(law)
    return {
        "query": query.name,
        "mechanism": query.mechanism,
        "calibration": query.calibration,
        "errors": dict(zip(map(str, SIZES), found, strict=True)),
        "follows": _follows(law, FOLLOWS_LARGEST),
        "over_limit_at_most": _over_limit(law, found[-1], SIZES[-1]),
        "why": list(query.why),
    }


def _follows(law: object, by_largest: tuple[type, ...]) -> str:
    from establish.impl.mechanisms import Laplace
    from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace

    if isinstance(law, (Laplace, TruncatedLaplace)):
        return "nothing"
    return "largest" if isinstance(law, by_largest) else "count"


def _over_limit(law: Mechanism | Any, error: float, size: int) -> float | None:
    alpha, delta = getattr(law, "alpha", None), getattr(law, "delta", Fraction(0))
    if alpha is None or delta or not isfinite(error):
        return None
    lower = _least(alpha, law.epsilon)
    return error / (float(lower) * float(alpha * size)) if lower else None


@cache
def _least(alpha: Fraction, epsilon: Fraction) -> Fraction:
    """The lower end of the limit: a second or two."""
    from establish.proofs_check.papers.ours.limit import enclosed

    return enclosed(alpha, epsilon).lower


NOTE = (
    "Expected errors are E|out − n| before rounding, in jobs, for a cell of one establishment of n. In a "
    "cell of many, noise that follows the largest establishment has the error of a cell of that size; "
    "noise of truncated-laplace comes on top of the establishments that are removed."
)


def told(rows: list[dict[str, Any]]) -> list[list[str]]:
    """The cells of a table, a row for each query after the titles."""
    sizes = list(rows[0]["errors"])
    titles = [
        "query",
        "mechanism",
        *(f"n = {int(n):,}" for n in sizes),
        "follows",
        "over the limit",
    ]
    return [titles, *map(_told, rows)]


def _told(row: dict[str, Any]) -> list[str]:
    over = row["over_limit_at_most"]
    return [
        row["query"],
        f"{row['mechanism']} ({row['calibration']})",
        *(f"{error:.4g}" for error in row["errors"].values()),
        row["follows"],
        f"≤ {ceil(over * 1000) / 1000:.3f}" if over else "not known",
    ]
