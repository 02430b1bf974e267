"""The operations of a predicate that runs: each raises StatementError in place of an answer by chance."""

import ast
import builtins
import operator
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from flint import arb

from establish.proofs_check.engine.statements.statement import StatementError

BINARY: dict[type[ast.operator], str] = {ast.Div: "·/", ast.Pow: "·**"}
"""Operations that give floats of whole numbers, each with a name that nobody can write."""

COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "·<",
    ast.LtE: "·<=",
    ast.Gt: "·>",
    ast.GtE: "·>=",
    ast.Eq: "·==",
    ast.NotEq: "·!=",
}

IN_ORDER, NO_SET = "·in order", "·no set"

WHOLE = {name: f"·{name}" for name in ("enumerate", "iter", "list", "map", "max", "min", "next", "sorted")}
WHOLE |= {name: f"·{name}" for name in ("pow", "reversed", "sum", "tuple", "zip")}
"""Built-in functions that read what they are given one by one, or compare it."""

OPPOSITE = {"<": operator.ge, "<=": operator.gt, ">": operator.le, ">=": operator.lt}
OPPOSITE |= {"==": operator.ne, "!=": operator.eq}


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
    if found or (not isinstance(a, arb) and not isinstance(b, arb)) or OPPOSITE[sign](a, b):
        return found
    raise StatementError(f"{place}: balls leave open whether {a} {sign} {b}: take more digits")


def _in_order(place: str, values: Any) -> Any:
    """A set as a list, in an order that is the same in every process."""
    return sorted(values, key=repr) if isinstance(values, set | frozenset) else values


def _no_set(place: str, values: Any) -> Any:
    if isinstance(values, set | frozenset):
        raise StatementError(f"{place}: pop gives any element of a set: write min or max of it")
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
    "·<": partial(_compared, "<", operator.lt),
    "·<=": partial(_compared, "<=", operator.le),
    "·>": partial(_compared, ">", operator.gt),
    "·>=": partial(_compared, ">=", operator.ge),
    "·==": partial(_compared, "==", operator.eq),
    "·!=": partial(_compared, "!=", operator.ne),
    IN_ORDER: _in_order,
    NO_SET: _no_set,
    **{own: partial(_function, name) for name, own in WHOLE.items()},
}
