"""What a mechanism reads of a cell: the total of its counts, and the largest of them."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError
from establish.proofs_check.terms.asking import asks
from establish.proofs_check.terms.content import digest_of
from establish.proofs_check.terms.reify import TERMS
from establish.proofs_check.terms.trees import NotATerm, variable
from establish.spec.arithmetic import World


class Sizes:
    """The counts of any number of establishments, of which only the total and the largest are told, or only
    the total where ``largest`` is None.
    """

    __slots__ = ("largest", "total")

    def __init__(self, total: Any, largest: Any) -> None:
        self.total, self.largest = total, largest


_told = object.__getattribute__


def _refuses(how: str) -> Any:
    def refuse(self: Sizes, *_: Any) -> Any:
        known = "sum(sizes)" if _told(self, "largest") is None else "sum(sizes) or max(sizes, default=0)"
        raise RuleError(
            f"the mechanism reads the counts of a cell by {how}: this rule knows its neighbors only where "
            f"output reads them by {known}"
        )

    return refuse


for _name in ("iter", "len", "getitem", "contains", "reversed", "bool", "eq", "hash", "getattribute"):
    setattr(Sizes, f"__{_name}__", _refuses(f"__{_name}__"))


def _total(values: Any, *start: Any) -> Any:
    return _told(values, "total") if type(values) is Sizes and not start else sum(values, *start)


def _largest(*values: Any, **named: Any) -> Any:
    if type(values[0]) is not Sizes:
        return max(*values, **named)
    largest = _told(values[0], "largest")
    if named != {"default": 0} or len(values) > 1 or largest is None:
        _refuses("max(sizes)" if named != {"default": 0} else "max(sizes, default=0)")(values[0])
    return largest


def output_of(mechanism: Any, total: Any, c: World, largest: Any = None) -> Any:
    """The law of what is released of a cell, by the total of its counts and, unless None, the largest.

    Raises RuleError for a mechanism whose ``output`` reads anything else of the counts, as their number.
    """
    kind, own = type(mechanism), getattr(mechanism, "__dict__", ())
    output, lookup = (getattr(kind, name, None) for name in ("output", "__getattribute__"))
    if not isinstance(output, FunctionType) or lookup is not object.__getattribute__ or "output" in own:
        raise RuleError(f"{kind.__qualname__}.output is no plain function")
    if told := asks(output, True):
        raise RuleError(f"{output.__qualname__}: {told}")
    known = output.__globals__
    if any(known.get(name, at) is not at for name, at in (("sum", builtins.sum), ("max", builtins.max))):
        raise RuleError(f"{output.__qualname__}: sum or max is another function in its module")
    read = {**known, "sum": _total, "max": _largest}
    same = FunctionType(output.__code__, read, output.__name__, output.__defaults__, output.__closure__)
    same.__kwdefaults__ = output.__kwdefaults__
    return same(mechanism, Sizes(total, largest), c)


def require_cell_law(made: Callable[..., Any], names: Sequence[str]) -> None:
    """Raises RuleError unless ``output`` is the mechanism's ``cell_law`` of the total and the largest count.

    made: the mechanism by its parameters, which have these names.
    """
    *parameters, count, largest = (variable(name) for name in (*names, "count", "largest"))
    try:
        mechanism = made(*parameters)
        law, stated = output_of(mechanism, count, TERMS, largest), mechanism.cell_law(count, largest, TERMS)
    except NotATerm as error:
        raise RuleError(f"the output of the mechanism is not one formula: {error}") from error
    if type(law) is not type(stated) or digest_of(law) != digest_of(stated):
        raise RuleError(f"{type(mechanism).__qualname__}: output is not the law that cell_law gives")


def require_of_specification(mechanism: Any) -> None:
    """Raises RuleError unless the class of the mechanism, and what it calls, are of the specification.

    What its outputs read of the others in a group is read there, and in the tests of the specification.
    """
    held = getattr(mechanism, "__dict__", {}).values()
    for part in (type(mechanism), *filter(callable, held)):
        home = part if isinstance(part, type | FunctionType) else type(part)
        if not home.__module__.startswith("establish.spec."):
            raise RuleError(f"{home.__qualname__} is not of establish.spec: how does it read a group?")
