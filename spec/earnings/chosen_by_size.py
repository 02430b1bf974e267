"""A public rule that picks a mechanism for a cell by ε and the cell's noisy total only.

First the total is protected with ε_0; then a mechanism with ε_1 is picked by what came out, and run on the
cell. The pair has P(t, y) = P(t)·P_{pick(t)}(y) ≤ e^(ε_0)·P'(t)·e^(ε_1)·P'_{pick(t)}(y): the loss is
ε_0 + ε_1, because the pick looks at nothing but t.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from establish.spec.indistinguishability import Distribution
from establish.spec.parameters import ParameterError, Rational, exact, positive
from establish.spec.relations.relation import D

Choice = TypeVar("Choice")

Shares = tuple[Fraction, ...]
"""The shares of ε that a class spends: for the total that picks, then for what is released."""

_BINS: Shares = (Fraction(1, 20), Fraction(19, 20))
BY_SIZE: tuple[Shares, ...] = (*[_BINS] * 4, (Fraction(1, 20), Fraction(1, 5), Fraction(3, 4)))
"""Four classes of bins, and a last one that releases a count and percentiles."""

BINS_OR_GAPS: tuple[Shares, ...] = ((Fraction(1, 30), Fraction(29, 30)),) * 6
"""Five classes of bins, and one by equal gaps, which draws count and percentiles together."""


@dataclass(frozen=True)
class SizeRule(Generic[Choice]):
    """choices[k] for the k-th class of ε·total: below bounds[0], from bounds[0] to bounds[1], and so on.

    Raises ParameterError unless bounds increase and there is one choice more than bounds.
    """

    bounds: tuple[Fraction, ...]
    choices: tuple[Choice, ...]

    def __post_init__(self) -> None:
        if any(a >= b for a, b in zip(self.bounds, self.bounds[1:], strict=False)):
            raise ParameterError(f"bounds = {self.bounds} must increase")
        if len(self.choices) != len(self.bounds) + 1:
            raise ParameterError(f"{len(self.choices)} choices for {len(self.bounds)} bounds: one more")

    def pick(self, total: int, epsilon: Rational) -> Choice:
        """The choice for a noisy total, which may be negative. Raises ParameterError for ε ≤ 0."""
        size = positive("epsilon", epsilon) * exact("total", total)
        return self.choices[sum(size >= bound for bound in self.bounds)]


def chosen(
    total: Callable[[D], Distribution],
    pick: Callable[[Hashable], Choice],
    mechanisms: Mapping[Choice, Callable[[D], Distribution]],
) -> Callable[[D], Distribution]:
    """The law of (noisy total, output of the mechanism that was picked by it)."""

    def output(d: D) -> Distribution:
        laws = {choice: mechanism(d) for choice, mechanism in mechanisms.items()}
        return {(t, y): p * q for t, p in total(d).items() for y, q in laws[pick(t)].items()}

    return output


def cut_off(center: int, ratio: Fraction, least: int, most: int) -> Distribution:
    """The two-sided geometric law around ``center``, what leaves [least, most] moved to its ends.

    Finite, and private where the law is, since moving is a function of the output. ratio: e^(−ε) in (0, 1).
    Raises ParameterError for least ≥ most.
    """
    if least >= most:
        raise ParameterError(f"least = {least} must be below most = {most}")
    law: dict[Hashable, Fraction] = {}
    for k in range(least, most + 1):
        low = _below(k - center, ratio) if k > least else Fraction(0)
        high = _below(k + 1 - center, ratio) if k < most else Fraction(1)
        law[k] = high - low
    return law


def _below(k: int, ratio: Fraction) -> Fraction:
    """P(K < k) for the law around 0."""
    return ratio ** (1 - k) / (1 + ratio) if k <= 0 else 1 - ratio**k / (1 + ratio)


def jointly(laws: Sequence[Distribution]) -> Distribution:
    """The law of independent outputs, as tuples."""
    joint: dict[Hashable, Fraction] = {(): Fraction(1)}
    for law in laws:
        joint = {
            (*outputs, y): p * q  # type: ignore[misc]  # keys of joint are tuples
            for outputs, p in joint.items()
            for y, q in law.items()
        }
    return joint


def mapped(law: Distribution, f: Callable[[Hashable], Hashable]) -> Distribution:
    """The law of f of the output: post-processing."""
    image: dict[Hashable, Fraction] = {}
    for output, p in law.items():
        image[f(output)] = image.get(f(output), Fraction(0)) + p
    return image
