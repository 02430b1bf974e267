"""What each class of the rule for few bins or equal gaps spends."""

from __future__ import annotations

from establish.impl.earnings.bins_or_gaps import CLASSES, GAPS, STARTS, spending
from establish.proofs_check.engine.methods import exact, exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Below, Equal, Integer
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.proofs_check.papers.ours.chosen_by_size import PLACE

SPENT = tuple(map(spending, range(GAPS + 1)))
"""The shares of ε that each class spends, the last one by equal gaps."""

_CLASS = Integer("class", least=0, most=GAPS)

SHARES = (
    Equal(_CLASS, left=lambda c, place: c.number(sum(SPENT[place])), right=1),
    Below(_CLASS, left=0, right=lambda c, place: c.number(min(SPENT[place]))),
)
"""In every class the shares add up to 1, and the least of them is positive."""


@claim(
    "establish/bins-or-gaps-budget",
    where=PLACE,
    says="In every class of the rule for few bins or equal gaps, the shares of ε for the total that picks "
    "and for what is released are positive and add up to 1.",
    states=SHARES,
    tight=SHARES,
)
def every_class_spends_epsilon_and_no_more() -> Verdict:
    """The classes are those of the implementation, its shares exact rationals."""
    return holds(
        *map(exhaustive.proves, SHARES),
        exact.compare(len(STARTS) + 1, "==", len(CLASSES), "one class of bins more than starts"),
        value="1",
    )
