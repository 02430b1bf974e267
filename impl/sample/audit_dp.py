"""Mechanisms for ``establish audit --definition dp``.

    establish audit establish.impl.sample.audit_dp:count --definition dp --epsilon 1
    establish audit establish.impl.sample.audit_dp:wrong_count --definition dp --epsilon 1
    establish audit establish.impl.sample.audit_dp:histogram --definition dp --epsilon 1 --records a,b

A dataset is a count of records, ``12``; with ``--records a,b`` it is a sorted tuple of records,
``('a', 'a', 'b')``.
"""

import numpy as np

EPSILON = 1.0


def count(n: int, rng: np.random.Generator) -> float:
    """Laplace noise of scale 1/ε: private."""
    return n + rng.laplace(0.0, 1 / EPSILON)


def wrong_count(n: int, rng: np.random.Generator) -> float:
    """The scale is 10% too small."""
    return n + rng.laplace(0.0, 0.9 / EPSILON)


def histogram(records: tuple[str, ...], rng: np.random.Generator) -> tuple[float, ...]:
    """One count per record, each with noise of scale 1/ε: a record is in one of them, so private."""
    return tuple(records.count(value) + rng.laplace(0.0, 1 / EPSILON) for value in ("a", "b"))
