"""How well two output distributions can be told apart, exactly, on finitely many outputs.

Levels are given as c = e^ε, a rational, so that every value here is exact.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from establish.spec.parameters import ParameterError, Rational, exact

Distribution = Mapping[Any, Fraction]
"""The probability of each output; an output that is not listed has probability 0."""

Event = frozenset[Hashable]
"""A set of outputs."""


def checked(distribution: Distribution) -> Distribution:
    """``distribution`` itself.

    Raises ParameterError for an inexact or negative entry, or a sum other than 1.
    """
    for output, probability in distribution.items():
        if not isinstance(probability, (int, Fraction)):
            raise ParameterError(f"probability of {output!r} = {probability!r} must be a Fraction")
        if probability < 0:
            raise ParameterError(f"probability of {output!r} = {probability} must be at least 0")
    total = sum(distribution.values())
    if total != 1:
        raise ParameterError(f"probabilities sum to {total}: they must sum to 1")
    return distribution


def level(c: Rational) -> Fraction:
    """c = e^ε as an exact rational. Raises ParameterError for c < 1, that is ε < 0."""
    number = exact("c", c)
    if number < 1:
        raise ParameterError(f"c = {c} is not allowed: c = e^ε must be at least 1")
    return number


def failure(delta: Rational) -> Fraction:
    """δ as an exact rational in [0, 1). Raises ParameterError otherwise."""
    number = exact("delta", delta)
    if not 0 <= number < 1:
        raise ParameterError(f"delta = {delta} is not allowed: delta must be at least 0, below 1")
    return number


def _outputs(p: Distribution, q: Distribution) -> dict[Hashable, tuple[Fraction, Fraction]]:
    zero = Fraction(0)
    return {o: (p.get(o, zero), q.get(o, zero)) for o in [*p, *(o for o in q if o not in p)]}


def likelihood_ratio_bound(p: Distribution, q: Distribution) -> Fraction | float:
    """The least c = e^ε with P(S) ≤ c Q(S) and Q(S) ≤ c P(S) for every event S; math.inf if none.

    Its logarithm is the privacy loss ε; the value returned is c itself. A bound that holds for
    every single output adds up to every event, and single outputs are events, so outputs suffice.

    Raises ParameterError for something that is not a distribution.
    """
    least = Fraction(1)
    for a, b in _outputs(checked(p), checked(q)).values():
        if (a == 0) != (b == 0):
            return math.inf
        if a:
            least = max(least, Fraction(a) / b, Fraction(b) / a)
    return least


def worst_event(p: Distribution, q: Distribution, c: Rational) -> Event:
    """The smallest event S that maximizes P(S) − c Q(S): the outputs ω with P(ω) > c Q(ω)."""
    number = level(c)
    pairs = _outputs(checked(p), checked(q))
    return frozenset(output for output, (a, b) in pairs.items() if a > number * b)


def hockey_stick(p: Distribution, q: Distribution, c: Rational) -> Fraction:
    """The hockey-stick divergence: the maximum over events S of P(S) − c Q(S), at least 0.

    It is the least δ for which P(S) ≤ c Q(S) + δ for every S. Raises ParameterError for c < 1 or
    something that is not a distribution.
    """
    number = level(c)
    pairs = _outputs(checked(p), checked(q)).values()
    return sum((max(a - number * b, Fraction(0)) for a, b in pairs), Fraction(0))


def is_indistinguishable(p: Distribution, q: Distribution, c: Rational, delta: Rational = 0) -> bool:
    """Whether P(S) ≤ c Q(S) + δ and Q(S) ≤ c P(S) + δ for every event S (as in Definition 2.2).

    Raises ParameterError for c < 1, δ outside [0, 1), or something that is not a distribution.
    """
    allowed = failure(delta)
    return hockey_stick(p, q, c) <= allowed and hockey_stick(q, p, c) <= allowed


def events(p: Distribution, q: Distribution) -> Iterator[Event]:
    """All 2^n events over the outputs of P and Q, the empty one first."""
    outputs = list(_outputs(p, q))
    for size in range(len(outputs) + 1):
        yield from map(frozenset, combinations(outputs, size))


def holds_on_every_event(p: Distribution, q: Distribution, c: Rational, delta: Rational = 0) -> bool:
    """What :func:`is_indistinguishable` decides, by its definition, one event after the other."""
    number, allowed = level(c), failure(delta)
    return all(
        first(s) <= number * second(s) + allowed
        for first, second in ((_measure(p), _measure(q)), (_measure(q), _measure(p)))
        for s in events(p, q)
    )


def hockey_stick_over_events(p: Distribution, q: Distribution, c: Rational) -> Fraction:
    """What :func:`hockey_stick` computes, by its definition, one event after the other."""
    number, of_p, of_q = level(c), _measure(p), _measure(q)
    return max(of_p(s) - number * of_q(s) for s in events(p, q))


def _measure(distribution: Distribution) -> Callable[[Event], Fraction]:
    def measure(event: Event) -> Fraction:
        return sum((distribution.get(output, Fraction(0)) for output in event), Fraction(0))

    return measure
