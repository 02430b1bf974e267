"""The least mean error over small counts, enclosed: a linear program, a certificate, and Whole-Staircase."""

from dataclasses import dataclass
from fractions import Fraction
from math import floor

import numpy as np
import scipy

from establish.proofs_check.engine.rules.limits import SCALE, least_decay
from establish.proofs_check.engine.rules.mean_errors import MeanCertificate, shown_by
from establish.proofs_check.engine.verdicts import UnsettledError
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism, mean_errors
from establish.spec.parameters import ParameterError
from establish.spec.relations.growth import growth_bound, largest_growth

DIGITS = 10**6
"""Values are given in multiples of 1/DIGITS."""

MOST = 60
"""The largest count for which a certificate is built: there its linear program takes seconds."""


@dataclass(frozen=True)
class MeanLimit:
    """No mechanism has a mean error below ``lower``, and Whole-Staircase has at most ``upper``, if any."""

    lower: Fraction
    upper: Fraction | None
    certificate: MeanCertificate


def built(alpha: Fraction, epsilon: Fraction, most: int) -> MeanCertificate:
    """The certificate of the linear program in the masses of outputs 0 to N, made whole.

    Raises UnsettledError where the solver finds no optimum.
    """
    size = most + 1
    counts = range(size)
    unit = [float(growth_bound(n, alpha, MP)) for n in counts]
    pairs = [
        pair
        for n in counts
        for m in range(n + 1, min(n + largest_growth(n, alpha), most) + 1)
        for pair in ((n, m), (m, n))
    ]
    decay = least_decay(epsilon) / SCALE
    rows = np.arange(size * len(pairs))
    first, second = (
        (np.arange(size)[:, None] * size + np.array([pair[k] for pair in pairs])).ravel() for k in (0, 1)
    )
    values = np.concatenate([np.full(rows.size, decay), np.full(rows.size, -1.0)])
    places = np.concatenate([rows, rows]), np.concatenate([first, second])
    outputs = np.tile(np.arange(size), size), np.arange(size * size)
    found = scipy.optimize.linprog(
        np.array([[abs(o - n) / unit[n] for n in counts] for o in counts]).ravel(),
        A_ub=scipy.sparse.csr_matrix((values, places), shape=(rows.size, size * size)),
        b_ub=np.zeros(rows.size),
        A_eq=scipy.sparse.csr_matrix((np.ones(size * size), outputs), shape=(size, size * size)),
        b_eq=np.ones(size),
        method="highs",
        options={"dual_feasibility_tolerance": 1e-10, "primal_feasibility_tolerance": 1e-10},
    )
    if not found.success:
        raise UnsettledError(f"the linear program was not solved: {found.message}")
    amounts = {}
    for k, dual in enumerate(found.ineqlin.marginals):
        if (amount := round(-float(dual) * SCALE)) > 0:
            o, pair = divmod(k, len(pairs))
            amounts[(o, *pairs[pair])] = amount
    return MeanCertificate(alpha, epsilon, most, amounts)


def enclosed(alpha: Fraction, epsilon: Fraction, most: int) -> MeanLimit:
    """Both ends, the lower rounded down and the upper up, to multiples of 1/DIGITS."""
    certificate = built(alpha, epsilon, most)
    shown = shown_by(certificate) or Fraction(0)
    lower = max(Fraction(0), Fraction(floor(shown * DIGITS), DIGITS))
    return MeanLimit(lower, _attained(alpha, epsilon, most), certificate)


def _attained(alpha: Fraction, epsilon: Fraction, most: int) -> Fraction | None:
    """At least the mean of E|out − n|/max(αn, 1) of Whole-Staircase; None where that is not defined."""
    try:
        made = WholeStaircaseMechanism(alpha, epsilon)
    except ParameterError:
        return None
    errors = (sum(mean_errors(made, n)) / growth_bound(n, alpha, MP) for n in range(most + 1))
    return Fraction(int(MP.mp.ceil(sum(errors) / (most + 1) * DIGITS)), DIGITS)
