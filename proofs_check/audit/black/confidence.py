"""Confidence bounds of a probability, and the account of how often they may be wrong."""

from dataclasses import dataclass
from math import log, log1p

from scipy.special import betainccinv, betaincinv, betaln

from establish.proofs_check.audit.question.result import Interval

ERROR = 1e-9
"""An audit reports a violation of a correct mechanism with at most this probability, by design."""

TESTS = 400
"""So many tests on fresh samples share half of ERROR equally; the other half goes to the first ones."""

HALVINGS = 60
"""Steps of the bisection for an end of an interval."""


@dataclass
class ErrorBudget:
    """``error``, spent in TESTS parts that are fixed beforehand; a union bound makes them add up.

    Test number i gets ½/(i(i+1)) + ½/TESTS of it: the first sum telescopes to less than ½.
    """

    left: int = TESTS
    error: float = ERROR

    def spend(self) -> float:
        """The error probability of the next test. Call it only while ``left`` is positive."""
        if self.left <= 0:
            raise ValueError("the error budget of this audit is spent")
        number = TESTS - self.left + 1
        self.left -= 1
        return self.error * (0.5 / (number * (number + 1)) + 0.5 / TESTS)


def lower(successes: int, trials: int, error: float) -> float:
    """The Clopper–Pearson bound that is above the true probability with at most ``error``."""
    return float(betaincinv(successes, trials - successes + 1, error)) if successes else 0.0


def upper(successes: int, trials: int, error: float) -> float:
    """The Clopper–Pearson bound that is below the true probability with at most ``error``."""
    if successes == trials:
        return 1.0
    return float(betainccinv(successes + 1, trials - successes, error))


def at_any_time(successes: int, trials: int, error: float) -> Interval:
    """Bounds of a probability that hold after all numbers of trials at once but for ``error``.

    The likelihood of the outcomes under Jeffreys' prior, over their likelihood under the true
    probability p, is a martingale with mean 1 in the number of trials, so that it ever passes 1/error
    with probability at most ``error`` (Robbins 1970): the bounds are the p for which it has not.
    """
    if not trials:
        return 0.0, 1.0
    failures = trials - successes
    mixture = float(betaln(successes + 0.5, failures + 0.5) - betaln(0.5, 0.5))

    def allowed(p: float) -> bool:
        if (successes and p == 0) or (failures and p == 1):
            return False
        seen = (successes and successes * log(p)) + (failures and failures * log1p(-p))
        return mixture - seen < log(1 / error)

    ends = []
    for far in (0.0, 1.0):
        near = successes / trials
        if not allowed(far):
            out, near = far, near
            for _ in range(HALVINGS):
                middle = (out + near) / 2
                out, near = (out, middle) if allowed(middle) else (middle, near)
            far = out
        ends.append(far)
    return ends[0], ends[1]
