"""Guarantees that no single statement object says: cards tell which claims give them, and what joins these.

A certificate carries the argument in words. Where it is a theorem, too, this is told by the digests of both.
What it costs is computed, from the objects and the settled values of these claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import sympy

from establish.impl.card import Joined
from establish.impl.cards import cards
from establish.proofs_check.certification.subject import of_specification
from establish.proofs_check.engine.binding import digest
from establish.proofs_check.engine.statements.additive import Additive
from establish.proofs_check.engine.statements.chains import ChainOfNeighbors
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.definitions import definitions_behind
from establish.proofs_check.engine.statements.one_draw import DrawnByGaps
from establish.proofs_check.engine.statements.releases import ReleasesTogether
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.formal.bound import all_bound
from establish.proofs_check.formal.rules import argued, lost
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


def code_of(name: str) -> str:
    """A digest of what the theorem on the joined guarantees of a mechanism is about: the guarantees and the
    words of its card, what their claims were when theorems were bound to them, and the definitions of spec/
    that are named beside it.
    """
    says = [repr(vars(each)) for each in JOINED[name]]
    says += [repr(all_bound().get(id)) for each in JOINED[name] for id in each.claims]
    reads = definitions_behind([of_specification(dotted) for dotted in argued()[name].reads])
    return digest([*says, *map(str, sorted(reads.items()))])


def why_prose(name: str) -> str:
    """What keeps the argument that joins the claims of a mechanism from being a theorem; empty where it is
    one, or where nothing is joined.
    """
    if name not in JOINED:
        return ""
    if name not in argued():
        return "the argument that joins its claims"
    entry = argued()[name]
    found = lost(name, code_of(name)) or ([] if entry.whole else [entry.rest])
    return f"the argument that joins its claims ({'; '.join(found)})" if found else ""


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
