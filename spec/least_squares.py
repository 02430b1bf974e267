"""Inverse-variance-weighted least squares over sums of cells (Webb et al. 2025, Section 7, Equation 1).

A query is the sequence of its coefficients, one for each cell: it asks for Σ coefficient·cell. Answers
and variances are one for each query. All numbers are values of the world.
"""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import flint

from establish.spec.arithmetic import EXACT, Number, World
from establish.spec.parameters import ParameterError

Queries = Sequence[Sequence[Number]]
"""Queries by cells."""

Matrix = tuple[tuple[Number, ...], ...]
"""Rows of values of one world."""


def group_by(labels: Sequence[Hashable]) -> tuple[tuple[int, ...], ...]:
    """The sums over the cells that share a label, in the order in which labels first appear.

    ``labels`` has one label for each cell: all different for the identity query, all equal for the total.
    """
    return tuple(tuple(int(label == group) for label in labels) for group in dict.fromkeys(labels))


def objective(
    queries: Queries,
    answers: Sequence[Number],
    variances: Sequence[Number],
    cells: Sequence[Number],
    c: World = EXACT,
) -> Number:
    """Σ (q_i(cells) − a_i)²/v_i, which Equation 1 makes least."""
    total = c.number(0)
    for query, answer, variance in zip(queries, answers, variances, strict=True):
        total += c.power(_dot(query, cells, c) - answer, 2) / variance
    return total


def estimator(queries: Queries, variances: Sequence[Number], c: World = EXACT) -> Matrix:
    """The matrix, cells by queries, that takes answers to the cells which solve Equation 1.

    The solution of the normal equations (QᵀV⁻¹Q) A = QᵀV⁻¹. Raises ParameterError when a variance
    is not positive (there need be no minimum then), when the queries do not determine the cells, and
    for sequences whose lengths do not fit.
    """
    if not queries:
        raise ParameterError("queries must not be empty")
    if len({len(query) for query in queries}) > 1:
        raise ParameterError("every query must have a coefficient for each cell")
    _one_for_each("variances", variances, queries)
    for number, variance in enumerate(variances):
        if variance <= 0:
            raise ParameterError(f"variances[{number}] must be greater than 0")
    weighted = tuple(
        tuple(c.number(query[cell]) / c.number(v) for query, v in zip(queries, variances, strict=True))
        for cell in range(len(queries[0]))
    )
    rows = [[*(_dot(row, column, c) for column in zip(*queries, strict=True)), *row] for row in weighted]
    return _solved(rows)


def estimate(
    queries: Queries, answers: Sequence[Number], variances: Sequence[Number], c: World = EXACT
) -> tuple[Number, ...]:
    """The cells that solve Equation 1. Raises as `estimator` does."""
    _one_for_each("answers", answers, queries)
    return tuple(_dot(row, answers, c) for row in estimator(queries, variances, c))


def covariance(
    queries: Queries, variances: Sequence[Number], true_variances: Sequence[Number], c: World = EXACT
) -> Matrix:
    """The covariance of the estimated cells for independent answers with ``true_variances``.

    ``variances`` are those that Equation 1 is given, which must not depend on the answers.
    """
    _one_for_each("true_variances", true_variances, queries)
    rows = estimator(queries, variances, c)
    return tuple(
        tuple(_dot([x * v for x, v in zip(left, true_variances, strict=True)], right, c) for right in rows)
        for left in rows
    )


def covariance_at_true(queries: Queries, variances: Sequence[Number], c: World = EXACT) -> Matrix:
    """(QᵀV⁻¹Q)⁻¹: `covariance` where Equation 1 is given the true variances of independent answers.

    In exact rationals and in balls, for hundreds of cells. Raises ParameterError for a singular matrix.
    """
    _one_for_each("variances", variances, queries)
    exact = isinstance(c.number(1), Fraction)
    made: Any = flint.fmpq_mat if exact else flint.arb_mat

    def entry(value: Number) -> Any:
        return flint.fmpq(*Fraction(value).as_integer_ratio()) if exact else c.number(value)

    rows, cells = len(queries), len(queries[0])
    weights = [1 / entry(v) for v in variances]
    coefficients = [[entry(x) for x in query] for query in queries]
    weighted = [
        weights[i] * coefficients[i][j] if coefficients[i][j] != 0 else coefficients[i][j]
        for j in range(cells)
        for i in range(rows)
    ]
    plain = [x for query in coefficients for x in query]
    try:
        solved = (made(cells, rows, weighted) * made(rows, cells, plain)).inv()
    except ZeroDivisionError as error:
        raise ParameterError("queries do not determine the cells: their rank is too small") from error

    def number(value: Any) -> Number:
        return Fraction(int(value.p), int(value.q)) if exact else value

    return tuple(tuple(number(solved[i, j]) for j in range(cells)) for i in range(cells))


def mean_variance(queries: Queries, cells: Matrix, c: World = EXACT) -> Number:
    """The mean of `variance_of` over some queries."""
    total = c.number(0)
    for query in queries:
        held = [(place, x) for place, x in enumerate(query) if x != 0]
        for i, x in held:
            for j, y in held:
                total += x * y * cells[i][j]
    return total / len(queries)


def variance_of(query: Sequence[Number], cells: Matrix, c: World = EXACT) -> Number:
    """The variance of a query of the cells that have the covariance ``cells``."""
    return _dot(query, [_dot(row, query, c) for row in cells], c)


def _one_for_each(name: str, values: Sequence[Number], queries: Queries) -> None:
    if len(values) != len(queries):
        raise ParameterError(f"{name} has {len(values)} entries for {len(queries)} queries")


def _dot(left: Sequence[Number], right: Sequence[Number], c: World) -> Number:
    products = (c.number(x) * c.number(y) for x, y in zip(left, right, strict=True))
    return sum(products, c.number(0))


def _solved(rows: list[list[Number]]) -> Matrix:
    """X with N·X = B for the rows [N | B], N positive definite: its pivots are then all positive."""
    size = len(rows)
    for at in range(size):
        pivot = rows[at][at]
        if pivot == 0:
            raise ParameterError("queries do not determine the cells: their rank is too small")
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            if other != at and (factor := rows[other][at]) != 0:
                pairs = zip(rows[other], rows[at], strict=True)
                rows[other] = [value - factor * solved for value, solved in pairs]
    return tuple(tuple(row[size:]) for row in rows)
