"""How many outputs a violation of (ε, δ) needs that is a close call: normal noise, a little too small.

The event by which P exceeds e^ε·Q most has a Q of about δ·e^(−ε), so that a large ε needs many outputs.
"""

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from establish.proofs_check.audit.black.betting import growth
from establish.proofs_check.audit.black.confidence import ERROR, TESTS
from establish.proofs_check.audit.black.power import HESITATION
from establish.proofs_check.audit.question.level import Approximate

CLOSE = 1.3
"""A close call has so many times the claimed δ: about that of the classical scale √(2·ln(1.25/δ))/ε at ε = 8,
δ = 1/1000."""

FARTHEST = 100.0
"""So many standard deviations the centers of two neighbors are apart at most."""

EVENTS = np.linspace(-10.0, 40.0, 5001)
"""Ends of half-lines that are compared, in standard deviations."""


def delta_of(mu: float, epsilon: float) -> float:
    """The least δ at ε of two normal laws that are μ > 0 standard deviations apart (Balle and Wang 2018)."""
    far = log_ndtr(-mu / 2 - epsilon / mu)
    return float(ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon + far))


def outputs_needed(level: Approximate) -> float:
    """Outputs of either dataset that show, on average, that a close call breaks (ε, δ), for 0 < δ < 1/CLOSE;
    infinite where no number of them that is of use does."""
    allowed, epsilon = CLOSE * float(level.delta), level.bound
    if not 0 < allowed < 1 or delta_of(FARTHEST, epsilon) < allowed:
        return math.inf
    mu = brentq(lambda apart: delta_of(apart, epsilon) - allowed, 1e-6, FARTHEST)
    p, q = ndtr(mu - EVENTS), ndtr(-EVENTS)
    lines = (np.full(p.shape, number) for number in level.line(level.bound, (0.5, 0.5)))
    mean, _ = growth(p, q, *lines)
    most = float(np.nanmax(mean))
    return (math.log(4 * TESTS / ERROR) + HESITATION) / most if most > 0 else math.inf


def told(level: Approximate, rate: float) -> str:
    """The same as a sentence. rate: outputs per second."""
    needed = outputs_needed(level)
    call = f"noise that is normal and has {CLOSE:g} times the claimed δ at ε = {level.epsilon}"
    many = "more outputs than can be drawn"
    if math.isfinite(needed):
        many = (
            f"about {needed:.1g} outputs of each of two neighbors ({2 * needed / rate:.1g} s at this speed)"
        )
    return (
        f"a close call, {call}, would be seen in {many}: give the law of the output, or replay the mechanism "
        "(--grey) where noise is simply added, which takes none"
    )
