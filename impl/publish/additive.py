"""Tables that add up, computed from released ones: weighted least squares over the finest table's cells.

Nothing but released counts and public numbers goes in, so that it costs no privacy. The weights are the
inverse variances of the noise where these follow from the parameters alone (laplace, truncated-laplace in all
queries). Noise of other mechanisms follows confidential numbers, and its variance would tell them: there all
weights are the same.

The cells of a table are all combinations of the values of its attributes. So the matrix that sums the finest
cells x to those of query q is a product over attributes of identities (those of q) and rows of ones, and all
AᵀA commute: on the contrasts of a set S of attributes, AᵀA of q is the number of finest cells in a cell of q
where q has all of S, and 0 where it has not. The least squares solution x = (Σ w AᵀA)⁻¹ Σ w Aᵀy is therefore
found by splitting Σ w Aᵀy into means and contrasts along each attribute, and dividing.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.budget.plan import require_additive_kind
from establish.impl.budget.queries import CountQuery
from establish.impl.mechanisms import Mechanism
from establish.impl.mechanisms.laplace import Laplace
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.spec.parameters import ParameterError

ADDITIVE = "additive"
"""The column of adjusted counts."""

STEPS = {"real": 256, "whole": 1}
"""How the adjusted counts are written: as multiples of 1/256, or as whole numbers."""

_EXACT = 2**53
"""Up to this a floating-point number holds every whole one."""


@dataclass(frozen=True)
class Released:
    """A released table: its attributes with their values, each cell's place among them, its noisy count."""

    values: Mapping[str, Sequence[str]]
    codes: Mapping[str, NDArray[np.int32]] = field(repr=False)
    noisy: Integers = field(repr=False)


def require_additive(kind: str, queries: Sequence[CountQuery]) -> int:
    """The place of the query whose cells make up those of all others.

    kind: one of ADDITIVE_KINDS, and a name of STEPS. Raises ParameterError where tables cannot add up
    honestly: a single one, one with a condition or other sizes, none that has all attributes.
    """
    require_additive_kind("additive", kind)
    if len(queries) < 2:
        raise ParameterError(
            f"additive = {kind} needs at least two queries: the cells of a single query already add up"
        )
    for query in queries:
        if query.where:
            raise ParameterError(
                f"additive = {kind}: query {query.name} counts only some jobs (where), so its cells are not "
                "sums of cells of the others: move it to another plan"
            )
        if query.theta != queries[0].theta:
            raise ParameterError(
                f"additive = {kind}: queries {queries[0].name} and {query.name} leave out establishments of "
                "different sizes (theta), so their cells are not sums of one another"
            )
        if ADDITIVE in (name.lower() for name in query.by):
            raise ParameterError(f"query {query.name}: by = {ADDITIVE} names the adjusted counts")
    every = {name for query in queries for name in query.by}
    for place, query in enumerate(queries):
        if set(query.by) == every:
            return place
    raise ParameterError(
        f"additive = {kind} needs a query by all of {', '.join(sorted(every))}, so that the cells of all "
        "other queries are sums of its cells"
    )


def weights(laws: Sequence[Mechanism | TruncatedLaplace]) -> list[float]:
    """One for each query, from parameters only; see the module's docstring."""
    scales = [float(law.noise_scale) for law in laws if isinstance(law, (Laplace, TruncatedLaplace))]
    if len(scales) < len(laws):
        return [1.0] * len(laws)
    return [1 / (2 * scale * scale) for scale in scales]


def adjusted(
    released: Sequence[Released], weights: Sequence[float], finest: int, kind: str
) -> list[Integers | Floats]:
    """For each table its adjusted counts, of which every one is the exact sum of those of the finest.

    weights: positive, one a table. finest: the place of the table with all attributes. kind: of STEPS; finest
    cells beyond 2^53 steps over their number are moved there, so that all sums are exact.
    """
    axes = list(released[finest].values)
    sizes = {a: len(values) for a, values in released[finest].values.items()}
    total = np.zeros(tuple(sizes.values()))
    for one, weight in zip(released, weights, strict=True):
        total += weight * _spread(one, axes, sizes)
    covered = [
        (frozenset(one.values), weight * math.prod(n for a, n in sizes.items() if a not in one.values))
        for one, weight in zip(released, weights, strict=True)
    ]
    cells = _solved(total, axes, frozenset(), covered)
    most = _EXACT // cells.size
    steps = np.clip(np.rint(cells * STEPS[kind]), -most, most).astype(np.int64)
    return [_summed(steps, one, axes, kind) for one in released]


def _spread(one: Released, axes: Sequence[str], sizes: Mapping[str, int]) -> Floats:
    """The table's counts along its own axes; the others have the length 1."""
    table = np.zeros(tuple(sizes[a] if a in one.values else 1 for a in axes))
    table[_places(one, axes)] = one.noisy
    return table


def _places(one: Released, axes: Sequence[str]) -> tuple[NDArray[np.int32], ...]:
    nowhere = np.zeros(one.noisy.size, dtype=np.int32)
    return tuple(one.codes[a] if a in one.values else nowhere for a in axes)


def _solved(
    total: Floats,
    axes: Sequence[str],
    contrasts: frozenset[str],
    covered: Sequence[tuple[frozenset[str], float]],
) -> Floats:
    """``total`` split along the axes that are left, each part divided by what Σ w AᵀA is on it."""
    if not axes:
        return total / sum(weight for names, weight in covered if contrasts <= names)
    axis = total.ndim - len(axes)
    mean = total.mean(axis=axis, keepdims=True)
    own = _solved(total - mean, axes[1:], contrasts | {axes[0]}, covered)
    return own + _solved(mean, axes[1:], contrasts, covered)


def _summed(steps: Integers, one: Released, axes: Sequence[str], kind: str) -> Integers | Floats:
    others = tuple(place for place, a in enumerate(axes) if a not in one.values)
    found: Integers = steps.sum(axis=others, keepdims=True)[_places(one, axes)]
    return found if STEPS[kind] == 1 else found / STEPS[kind]
