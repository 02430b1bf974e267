"""A whole mechanism from the likelihoods of one output."""

from collections.abc import Mapping
from fractions import Fraction

from establish.spec.indistinguishability import Distribution
from establish.spec.privacy import Mechanism
from establish.spec.tables import Tables


def extend(likelihood: Mapping[Tables, Fraction], c: Fraction) -> Mechanism[Tables]:
    """Answers ω with probability s·p(D), and "other" otherwise, where s = c/(c + 1) and max p = 1.

    It is private wherever p is. For ω, s cancels. For "other", neighbors have p(D) ≥ p(D')/c, so
    c·s·p(D') − s·p(D) ≤ s(c − 1/c)p(D') ≤ s(c − 1/c) = c − 1, which says
    1 − s·p(D) ≤ c(1 − s·p(D')). This s is the largest that works whenever neighbors have p = 1, 1/c.
    """
    most, s = max(likelihood.values()), c / (c + 1)

    def mechanism(d: Tables) -> Distribution:
        seen = s * likelihood[d] / most
        return {"ω": seen, "other": 1 - seen}

    return mechanism
