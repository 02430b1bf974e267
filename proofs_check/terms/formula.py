"""A tree as a formula of the worlds: methods and rules call it like the function from which it was read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import sympy

from establish.proofs_check.terms import trees
from establish.proofs_check.terms.asking import asks
from establish.proofs_check.terms.reify import TERMS, reify
from establish.proofs_check.terms.sentence import Sentence
from establish.proofs_check.terms.values import NUMBERS, PLAIN, ball, squared, truth, values
from establish.spec.arithmetic import ARB, EXACT, MP, SYM


@dataclass(frozen=True, eq=False)
class Tree:
    """A term with its variables in order, callable as ``tree(c, *values)`` in every world.

    source: the function from which it was read, which tells where it is written; it is never called again.
    """

    term: trees.Term
    variables: tuple[trees.Term, ...]
    source: Callable[..., Any] | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @cached_property
    def _identity(self) -> tuple[int, ...]:
        return (id(self.term), *map(id, self.variables))

    @cached_property
    def digest(self) -> str:
        """What names the tree with its variables, whatever these are called."""
        return Sentence(self.variables, (), trees.Prop(self.term, "==", self.term)).digest

    @cached_property
    def _order(self) -> list[trees.Term]:
        return trees.parts([self.term])

    def __call__(self, c: Any, *inputs: Any) -> Any:
        at = {id(v): x for v, x in zip(self.variables, inputs, strict=True)}
        if c is TERMS:
            return trees.put(self.term, {key: trees.lift(x) for key, x in at.items()})
        if c is ARB and not any(isinstance(x, flint.arb_series) for x in inputs):
            exact = {k: Fraction(x) if isinstance(x, int | Fraction) else x for k, x in at.items()}
            return ball(values([self.term], exact)[0])
        known = dict(at)
        numeric = c is ARB or c is EXACT or c is MP
        for part in self._order:
            if id(part) not in known:
                inner = [known[id(one)] for one in trees.below(part)]
                known[id(part)] = _numeric(part, c, inner) if numeric else _folded(part, c, inner)
        found = known[id(self.term)]
        if isinstance(found, _Failed):
            raise found.error
        return c.number(found) if numeric and isinstance(found, int | Fraction) else found


def _folded(term: trees.Term, c: Any, inner: list[Any]) -> Any:
    """One node in a world of expressions."""
    match term.op:
        case "computed":
            raise TypeError(f"{type(c).__name__} reads no formula that a program computes")
        case "number":
            return c.number(term.data)
        case op if op in PLAIN:
            return PLAIN[op](*inner)
        case "^":
            exponent = term.args[1]
            return c.power(inner[0], exponent.data if exponent.op == "number" else inner[1])
        case "pi":
            return c.pi
        case "where":
            return _branch(c, term.args[0].relation, *inner)
        case "undefined":
            return _undefined(c)
    return getattr(c, term.op)(*inner)


SYMBOLIC = {"<": sympy.Lt, "<=": sympy.Le, "==": sympy.Eq, "!=": sympy.Ne}
"""The relations as sympy decides them, from what it assumes of its symbols."""


def _branch(c: Any, relation: str, a: Any, b: Any, then: Any, other: Any) -> Any:
    """A branch in a world that has them, or in sympy the side that its assumptions decide. Raises TypeError
    elsewhere.
    """
    if c is SYM:
        decided = SYMBOLIC[relation](a, b)
        if decided in (sympy.true, sympy.false):
            return then if decided == sympy.true else other
    if "where" not in vars(type(c)):
        raise TypeError(f"{type(c).__name__} reads no formula that branches: split the statement into cases")
    return c.where(relation, a, b, then, other)


def _undefined(c: Any) -> Any:
    if c is SYM:
        return sympy.nan
    if "undefined" not in vars(type(c)):
        raise TypeError(f"{type(c).__name__} reads no formula that raises on one side of a branch")
    return c.undefined


@dataclass(frozen=True)
class _Failed:
    """In place of a value that cannot be had; it is raised where the value is needed."""

    error: Exception


def _numeric(term: trees.Term, c: Any, inner: list[Any]) -> Any:
    """One node in a world of numbers: rationals stay exact as long as they can be."""
    if term.op == "number":
        return term.data
    if term.op == "undefined":
        return _Failed(ArithmeticError("the formula has no value there"))
    needed = inner[:2] if term.op == "where" else inner
    if failed := next((x for x in needed if isinstance(x, _Failed)), None):
        return failed
    try:
        return _taken(term.args[0].relation, *inner) if term.op == "where" else _operated(term, c, inner)
    except (ArithmeticError, ValueError, TypeError, AttributeError) as error:
        return _Failed(error)


def _operated(term: trees.Term, c: Any, inner: list[Any]) -> Any:
    if term.op in NUMBERS and inner and all(isinstance(x, int | Fraction) for x in inner):
        found = NUMBERS[term.op](*map(Fraction, inner))
        if isinstance(found, Fraction):
            return found
    if term.op == "computed":
        return term.data.at(c, inner)
    if term.op == "pi":
        return c.pi
    if term.op == "^":
        return _power(c, *inner)
    lifted = [c.number(x) for x in inner]
    return PLAIN[term.op](*lifted) if term.op in PLAIN else getattr(c, term.op)(*lifted)


def _power(c: Any, base: Any, exponent: Any) -> Any:
    whole = isinstance(exponent, int | Fraction) and exponent.denominator == 1
    if whole and c is ARB:
        n = int(exponent)
        return squared(c.number(base), n) if n >= 0 else 1 / squared(c.number(base), -n)
    return c.power(base, exponent)


def _taken(relation: str, a: Any, b: Any, then: Any, other: Any) -> Any:
    """The side of a branch that is taken. Raises ValueError where balls do not tell which."""
    if isinstance(a, flint.arb_series) or isinstance(b, flint.arb_series) or isinstance(a, flint.arb):
        a, b = (x[0] if isinstance(x, flint.arb_series) else x for x in (a, b))
    pair = [Fraction(x) if isinstance(x, int) else x for x in (a, b)]
    if any(isinstance(x, flint.arb) for x in pair):
        told = truth(relation, *pair)
        if told is None:
            raise ValueError("which side of a branch is taken is not decided")
        return then if told else other
    return then if trees.RELATIONS[relation](*pair) else other


def tree_of(formula: Callable[..., Any] | trees.Program, variables: Sequence[trees.Term]) -> Tree:
    """The formula as a tree over these variables; one that is a tree over them already as it is.

    Raises NotATerm with the reason where it has none.
    """
    if isinstance(formula, Tree) and list(map(id, formula.variables)) == list(map(id, variables)):
        return formula
    if isinstance(formula, trees.Program):
        program = replace(formula, whole=tuple(v.data[1] == "ℤ" for v in variables))
        return Tree(trees.node("computed", *variables, data=program), tuple(variables), formula.function)
    if asked := asks(formula, bool(variables)):
        raise trees.NotATerm(f"{asked}: a formula says the same wherever it is read, and keeps no state")
    source = formula.source if isinstance(formula, Tree) else formula
    return Tree(reify(formula, *variables), tuple(variables), source)
