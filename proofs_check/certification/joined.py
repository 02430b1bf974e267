"""Guarantees that no single statement object says: which claims give them, and the argument that joins these.

The argument is prose. A certificate carries it, so that whoever reads a release sees that it is trusted. What
it costs is computed, from the objects and the settled values of these claims.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import sympy

from establish.proofs_check.engine.statements.additive import Additive
from establish.proofs_check.engine.statements.chains import ChainOfNeighbors
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.one_draw import DrawnByGaps
from establish.proofs_check.engine.statements.releases import ReleasesTogether
from establish.proofs_check.engine.statements.statement import Statement
from establish.spec.arithmetic import EXACT, SYM
from establish.spec.domains import formula


@dataclass(frozen=True)
class Joined:
    """kind: neighbors and queries, one of KINDS. because: the argument. steps: so many neighbors in a row are
    one of the kind.
    """

    kind: tuple[str, str]
    claims: tuple[str, ...]
    because: str
    steps: int = 1


def _of_records(*claims: str, because: str) -> tuple[Joined, Joined]:
    """Privacy of one record, and so of a change, which is one record less and another more."""
    return (
        Joined(("record", "presence"), claims, because),
        Joined(
            ("record", "change"),
            (*claims, "haney2017/eq-14"),
            because + " A changed record is one that leaves and one that comes.",
            steps=2,
        ),
    )


OF_SHARES = (
    "A record is in one cell, of which the total and what it chooses are released, with shares of ε that "
    "add up to it."
)

JOINED: Mapping[str, tuple[Joined, ...]] = {
    "truncated-laplace": (
        Joined(
            ("node", "establishment"),
            ("haney2017/sec6-trunc-sensitivity", "haney2017/def-2.4-scale"),
            "The count of the establishments that are kept changes by at most the largest of them, and the "
            "scale of the noise is at least that over ε.",
        ),
    ),
    "histogram-percentiles": _of_records(
        "foote2019/prop-4.1",
        "foote2019/sec4.1-corollary",
        because="A record is in one bin of one cell, whose count has geometric noise, and percentiles are "
        "read off these counts.",
    ),
    "equal-gaps": _of_records(
        "establish/equal-gaps-loss",
        "establish/equal-gaps-counts-and-weights",
        because="A record is in one gap of one cell; the draw of that cell alone has another law.",
    ),
    "chosen-by-size": _of_records(
        "establish/chosen-by-size-loss",
        "establish/chosen-by-size-budget",
        "establish/post-processing-loss",
        because=OF_SHARES,
    ),
    "bins-or-gaps": _of_records(
        "establish/chosen-by-size-loss",
        "establish/bins-or-gaps-budget",
        "establish/equal-gaps-loss",
        "establish/post-processing-loss",
        because=OF_SHARES,
    ),
}

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
