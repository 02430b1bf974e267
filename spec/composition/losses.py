"""Privacy losses that add up exactly: (ε, δ), μ by its square, and ρ by the size of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import isqrt
from typing import TypeVar

from establish.spec.arithmetic import MP
from establish.spec.parameters import ParameterError, Rational, nonnegative
from establish.spec.policies import POLICIES


@dataclass(frozen=True)
class Approximate:
    """A loss of (ε, δ): ε ≥ 0 and 0 ≤ δ < 1 as exact rationals; δ = 0 is the pure loss ε.

    A sum of δ may reach 1: it then promises nothing, and no cap allows it.
    """

    epsilon: Fraction
    delta: Fraction = Fraction(0)

    @classmethod
    def of(cls, epsilon: Rational, delta: Rational = 0) -> Approximate:
        """From what a user writes. Raises ParameterError for ε < 0, δ < 0, δ ≥ 1, or no rational."""
        failure = nonnegative("delta", delta)
        if failure >= 1:
            raise ParameterError(f"delta = {delta} is not allowed: it must be less than 1")
        return cls(nonnegative("epsilon", epsilon), failure)

    def plus(self, other: Loss) -> Approximate:
        """Both releases on the same data. Raises ParameterError for a loss in μ."""
        mine = _same_kind(self, other)
        return Approximate(self.epsilon + mine.epsilon, self.delta + mine.delta)

    def times(self, releases: int) -> Approximate:
        """``releases`` ≥ 0 releases of this loss on the same data."""
        return Approximate(releases * self.epsilon, releases * self.delta)

    def either(self, other: Loss) -> Approximate:
        """Releases of which only one changes between neighbors: the larger ε and the larger δ."""
        mine = _same_kind(self, other)
        return Approximate(max(self.epsilon, mine.epsilon), max(self.delta, mine.delta))

    def within(self, cap: Loss) -> bool:
        """Whether neither ε nor δ is above the cap's."""
        mine = _same_kind(self, cap)
        return self.epsilon <= mine.epsilon and self.delta <= mine.delta

    def left(self, spent: Loss) -> Approximate:
        """What is left of this cap after a loss within it."""
        gone = _same_kind(self, spent)
        return Approximate(self.epsilon - gone.epsilon, self.delta - gone.delta)

    def record(self) -> dict[str, str]:
        """As exact text, for JSON."""
        return {"epsilon": str(self.epsilon), "delta": str(self.delta)}

    def __str__(self) -> str:
        return f"ε = {self.epsilon}" + (f", δ = {self.delta}" if self.delta else "")


@dataclass(frozen=True)
class Gaussian:
    """A loss of μ, kept as μ² ≥ 0, which is what adds up and stays rational."""

    mu_squared: Fraction

    @classmethod
    def of(cls, mu: Rational) -> Gaussian:
        """From μ ≥ 0 as a user writes it. Raises ParameterError otherwise."""
        return cls(nonnegative("mu", mu) ** 2)

    def plus(self, other: Loss) -> Gaussian:
        """Both releases on the same data. Raises ParameterError for a loss in ε."""
        return Gaussian(self.mu_squared + _same_kind(self, other).mu_squared)

    def times(self, releases: int) -> Gaussian:
        """``releases`` ≥ 0 releases of this loss on the same data."""
        return Gaussian(releases * self.mu_squared)

    def either(self, other: Loss) -> Gaussian:
        """Releases of which only one changes between neighbors: the larger μ."""
        return Gaussian(max(self.mu_squared, _same_kind(self, other).mu_squared))

    def over(self, steps: int) -> Gaussian:
        """Between datasets that are ``steps`` ≥ 1 neighbor steps apart: steps·μ."""
        return Gaussian(steps**2 * self.mu_squared)

    def within(self, cap: Loss) -> bool:
        """Whether μ is not above the cap's, decided on the squares."""
        return self.mu_squared <= _same_kind(self, cap).mu_squared

    def left(self, spent: Loss) -> Gaussian:
        """What is left of this cap after a loss within it."""
        return Gaussian(self.mu_squared - _same_kind(self, spent).mu_squared)

    def record(self) -> dict[str, str]:
        """As exact text, for JSON."""
        return {"mu_squared": str(self.mu_squared)}

    def __str__(self) -> str:
        root = Fraction(isqrt(self.mu_squared.numerator), isqrt(self.mu_squared.denominator))
        if root**2 == self.mu_squared:
            return f"μ = {root}"
        return f"μ = √({self.mu_squared}) ≈ {float(MP.sqrt(MP.number(self.mu_squared))):.6g}"


@dataclass(frozen=True)
class PerRecord:
    """A loss of Σ ρ_f·f(x) for a record of size x, with rationals ρ_f > 0 by policies f, in their order.

    Rényi divergences of adaptive releases add up at each order, and so do these.
    """

    policies: tuple[tuple[str, Fraction], ...] = ()

    @classmethod
    def of(cls, rho: Mapping[str, Rational]) -> PerRecord:
        """From ρ ≥ 0 by policy. Raises ParameterError for another, or a policy that is not in POLICIES."""
        for policy in rho:
            if policy not in POLICIES:
                raise ParameterError(f"policy = {policy} is not known: use one of {', '.join(POLICIES)}")
        exactly = {policy: nonnegative("rho", rho[policy]) for policy in POLICIES if policy in rho}
        return cls(tuple((policy, value) for policy, value in exactly.items() if value))

    def _with(self, other: Loss, each: Callable[[Fraction, Fraction], Fraction]) -> PerRecord:
        mine, others = dict(self.policies), dict(_same_kind(self, other).policies)
        nothing = Fraction(0)
        return PerRecord.of({f: each(mine.get(f, nothing), others.get(f, nothing)) for f in {*mine, *others}})

    def plus(self, other: Loss) -> PerRecord:
        """Both releases on the same data. Raises ParameterError for a loss of another kind."""
        return self._with(other, lambda one, two: one + two)

    def times(self, releases: int) -> PerRecord:
        """``releases`` ≥ 0 releases of this loss on the same data."""
        return PerRecord.of({policy: releases * rho for policy, rho in self.policies})

    def either(self, other: Loss) -> PerRecord:
        """Releases of which only one changes between neighbors: by each policy the larger ρ."""
        return self._with(other, max)

    def both(self, other: Loss) -> PerRecord:
        """By each policy the smaller ρ."""
        return self._with(other, min)

    def within(self, cap: Loss) -> bool:
        """Whether by no policy ρ is above the cap's: where that is so, no record loses more than the cap."""
        allowed = dict(_same_kind(self, cap).policies)
        return all(rho <= allowed.get(policy, 0) for policy, rho in self.policies)

    def left(self, spent: Loss) -> PerRecord:
        """What is left of this cap after a loss within it."""
        return self._with(spent, lambda allowed, gone: allowed - gone)

    def record(self) -> dict[str, dict[str, str]]:
        """As exact text, for JSON."""
        return {"rho": {policy: str(rho) for policy, rho in self.policies}}

    def __str__(self) -> str:
        return "ρ(x) = " + (" + ".join(f"{rho}·{policy}" for policy, rho in self.policies) or "0")


Loss = Approximate | Gaussian | PerRecord
"""What a release costs under its privacy definition."""

L = TypeVar("L", Approximate, Gaussian, PerRecord)


def _same_kind(mine: L, other: Loss) -> L:
    if not isinstance(other, type(mine)):
        raise ParameterError(f"({mine}) and ({other}) are losses of different kinds: no rule adds them up")
    return other


def in_sequence(losses: Iterable[Loss]) -> Loss:
    """All of the releases on the same data, each with fresh noise. ValueError for none."""
    given = list(losses)
    if not given:
        raise ValueError("no releases to add up")
    return reduce(lambda total, loss: total.plus(loss), given)
