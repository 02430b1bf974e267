"""Guarantees that no single statement object says: cards tell which claims give them, and what joins these.

The argument is prose. A certificate carries it, so that whoever reads a release sees that it is trusted. What
it costs is computed, from the objects and the settled values of these claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import sympy

from establish.impl.card import Joined
from establish.impl.cards import cards
from establish.proofs_check.engine.statements.additive import Additive
from establish.proofs_check.engine.statements.chains import ChainOfNeighbors
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.one_draw import DrawnByGaps
from establish.proofs_check.engine.statements.releases import ReleasesTogether
from establish.proofs_check.engine.statements.statement import Statement
from establish.spec.arithmetic import EXACT, SYM
from establish.spec.domains import formula

JOINED: Mapping[str, tuple[Joined, ...]] = {
    name: card.joined for name, card in cards().items() if card.joined
}
"""By mechanism, as its card has it."""

EPSILON = sympy.Symbol("epsilon", positive=True)


def cost(joined: Joined, said: Mapping[str, tuple[Sequence[Statement], str]]) -> sympy.Expr:
    """What a joined guarantee costs, as a term of ε: the product of what its claims say of its parts.

    said: by claim its printed objects, and its settled value, which counts where it has no object.
    """
    found = EPSILON
    for id in joined.claims:
        objects, value = said[id]
        if not objects and value:
            found *= formula(value)({"epsilon": EPSILON}, SYM) / EPSILON
        for statement in objects:
            found = _with(statement, found, joined.steps)
    return sympy.simplify(found)


def _with(statement: Statement, cost: sympy.Expr, steps: int) -> sympy.Expr:
    """The cost of a part by one object, of which ``cost`` is that of its ε."""
    if isinstance(statement, Additive):
        own = [sympy.Symbol(name, positive=True) for name in statement.domain.names]
        return cost * statement.level(SYM, *own) / own[statement.domain.names.index("ε")]
    if isinstance(statement, DrawnByGaps):
        return cost * _log(statement.level(SYM, sympy.exp(EPSILON / 2))) / EPSILON
    if isinstance(statement, ReleasesTogether):
        first, second = sympy.symbols("first second", positive=True)
        level = _log(statement.level(SYM, sympy.exp(first), sympy.exp(second), 0, 0))
        return cost * sympy.Max(*(sympy.diff(level, each) for each in (first, second)))
    if isinstance(statement, ChainOfNeighbors):
        return _log(statement.level(SYM, sympy.exp(cost), 0, steps))
    if isinstance(statement, Comparison) and statement.relation == "==":  # shares of ε, which add up
        totals = {Fraction(statement.right(EXACT, *at)) for at in statement.domain.simple_points(1)}
        return cost * sympy.Rational(*max(totals).as_integer_ratio())
    return cost


def _log(level: sympy.Expr) -> sympy.Expr:
    return sympy.expand_log(sympy.log(level), force=True)
