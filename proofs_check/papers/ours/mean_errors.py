"""The least mean error over small counts, enclosed: a linear program, a certificate, and Whole-Staircase."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import floor

import numpy as np
import scipy

from establish import Every, ParameterError, UnsettledError, Verdict, claim, exhaustive, holds
from establish.proofs_check.engine.rules import by_amounts
from establish.proofs_check.engine.rules.limits import SCALE, least_decay
from establish.proofs_check.engine.rules.mean_errors import MeanCertificate, shown_by
from establish.proofs_check.engine.statements import NoMeanErrorBelow, NoSmallerMeanError
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism, mean_errors
from establish.spec.relations.growth import growth_bound, largest_growth

DIGITS = 10**6
"""Values are given in multiples of 1/DIGITS."""

PLACE = "The least mean error over small counts"

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


def mean_error(alpha: Fraction, epsilon: Fraction, most: int) -> Fraction:
    """The mean of E|out − n|/max(αn, 1) over n = 0, …, most of Whole-Staircase, to 20 digits.

    Raises ParameterError where it is not defined.
    """
    made = WholeStaircaseMechanism(alpha, epsilon)
    each = [sum(mean_errors(made, n)) / growth_bound(n, alpha, MP) for n in range(most + 1)]
    return Fraction(MP.mp.nstr(sum(each) / (most + 1), 20))


def enclosed(alpha: Fraction, epsilon: Fraction, most: int) -> MeanLimit:
    """Both ends, the lower rounded down and the upper up, to multiples of 1/DIGITS."""
    certificate = built(alpha, epsilon, most)
    shown = shown_by(certificate) or Fraction(0)
    try:
        upper = Fraction(-floor(-mean_error(alpha, epsilon, most) * DIGITS), DIGITS)
    except ParameterError:
        upper = None
    return MeanLimit(max(Fraction(0), Fraction(floor(shown * DIGITS), DIGITS)), upper, certificate)


POINTS = (
    ("1/10", "2", 20, "0.22081", "0.23153"),
    ("1/10", "2", 40, "0.25363", "0.279115"),
    ("1/10", "1", 40, "0.679324", "0.744881"),
    ("1/5", "4", 20, "0.0353", "0.05139"),
)
"""α, ε and N at which the least mean error is a claim, what it is at least, and what Whole-Staircase has."""


def _no_less(about: NoMeanErrorBelow) -> Verdict:
    """A dual solution of the linear program in the masses of outputs 0 to N, rounded and checked anew."""
    return holds(
        by_amounts(about, built(about.alpha, about.epsilon, about.most)),
        value=f"at least {about.value}",
        condition=f"one establishment of 0 to {about.most} workers, each with the same weight",
    )


for _alpha, _epsilon, _most, _lower, _ in POINTS:
    _about = NoSmallerMeanError(_alpha, _epsilon, _most, _lower)
    claim(
        f"establish/mean-error/a{_alpha.replace('/', 'over')}-e{_epsilon}-n{_most}",
        where=PLACE,
        says=f"At α = {_alpha}, ε = {_epsilon} no mechanism that is (α, ε)-ER-EE private for one "
        f"establishment has a mean of E|out − n|/max(αn, 1) over n = 0, …, {_most} below the value given.",
        states=_about,
        tight=_about,
    )(partial(_no_less, _about))


Case = tuple[str, str, int, str, str]
"""One of POINTS."""


def _has(case: Case) -> bool:
    """The mean error of Whole-Staircase is at most the last number."""
    return mean_error(Fraction(case[0]), Fraction(case[1]), case[2]) <= Fraction(case[4])


def _has_less(case: Case) -> bool:
    return mean_error(Fraction(case[0]), Fraction(case[1]), case[2]) <= Fraction(case[3])


ATTAINED = Every("α, ε and N", lambda: iter(POINTS), _has, wrong=_has_less)


@claim(
    "establish/mean-error/whole-staircase",
    where=PLACE,
    says="Whole-Staircase, negative outputs raised to 0, has a mean error over those counts of .23153, "
    ".279115, .744881 and .05139, at most: 1.049, 1.101, 1.097 and 1.46 times what is necessary.",
    states=ATTAINED,
)
def mean_error_of_whole_staircase() -> Verdict:
    """The sums of tails that establish/whole-staircase-errors is about, to 20 digits."""
    return holds(exhaustive.each(ATTAINED, "the four α, ε and N at which the least error is a claim"))
