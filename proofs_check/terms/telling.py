"""Values at which a formula may turn: its constants, their quotients, and what lies between and beside."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations, pairwise
from types import CodeType
from typing import Any

from establish.proofs_check.terms.trees import Prop, parts

MANY = 12
"""Of how many constants quotients are taken."""

BESIDE = Fraction(1, 1000)
"""How far beside a constant a value is tried, as a share of it."""


def telling(props: Iterable[Prop]) -> list[Fraction]:
    """The constants of some propositions, largest numerator first, then values between and beside them, and
    their quotients and opposites, each once.
    """
    terms = parts([side for p in props for side in (p.left, p.right)])
    return beside(t.data for t in terms if t.op == "number")


def constants_of(function: Callable[..., Any]) -> list[Fraction]:
    """The same of the numbers that stand in the code of a function, and of what it holds."""
    code = getattr(function, "__code__", None)
    held = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    found = [x for x in (*(_constants(code) if code else ()), *held) if type(x) in (int, Fraction)]
    return beside(map(Fraction, found))


def _constants(code: CodeType) -> Iterator[Any]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _constants(one)
        else:
            yield from one if isinstance(one, tuple) else (one,)


def beside(numbers: Iterable[Fraction]) -> list[Fraction]:
    """Some numbers, and values between, beside, above and below them."""
    own = {x for x in numbers if x not in (0, 1, -1, 2)}
    constants = sorted(own, key=lambda x: (-abs(x.numerator), x))
    between = [(a + b) / 2 for a, b in pairwise(sorted(own))]
    near = [x for c in constants for x in (c + 1, c - 1, c * (1 - BESIDE), c * (1 + BESIDE))]
    pairs = list(combinations(constants[:MANY], 2))
    quotients = [a / b for a, b in chain(pairs, ((b, a) for a, b in pairs))]
    inverses = [x for c in constants for x in (1 / c, 1 / (2 * c))]
    return list(dict.fromkeys([*constants, *between, *near, *inverses, *quotients, *(-c for c in constants)]))
