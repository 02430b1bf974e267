"""Estimates of every establishment or cell from all answers: weighted least squares (Equation 1).

One query, the base, must refine all others; its groups are the unknowns x. With its answers m and
their variances W, and the answers b = Bx + noise of the other queries with variances R, the x that
minimizes (x − m)ᵀW⁻¹(x − m) + (Bx − b)ᵀR⁻¹(Bx − b) is x = m + WBᵀ(BWBᵀ + R)⁻¹(b − Bm). So one sparse
system with a row per group of the other queries is factorized, however many establishments there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.optimize
import scipy.sparse
import scipy.sparse.linalg
from numpy.typing import NDArray

from establish.impl.microdata.group_by import Groups, Index
from establish.spec.parameters import ParameterError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Answered:
    """The unbiased answers of one query: a value and a variance > 0 for each of its groups.

    The variances may depend on released answers only, never on true values. Raises ParameterError
    for arrays of another length, a value that is not finite, or a variance that is not above 0.
    """

    formed: Groups
    values: Floats
    variances: Floats

    def __post_init__(self) -> None:
        if not self.values.shape == self.variances.shape == (self.formed.number,):
            raise ParameterError("values and variances must have one number for each group")
        if not (np.isfinite(self.values).all() and np.isfinite(self.variances).all()):
            raise ParameterError("values and variances must be finite")
        if not (self.variances > 0).all():
            raise ParameterError("variances must be greater than 0: an answer has noise")


def parents(fine: Groups, coarse: Groups) -> Index | None:
    """The coarse group of each fine one; None where a fine group lies in two of them."""
    found = np.empty(fine.number, dtype=coarse.index.dtype)
    found[fine.index] = coarse.index
    return found if np.array_equal(found[fine.index], coarse.index) else None


def finest(queries: Sequence[Groups]) -> int:
    """Which of the queries refines all others. Raises ParameterError where none does."""
    if not queries:
        raise ParameterError("least squares needs at least one answered query")
    most = max(range(len(queries)), key=lambda place: queries[place].number)
    if any(parents(queries[most], other) is None for other in queries):
        raise ParameterError(
            "the answers do not determine the cells: one query must refine all others, as the one for "
            "every establishment does"
        )
    return most


def least_squares(answered: Sequence[Answered], *, nonnegative: bool = False) -> Floats:
    """The estimate for each group of the base query, in its order.

    nonnegative: the minimum over x ≥ 0 instead of over all x. Raises ParameterError where no query
    refines all others.
    """
    place = finest([query.formed for query in answered])
    base = answered[place]
    others = [query for query in answered if query is not base]
    if not others:
        return np.maximum(base.values, 0.0) if nonnegative else base.values.copy()
    incidence = scipy.sparse.vstack([_incidence(base.formed, query.formed) for query in others])
    values = np.concatenate([query.values for query in others])
    variances = np.concatenate([query.variances for query in others])
    if nonnegative:
        return _bounded(base, incidence.tocsr(), values, variances)
    spread = incidence.multiply(base.variances).tocsr()
    system = (spread @ incidence.T + scipy.sparse.diags(variances)).tocsc()
    solved = scipy.sparse.linalg.splu(
        system, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}
    ).solve(values - incidence @ base.values)
    updated: Floats = base.values + spread.T @ solved
    return updated


def _incidence(fine: Groups, coarse: Groups) -> scipy.sparse.csr_matrix:
    """The 0/1 matrix that sums the fine groups of each coarse one."""
    rows = parents(fine, coarse)
    columns = np.arange(fine.number)
    ones = np.ones(fine.number)
    return scipy.sparse.csr_matrix((ones, (rows, columns)), shape=(coarse.number, fine.number))


def _bounded(
    base: Answered, incidence: scipy.sparse.csr_matrix, values: Floats, variances: Floats
) -> Floats:
    """The same objective over x ≥ 0, by the trust-region reflective method of scipy."""
    scale = 1 / np.sqrt(base.variances)
    weights = 1 / np.sqrt(variances)
    matrix = scipy.sparse.vstack(
        [scipy.sparse.diags(scale), scipy.sparse.diags(weights) @ incidence]
    ).tocsr()
    target = np.concatenate([base.values * scale, values * weights])
    found = scipy.optimize.lsq_linear(
        matrix, target, bounds=(0, np.inf), method="trf", lsq_solver="lsmr", tol=1e-10
    )
    solution: Floats = found.x
    return solution
