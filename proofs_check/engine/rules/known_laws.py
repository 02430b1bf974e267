"""The laws that rules may read: those of the specification, and no object with a method of the same name."""

import sys
from dataclasses import fields
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError
from establish.proofs_check.terms.trees import Term, parts
from establish.proofs_check.terms.values import values
from establish.spec.parameters import ParameterError

HOME = "establish.spec.distributions."
"""Where laws are written: what has the mass 1 is a matter of the specification and its tests."""


def known(law: Any) -> Any:
    """``law`` itself. Raises RuleError where its class is none of the specification, or refuses its
    parameters, so that nothing says that what it calls a density has the mass 1.
    """
    kind = type(law)
    module = sys.modules.get(kind.__module__)
    if not kind.__module__.startswith(HOME) or getattr(module, kind.__qualname__, None) is not kind:
        raise RuleError(
            f"{kind.__qualname__} is not a law of {HOME.removesuffix('.')}: nothing says that its mass is 1"
        )
    numbers = {f.name: _number(getattr(law, f.name)) for f in fields(law)}
    try:
        kind(**numbers)  # where a parameter is a constant formula, its own guard has not seen a number
    except ParameterError as error:
        raise RuleError(f"{kind.__qualname__} is no law there: {error}") from error
    return law


def _number(value: Any) -> Any:
    """A constant formula as the rational that it is, or is near to; all else as it is."""
    if not isinstance(value, Term) or any(part.op == "variable" for part in parts([value])):
        return value
    found = values([value], {})[0]
    if isinstance(found, Fraction) or not found.is_finite():
        return found
    middle = found.mid().fmpq()
    return Fraction(int(middle.p), int(middle.q))
