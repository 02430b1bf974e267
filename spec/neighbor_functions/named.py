"""How a user names or gives a neighbor function and its distance parameters."""

import re
from collections.abc import Callable, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import TypeAlias

import sympy
from flint import arb

from establish.spec.neighbor_functions.combinations import Combination
from establish.spec.neighbor_functions.conditions import Conditions, conditions
from establish.spec.neighbor_functions.enclosed_conditions import conditions_enclosed
from establish.spec.neighbor_functions.evaluated import Evaluated
from establish.spec.neighbor_functions.functions import (
    Expression,
    NeighborFunction,
    U,
    X,
    identity,
    logarithm,
    root,
)
from establish.spec.parameters import ParameterError, Rational, nonnegative

NAMES: dict[str, Callable[[], NeighborFunction]] = {"sqrt": root, "log": logarithm, "identity": identity}
"""The neighbor functions that have a name (Webb et al. 2025, Section 5.3, and 5.4.3 for identity)."""

SHIFTED: dict[str, Callable[[Rational], NeighborFunction]] = {"sqrt": root, "log": logarithm}
"""Those that may be shifted, "sqrt(x+1)" or "log(x+1/2)" (footnote 2)."""

_SHIFT = re.compile(r"(\w+)\(x\+([0-9./]+)\)")

Given: TypeAlias = str | sympy.Expr | Callable[[arb], arb] | NeighborFunction
"""What a user may give for ψ."""

REQUIRED = {
    "increasing": "strictly increasing",
    "continuous": "continuous",
    "concave": "concave",
    "log_convex": "convex after exp",
}
"""Conditions (1) to (4) of Definition 5.1, as messages name them."""


def neighbor_function(psi: Given) -> NeighborFunction:
    """ψ by its name, as a sympy expression in one symbol, or as a function from Arb ball to Arb ball.

    Names: sqrt, log, identity, and with a shift a ≥ 0 sqrt(x+a), log(x+a), spaces ignored. An
    expression or function that breaks a condition of Definition 5.1 is refused; one for which a
    condition stays undecided is not, and :func:`conditions_of_given` says which. ψ(0) = −∞ is allowed,
    as for log, for a function as ``Evaluated(..., real=False)``. Raises ParameterError.
    """
    if isinstance(psi, NeighborFunction):
        return psi
    if isinstance(psi, str):
        return _named(psi)
    given = _expression(psi) if isinstance(psi, sympy.Expr) else _evaluated(psi)
    found = conditions_of_given(given)
    broken = [REQUIRED[f.name] for f in fields(found) if _breaks(found, f.name)]
    if broken:
        raise ParameterError(
            f"psi = {given.name} is not allowed: it is not {', not '.join(broken)}, as Definition 5.1 "
            "of a neighbor function asks"
        )
    return given


def conditions_of_given(psi: NeighborFunction) -> Conditions:
    """The conditions of Definition 5.1 for any ψ: true, false, or None where not decided."""
    if isinstance(psi, (Expression, Combination)):
        return conditions(psi)
    if isinstance(psi, Evaluated):
        return conditions_enclosed(psi)
    raise TypeError(f"{type(psi).__name__} is not a neighbor function of this package")


def _breaks(found: Conditions, name: str) -> bool:
    return name in REQUIRED and getattr(found, name) is False


def _named(text: str) -> NeighborFunction:
    name = text.replace(" ", "")
    if name in NAMES:
        return NAMES[name]()
    shifted = _SHIFT.fullmatch(name)
    if shifted and shifted[1] in SHIFTED:
        return SHIFTED[shifted[1]](shifted[2])
    raise ParameterError(
        f"psi = {text} is not known: use {', '.join(NAMES)}, "
        f"{' or '.join(f'{name}(x+a)' for name in SHIFTED)} with a number a"
    )


def _expression(psi: sympy.Expr) -> Expression:
    if len(psi.free_symbols) != 1:
        raise ParameterError(f"psi = {psi} is not allowed: write it in one symbol")
    [symbol] = psi.free_symbols
    written = psi.subs(symbol, X)
    try:
        found = sympy.solve(written - U, X)
    except NotImplementedError:
        found = []  # sympy finds no inverse formula: ψ is then inverted by halving
    for inverse in found:
        try:
            return Expression(str(psi), written, inverse)
        except ParameterError:
            continue
    return Expression(str(psi), written, None)


def _evaluated(psi: Callable[[arb], arb]) -> Evaluated:
    if not callable(psi):
        raise ParameterError(f"psi = {psi!r} is not a name, an expression or a function")
    return Evaluated(getattr(psi, "__name__", "ψ"), psi)


def distance_parameters(gamma: Rational | Sequence[Rational]) -> tuple[Fraction, ...]:
    """γ_1, …, γ_k as exact rationals. Raises ParameterError for none, or for one below 0."""
    given = (gamma,) if isinstance(gamma, (int, str, float, Fraction)) else tuple(gamma)
    if not given:
        raise ParameterError("gamma = () is not allowed: give one or more numbers of at least 0")
    return tuple(nonnegative("gamma", value) for value in given)
