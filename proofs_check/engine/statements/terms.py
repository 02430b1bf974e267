"""The world in which a formula prints itself, unsimplified, with the operations that it performs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any

from establish.proofs_check.terms import trees
from establish.spec.parameters import Name

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly the outermost operation of a text binds."""


MARK = "\ue000{}\ue001"
"""What stands in a text for a formula that is kept, with its place."""

OPERATIONS = {"−": "-", "·": "*"}
"""What trees call an operation whose sign is another one here."""

RELATIONS = {"<": "<", "<=": "≤", "==": "=", "!=": "≠"}

_kept: ContextVar[list[Term] | None] = ContextVar("kept", default=None)


@contextmanager
def kept() -> Iterator[list[Term]]:
    """Within, a formula that is put into a text is kept in the list, and the text has a mark of its place."""
    found: list[Term] = []
    before = _kept.set(found)
    try:
        yield found
    finally:
        _kept.reset(before)


@contextmanager
def unkept() -> Iterator[None]:
    """Within, a formula that is put into a text is text, whoever keeps others around it."""
    before = _kept.set(None)
    try:
        yield
    finally:
        _kept.reset(before)


class Term(Name):
    """A formula as text. Comparing two terms raises TypeError: a text has no size.

    made: the operation or function and its arguments; without, the text is a name.
    """

    def __init__(
        self, text: str, binding: int = ATOM, made: tuple[str, tuple[Term | Fraction, ...]] | None = None
    ) -> None:
        self.text, self.binding, self.made = text, binding, made

    def __str__(self) -> str:
        found = _kept.get()
        if found is None:
            return self.text
        found.append(self)
        return MARK.format(len(found) - 1)

    @property
    def tree(self) -> trees.Term:
        """The same formula as a tree. Raises NotATerm for a function that trees do not have."""
        if self.made is None:
            return trees.variable(self.text)
        op, arguments = self.made
        if op.startswith("where "):
            left, right, one, two = (part.tree for part in arguments if isinstance(part, Term))
            return trees.node("where", trees.Prop(left, op.removeprefix("where "), right), one, two)
        if op not in trees.OPERATIONS | trees.FUNCTIONS and op != "number":
            raise trees.NotATerm(f"no tree has {op}")
        inner = [part.tree if isinstance(part, Term) else trees.lift(part) for part in arguments]
        return inner[0] if op == "number" else trees.node(op, *inner)

    def within(self, binding: int) -> str:
        """The text, in parentheses where it binds less tightly than ``binding``."""
        return self.text if self.binding >= binding else f"({self.text})"

    def _joined(self, other: Any, sign: str, binding: int, *, swapped: bool = False) -> Term:
        first, second = (lift(other), self) if swapped else (self, lift(other))
        tighter = binding + (sign in ("−", "/"))
        space = " " if binding == SUM else ""
        left, right = first.within(binding), second.within(tighter)
        made = (OPERATIONS.get(sign, sign), (first, second))
        return Term(f"{left}{space}{sign}{space}{right}", binding, made)

    def __add__(self, other: Any) -> Term:
        return self._joined(other, "+", SUM)

    def __radd__(self, other: Any) -> Term:
        if not isinstance(other, Term) and other == 0:  # where a sum begins
            return self
        return self._joined(other, "+", SUM, swapped=True)

    def __sub__(self, other: Any) -> Term:
        return self._joined(other, "−", SUM)

    def __rsub__(self, other: Any) -> Term:
        return self._joined(other, "−", SUM, swapped=True)

    def __mul__(self, other: Any) -> Term:
        return self._joined(other, "·", PRODUCT)

    def __rmul__(self, other: Any) -> Term:
        return self._joined(other, "·", PRODUCT, swapped=True)

    def __truediv__(self, other: Any) -> Term:
        return self._joined(other, "/", PRODUCT)

    def __rtruediv__(self, other: Any) -> Term:
        return self._joined(other, "/", PRODUCT, swapped=True)

    def __pow__(self, other: Any) -> Term:
        power = lift(other)
        return Term(f"{self.within(ATOM)}^{power.within(ATOM)}", POWER, ("^", (self, power)))

    def __neg__(self) -> Term:
        return Term(f"−{self.within(PRODUCT)}", SUM, ("negative", (self,)))

    def __abs__(self) -> Term:
        return Term(f"|{self.text}|", ATOM, ("absolute", (self,)))

    def __bool__(self) -> bool:
        raise TypeError("a text is neither true nor false")

    def _unordered(self, other: Any) -> Any:
        raise TypeError("two texts cannot be compared")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _unordered
    __hash__ = object.__hash__


def lift(value: Any) -> Term:
    """A number as a term; a term as itself. Raises TypeError for a binary float."""
    if isinstance(value, Term):
        return value
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a binary float: write an int or a Fraction")
    number = Fraction(value)
    binding = PRODUCT if number.denominator != 1 else ATOM if number >= 0 else SUM
    return Term(str(number).replace("-", "−"), binding, ("number", (number,)))


class _Texts:
    """The world of terms."""

    pi: Any = Term("π", ATOM, ("pi", ()))

    def number(self, value: Any) -> Term:
        return lift(value)

    def power(self, base: Any, exponent: Any) -> Term:
        return lift(base).__pow__(exponent)

    def absolute(self, x: Any) -> Term:
        return abs(lift(x))

    def exp(self, x: Any) -> Term:
        power = lift(x)
        return Term(f"e^{power.within(ATOM)}", POWER, ("exp", (power,)))

    def sqrt(self, x: Any) -> Term:
        inner = lift(x)
        return Term(f"√{inner.within(ATOM)}", ATOM, ("sqrt", (inner,)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        shown = {"log": "ln", "maximum": "max", "psi": "ψ", "psi_inverse": "ψ⁻¹"}.get(name, name)

        def applied(*inputs: Any) -> Term:
            terms = tuple(map(lift, inputs))
            return Term(f"{shown}({', '.join(x.text for x in terms)})", ATOM, (name, terms))

        return applied


class _Branching(_Texts):
    """The same for trees, which may branch."""

    def where(self, relation: str, a: Any, b: Any, then: Any, other: Any) -> Term:
        left, right, one, two = map(lift, (a, b, then, other))
        text = f"{one.text} if {left.text} {RELATIONS[relation]} {right.text}, else {two.text}"
        return Term(text, SUM, (f"where {relation}", (left, right, one, two)))


TEXT, BRANCHING = _Texts(), _Branching()
