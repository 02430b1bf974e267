"""Statements about samplers and experiments, with the probability of a false alarm."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.engine.statements.experiments import Measured, OfExperiment
from establish.proofs_check.engine.statements.statement import StatementError, Truth, require
from establish.proofs_check.engine.verdicts import Evidence, Grade

Quantities = Callable[[str], Iterable[Measured]]


def measured(statement: OfExperiment, recorded: str, quantities: Quantities) -> Evidence:
    """Evidence for a statement about the expectations of an experiment, from its recorded numbers.

    recorded: these, as text, whose digest the statement names. quantities: what computes the intervals of the
    statement from them. Raises StatementError where the digest or the intervals are others: an interval that
    somebody typed is no evidence.
    """
    truth = _recorded(statement, recorded, quantities)
    return _from_intervals(statement, truth.value, truth.shown, refutes=False)


def refuted(statement: OfExperiment, recorded: str, quantities: Quantities) -> Evidence:
    """Evidence that such a statement is false, as an interval lies beyond its limit; arguments as above."""
    truth = _recorded(statement, recorded, quantities)
    false = None if truth.value is None else not truth.value
    return _from_intervals(statement, false, truth.shown, refutes=True)


def _recorded(statement: OfExperiment, recorded: str, quantities: Quantities) -> Truth:
    require(statement, OfExperiment, "InExperiment")
    if sha256(recorded.encode("utf-8")).hexdigest() != statement.digest:
        raise StatementError(f"{statement.experiment}: the recorded numbers have another digest")
    if tuple(quantities(recorded)) != statement.quantities:
        raise StatementError(f"{statement.experiment}: the recorded numbers give other intervals")
    return statement.at({})


def _from_intervals(statement: OfExperiment, found: bool | None, shown: str, *, refutes: bool) -> Evidence:
    return Evidence(
        f"{statement.text}{' is false' if refutes else ''}: {shown}",
        found,
        Grade.STATISTICAL,
        "recorded intervals",
        "" if found else shown,
        f"all intervals of the run together are wrong with probability at most {statement.error}",
        decides=statement.text,
        identity=statement.identity,
        refutes=refutes,
    )


def distance_threshold(size: int, error: float) -> float:
    """The t with P(sup|F_n − F| > t) ≤ error, for n = size draws from a law F.

    From P(sup|F_n − F| > t) ≤ 2·e^(−2nt²) (Dvoretzky, Kiefer, Wolfowitz; constant 2 by Massart 1990).
    """
    return sqrt(log(2 / error) / (2 * size))


def follows_law(
    sample: NDArray[np.float64],
    cdf: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    says: str,
    error: float = 1e-9,
) -> Evidence:
    """Evidence that a sample comes from a continuous law with distribution function ``cdf``.

    Refuted when the empirical distribution function is farther away than a true sampler ever is, but
    with probability ``error``. A true statement is therefore refuted with at most that probability; a
    false one may pass when the law is closer than the threshold, which the scope states.
    """
    ordered = np.sort(sample)
    model = cdf(ordered)
    steps = np.arange(ordered.size + 1) / ordered.size
    return _within(says, steps[:-1], steps[1:], model, model, ordered.size, error)


def follows_discrete_law(
    sample: NDArray[np.generic], cdf: Callable[[float], float], step: float, says: str, error: float = 1e-9
) -> Evidence:
    """The same for a law on the multiples of ``step``: P(X ≤ x) = cdf(x) at each of them.

    The distribution functions are compared at the ends of POINTS runs of neighboring sample values that
    hold equal shares of the draws: a part of the real line, so the same inequality bounds the error.
    """
    values, counts = np.unique(sample, return_counts=True)
    shares = np.cumsum(counts) / sample.size
    ends = np.unique(np.searchsorted(shares, np.linspace(0, 1, POINTS + 1)[1:]))
    ends = np.minimum(ends, values.size - 1)
    at, before = values[ends], (shares - counts / sample.size)[ends]
    below = np.array([cdf(float(x) - step) for x in at])
    until = np.array([cdf(float(x)) for x in at])
    return _within(says, before, shares[ends], below, until, sample.size, error)


POINTS = 200
"""At how many values of a sample a discrete law is compared: its distribution function is costly."""


def _within(
    says: str,
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    below: NDArray[np.float64],
    until: NDArray[np.float64],
    size: int,
    error: float,
) -> Evidence:
    """Evidence that no empirical value left (before) or right (after) of a jump is too far off."""
    if not np.all(np.isfinite(below) & np.isfinite(until)):
        return Evidence(says, None, Grade.STATISTICAL, "statistical", "NaN", "not evaluated")
    distance = float(max(np.max(abs(before - below)), np.max(abs(after - until))))
    limit = distance_threshold(size, error)
    if 2 * limit >= 1:
        witness = "of so few draws no law is certain to be rejected"
        return Evidence(says, None, Grade.STATISTICAL, "statistical", witness, f"{size} draws")
    scope = (
        f"{size} draws; a true law is rejected with probability at most {error:g}; "
        f"a law farther than {2 * limit:.2g} in distribution function is rejected but with that"
    )
    witness = f"distance {distance:.3g} exceeds {limit:.3g}"
    good = distance <= limit
    return Evidence(says, good, Grade.STATISTICAL, "statistical", "" if good else witness, scope)
