"""Predicates as they run: with operations that refuse what binary floats, open balls or an order decide."""

import ast
import copy
import operator
import types
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from establish.proofs_check.engine.statements.exact_operations import (
    ASKING,
    BINARY,
    COMPARED,
    IN_ORDER,
    NO_BALLS,
    NO_SET,
    OF_BALLS,
    OPERATIONS,
    PART,
    TRUTH,
    WHOLE,
)
from establish.proofs_check.engine.statements.lasting import names
from establish.proofs_check.engine.statements.statement import StatementError
from establish.proofs_check.engine.statements.wording import node_of, text_of


def exactly(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function`` with the operations of `exact_operations` in it, and in its helpers but those of
    `establish.spec`.

    What runs raises StatementError, with the line, where a float, a comparison that balls leave open, or the
    order of a set would decide. Raises StatementError where the source of a function cannot be read.
    """
    made: Callable[..., Any] = _Made().of(function)
    return made


class _Made:
    """Functions that are made anew, each once, and the names that those of a file see."""

    def __init__(self) -> None:
        self.made: dict[types.FunctionType, types.FunctionType] = {}
        self.scopes: dict[int, dict[str, Any]] = {}

    def of(self, one: Any) -> Any:
        if type(one) is tuple:
            made = tuple(map(self.of, one))
            return one if all(map(operator.is_, one, made)) else made
        if type(one) in (dict, types.MappingProxyType):
            return {key: self.of(value) for key, value in one.items()}
        if isinstance(one, partial):
            return partial(self.of(one.func), *map(self.of, one.args), **one.keywords)
        if not isinstance(one, types.FunctionType) or str(one.__module__).startswith("establish.spec"):
            return one
        if one not in self.made:
            self._make(one)
        return self.made[one]

    def _make(self, function: types.FunctionType) -> None:
        outside = function.__globals__
        scope = self.scopes.setdefault(id(outside), outside | OPERATIONS)
        code = _code(function.__code__, text_of(function.__code__.co_filename))
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        own = {name: types.CellType() for name in code.co_freevars}
        made = types.FunctionType(code, scope, function.__name__, None, tuple(own.values()))
        self.made[function] = made
        made.__defaults__ = tuple(map(self.of, function.__defaults__ or ()))
        made.__kwdefaults__ = {name: self.of(each) for name, each in (function.__kwdefaults__ or {}).items()}
        for name in names(function.__code__) & outside.keys():
            scope[name] = self.of(outside[name])
            if name in WHOLE:  # another function than the built-in one
                scope[WHOLE[name]] = partial(_regardless, scope[name])
        for name, cell in own.items():
            cell.cell_contents = self.of(cells[name].cell_contents)


def _regardless(function: Any, place: str) -> Any:
    return function


@cache
def _code(code: types.CodeType, text: str) -> types.CodeType:
    """The code of a function with its operations checked, compiled from the text of its file."""
    node = copy.deepcopy(node_of(code))
    place = f"{code.co_filename}:{code.co_firstlineno}"
    if not isinstance(node, ast.Lambda | ast.FunctionDef):
        raise StatementError(f"{place}: its source cannot be read: keep what a statement says in a file")
    node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    node.args.kw_defaults = [None if d is None else ast.Constant(None) for d in node.args.kw_defaults]
    if isinstance(node, ast.FunctionDef):
        node.decorator_list = []
    asserts = any(isinstance(part, ast.Assert) for part in ast.walk(node))  # pytest writes these anew
    if not asserts and code not in _written(text):
        raise StatementError(f"{place}: its file has changed since it was imported: start again")
    checks = _Checks(code.co_filename, frozenset(code.co_varnames + code.co_freevars))
    return _compiled(checks.visit(node), code)


@cache
def _written(text: str) -> frozenset[types.CodeType]:
    """The code of every function in the text of a file."""
    found = [compile(text, "", "exec", dont_inherit=True)]
    for code in found:
        found += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return frozenset(found)


def _compiled(node: ast.Lambda | ast.FunctionDef, code: types.CodeType) -> types.CodeType:
    """The code of a function with this syntax, which has the same names around it as ``code``."""
    outer = ast.parse(f"def outer({', '.join(code.co_freevars)}): pass")
    assert isinstance(outer.body[0], ast.FunctionDef)
    outer.body[0].body = [ast.Return(node) if isinstance(node, ast.Lambda) else node]
    found = compile(ast.fix_missing_locations(outer), code.co_filename, "exec")
    for name in ("outer", code.co_name):
        found = next(c for c in found.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    return found


COMPARING = {"count", "index", "remove", "sort"}
"""Methods of containers that compare what these hold."""

PUTTING = {"format", "format_map"}
"""Methods of texts that put the digits of values into them."""

READING = {"accumulate", "chain", "combinations", "cycle", "dict", "extend", "filter", "from_iterable"}
READING |= {"fromkeys", "islice", "join", "permutations", "product", "repr", "starmap", "str", "zip_longest"}
"""Functions and methods that read what they are given one by one, and are not built anew."""


class _Checks(ast.NodeTransformer):
    """Calls in place of the operations, each with the line at which it stands."""

    def __init__(self, file: str, own: frozenset[str]) -> None:
        self.file, self.own = file, own

    def _call(self, name: str, at: ast.AST, *values: ast.expr) -> ast.expr:
        place = ast.Constant(f"{self.file}:{getattr(at, 'lineno', 0)}")
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [place, *values], []), at)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        name = BINARY.get(type(node.op))
        return self._call(name, node, node.left, node.right) if name else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        name = BINARY.get(type(node.op))
        if not name:
            return node
        read = copy.deepcopy(node.target)
        read.ctx = ast.Load()
        return ast.Assign([node.target], self._call(name, node, read, node.value))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        values = [node.left, *node.comparators]
        pairs: list[ast.expr] = []
        for left, sign, right in zip(values, node.ops, node.comparators, strict=False):
            name = COMPARED.get(type(sign))
            plain = ast.copy_location(ast.Compare(left, [sign], [right]), node)
            pairs.append(self._call(name, node, left, right) if name else plain)
        return pairs[0] if len(pairs) == 1 else ast.BoolOp(ast.And(), pairs)

    def _truth_of(self, node: ast.expr) -> ast.expr:
        """An argument of a function that asks it, or what it lists, for its truth."""
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            node.elt = self._asked(node.elt)
            return node
        return self._asked(node)

    def _asked(self, node: ast.expr) -> ast.expr:
        """What is asked for its truth; what is one by its form is left as it is."""
        decided = isinstance(node, ast.Compare | ast.BoolOp | ast.Constant) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        )
        return node if decided else self._call(TRUTH, node, node)

    def visit_If(self, node: Any) -> Any:
        node.test = self._asked(node.test)
        self.generic_visit(node)
        return node

    visit_While = visit_IfExp = visit_Assert = visit_If

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        node.values = [*map(self._asked, node.values)]
        self.generic_visit(node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            node.operand = self._asked(node.operand)
        self.generic_visit(node)
        return node

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        node.subject = self._call(TRUTH, node.subject, node.subject)
        self.generic_visit(node)
        return node

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        node.iter = self._call(IN_ORDER, node, node.iter)
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = self._call(IN_ORDER, node.value, node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        if any(isinstance(target, ast.Tuple | ast.List) for target in node.targets):
            node.value = self._call(IN_ORDER, node, node.value)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.ifs = [*map(self._asked, node.ifs)]
        self.generic_visit(node)
        node.iter = self._call(IN_ORDER, node.iter, node.iter)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if node.attr in OF_BALLS and isinstance(node.ctx, ast.Load):
            node.value = self._call(PART, node, ast.Constant(node.attr), node.value)
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.expr:
        self.generic_visit(node)
        node.value = self._call(NO_BALLS, node, node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "pop" and not node.args:
            node.func.value = self._call(NO_SET, node, node.func.value)
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in READING - self.own:
            node.args = [
                a if isinstance(a, ast.Starred) else self._call(IN_ORDER, node, a) for a in node.args
            ]
        if called in PUTTING:
            node.args = [
                a if isinstance(a, ast.Starred) else self._call(NO_BALLS, node, a) for a in node.args
            ]
        if isinstance(node.func, ast.Attribute) and node.func.attr in COMPARING:
            node.func.value = self._call(NO_BALLS, node, node.func.value)
        if isinstance(node.func, ast.Name) and node.func.id in ASKING.keys() - self.own:
            node.args = [a if isinstance(a, ast.Starred) else self._truth_of(a) for a in node.args]
        if isinstance(node.func, ast.Name) and node.func.id in WHOLE.keys() - self.own:
            node.args = [
                a if isinstance(a, ast.Starred) else self._call(IN_ORDER, node, a) for a in node.args
            ]
            node.func = self._call(WHOLE[node.func.id], node)
        return node
