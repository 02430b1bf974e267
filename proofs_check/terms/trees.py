"""Real formulas as trees of exact numbers, variables, operations and functions.

A `Term` does not change, has no size and is neither true nor false, so that nothing can be written with it
that looks at a value. Terms are kept once: the same tree is the same object, and its identity is its name.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from establish.spec.parameters import Name

OPERATIONS = {"+": 2, "-": 2, "*": 2, "/": 2, "^": 2, "negative": 1}
"""How many parts each operation has."""

FUNCTIONS = {
    **dict.fromkeys(("log", "exp", "sqrt", "sin", "erf", "erfinv", "log_gamma", "psi", "psi_inverse"), 1),
    "pi": 0,
    **dict.fromkeys(("absolute", "sign", "floor"), 1),
    "maximum": 2,
    "beta_share": 3,
}
"""How many arguments each function of a world has."""

RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
"""The relations of propositions, each as what decides it of two rationals."""

DEEPEST = 100_000
"""How many nodes the formulas of one statement may have together."""


class NotATerm(TypeError):
    """The formula is no tree of this language; the message says why, and what to write."""


@dataclass(frozen=True)
class Program:
    """A formula that a program computes at whole and rational values, over data or by a sum of many terms.

    It is read at points only, in the worlds of numbers. digest: of its code and of what it reads. whole:
    which of its arguments are integers.
    """

    digest: str
    function: Callable[..., Any] = field(compare=False)
    whole: tuple[bool, ...] = ()

    def at(self, c: Any, inputs: Sequence[Any]) -> Any:
        """Its value in a world of numbers. Raises TypeError at what is no rational."""
        if not all(isinstance(x, int | Fraction) for x in inputs):
            raise TypeError("a program computes at rational values only")
        return self.function(
            c, *(int(x) if w else Fraction(x) for w, x in zip(self.whole, inputs, strict=True))
        )


SIDES = [0]
"""The side of a branch on which a formula is read, by a number of its own; 0 before it branches.

It is in the hash of a term, so that what a function with a cache found on one side is not met on another.
"""


class Term(Name):
    """A node. op: of OPERATIONS or FUNCTIONS, or number, variable, where, undefined.

    data: the rational of a number, name and field of a variable. The parts of ``where`` are a proposition and
    the two sides.
    """

    __slots__ = ("args", "data", "op")
    op: str
    args: tuple[Any, ...]
    data: Any

    def __setattr__(self, *_: object) -> None:
        raise AttributeError("a term does not change")

    def __repr__(self) -> str:
        return f"Term({self.op}{'' if self.data is None else f' {self.data}'})"

    def _size(self, *_: object) -> Any:
        raise NotATerm(
            f"{self!r} has no size: it is not a float, an index, a length or a key to sort by. Write "
            "functions of the world, such as c.sqrt(x) and c.maximum(x, y), not those of math or numpy"
        )

    __float__ = __int__ = __index__ = __iter__ = __len__ = __round__ = __complex__ = __trunc__ = _size
    __str__ = __format__ = _size

    def __hash__(self) -> int:
        if len(DECIDES) > 1:
            _refuse_as_key(sys._getframe(1))
        return hash((id(self), SIDES[-1]))

    def __bool__(self) -> bool:
        raise NotATerm(f"{self!r} is neither true nor false: compare it, as in x > 0")

    def __add__(self, other: Any) -> Term:
        return node("+", self, lift(other))

    def __radd__(self, other: Any) -> Term:
        if type(other) is int and not other:  # where a sum begins
            return self
        return node("+", lift(other), self)

    def __sub__(self, other: Any) -> Term:
        return node("-", self, lift(other))

    def __rsub__(self, other: Any) -> Term:
        return node("-", lift(other), self)

    def __mul__(self, other: Any) -> Term:
        return node("*", self, lift(other))

    def __rmul__(self, other: Any) -> Term:
        return node("*", lift(other), self)

    def __truediv__(self, other: Any) -> Term:
        return node("/", self, lift(other))

    def __rtruediv__(self, other: Any) -> Term:
        return node("/", lift(other), self)

    def __pow__(self, other: Any) -> Term:
        return node("^", self, lift(other))

    def __rpow__(self, other: Any) -> Term:
        return node("^", lift(other), self)

    def __neg__(self) -> Term:
        return node("negative", self)

    def __pos__(self) -> Term:
        return self

    def __abs__(self) -> Term:
        return node("absolute", self)

    def __floor__(self) -> Term:
        return node("floor", self)

    def __ceil__(self) -> Term:
        return -node("floor", -self)

    def __lt__(self, other: Any) -> Prop:
        return Prop(self, "<", lift(other))

    def __le__(self, other: Any) -> Prop:
        return Prop(self, "<=", lift(other))

    def __gt__(self, other: Any) -> Prop:
        return Prop(lift(other), "<", self)

    def __ge__(self, other: Any) -> Prop:
        return Prop(lift(other), "<=", self)

    def __eq__(self, other: object) -> Any:
        return Prop(self, "==", lift(other))

    def __ne__(self, other: object) -> Any:
        return Prop(self, "!=", lift(other))


KEYED = {"get", "setdefault", "pop", "set", "frozenset", "dict", "fromkeys", "Counter"}
"""What looks a key up by its hash, beside instructions: it would ask no proposition, and find nothing."""


def _refuse_as_key(frame: Any) -> None:
    """Only a call of a function with a cache may ask for the hash of a term while a formula is read."""
    code = frame.f_code
    called = dis.opname[code.co_code[frame.f_lasti]].startswith(("CALL", "PRECALL"))
    if not called or KEYED.intersection(code.co_names):
        raise NotATerm(
            "a variable is no key of a table or a set: compare it, as in x in (1, 2), or mark the formula "
            "computed(...)"
        )


@dataclass(frozen=True, eq=False, slots=True)
class Prop:
    """``left relation right``, for one of RELATIONS."""

    left: Term
    relation: str
    right: Term

    @property
    def key(self) -> tuple[Any, ...]:
        """What it says, to compare by: the sides themselves compare to propositions."""
        return id(self.left), self.relation, id(self.right)

    @property
    def known(self) -> bool | None:
        """What its numbers decide."""
        if self.left.op == self.right.op == "number":
            return RELATIONS[self.relation](self.left.data, self.right.data)
        return None

    def negated(self) -> Prop:
        if self.relation in ("==", "!="):
            return Prop(self.left, "!=" if self.relation == "==" else "==", self.right)
        return Prop(self.right, "<=" if self.relation == "<" else "<", self.left)

    def __bool__(self) -> bool:
        return DECIDES[-1](self)

    def __eq__(self, other: object) -> bool:
        raise NotATerm("truth values are not compared: write a branch, such as x > 3 and y > 3")

    __ne__ = __eq__
    __hash__ = None  # type: ignore[assignment]


def _undecided(prop: Prop) -> bool:
    if prop.known is not None:
        return prop.known
    raise NotATerm("it branches on a proposition where no branch can be kept: split the statement into cases")


DECIDES = [_undecided]
"""What answers for a proposition whose truth is asked: the last one, while a formula is read."""

_kept: dict[tuple[Any, ...], Term] = {}


def node(op: str, *args: Any, data: Any = None) -> Term:
    """The one term of this operation and these parts."""
    flat = args if op != "where" else (args[0].left, args[0].right, *args[1:])
    relation = args[0].relation if op == "where" else None
    key = (op, relation, data, *map(id, flat))
    found = _kept.get(key)
    if found is None:
        found = object.__new__(Term)
        for name, value in (("op", op), ("args", args), ("data", data)):
            object.__setattr__(found, name, value)
        _kept[key] = found
    return found


def lift(value: Any) -> Term:
    """An exact number as a term, a term as itself. Raises NotATerm for all else, floats above all."""
    if type(value) is Term:
        return value
    if type(value) in (int, Fraction):
        return node("number", data=Fraction(value))
    kind = f"{type(value).__module__}.{type(value).__name__}".removeprefix("builtins.")
    raise NotATerm(f"{value!r} of type {kind} is no exact number: write an int or a Fraction, or c.sqrt(2)")


def variable(name: str, field: str = "ℝ") -> Term:
    return node("variable", data=(name, field))


def where(prop: Prop, then: Term, other: Term) -> Term:
    """``then`` where the proposition is true, ``other`` elsewhere."""
    return then if then is other else node("where", prop, then, other)


UNDEFINED = node("undefined")
NEVER = Prop(lift(0), "<", lift(0))


def below(term: Term) -> tuple[Term, ...]:
    """The terms directly below one."""
    if term.op == "where":
        prop, then, other = term.args
        return (prop.left, prop.right, then, other)
    return term.args


def parts(roots: Sequence[Term]) -> list[Term]:
    """All terms below the roots, each once and after its parts: the canonical order."""
    found: dict[int, Term] = {}
    stack: list[tuple[Term, bool]] = [(root, False) for root in reversed(roots)]
    while stack:
        term, ready = stack.pop()
        if id(term) in found:
            continue
        if ready:
            found[id(term)] = term
            continue
        stack.append((term, True))
        stack += [(part, False) for part in reversed(below(term))]
    return list(found.values())


def put(term: Term, values: dict[int, Term]) -> Term:
    """The term with others in the place of variables, by the id of these."""
    known = dict(values)
    for part in parts([term]):
        if id(part) not in known:
            inner = [known[id(one)] for one in below(part)]
            if part.op == "where":
                prop = Prop(inner[0], part.args[0].relation, inner[1])
                side = None if prop.known is None else inner[2] if prop.known else inner[3]
                known[id(part)] = side if side is not None else where(prop, inner[2], inner[3])
            else:
                known[id(part)] = node(part.op, *inner, data=part.data) if inner else part
    return known[id(term)]
