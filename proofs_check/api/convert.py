"""What a guarantee of one definition of privacy implies under another one, and by which theorem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from typing import TYPE_CHECKING

from establish.proofs_check.api.asked import require_one_of
from establish.proofs_check.api.told import Told
from establish.proofs_check.engine.misuse import Misuse
from establish.proofs_check.limits.digits import decimal
from establish.spec.parameters import ParameterError, Rational, exact

if TYPE_CHECKING:
    from establish.proofs_check.api.conversions import Guarantee
    from establish.proofs_check.outputs.questions import Converted

TARGETS = ("epsilon", "delta", "mu", "rho", "renyi")
"""What may be asked: ε at a δ, δ at an ε, μ, ρ, the Rényi divergence at an order."""

LEAST, MOST = Fraction(1, 10**6), Fraction(1000)
MOST_MU = Fraction(40)
LEAST_DELTA = Fraction(1, 10**50)
"""The ranges in which every value is enclosed in fifteen digits at once."""

_POINT = {"epsilon": "delta", "delta": "epsilon", "renyi": "order"}
"""At what a target is asked."""


@dataclass(frozen=True, repr=False)
class Conversion(Told):
    """What follows. row: both ends of the value and the theorem, as ``--json`` writes them."""

    given: Guarantee
    row: Converted

    @property
    def lower(self) -> Fraction:
        """The value of the formula is at least this."""
        return Fraction(self.row["lower_exact"])

    @property
    def upper(self) -> Fraction:
        """What the guarantee implies: the value of the formula is at most this."""
        return Fraction(self.row["upper_exact"])

    def lines(self) -> Iterator[str]:
        """What ``establish convert`` prints."""
        from establish.proofs_check.api.conversions import SYMBOLS

        row, high = self.row, _written(self.upper, ROUND_CEILING)
        at = "".join(f" at {SYMBOLS.get(name, name)} = {value}" for name, value in row["at"].items())
        if row["at"] == {"delta": "0"}:
            at = ""  # which is pure ε
        sign = "=" if Fraction(high) == self.lower else "≤"
        yield f"{self.given} implies {SYMBOLS[row['to']]} {sign} {high}{at}"
        if sign == "≤":
            yield f"  rounded up; the formula's value is at least {_written(self.lower, ROUND_FLOOR)} (Arb)"
        if row["order"]:
            yield f"  by the Rényi divergence at order {float(Fraction(row['order'])):.9g}"
        if row["least"]:
            yield f"  no smaller value is right for every such mechanism: {row['attained_by']}"
        else:
            yield "  a smaller value may be right as well"
        yield f"  theorem: {row['by']}"
        yield f"  evidence: {row['evidence']}"


def convert(
    *,
    to: str,
    epsilon: Rational | None = None,
    delta: Rational | None = None,
    mu: Rational | None = None,
    rho: Rational | None = None,
    renyi: Rational | None = None,
    order: Rational | None = None,
    at_delta: Rational | None = None,
    at_epsilon: Rational | None = None,
    at_order: Rational | None = None,
) -> Conversion:
    """What a guarantee of one definition implies under another one, for every mechanism that satisfies it.

    Give one guarantee, exactly: epsilon (pure, or with a delta), mu (Gaussian), rho (zero-concentrated), or
    renyi with its order (a Rényi divergence). to: one of TARGETS. at_delta in [0, 1): where ε is asked, by
    default 0, which is pure ε. at_epsilon ≥ 0: where δ is asked. at_order > 1: where the Rényi divergence is.
    Raises ParameterError for other values and where nothing follows, with the reason; Misuse for a missing
    value, or one that does not go with the others.
    """
    require_one_of("to", to, TARGETS)
    named = {"epsilon": epsilon, "delta": delta, "mu": mu, "rho": rho, "renyi": renyi, "order": order}
    given = _given({name: value for name, value in named.items() if value is not None})
    points = {"delta": at_delta, "epsilon": at_epsilon, "order": at_order}
    at = _at(to, {name: value for name, value in points.items() if value is not None})

    from establish.proofs_check.api.conversions import NoConversionError, converted

    try:
        found = converted(given, to, at)
    except NoConversionError as why:
        raise ParameterError(f"to = {to} does not follow from {given}: {why}") from None
    low, high = found.ends
    point = _POINT.get(to)
    return Conversion(
        given,
        {
            "given": given.named(),
            "to": to,
            "at": {} if point is None else {point: str(at)},
            "lower": float(low),
            "lower_exact": str(low),
            "upper": float(high),
            "upper_exact": str(high),
            "least": bool(found.attained),
            "attained_by": found.attained,
            "order": "" if found.order is None else str(found.order),
            "by": found.by,
            "claim": found.claim,
            "evidence": found.evidence,
        },
    )


def _given(values: Mapping[str, Rational]) -> Guarantee:
    """The one guarantee. Raises Misuse where there is none or more than one, ParameterError outside."""
    from establish.proofs_check.api.conversions import Guarantee

    kinds = [name for name in ("epsilon", "mu", "rho", "renyi") if name in values]
    if len(kinds) != 1:
        told = " and ".join(f"--{name}" for name in kinds)
        wrong = f"{told} do not go together" if kinds else "a guarantee is missing"
        raise Misuse(f"{wrong}: give --epsilon (with --delta), --mu, --rho or --renyi with --order")
    (kind,) = kinds
    for second, first in (("delta", "epsilon"), ("order", "renyi")):
        if second in values and kind != first:
            raise Misuse(f"--{second} does not go with --{kind}: it goes with --{first}; see --at-{second}")
    if kind == "epsilon":
        delta = _delta("delta", values.get("delta", 0))
        least = Fraction(0) if delta else LEAST
        return Guarantee("approximate", _within("epsilon", values[kind], least, MOST), delta)
    if kind == "renyi":
        if "order" not in values:
            raise Misuse("--order is missing: give the order of --renyi")
        return Guarantee(kind, _within(kind, values[kind], LEAST, MOST), _order("order", values["order"]))
    return Guarantee(kind, _within(kind, values[kind], LEAST, MOST_MU if kind == "mu" else MOST))


def _at(to: str, values: Mapping[str, Rational]) -> Fraction:
    """Where the target is asked; 0 for one that is asked nowhere. Raises Misuse and ParameterError."""
    point = _POINT.get(to)
    for name in values:
        if name != point:
            raise Misuse(f"--at-{name} does not go with --to {to}" + (f": use --at-{point}" if point else ""))
    if point == "delta":
        return _delta("--at-delta", values.get("delta", 0))
    if point is None:
        return Fraction(0)
    if point not in values:
        raise Misuse(f"--at-{point} is missing: say at which {point} {to} is wanted")
    if point == "order":
        return _order("--at-order", values[point])
    return _within("--at-epsilon", values[point], Fraction(0), MOST)


def _within(name: str, value: Rational, least: Fraction, most: Fraction) -> Fraction:
    number = exact(name, value)
    if not least <= number <= most:
        raise ParameterError(f"{name} = {value} is not allowed: it must lie between {least} and {most}")
    return number


def _order(name: str, value: Rational) -> Fraction:
    number = exact(name, value)
    if not 1 + LEAST <= number <= 1 / LEAST:
        raise ParameterError(
            f"{name} = {value} is not allowed: it must lie between 1 + {LEAST} and {1 / LEAST}"
        )
    return number


def _delta(name: str, value: Rational) -> Fraction:
    number = exact(name, value)
    if number and not LEAST_DELTA <= number < 1:
        raise ParameterError(
            f"{name} = {value} is not allowed: it must be 0, or lie between 10^-50 and 1, without 1"
        )
    return number


def _written(value: Fraction, rounding: str) -> str:
    """A decimal of fifteen digits, rounded away from the value that is enclosed."""
    return f"{decimal(value, 15, rounding):g}"
