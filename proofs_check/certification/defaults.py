"""Which mechanism is taken where none is named: the one with the least mean error by the specification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib import import_module
from typing import Any

from establish.impl.cards import of_counts
from establish.impl.mechanisms.defaults import settled
from establish.impl.mechanisms.growth_laplace import SIZES
from establish.proofs_check.certification.subject import refused
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP, Number
from establish.spec.parameters import ParameterError

GIVEN = (("1/10", "2"), ("1/20", "1/2"), ("1/5", "1"), ("1/10", "1/20"))
"""α and ε; at the last only mechanisms on a logarithmic scale are defined."""

KINDS = ((True, False), (True, True), (False, False))
"""Whether the largest establishment of a cell is given, and whether it holds one at most."""


@cache
def _rated(alpha: Fraction, epsilon: Fraction) -> Mapping[str, tuple[Number, bool]]:
    """By mechanism, its mean error in units of max(α·n, 1) over SIZES, and whether its noise follows the
    largest establishment.
    """
    found = {}
    for name, card in of_counts().items():
        if card.since and card.takes == ("alpha", "epsilon"):
            specified = card.load().specified["tight"]
            try:
                made = specified(alpha, epsilon)
            except ParameterError:
                continue
            shares = (_error(made, Fraction(n)) / max(MP.number(alpha * n), MP.number(1)) for n in SIZES)
            found[name] = sum(shares) / len(SIZES), hasattr(made, "cell_law")
    return found


def _error(specified: Any, count: Fraction) -> Number:
    """E|out − n| for a cell of one establishment, by a method of the specification or of its module."""
    if hasattr(specified, "mean_absolute_error"):
        return specified.mean_absolute_error(count)
    return import_module(type(specified).__module__).error_of_one(specified, count)


def _is_least(alpha: str, epsilon: str, largest: bool, one: bool) -> bool:
    """Whether the mechanism that is taken has the least mean error among those for such cells."""
    every = _rated(Fraction(alpha), Fraction(epsilon))
    fitting = {name: error for name, (error, follows) in every.items() if follows}
    if one or not largest or not fitting:
        fitting = {name: error for name, (error, _) in every.items()}
    least = min(fitting, key=lambda name: fitting[name])
    found = settled(None, None, alpha=alpha, epsilon=epsilon, largest=largest, one=one)
    told = float(re.findall(r"expected error is ([0-9.e+-]+|inf)·", found.why[0])[0])
    meant = float(fitting[least])
    return found.name == least and (told == meant or abs(told - meant) <= 1e-3 * meant)


def _is_settled(name: str, calibration: str | None) -> bool:
    """Whether a name alone means the least noise that is proved, with a word where a paper has more."""
    kind = of_counts()[name].load()
    kinds = {(specified, str(kind.domains[each])) for each, specified in kind.specified.items()}
    found = settled(name, calibration, alpha="1/10", epsilon=2, largest=True)
    if calibration is not None:
        return (found.name, found.calibration, found.why) == (name, calibration, ())
    meant = "tight" if len(kinds) == len(kind.specified) else "published"
    return (found.name, found.calibration, bool(found.why)) == (name, meant, len(kinds) > 1)


def _cases() -> Iterator[tuple[str, bool]]:
    for given in GIVEN:
        for largest, one in KINDS:
            yield f"{given}, {largest}, {one}", _is_least(*given, largest, one)
    for name, card in of_counts().items():
        for calibration in (None, *card.load().specified):
            yield f"{name}, {calibration}", _is_settled(name, calibration)
        for other in (name, None):
            unknown = refused(settled, other, "exact", alpha="1/10", epsilon=2, largest=True)
            yield f"{other}, exact", unknown


@cache
def defaults() -> Evidence:
    """Evidence that what is taken where nothing is named is the least noise that is proved."""
    return exhaustive.for_all(
        _cases(),
        lambda case: case[1],
        "where no mechanism is named the one with the least mean error by the specification is taken",
        f"{len(GIVEN)} α and ε, cells of one and of many establishments, with and without their largest; "
        "every name",
    )
