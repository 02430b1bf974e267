"""The operations of a predicate that runs: each raises StatementError in place of an answer by chance."""

import ast
import builtins
import operator
from collections.abc import Callable, Iterable, Mapping, Set
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

from flint import acb, arb

from establish.proofs_check.engine.statements.statement import StatementError
from establish.spec.arithmetic import MP

BINARY: dict[type[ast.operator], str] = {ast.Div: "·/", ast.Pow: "·**", ast.Mod: "·%", ast.FloorDiv: "·//"}
"""Operations that give floats of whole numbers or of ∞, each with a name that nobody can write."""

COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "·<",
    ast.LtE: "·<=",
    ast.Gt: "·>",
    ast.GtE: "·>=",
    ast.Eq: "·==",
    ast.NotEq: "·!=",
    ast.In: "·in",
    ast.NotIn: "·not in",
}

IN_ORDER, NO_SET, NO_BALLS, TRUTH, PART = "·in order", "·no set", "·no balls", "·truth", "·part"

ASKING = {"all": all, "any": any, "bool": bool, "repr": repr, "str": str, "format": format}
ASKING |= {"float": float, "int": int, "round": round, "len": len}
"""Built-in functions that ask for a truth, for digits, or for what else a ball has by chance."""

OF_BALLS = {"mid", "rad", "lower", "upper", "abs_lower", "abs_upper", "complex_rad", "_mpf_", "_mpc_", "repr"}
OF_BALLS |= {"overlaps", "contains", "contains_integer", "contains_interior", "intersection", "str", "bits"}
OF_BALLS |= {"nonnegative_part", "rel_accuracy_bits", "rel_one_accuracy_bits", "is_exact", "is_finite"}
OF_BALLS |= {"csgn", "is_integer", "is_nan", "is_zero", "man_exp", "mid_rad_10exp", "unique_fmpz", "fmpq"}
OF_BALLS |= {"fmpz", "arg"}
"""What a ball has that is no function of the number in it, but of how closely it was computed."""

PLAIN = frozenset({int, bool, str, Fraction, type(None)})
"""Kinds of values whose comparison is decided by themselves."""

WHOLE = {name: f"·{name}" for name in ("enumerate", "iter", "list", "map", "max", "min", "next", "sorted")}
WHOLE |= {name: f"·{name}" for name in ("getattr", "pow", "reversed", "sum", "tuple", "zip")}
"""Built-in functions that read what they are given one by one, or compare it."""

OPPOSITE = {"<": operator.ge, "<=": operator.gt, ">": operator.le, ">=": operator.lt}
OPPOSITE |= {"==": operator.ne, "!=": operator.eq}

UNORDERED = ("==", "!=")

ROUNDED = Fraction(1, 10**46)
"""Numbers of 50 digits that are closer, absolutely or relative to them, are in no order."""


def _computed(sign: str, operation: Callable[[Any, Any], Any], place: str, a: Any, b: Any) -> Any:
    if isinstance(a, str):  # a text into which values are put
        _no_balls(place, b)
    found = operation(a, b)
    if isinstance(found, float | complex):
        raise StatementError(
            f"{place}: a statement computes exactly, and {a!r} {sign} {b!r} is the binary float {found!r}: "
            f"write Fraction({a!r}) {sign} {b!r}"
        )
    return found


def _compared(sign: str, operation: Callable[[Any, Any], Any], place: str, a: Any, b: Any) -> Any:
    found = operation(a, b)
    if type(a) in PLAIN and type(b) in PLAIN:
        return found
    if isinstance(a, arb) or isinstance(b, arb):
        if not found and not (sign in OPPOSITE and OPPOSITE[sign](a, b)):
            raise StatementError(f"{place}: balls leave open whether {a} {sign} {b}: take more digits")
        return found
    if sign not in UNORDERED and _real(a) and _real(b):
        if MP.mp.fabs(a - b) <= MP.number(ROUNDED) * max(1, abs(a), abs(b)):
            raise StatementError(f"{place}: rounded numbers leave open whether {a!r:.60} {sign} {b!r:.60}")
        return found
    if (open_ := _open((a, b))) is not None and (
        sign in UNORDERED or (open_ is not a and open_ is not b) or _rounded(open_)
    ):
        raise StatementError(
            f"{place}: {sign} compares what balls leave open, one of several forms, or what is rounded or no "
            f"number: {open_!r:.60}"
        )
    return found


def _is_in(sign: str, place: str, a: Any, values: Any) -> bool:
    if _open((a, *islice(values, 1)) if isinstance(values, Mapping | Set) else (a, values)) is not None:
        raise StatementError(f"{place}: {sign} compares {a!r:.60} for equality, which balls leave open")
    return (a in values) is (sign == "in")


def _open(value: Any) -> Any:
    """The first ball, expression of sympy, rounded number or NaN in a value and its parts, or None."""
    if type(value) in PLAIN:
        return None
    if isinstance(value, Mapping):
        value = (*value, *value.values())
    if isinstance(value, tuple | list | Set):
        return next((one for one in map(_open, value) if one is not None), None)
    form = type(value).__module__.startswith("sympy") and not getattr(value, "is_Rational", False)
    return value if form or isinstance(value, arb | acb) or _rounded(value) else None


def _rounded(value: Any) -> bool:
    """Whether it is a number of mpmath, or NaN."""
    return type(value).__module__.startswith("mpmath") or (isinstance(value, float) and value != value)


def _real(value: Any) -> bool:
    """Whether it is a finite real number, rounded or exact, which those of 50 digits are compared with."""
    return isinstance(value, int | Fraction) or (isinstance(value, MP.mp.mpf) and MP.mp.isfinite(value))


def _truth(place: str, value: Any) -> Any:
    """A value that is asked for its truth."""
    if type(value) is not bool and _open(value) is value is not None:
        raise StatementError(
            f"{place}: {value!r:.60} is asked whether it is 0, which balls may leave open: compare it"
        )
    return value


def _in_order(place: str, values: Any) -> Any:
    """A set as a list, in an order that is the same in every process."""
    return sorted(values, key=repr) if isinstance(values, set | frozenset) else values


def _no_set(place: str, values: Any) -> Any:
    if isinstance(values, set | frozenset):
        raise StatementError(f"{place}: pop gives any element of a set: write min or max of it")
    return values


def _no_balls(place: str, values: Any) -> Any:
    if _open(values) is not None:
        raise StatementError(f"{place}: a method compares {values!r:.60}, which balls may leave open")
    return values


def _part(place: str, name: str, value: Any) -> Any:
    """A value of which something is read by its name."""
    if isinstance(value, arb | acb) or value in (arb, acb):
        raise StatementError(
            f"{place}: .{name} tells how {value!r:.60} was computed: compare the ball itself"
        )
    return value


def _function(name: str, place: str) -> Callable[..., Any]:
    """A built-in function, of which some must not compare balls."""
    function: Callable[..., Any] = getattr(builtins, name)
    if name == "pow":
        return lambda a, b, *more: function(a, b, *more) if more else _computed("**", pow, place, a, b)
    if name == "map":
        return lambda one, *values: map(_asked(place, one), *values)
    if name == "getattr":
        return lambda value, own, *more: function(_part(place, own, value), own, *more)
    if name not in ("max", "min", "sorted"):
        return function

    def compared(*values: Any, **named: Any) -> Any:
        several: Iterable[Any] = values if len(values) > 1 else list(*values)
        if "key" in named:
            named["key"] = _asked(place, named["key"])
        if not named and all(map(_real, several)):  # of numbers that are close any will do
            return function(several)
        key = named.get("key") or (lambda value: value)
        if any(_open(key(value)) is not None for value in several):
            raise StatementError(f"{place}: {name} compares balls, which may leave it open")
        return function(several, **named)

    return compared


def _asked(place: str, function: Any) -> Any:
    """A built-in function that asks what it is given, and here may not ask a ball; another as it is."""
    if function not in ASKING.values():
        return function
    return lambda *values: function(*(_no_balls(place, value) for value in values))


OPERATIONS: dict[str, Callable[..., Any]] = {
    "·/": partial(_computed, "/", operator.truediv),
    "·**": partial(_computed, "**", operator.pow),
    "·%": partial(_computed, "%", operator.mod),
    "·//": partial(_computed, "//", operator.floordiv),
    "·<": partial(_compared, "<", operator.lt),
    "·<=": partial(_compared, "<=", operator.le),
    "·>": partial(_compared, ">", operator.gt),
    "·>=": partial(_compared, ">=", operator.ge),
    "·==": partial(_compared, "==", operator.eq),
    "·!=": partial(_compared, "!=", operator.ne),
    "·in": partial(_is_in, "in"),
    "·not in": partial(_is_in, "not in"),
    IN_ORDER: _in_order,
    NO_SET: _no_set,
    NO_BALLS: _no_balls,
    TRUTH: _truth,
    PART: _part,
    **{own: partial(_function, name) for name, own in WHOLE.items()},
}
