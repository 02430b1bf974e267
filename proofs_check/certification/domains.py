"""Which parameters and counts the mechanisms on counts take, and what a refusal tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np

from establish.impl.cards import of_counts
from establish.impl.counts import largest_within, whole_counts
from establish.impl.mechanisms import mechanism
from establish.impl.mechanisms.on_counts import CALIBRATIONS
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.proofs_check.certification.printed_domains import includes
from establish.proofs_check.certification.subject import refused
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP
from establish.spec.domains import SYMBOLS, Domain, formula
from establish.spec.parameters import ParameterError

SHARES = tuple(map(Fraction, ("1/1000000", "1/100", "1/10", "1/2", "2")))
LEVELS = tuple(map(Fraction, ("1/10", "1", "4")))
"""Values of α, and of ε where δ is looked at."""

FACTORS = tuple(map(Fraction, ("1/2", "9/10", "999/1000", "1001/1000", "11/10", "2")))
"""How far from the least ε, or the least δ, parameters lie that are asked for."""

EXACT = tuple(map(Fraction, ("999/1000000", "1/1000", "999/1000", "1", "1001/1000", "50", "51")))
"""Where inequalities of rationals may end."""

SMALLEST, LARGEST = Fraction(1, 10**9), Fraction(10**3)
"""Between these the least value of a parameter is looked for."""

HALVINGS = 30

At = dict[str, Fraction]

Case = tuple[Callable[[], object], bool]
"""What makes a mechanism, and whether its parameters are in its domain."""


@dataclass(frozen=True)
class Kind:
    """A mechanism on counts at one calibration, and the domain that it prints."""

    runs: Any
    calibration: str
    takes: tuple[str, ...]

    @property
    def domain(self) -> Domain:
        found: Domain = self.runs.domains[self.calibration]
        return found

    def make(self, at: Mapping[str, Fraction]) -> Any:
        return self.runs(**at, calibration=self.calibration)

    def case(self, at: At) -> Case:
        """What it does there, and what its printed domain says, by the second reader of domains."""
        return partial(self.make, at), includes(str(self.domain), at)

    def bound(self, at: At, name: str) -> Fraction | None:
        """The least value of a parameter, the others being given; None where there is none to be found."""
        most = Fraction(99, 100) if name == "delta" else LARGEST
        outside, inside = SMALLEST, most
        if not includes(self.domain.says, {**at, name: inside}) or includes(
            self.domain.says, {**at, name: outside}
        ):
            return None
        for _ in range(HALVINGS):
            middle = (
                Fraction(float(outside * inside) ** 0.5) if inside > 2 * outside else (outside + inside) / 2
            )
            if includes(self.domain.says, {**at, name: middle}):
                inside = middle
            else:
                outside = middle
        return inside


def _kinds() -> Iterator[Kind]:
    for card in of_counts().values():
        runs = card.load()
        yield from (Kind(runs, calibration, card.takes) for calibration in runs.specified)


def _near() -> Iterator[tuple[Kind, At]]:
    """Parameters around the least ε and the least δ, and around rationals."""
    for kind in _kinds():
        for alpha, level in product(SHARES, LEVELS if "delta" in kind.takes else LEVELS[:1]):
            point = {"alpha": alpha, "epsilon": level, "delta": Fraction(1, 100), "rho": level}
            at = {name: point[name] for name in kind.takes}
            name = next(each for each in ("delta", "rho", "epsilon") if each in at)
            bound = kind.bound(at, name)
            if bound is not None:
                yield from ((kind, {**at, name: bound * factor}) for factor in FACTORS)
            if alpha == SHARES[2]:
                yield from ((kind, {**at, name: value}) for name in at if name != "delta" for value in EXACT)


def _ends() -> Iterator[Case]:
    """Every parameter at the ends of its domain, and calibrations, for every mechanism."""
    for kind in _kinds():
        at = {name: Fraction(4) if name == "epsilon" else Fraction(1, 2) for name in kind.takes}
        yield kind.case(at)
        for name in kind.takes:
            ends = (0, -1, *([1, 2] if name == "delta" else []))
            yield from ((partial(kind.make, {**at, name: Fraction(end)}), False) for end in ends)
        for other in {*CALIBRATIONS, "exact"} - {*kind.runs.specified}:
            yield partial(kind.runs, **at, calibration=other), False
        if kind.takes == ("alpha", "epsilon"):
            yield partial(kind.make, {**at, "alpha": Fraction(1, 10**301)}), False


def _truncated() -> Iterator[Case]:
    most = 2**53 - 1
    for level, good in ((Fraction(1, 10**6), True), (Fraction(0), False), (Fraction(-1), False)):
        yield partial(TruncatedLaplace, level, 5), good
    for theta, good in ((1, False), (2, True), (most, True), (most + 1, False), (True, False)):
        yield partial(TruncatedLaplace, 1, theta), good
    for theta, good in ((0, False), (1, True)):
        yield partial(TruncatedLaplace, 1, theta, "at-most"), good
    yield partial(TruncatedLaplace, 1, 5, "above"), False
    yield partial(TruncatedLaplace, 1, 5, "below", "exact"), False


def _named() -> Iterator[Case]:
    """What a name needs, and what it does not take."""
    given: dict[str, Any] = {"epsilon": 2, "alpha": "1/10", "delta": "1/9", "rho": "1/8"}
    for name, card in of_counts().items():
        taken = {each: given[each] for each in card.takes}
        yield partial(mechanism, name, **taken), True
        for each in card.takes:
            yield partial(mechanism, name, **{key: taken[key] for key in taken if key != each}), False
        for other in {*given} - {*taken, "alpha"}:
            yield partial(mechanism, name, **taken, **{other: given[other]}), False
        yield partial(mechanism, name, **{**taken, "alpha": 0}), False
    yield partial(mechanism, "noise", epsilon=2, alpha="1/10"), False


def _counts() -> Iterator[Case]:
    """Counts at the ends, and largest establishments that a cell can and cannot have."""
    most = 2**53 - 1
    for value, good in ((0, True), (most, True), (-1, False), (most + 1, False), (0.5, False)):
        yield partial(whole_counts, "n", np.array([3, value])), good
    for other in (float("nan"), float("inf")):
        yield partial(whole_counts, "n", np.array([3.0, other])), False
    yield partial(whole_counts, "n", np.array(["1"])), False
    yield partial(whole_counts, "n", np.array([[1]])), False
    counts = np.array([5.0, 0.0])
    for largest, good in (
        ((5, 0), True),
        ((1, 0), True),
        ((0, 0), False),
        ((6, 0), False),
        ((5, 1), False),
        ((5,), False),
    ):
        yield partial(largest_within, "largest", np.array(largest), counts), good


@cache
def domains() -> Evidence:
    """Evidence that the mechanisms take the parameters for which they are private, and no others."""
    near = (kind.case(at) for kind, at in _near())
    return exhaustive.for_all(
        (*near, *_ends(), *_truncated(), *_named(), *_counts()),
        lambda case: refused(case[0]) != case[1],
        "mechanisms on counts take exactly the parameters and the counts that their conditions allow",
        "five α, ε and δ from half to twice their least values, 1 in 1000 off them and farther; rational "
        "ends",
    )


REFUSAL = re.compile(
    r"needs (.+) (<=|<|>=) (.+), but (.+) \(.*\): (.+?)(?:; [\w-]+(?: = \w+)? would serve)?$"
)
ADVICE = re.compile(r"(raise|lower) ([αερ]) (above|below|to) ([\w.+-]+)(?: or more| or less)?(?=,| or |$)")
OFF = Fraction(1, 500)
"""So far beyond what advice says, which has 4 digits, a condition is true, and before it is not."""

CLOSE = Fraction(1, 10**12)
"""What is allowed, and so little before it is not, is the very end: advice says that it is allowed."""


def _refusals() -> Iterator[tuple[Kind, At]]:
    """Parameters outside of an inequality of the domain."""
    return ((kind, at) for kind, at in _near() if not includes(kind.domain.says, at))


def _is_told(case: tuple[Kind, At]) -> bool:
    """Whether a refusal tells both sides of an inequality that is false there, as they are, and advice that
    makes it true and no smaller change.
    """
    kind, at = case
    try:
        kind.make(at)
    except ParameterError as error:
        found = REFUSAL.search(str(error))
    else:
        return False
    if found is None:
        return False
    left, relation, right, sides, advice = found.groups()
    condition = f"{left} {relation} {right}"
    if includes(condition, at) or not all(
        _is_side(kind, at, *side.split(" = ")) for side in sides.split(" and ")
    ):
        return False
    advised = ADVICE.findall(advice)
    return bool(advised) and all(_is_bound(condition, at, *words) for words in advised)


def _is_side(kind: Kind, at: At, name: str, told: str) -> bool:
    side = kind.domain.formulas.get(name) or formula(name)
    return bool(
        abs(MP.number(side(at, MP)) - MP.number(Fraction(told))) <= abs(MP.number(Fraction(told))) * 1e-4
    )


def _is_bound(condition: str, at: At, verb: str, symbol: str, side: str, told: str) -> bool:
    name = SYMBOLS[symbol]
    sign = 1 if verb == "raise" else -1
    beyond, end, close, before = (
        includes(condition, {**at, name: Fraction(told) * (1 + sign * off)}) for off in (OFF, 0, -CLOSE, -OFF)
    )
    return beyond and not before and (side == "to") == (end and not close)


@cache
def advice() -> Evidence:
    """Evidence that what a refusal tells is so, and that its advice leads into the domain."""
    return exhaustive.for_all(
        _refusals(),
        _is_told,
        "a refusal of parameters tells both sides of its inequality, and what would be allowed",
        "ε and δ below their least values, five α, every mechanism whose domain is an inequality",
    )
