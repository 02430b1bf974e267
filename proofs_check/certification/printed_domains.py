"""The domain that stands in signed records is where the mechanism runs: it is read, and compared.

A printed domain is a list of inequalities between formulas of α, ε and δ, and of conditions that have a name.
It is evaluated at 50 digits at parameters on both sides of its bounds, and the mechanism is asked there.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from establish.proofs_check.certification.theorems import Runs, tried
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP
from establish.spec.domains import Unreadable, Values, formula
from establish.spec.mechanisms.growth_staircase import (
    BELOW_CONSTANT,
    UnbiasedGrowthStaircaseMechanism,
    flat_part,
    large_error,
)
from establish.spec.mechanisms.smooth_laplace import exact_delta
from establish.spec.parameters import ParameterError


def _below_constant(at: Values) -> bool:
    alpha, epsilon = at["alpha"], at["epsilon"]
    if not MP.log(1 + MP.number(alpha)) < MP.number(epsilon):
        return False
    return bool(large_error(alpha, epsilon, *flat_part(alpha, epsilon), MP) < 1 / MP.number(alpha))


def _increases(at: Values) -> bool:
    try:
        UnbiasedGrowthStaircaseMechanism(at["alpha"], at["epsilon"])
    except ParameterError:
        return False
    return True


def _exact_delta(at: Values) -> bool:
    return bool(exact_delta(at["alpha"], at["epsilon"], MP) <= MP.number(at["delta"]))


NAMED: Mapping[str, Callable[[Values], bool]] = {
    BELOW_CONSTANT: _below_constant,
    "g increases": _increases,
    "exact δ* <= δ": _exact_delta,
}
"""Conditions that no short formula says; the last is the exact δ of the noise."""


def _holds(condition: str, at: Values) -> bool:
    """Whether a printed condition, such as ``1/1000 <= ε <= 50``, is true at the parameters."""
    if condition in NAMED:
        return NAMED[condition](at)
    *parts, last = re.split(r"(<=|<|>=|>)", condition)
    sides, relations = [*parts[::2], last], parts[1::2]
    if not relations:
        raise Unreadable(condition)
    values = [formula(side)(at, MP) for side in sides]
    known = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
    return all(known[r](a, b) for r, (a, b) in zip(relations, pairwise(values), strict=True))


def includes(domain: str, at: Values) -> bool:
    """Whether every condition of a printed domain is true. Raises Unreadable."""
    return all(_holds(condition, at) for condition in re.split(", | and ", domain))


def printed(runs: Runs) -> Evidence:
    """Evidence that the mechanism runs where the domain that it prints says, and nowhere else."""

    def cases() -> Iterator[tuple[str, dict[str, Fraction], bool]]:
        for at, made in tried(runs):
            said = domain if made is None else made.domain
            yield said, at, made is not None

    domain = next(made.domain for _, made in tried(runs) if made is not None)
    return exhaustive.for_all(
        cases(),
        lambda case: includes(case[0], case[1]) == case[2],
        f"{runs.name} ({runs.calibration}) runs where {domain}, and nowhere else",
        "α from 1/1000 to 5, ε from 1/100000 to 60 and a thousandth around 1, 2, 3 and 5 times ln(1 + α), δ",
    )
