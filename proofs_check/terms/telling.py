"""Values at which a formula may turn: its constants, their quotients, and what lies between and beside."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import chain, combinations, pairwise

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
