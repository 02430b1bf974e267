"""Whether a function computes with binary floats, as far as its code shows: rounding decides nothing."""

import math
import types
from itertools import pairwise
from typing import Any

from establish.proofs_check.engine.statements.lasting import codes_used, steps_of

EXACT = {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "prod", "trunc"}
"""Functions of `math` that give whole numbers of whole numbers and rationals."""

FLOATS = {"float", "complex", "fromhex", "__float__", "__complex__", "__truediv__", "__rtruediv__", "__pow__"}
"""Names that stand for floats, or for operations that give them."""

ASKING = {"isfinite", "isinf", "isnan", "inf"}
"""Names of it that compute nothing."""


def what_rounds(function: Any) -> str:
    """The float, or what gives one, that ``function`` or a helper of its module uses; or empty."""
    for code, scope in codes_used(function):
        if rounded := _number_in(code.co_consts) or _called(code, scope):
            return rounded
        if named := FLOATS & set(code.co_names) - scope.keys():
            return min(named)
    return ""


def _number_in(constants: tuple[Any, ...]) -> str:
    for one in constants:
        if isinstance(one, float):
            return f"the binary float {one!r}"
        if isinstance(one, tuple | frozenset) and (inner := _number_in(tuple(one))):
            return inner
    return ""


def _called(code: types.CodeType, scope: dict[str, Any]) -> str:
    """A function of `math` by its own name, or after the module's."""
    steps = steps_of(code)
    for step, after in pairwise(steps):
        if step.opname not in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF"):
            continue
        value = scope.get(step.argval)
        name = after.argval if value is math else getattr(value, "__name__", "")
        if (value is math or getattr(value, "__module__", "") == "math") and name not in EXACT | ASKING:
            return f"math.{name}"
    return ""
