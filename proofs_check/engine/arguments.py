"""What stands behind the argument of a rule: a theorem that a kernel accepted, or prose."""

import ast
import hashlib
import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from establish.proofs_check.engine.ours import file_of
from establish.proofs_check.engine.statements.definitions import dumped
from establish.proofs_check.formal.accepted import FormalEntry
from establish.proofs_check.formal.rules import accepted_for, argued

HOME = "establish.proofs_check.engine.rules"
"""The package of the rules: what a rule uses of it belongs to its code."""


@cache
def theorems_of(rule: str) -> FormalEntry | None:
    """What the kernel accepted of the argument of a rule; None where there is no theorem, or where the
    rule, the theorem or the record has changed since they were compared.
    """
    return accepted_for(rule, code_of(rule)) if rule in argued() else None


def told(rule: str) -> str:
    """In a line, what the kernel accepted of a rule; empty where its argument is prose."""
    entry = theorems_of(rule)
    if entry is None:
        return ""
    names = " and ".join(theorem.name for theorem in entry.theorems)
    accepted = f"{names}, accepted by {entry.checker}"
    said = f"Its theorem: {accepted}." if argued()[rule].whole else f"A part of it is a theorem: {accepted}."
    return f"{said} Left to it: {entry.rest}" if entry.rest else said


@cache
def is_prose(rule: str) -> bool:
    """Whether a reader is asked to trust the argument in the docstring of a rule, or a part of it."""
    return theorems_of(rule) is None or not argued()[rule].whole


@cache
def code_of(rule: str) -> str:
    """A digest of the rule and of all of the rules' own code and data that it uses, without docstrings and
    the words of what is raised; of a function that draws, which is named with its module, the same of its
    module.

    Raises AttributeError for a name that is no rule.
    """
    seen: dict[tuple[str, str], str] = {}
    module, _, name = rule.rpartition(".")
    waiting = [(f"establish.{module}" if module else getattr(import_module(HOME), rule).__module__, name)]
    while waiting:
        module, name = waiting.pop()
        if (module, name) not in seen and name in _defined(module):
            node = _defined(module)[name]
            if isinstance(node, ast.ImportFrom):
                if (node.module or "").startswith(HOME):
                    original = next(a.name for a in node.names if (a.asname or a.name) == name)
                    waiting.append((str(node.module), original))
                continue
            seen[module, name] = dumped(_without_words(node))
            waiting += [(module, each) for each in _names(node)]
    texts = [f"{module} {name} {text}" for (module, name), text in sorted(seen.items())]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


@cache
def _defined(module: str) -> dict[str, ast.stmt]:
    """What a module defines or imports at its top, by name."""
    file = file_of(module) or inspect.getfile(import_module(module))
    found: dict[str, ast.stmt] = {}
    with open(file, encoding="utf-8") as text:
        tree = ast.parse(text.read())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.ImportFrom):
            found.update({alias.asname or alias.name: node for alias in node.names})
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update({each: node for target in targets for each in _names(target)})
    return found


def _names(node: ast.AST) -> Iterator[str]:
    return (each.id for each in ast.walk(node) if isinstance(each, ast.Name))


def _without_words(node: ast.stmt) -> ast.stmt:
    for each in ast.walk(node):
        if isinstance(each, ast.Raise) and isinstance(each.exc, ast.Call):
            each.exc.args = []
        if isinstance(each, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(each) is not None:
            each.body = each.body[1:]
    return node
