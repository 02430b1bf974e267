"""Single edits of Python source, by its syntax tree: what a slip of the pen would do to a formula.

An edit changes one comparison, operation, sign, number, truth value, guard, choice, or the order of two
arguments. Messages, docstrings, annotations, printed texts and Hypothesis strategies are left alone: no
formula stands there.
"""

import ast
import difflib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATIONS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult,
}
NAMES = {
    "max": "min",
    "min": "max",
    "maximum": "minimum",
    "ceil": "floor",
    "floor": "ceil",
    "any": "all",
    "all": "any",
    "log": "exp",
    "exp": "log",
}
"""Functions, ours or of a world, and what they are taken for."""

SYMMETRIC = {"max", "min", "maximum", "minimum", "gcd", "lcm", "add", "multiply"}
"""Functions whose arguments may change places."""

PRINTED = {"__str__", "__repr__", "strategy", "dataset_strategy"}
"""Functions that print, or tell Hypothesis where to look."""


@dataclass(frozen=True)
class Mutant:
    """``file`` with one edit in the function or class ``within``; ``number``: of its kind there.

    original, text: the content of the file before and after.
    """

    file: str
    within: str
    before: str
    after: str
    number: int
    original: str
    text: str

    @property
    def id(self) -> str:
        """The same as long as the place and the edit are, whatever stands around."""
        words = (self.file, self.within, self.before, self.after, str(self.number))
        return hashlib.sha256("\n".join(words).encode()).hexdigest()[:10]

    def place(self, seed: int) -> str:
        """Where it comes in the order of a seed, which does not change when other mutants come or go."""
        return hashlib.sha256(f"{seed} {self.id}".encode()).hexdigest()

    @property
    def diff(self) -> str:
        """The lines that change."""
        before, after = self.original.splitlines(), self.text.splitlines()
        lines = difflib.unified_diff(before, after, n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def mutants(file: str, text: str) -> list[Mutant]:
    """Every mutant of a file but those that are textually equivalent to it or to an earlier one."""
    found: list[Mutant] = []
    seen: set[tuple[int, int, str]] = set()
    numbers: dict[tuple[str, str, str], int] = {}
    for within, old, new in _edits(ast.parse(text), ""):
        before, after = ast.unparse(old), ast.unparse(new)
        if canonical(before) == (form := canonical(after)) or before == after:
            continue
        if (place := (old.lineno, old.col_offset, form)) in seen:
            continue
        seen.add(place)
        key = within, before, after
        numbers[key] = numbers.get(key, -1) + 1
        changed = _replaced(text, old, f"({after})" if isinstance(new, _LOOSE) else after)
        found.append(Mutant(file, within, before, after, numbers[key], text, changed))
    return found


_LOOSE = ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.UnaryOp
"""What needs parentheses wherever it stands."""


def canonical(expression: str) -> str:
    """A text that is the same for expressions that mean the same by the rules of the language alone.

    Arguments of symmetric functions are ordered, and what Python folds to one number is that number.
    """
    return ast.dump(_Canonical().visit(ast.parse(expression)))


class _Canonical(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _name(node.func) in SYMMETRIC and not node.keywords:
            node.args.sort(key=ast.dump)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() | ast.Pow(), right=ast.Constant(1)):
                return left
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=ast.Constant(0)):
                return left
            case ast.BinOp(left=ast.Constant(int(a)), op=ast.Mult(), right=ast.Constant(int(b))):
                return ast.Constant(a * b)
            case ast.BinOp(left=ast.Constant(int(a)), op=ast.Pow(), right=ast.Constant(int(b))):
                return ast.Constant(a**b) if 0 <= b < 100 else node
        return node


def _edits(node: ast.AST, within: str) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """(where, an expression, what takes its place), for ``node`` and all that lies below it."""
    if _is_left_alone(node):
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        within = f"{within}.{node.name}" if within else node.name
        if isinstance(node, ast.FunctionDef):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    yield from _edits(default, within)
        for part in node.body:
            yield from _edits(part, within)
        return
    yield from _of(node, within)
    for child in ast.iter_child_nodes(node):
        yield from _edits(child, within)


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.FunctionDef(name=name):
            return name in PRINTED
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name == "__all__"
        case ast.Call(func=function):
            return _name(function) in ("TypeVar", "ParameterError", "field")
    return False


def _of(node: ast.AST, within: str) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """The edits of one node itself."""
    if isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Constant):
        yield within, node.test, _negated(node.test)
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for k, op in enumerate(ops):
                changed = [*ops[:k], COMPARISONS[type(op)](), *ops[k + 1 :]]
                yield within, node, ast.Compare(left, changed, others)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS and not _is_text(node):
            yield within, node, ast.BinOp(left, OPERATIONS[type(op)](), right)
        case ast.BoolOp(op=op, values=values):
            yield (within, node, ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values))
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield within, node, operand
        case ast.IfExp(test=test, body=body, orelse=other):
            yield within, node, ast.IfExp(test, other, body)
        case ast.Constant(bool(value)):
            yield within, node, ast.Constant(not value)
        case ast.Constant(int(value)):
            yield within, node, ast.Constant(value + 1)
        case ast.Call(func=function, args=arguments, keywords=keywords):
            if (name := _name(function)) in NAMES:
                yield within, function, _named(function, NAMES[name])
            if name not in SYMMETRIC and not any(isinstance(a, ast.Starred) for a in arguments):
                for k in range(len(arguments) - 1):
                    if _kind(arguments[k]) != _kind(arguments[k + 1]):
                        continue  # it would end at once
                    swapped = [*arguments]
                    swapped[k], swapped[k + 1] = arguments[k + 1], arguments[k]
                    yield within, node, ast.Call(function, swapped, keywords)


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


WORLDS = {"c", "ARB", "MP", "EXACT", "FLOAT"}
"""What formulas call the world that they are read in."""


def _kind(argument: ast.expr) -> str:
    """A text, a world, a function written in place, or anything else."""
    if _name(argument) in WORLDS:
        return "world"
    if isinstance(argument, ast.JoinedStr) or isinstance(getattr(argument, "value", None), str):
        return "text"
    return "function" if isinstance(argument, ast.Lambda) else ""


def _named(function: ast.expr, name: str) -> ast.expr:
    if isinstance(function, ast.Attribute):
        return ast.Attribute(function.value, name)
    return ast.Name(name)


def _is_text(node: ast.BinOp) -> bool:
    """Whether texts are joined, or types: str | None."""
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr) or isinstance(getattr(side, "value", None), str) for side in sides
    )


def _replaced(text: str, old: ast.expr, new: str) -> str:
    """``text`` with the expression ``old`` written as ``new``."""
    lines = text.splitlines(keepends=True)
    assert old.end_lineno is not None
    assert old.end_col_offset is not None
    head = lines[old.lineno - 1].encode()[: old.col_offset].decode()
    tail = lines[old.end_lineno - 1].encode()[old.end_col_offset :].decode()
    return "".join([*lines[: old.lineno - 1], f"{head}{new}{tail}", *lines[old.end_lineno :]])
