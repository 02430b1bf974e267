"""What the code of a formula asks beside values: kinds, identities, and whether an error is raised.

A formula is read once, at names in place of numbers. What it does by such a question is not what it would do
at numbers, and no branch of the tree tells of it.
"""

import dis
import types
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

BY_NAME = {
    *("vars", "hasattr", "isinstance", "issubclass", "type", "dir", "getattr", "callable"),
    *("repr", "ascii", "id", "hash"),
}
"""Functions by which a formula could ask in which world it is read, or keep what it was asked before."""

BY_STEP = {
    "POP_EXCEPT": "it catches what is raised",
    "MATCH_CLASS": "it matches kinds",
    "MATCH_MAPPING": "it matches kinds",
    "MATCH_SEQUENCE": "it matches kinds",
}
"""Instructions that do."""

_STEPS = {dis.opmap[name]: said for name, said in BY_STEP.items() if name in dis.opmap}

RULES = "establish.proofs_check.engine"
"""Rules compose formulas that were read before, and are read as they are."""


def asks(formula: Any, variables: bool) -> str:
    """What a formula, or a helper of its module, asks; empty where nothing is seen.

    variables: whether it has any. Of one that has none it is asked only what it does by itself, and by name:
    all else in it are numbers that stay what they are.
    """
    if (getattr(formula, "__module__", None) or "").startswith(RULES):
        return ""
    if not variables:
        found = BY_NAME.intersection(getattr(getattr(formula, "__code__", None), "co_names", ()))
        return f"it calls {min(found)}" if found else ""
    for code in _codes_of(formula):
        if found := BY_NAME.intersection(code.co_names):
            return f"it calls {min(found)}"
        steps = set(code.co_code[::2])
        if told := steps & _STEPS.keys():
            return _STEPS[min(told)]
        if dis.opmap["IS_OP"] in steps and _identifies(code):
            return "it asks whether two things are one object"
    return ""


def _identifies(code: types.CodeType) -> bool:
    """Whether it compares by identity with anything but None."""
    steps = list(dis.get_instructions(code))
    return any(
        after.opname == "IS_OP" and (before.opname, before.argval) != ("LOAD_CONST", None)
        for before, after in pairwise(steps)
    )


def _codes_of(formula: Any) -> Iterator[types.CodeType]:
    """The code of a formula, of functions within it, and of helpers of its module."""
    waiting, seen = [formula], set()
    while waiting:
        each = waiting.pop()
        if isinstance(each, partial):
            waiting += [each.func, *each.args, *each.keywords.values()]
        if isinstance(each, types.MethodType):
            each = each.__func__
        if not isinstance(each, types.FunctionType) or id(each) in seen:
            continue
        seen.add(id(each))
        codes = list(_within(each.__code__))
        yield from codes
        if (each.__module__ or "").startswith("establish.spec"):
            continue
        read = [each.__globals__.get(name) for code in codes for name in code.co_names]
        read += [*(each.__defaults__ or ()), *(each.__kwdefaults__ or {}).values(), *_held(each)]
        waiting += [one for one in read if getattr(one, "__globals__", None) is each.__globals__]


def _within(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _within(constant)


def _held(function: types.FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a name that is not bound yet
            continue
