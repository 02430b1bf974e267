"""The operations of a predicate that runs: each raises StatementError in place of an answer by chance."""

import ast
import builtins
import operator
from collections.abc import Callable, Iterable, Mapping, Set
from fractions import Fraction
from functools import partial
from typing import Any

from flint import acb, arb

from establish.proofs_check.engine.statements.statement import StatementError

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

IN_ORDER, NO_SET, NO_BALLS, TRUTH = "·in order", "·no set", "·no balls", "·truth"

PLAIN = frozenset({int, bool, str, Fraction, type(None)})
"""Kinds of values whose comparison is decided by themselves."""

WHOLE = {name: f"·{name}" for name in ("enumerate", "iter", "list", "map", "max", "min", "next", "sorted")}
WHOLE |= {name: f"·{name}" for name in ("pow", "reversed", "sum", "tuple", "zip")}
"""Built-in functions that read what they are given one by one, or compare it."""

OPPOSITE = {"<": operator.ge, "<=": operator.gt, ">": operator.le, ">=": operator.lt}
OPPOSITE |= {"==": operator.ne, "!=": operator.eq}

UNORDERED = ("==", "!=")


def _computed(sign: str, operation: Callable[[Any, Any], Any], place: str, a: Any, b: Any) -> Any:
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
    elif sign in UNORDERED and (open_ := _open((a, b))) is not None:
        raise StatementError(
            f"{place}: {sign} compares what balls leave open, or one of several forms: {open_!r:.60}"
        )
    return found


def _is_in(sign: str, place: str, a: Any, values: Any) -> bool:
    known = a if type(a) in PLAIN or isinstance(values, Mapping | Set) else (a, values)
    if type(known) not in PLAIN and _open(known) is not None:
        raise StatementError(f"{place}: {sign} compares {a!r:.60} for equality, which balls leave open")
    return (a in values) is (sign == "in")


def _open(value: Any) -> Any:
    """The first ball, or expression of sympy, in a value and the lists in it; or None."""
    if type(value) in PLAIN:
        return None
    if isinstance(value, tuple | list):
        return next((one for one in map(_open, value) if one is not None), None)
    form = type(value).__module__.startswith("sympy") and not getattr(value, "is_Rational", False)
    return value if form or isinstance(value, arb | acb) else None


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


def _function(name: str, place: str) -> Callable[..., Any]:
    """A built-in function, of which some must not compare balls."""
    function: Callable[..., Any] = getattr(builtins, name)
    if name == "pow":
        return lambda a, b, *more: function(a, b, *more) if more else _computed("**", pow, place, a, b)
    if name not in ("max", "min", "sorted"):
        return function

    def compared(*values: Any, **named: Any) -> Any:
        several: Iterable[Any] = values if len(values) > 1 else list(*values)
        key = named.get("key") or (lambda value: value)
        if any(isinstance(key(value), arb) for value in several):
            raise StatementError(f"{place}: {name} compares balls, which may leave it open")
        return function(several, **named)

    return compared


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
    **{own: partial(_function, name) for name, own in WHOLE.items()},
}
