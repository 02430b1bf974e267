"""Looks for the identities that decide what signs alone do not: the checker checks only their arithmetic.

Weights of products of hypotheses are found in floats, by linear programming, and made exact on their support.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csc_matrix

from establish.proofs_check.recheck.goals import Known
from establish.proofs_check.recheck.kinds.identities import check_identity
from establish.proofs_check.recheck.quotients import ONE, Poly
from establish.proofs_check.recheck.sentences import Refused

COLUMNS = 300
"""How many products of hypotheses one linear program may have."""

SECONDS = 2.0
"""How long one linear program may take."""


FEW, MANY = 9, 40
"""From how many hypotheses on products of three, and of two, are not looked for."""


class Found(dict[str, Any]):
    """Identities by path, to which those that are found are added."""

    def close(self, path: str, known: Callable[[], Known]) -> bool:
        told = known()
        identity = _looked_for(tuple((str(p), strict) for p, strict in told), told)
        if identity is not None:
            self[path] = identity
        return identity is not None


_kept: dict[Any, list[Any] | None] = {}


def _looked_for(key: Any, known: Known) -> list[Any] | None:
    """An identity, looked for once in a process."""
    if key not in _kept:
        tries = (
            _identity(known, n)
            for n in ((1, 2, 3)[: 3 if len(known) < FEW else 2 if len(known) < MANY else 0])
        )
        _kept[key] = next((found for found in tries if found is not None), None)
    return _kept[key]


def _products(known: Known, factors: int) -> Iterator[tuple[tuple[int, ...], Poly, bool]]:
    """Products of at most so many hypotheses, each polynomial once, the strict before the weak."""
    yield (), ONE, True
    degree = max([2 * factors, *(p.total_degree() + factors - 1 for p, _ in known)])
    seen: set[str] = set()
    count = 0
    for n in range(1, factors + 1):
        for places in itertools.combinations_with_replacement(range(len(known)), n):
            product = ONE
            for place in places:
                product = product * known[place][0]
            strict = all(known[place][1] for place in places)
            key = f"{product} {strict}"
            if product.total_degree() <= degree and key not in seen and len(product) < 200:
                seen.add(key)
                count += 1
                yield places, product, strict
            if count > COLUMNS:
                return


def _identity(known: Known, factors: int) -> list[Any] | None:
    """Weights above 0 with which products of hypotheses add up to 0, one that is above 0 among them."""
    columns = list(_products(known, factors))
    rows: dict[tuple[int, ...], int] = {}
    entries: list[tuple[int, int, float]] = []
    for j, (_, product, _) in enumerate(columns):
        table = {m: _fraction(c) for m, c in product.to_dict().items()}
        largest = max(map(abs, table.values()), default=Fraction(1))
        for monomial, c in table.items():
            entries.append((rows.setdefault(monomial, len(rows)), j, float(c / largest)))
    last = len(rows)
    entries += [(last, j, 1.0) for j, (_, _, strict) in enumerate(columns) if strict]
    at, of, weights = zip(*entries, strict=True)
    matrix = csc_matrix((weights, (at, of)), shape=(last + 1, len(columns)))
    wanted = np.zeros(last + 1)
    wanted[last] = 1
    try:
        found = linprog(
            np.ones(len(columns)),
            A_eq=matrix,
            b_eq=wanted,
            bounds=(0, None),
            method="highs-ds",
            options={"time_limit": SECONDS},
        )
    except ValueError:  # a number that no float holds
        return None
    if found.status != 0:
        return None
    support = [k for k, x in enumerate(found.x) if x > 1e-9]
    return _exact([columns[k] for k in support], known)


def _exact(columns: Sequence[tuple[tuple[int, ...], Poly, bool]], known: Known) -> list[Any] | None:
    """The same in rationals; None where the support gives no weights above 0."""
    rows: dict[tuple[int, ...], int] = {}
    for _, product, _ in columns:
        for monomial in product.to_dict():
            rows.setdefault(monomial, len(rows))
    last, width = len(rows), len(columns)
    matrix = flint.fmpq_mat(last + 1, width + 1)
    for j, (_, product, strict) in enumerate(columns):
        for monomial, c in product.to_dict().items():
            matrix[rows[monomial], j] = c
        matrix[last, j] = int(strict)
    matrix[last, width] = 1
    reduced, rank = matrix.rref()
    weights = [Fraction(0)] * width
    for i in range(rank):
        lead = next(j for j in range(width + 1) if reduced[i, j] != 0)
        if lead == width:
            return None
        weights[lead] = _fraction(reduced[i, width])
    identity = [[str(w), list(c[0])] for w, c in zip(weights, columns, strict=True) if w]
    try:
        check_identity(known, identity)
    except Refused:
        return None
    return identity


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
