"""A formula is run once in the world of terms, down both sides of every branch, and gives its tree.

A branch of the code (`if x < 0`, Python's max, a guard that raises) is a proposition that is asked for its
truth: the code then runs again down each side, and the tree says `where`. What raises on one side is
`undefined`, which is owed never to be reached.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

from establish.proofs_check.terms.trees import (
    DECIDES,
    DEEPEST,
    FUNCTIONS,
    SIDES,
    UNDEFINED,
    NotATerm,
    Prop,
    Term,
    lift,
    node,
    parts,
    where,
)
from establish.spec.nearest import nearest

MEANT = {"ln": "log", "abs": "absolute", "max": "maximum", "pow": "power"}
"""Words that other languages have for functions of a world."""

BRANCHES = 64
"""How many sides one formula may have."""


class _Fork(BaseException):
    """A proposition was asked for its truth; no code of a formula may catch this."""


class Terms:
    """The world of terms."""

    __slots__ = ()
    pi = node("pi")

    def number(self, value: Any) -> Term:
        return lift(value)

    def power(self, base: Any, exponent: Any) -> Term:
        return node("^", lift(base), lift(exponent))

    def where(self, prop: Prop, then: Any, other: Any) -> Term:
        return where(prop, lift(then), lift(other))

    def __getattr__(self, name: str) -> Callable[..., Term]:
        arity = FUNCTIONS.get(name)
        if not arity:
            known = [*FUNCTIONS, "pi", "number", "power"]
            hint = nearest(MEANT.get(name, name), known)
            raise AttributeError(f"the world has no {name}{hint}")

        def applied(*inputs: Any) -> Term:
            if len(inputs) != arity:
                raise NotATerm(f"{name} has {arity} arguments, not {len(inputs)}")
            return node(name, *map(lift, inputs))

        return applied


TERMS = Terms()


_sides = count(1)


def reify(formula: Callable[..., Any], *inputs: Any) -> Term:
    """The tree of a formula of a world. Raises NotATerm with the reason where it has none."""
    seen = 0

    def explored(path: list[tuple[Prop, bool]]) -> Term:
        nonlocal seen
        asked: list[Prop] = []

        def decided(prop: Prop) -> bool:
            if prop.known is not None:
                return prop.known
            opposite = prop.negated().key
            for known, truth in path:
                if known.key in (prop.key, opposite):
                    return truth == (known.key == prop.key)
            asked.append(prop)
            raise _Fork(prop)

        DECIDES.append(decided)
        SIDES.append(next(_sides) if path else 0)
        try:
            made = lift(formula(TERMS, *inputs))
            if not asked:
                return made
            raise NotATerm("it catches the question on which side of a branch it is")
        except _Fork as fork:
            prop = fork.args[0]
        except (ValueError, ArithmeticError) as error:
            if not path:
                raise NotATerm(f"{type(error).__name__}: {error}") from error
            return UNDEFINED
        finally:
            DECIDES.pop()
            SIDES.pop()
        seen += 1
        if seen > BRANCHES:
            raise NotATerm(f"it has more than {BRANCHES} branches: split the statement into cases")
        return where(prop, explored([*path, (prop, True)]), explored([*path, (prop, False)]))

    made = explored([])
    if len(parts([made])) > DEEPEST:
        raise NotATerm(f"it has more than {DEEPEST} nodes")
    return made
