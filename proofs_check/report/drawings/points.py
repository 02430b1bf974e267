"""The point of a refutation, read back from its evidence and evaluated again.

Evidence keeps what a statement said at its counterexample. A point counts only when the statement,
evaluated there now, is false and says the same words; so no drawing shows another point.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import chain, islice
from typing import Any

from establish.proofs_check.engine.statements.cases import EveryCase
from establish.proofs_check.engine.statements.chains import ChainOfNeighbors
from establish.proofs_check.engine.statements.gaussian import FUNCTIONS, EstablishmentPrivate
from establish.proofs_check.engine.statements.implication import Implication
from establish.proofs_check.engine.statements.neighbor_functions import ComparisonOfPsi
from establish.proofs_check.engine.statements.parts import ReleasesOfParts
from establish.proofs_check.engine.statements.statement import Point, Statement
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.report.drawings import attacks, parts

CASES = 3000
"""Cases of a universe among which a counterexample is looked for."""

_NUMBER = re.compile(r"(?P<name>[^=:]+?) = (?P<value>-?\d+(?:/\d+)?)(?P<end>, |: |$)")
_FUNCTION = re.compile(r"ψ = (?P<name>.+?), ")
_PARTS = re.compile(
    r"(?P<level>.*), establishments by kind of workers (?P<first>\(.*\)) and (?P<second>\(.*\)), "
    r"releases that speak for (?P<speaks>\(.*\)): "
)
_WORD = re.compile(r"-?[\w.']+")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def point_of(statement: Statement, piece: Evidence) -> Point | None:
    """The point at which ``piece`` refutes ``statement``; None where it cannot be read back."""
    said = piece.says.removeprefix(f"{statement.text} is false at ")
    for point in _candidates(statement, said):
        try:
            truth = statement.at(point)
        except (ValueError, TypeError, KeyError, ArithmeticError):
            continue
        same = _words if isinstance(statement, EveryCase) else str
        if truth.value is False and same(truth.shown) == same(said):
            return point
    return None


def _words(text: str) -> list[str]:
    """What the text of a case says, whatever the order in which a set was printed."""
    return sorted(_WORD.findall(_ADDRESS.sub("", text)))


def _candidates(statement: Statement, said: str) -> Iterator[Point]:
    if isinstance(statement, EveryCase):
        with suppress(ValueError):  # another case than literals is looked for in the universe
            yield {"case": written(said.removeprefix(f"{statement.name} "))}
        wanted = _words(said)
        universes = chain(statement.cases(), statement.larger() if statement.larger else ())
        for case in islice(universes, CASES):
            if _words(f"{statement.name} {case!r}") == wanted:
                yield {"case": case}
    elif isinstance(statement, Implication):
        yield from attacks.rebuilt(statement, said)
    elif isinstance(statement, ComparisonOfPsi | EstablishmentPrivate):
        told = _numbers(_FUNCTION.sub("", said))
        for psi in FUNCTIONS[statement.real]:
            yield {"ψ": psi, **told}
    elif isinstance(statement, ReleasesOfParts):
        if at := _PARTS.match(said):
            first, second, speaks = (written(at[name]) for name in ("first", "second", "speaks"))
            yield from parts.rebuilt(_numbers(at["level"]), first, second, speaks)
    elif isinstance(statement, ChainOfNeighbors):
        level, _, listed = said.partition("P(S) along the chain ")
        yield {**_numbers(level), "chain": listed.partition(":")[0].split(", ")}
    else:
        yield _numbers(said)


def written(text: str) -> Any:
    """The value that ``repr`` printed as ``text``: literals, and Fraction and frozenset of them.

    Raises ValueError for anything else. Nothing is executed.
    """
    try:
        return _value(ast.parse(text, mode="eval").body)
    except SyntaxError as error:
        raise ValueError(f"not the text of a value: {error}") from None


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case ast.Tuple(elts=parts):
            return tuple(map(_value, parts))
        case ast.List(elts=parts):
            return list(map(_value, parts))
        case ast.Set(elts=parts):
            return set(map(_value, parts))
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {
                _value(key): _value(value) for key, value in zip(keys, values, strict=True) if key is not None
            }
        case ast.Call(func=ast.Name(id="Fraction"), args=parts, keywords=[]):
            return Fraction(*map(_value, parts))
        case ast.Call(func=ast.Name(id="frozenset"), args=parts, keywords=[]):
            return frozenset(*map(_value, parts))
    raise ValueError(f"not the text of a value: {ast.unparse(node)[:80]}")


def _numbers(said: str) -> dict[str, Any]:
    """``α = 1, x = 3/2: …`` as a point; what follows the colon is arithmetic."""
    found: dict[str, Any] = {}
    start = 0
    while at := _NUMBER.match(said, start):
        found[at["name"]] = Fraction(at["value"])
        start = at.end()
        if at["end"] != ", ":
            break
    return found
