"""Predicates and universes in words and formulas, read from their source: no Python, and no second text."""

import ast
import inspect
import linecache
import types
from collections.abc import Callable, Mapping
from copy import deepcopy
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from establish.proofs_check.terms.formula import Tree

COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "=",
    ast.NotEq: "≠",
    ast.Lt: "<",
    ast.LtE: "≤",
    ast.Gt: ">",
    ast.GtE: "≥",
    ast.In: "∈",
    ast.NotIn: "∉",
    ast.Is: "is",
    ast.IsNot: "is not",
}

OPERATIONS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: (" + ", 4),
    ast.Sub: (" − ", 4),
    ast.Mult: ("·", 5),
    ast.Div: ("/", 5),
    ast.Mod: (" mod ", 5),
    ast.BitAnd: (" ∩ ", 4),
    ast.BitOr: (" ∪ ", 4),
    ast.BitXor: (" △ ", 4),
    ast.RShift: (" ≫ ", 4),
    ast.LShift: (" ≪ ", 4),
    ast.Pow: ("^", 7),
}
"""The sign of each operation, and how tightly it binds."""

CONDITION, OR, AND, RELATION, SUM, PRODUCT, MINUS, POWER, ATOM = range(9)

BARE = {"set", "tuple", "list", "iter", "frozenset", "sorted", "bool", "Fraction", "int"}
"""Calls of one argument that change how a value is kept, and not what it is."""

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

Text = tuple[str, int]
"""A text, and how tightly its outermost operation binds."""


def said(function: Callable[..., Any]) -> str:
    """What a function returns, in words and formulas.

    A lambda and a function of one expression are that expression; any other is what its docstring says, or
    its name. Constants that it holds are named with their values. A function with a name is followed by the
    name and the file in which it can be read, so that no two functions are said alike.
    """
    if isinstance(function, Tree):
        return said(function.source) if function.source else repr(function)
    if isinstance(function, partial):
        given = ", ".join(str(value) for value in function.args)
        return f"{said(function.func)} at {given}" if given else said(function.func)
    if isinstance(function, types.MethodType):
        return said(function.__func__)
    if not isinstance(function, types.FunctionType):
        return spoken(getattr(function, "__name__", type(function).__name__))
    return _expression(function, function.__code__) + _held(function)


def _expression(function: Callable[..., Any], code: types.CodeType) -> str:
    node = _ByKey(getattr(function, "__globals__", {})).visit(deepcopy(node_of(code) or ast.Pass()))
    if isinstance(node, ast.Lambda):
        return formula(node.body)
    words = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split()).rstrip(".")
    place = f"{spoken(code.co_name)} in {Path(code.co_filename).name}"
    body = [part for part in getattr(node, "body", ()) if not _is_text(part)]
    if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
        own = formula(body[0].value)
        return f"{own} ({words}; {place})" if words else f"{own} ({place})"
    return f"{words} ({place})" if words else place


class _ByKey(ast.NodeTransformer):
    """Numbers in brackets behind a table among these names are its keys, and no places counted from one."""

    def __init__(self, known: Mapping[str, Any]) -> None:
        self.known = known

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node.slice:
            case ast.Constant(value=int(key)) if isinstance(self._value(node.value), Mapping):
                node.slice = ast.Name(str(key))
        return node

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return self.known.get(name)
            case ast.Subscript(value=inner) if isinstance(table := self._value(inner), Mapping):
                return next(iter(table.values()), None)
        return None


def _held(function: Callable[..., Any]) -> str:
    """The constants in the closure and in the defaults of a function, in brackets."""
    assert isinstance(function, types.FunctionType)
    code, defaults = function.__code__, function.__defaults__ or ()
    held = dict(zip(code.co_varnames[code.co_argcount - len(defaults) :], defaults, strict=False))
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=False):
        try:
            held[name] = cell.cell_contents
        except ValueError:  # a name that is not bound yet
            continue
    found = [
        f"{spoken(name)} = {value}" for name, value in held.items() if isinstance(value, int | str | Fraction)
    ]
    return f" [{', '.join(found)}]" if found else ""


def text_of(file: str) -> str:
    """The text of a source file as it is now, which may not be what was imported; empty where it has none."""
    linecache.checkcache(file)
    return "".join(linecache.getlines(file))


@cache
def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text) if text else None
    except SyntaxError:
        return None


@cache
def _lambdas(text: str) -> tuple[ast.Lambda, ...]:
    tree = _tree(text)
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Lambda)) if tree else ()


def node_of(code: types.CodeType) -> ast.AST | None:
    """The syntax of a code object: the function of its name and line, or the lambda around its operations."""
    return _node(code, text_of(code.co_filename))


@cache
def _node(code: types.CodeType, text: str) -> ast.AST | None:
    tree = _tree(text)
    if tree is None:
        return None
    if code.co_name != "<lambda>":
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                if code.co_firstlineno in (first, node.lineno):
                    return node
        return None
    spots = [
        (line, column)
        for line, _, column, _ in code.co_positions()
        if line is not None and column is not None and (line, column) != (code.co_firstlineno, 0)
    ]
    around = [
        node
        for node in _lambdas(text)
        if node.lineno == code.co_firstlineno
        and all(_begin(node.body) <= spot <= _end(node.body) for spot in spots)
    ]
    return min(around, key=lambda node: _size(node.body), default=None)


def _begin(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _size(node: ast.expr) -> tuple[int, int]:
    (a, b), (c, d) = _begin(node), _end(node)
    return c - a, d - b


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def spoken(name: str) -> str:
    """A name without underscores: ``_adds_up`` is ``adds up``."""
    return name.strip("_").replace("_", " ") or "…"


def formula(node: ast.expr) -> str:
    """An expression as a formula: relations and operations by their signs, loops as quantifiers."""
    return _read(node)[0]


def _within(node: ast.expr, binding: int) -> str:
    text, own = _read(node)
    return text if own >= binding else f"({text})"


def _read(node: ast.expr) -> Text:
    match node:
        case ast.Constant(value=str(text)):
            return f"‘{text}’", ATOM
        case ast.Constant(value=None):
            return "nothing", ATOM
        case ast.Constant(value=value):
            return str(value).lower() if isinstance(value, bool) else str(value), ATOM
        case ast.Name(id=name):
            return spoken(name), ATOM
        case ast.Attribute(value=value, attr=name):
            return f"{spoken(name)} of {_within(value, ATOM)}", ATOM
        case ast.Starred(value=value):
            return f"all of {_within(value, ATOM)}", ATOM
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(ops=[ast.In()]) as inner):
            return _read(ast.Compare(inner.left, [ast.NotIn()], inner.comparators))
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return f"not {_within(inner, SUM)}", AND
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return f"−{_within(inner, PRODUCT)}", MINUS
        case ast.BoolOp(op=op, values=values):
            word, binding = (" or ", OR) if isinstance(op, ast.Or) else (" and ", AND)
            return word.join(_within(value, binding + 1) for value in values), binding
        case ast.Compare(left=left, ops=ops, comparators=right):
            parts = [_within(left, SUM)]
            for relation, other in zip(ops, right, strict=True):
                parts += [COMPARED[type(relation)], _within(other, SUM)]
            return " ".join(parts), RELATION
        case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
            return f"⌊{_within(left, PRODUCT)}/{_within(right, MINUS)}⌋", ATOM
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            sign, binding = OPERATIONS[type(op)]
            tighter = binding + isinstance(op, ast.Sub | ast.Div | ast.Mod)
            if isinstance(op, ast.Pow):
                return f"{_within(left, ATOM)}^{_within(right, ATOM)}", POWER
            return f"{_within(left, binding)}{sign}{_within(right, tighter)}", binding
        case ast.IfExp(test=test, body=body, orelse=other):
            return f"{_within(body, OR)} if {formula(test)}, else {formula(other)}", CONDITION
        case ast.Lambda(args=args, body=body):
            names = ", ".join(spoken(a.arg) for a in args.args)
            return f"{names} ↦ {formula(body)}", CONDITION
        case ast.Tuple(elts=items):
            return f"({', '.join(map(formula, items))})", ATOM
        case ast.List(elts=items):
            return f"({', '.join(map(formula, items))})", ATOM
        case ast.Set(elts=items):
            return f"{{{', '.join(map(formula, items))}}}", ATOM
        case ast.Dict(keys=keys, values=values):
            pairs = [
                f"{formula(k)} ↦ {formula(v)}" if k else f"all of {formula(v)}"
                for k, v in zip(keys, values, strict=True)
            ]
            return f"{{{', '.join(pairs)}}}", ATOM
        case ast.GeneratorExp() | ast.ListComp() | ast.SetComp():
            item, loops = formula(node.elt), _loops(node.generators)
            return (f"those {loops}" if item == _first(node.generators) else f"{item} {loops}"), (CONDITION)
        case ast.DictComp():
            return (f"{formula(node.key)} ↦ {formula(node.value)} {_loops(node.generators)}", CONDITION)
        case ast.Subscript(value=value, slice=ast.Constant(value=int(place))):
            return f"{_within(value, ATOM)}{str(place + 1).translate(SUBSCRIPTS)}", ATOM
        case ast.Subscript(value=value, slice=ast.Slice(lower=low, upper=high)):
            ends = f"{formula(low) if low else ''}:{formula(high) if high else ''}"
            return f"{_within(value, ATOM)}[{ends}]", ATOM
        case ast.Subscript(value=value, slice=place):
            return f"{_within(value, ATOM)}[{formula(place)}]", ATOM
        case ast.Call():
            return _call(node)
    return ast.unparse(node), CONDITION


def _first(loops: list[ast.comprehension]) -> str:
    return formula(loops[0].target) if len(loops) == 1 else ""


def _loops(loops: list[ast.comprehension]) -> str:
    """``for x in S with x > 0, and y in T``."""
    return "for " + " and ".join(map(_loop, loops))


def _loop(loop: ast.comprehension) -> str:
    target = formula(loop.target)
    if isinstance(loop.target, ast.Tuple):
        target = target[1:-1]
    conditions = " and ".join(_within(test, AND) for test in loop.ifs)
    return f"{target} in {formula(loop.iter)}" + (f" with {conditions}" if conditions else "")


def _call(node: ast.Call) -> Text:
    """A call: the usual signs for what has one, and ``f(x)`` for everything else."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    given, named = node.args, {k.arg: k.value for k in node.keywords}
    loop = given[0] if len(given) == 1 and isinstance(given[0], ast.GeneratorExp) else None
    if name in ("all", "any") and loop is not None:
        word = "every" if name == "all" else "some"
        loops = " and ".join(map(_loop, loop.generators))
        return f"for {word} {loops}: {formula(loop.elt)}", CONDITION
    if name == "sum" and loop is not None:
        return (f"Σ {_within(loop.elt, PRODUCT)} over {' and '.join(map(_loop, loop.generators))}", SUM)
    if name in ("abs", "len") and len(given) == 1:
        return f"|{formula(given[0])}|", ATOM
    if name == "Fraction" and len(given) == 2:
        return f"{_within(given[0], PRODUCT)}/{_within(given[1], MINUS)}", PRODUCT
    if name == "Fraction" and isinstance(given[0], ast.Constant):
        return str(given[0].value).replace("-", "−"), PRODUCT
    if name in BARE and len(given) == 1:
        return _read(given[0])
    if name == "range" and not named:
        return _range(given), ATOM
    if name == "product" and set(named) == {"repeat"} and len(given) == 1:
        return f"{_within(given[0], ATOM)}^{_within(named['repeat'], ATOM)}", POWER
    if name == "product" and given and not named:
        return " × ".join(_within(one, MINUS) for one in given), PRODUCT
    inside = [*map(formula, given), *(f"{k or 'all'} = {formula(v)}" for k, v in named.items())]
    if isinstance(node.func, ast.Attribute):
        arguments = f"({', '.join(inside)})" if inside else ""
        return f"{spoken(node.func.attr)}{arguments} of {_within(node.func.value, ATOM)}", ATOM
    return f"{_within(node.func, ATOM)}({', '.join(inside)})", ATOM


def _range(given: list[ast.expr]) -> str:
    low = formula(given[0]) if len(given) > 1 else "0"
    last = given[1] if len(given) > 1 else given[0]
    high = f"{_within(last, SUM)} − 1"
    if isinstance(last, ast.Constant) and isinstance(last.value, int):
        high = str(last.value - 1)
    if len(given) > 2:
        return f"{{{low}, {low} + {formula(given[2])}, …, at most {high}}}"
    return f"{{{low}, …, {high}}}"
