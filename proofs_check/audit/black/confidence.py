"""Confidence bounds of a probability, and the account of how often they may be wrong."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.special import betainccinv, betaincinv

from establish.proofs_check.audit.question.result import Interval

ERROR = 1e-9
"""An audit reports a violation of a correct mechanism with at most this probability, by design."""

LOOKS = 400
"""So many tests on fresh samples share ERROR equally."""


@dataclass
class ErrorBudget:
    """ERROR, spent in LOOKS equal parts; a union bound makes the parts add up."""

    left: int = LOOKS

    def spend(self) -> float:
        """The error probability of the next test. Call it only while ``left`` is positive."""
        if self.left <= 0:
            raise ValueError("the error budget of this audit is spent")
        self.left -= 1
        return ERROR / LOOKS


def lower(successes: int, trials: int, error: float) -> float:
    """The Clopper–Pearson bound that is above the true probability with at most ``error``."""
    return float(betaincinv(successes, trials - successes + 1, error)) if successes else 0.0


def upper(successes: int, trials: int, error: float) -> float:
    """The Clopper–Pearson bound that is below the true probability with at most ``error``."""
    if successes == trials:
        return 1.0
    return float(betainccinv(successes + 1, trials - successes, error))


def interval(successes: int, trials: int, error: float) -> Interval:
    """Both bounds, each wrong with at most ``error``."""
    return lower(successes, trials, error), upper(successes, trials, error)
