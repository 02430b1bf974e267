"""Whether a function computes with binary floats, as far as its code shows: rounding decides nothing."""

import math
import re
import types
from itertools import pairwise
from typing import Any

from establish.proofs_check.engine.statements.lasting import codes_used, steps_of, values_used

EXACT = {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "prod", "trunc"}
"""Functions of `math` that give whole numbers of whole numbers and rationals."""

FLOATS = {"float", "complex", "fromhex"}
"""Names that stand for floats, or for operations that give them."""

DUNDER = re.compile("__[a-z_]+__")
"""Names of what operations call: with these nobody sees what is done."""

SEEN = {"__ceil__", "__floor__"}
"""Those that are exact."""

ASKING = {"isfinite", "isinf", "isnan", "inf"}
"""Names of it that compute nothing."""


def what_rounds(function: Any) -> str:
    """The float, or what gives one, that ``function`` or a helper of its module uses; or empty."""
    for code, scope in codes_used(function):
        if rounded := _number_in(code.co_consts) or _called(code, scope):
            return rounded
        hidden = {name for name in code.co_names if DUNDER.fullmatch(name)} - SEEN
        if named := hidden | FLOATS & set(code.co_names) - scope.keys():
            return min(named)
    for name, value in values_used(function):
        if isinstance(value, float | complex) and value not in (math.inf, -math.inf):
            return f"the binary float {value!r} in {name}"
        if _of_math(value):
            return f"math.{value.__name__}"
    return ""


def _of_math(value: Any) -> bool:
    """Whether it is a function of `math` that gives floats."""
    kind = isinstance(value, types.BuiltinFunctionType) and value.__module__ == "math"
    return kind and value.__name__ not in EXACT | ASKING


def _number_in(constants: tuple[Any, ...]) -> str:
    for one in constants:
        if isinstance(one, float | complex):
            return f"the binary float {one!r}"
        if isinstance(one, tuple | frozenset) and (inner := _number_in(tuple(one))):
            return inner
    return ""


def _called(code: types.CodeType, scope: dict[str, Any]) -> str:
    """A function of `math` after the module's name."""
    steps = steps_of(code)
    for step, after in pairwise(steps):
        read = step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF")
        if read and scope.get(step.argval) is math and after.argval not in EXACT | ASKING:
            return f"math.{after.argval}"
    return ""
