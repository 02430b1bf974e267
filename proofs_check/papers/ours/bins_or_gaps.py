"""What each class of the rule for few bins or equal gaps spends."""

from establish import Below, Equal, Integer, Verdict, claim, computed, exact, exhaustive, holds
from establish.impl.earnings.bins_or_gaps import CLASSES, GAPS, STARTS, spending
from establish.proofs_check.papers.ours.chosen_by_size import PLACE, runs_as_specified
from establish.spec.earnings.chosen_by_size import BINS_OR_GAPS

_CLASS = Integer("class", least=0, most=len(BINS_OR_GAPS) - 1)

SHARES = (
    Equal(_CLASS, left=computed(lambda c, place: c.number(sum(BINS_OR_GAPS[place]))), right=1),
    Below(_CLASS, left=0, right=computed(lambda c, place: c.number(min(BINS_OR_GAPS[place])))),
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
    """The shares are exact rationals, and those that the implementation spends."""
    return holds(
        *map(exhaustive.proves, SHARES),
        runs_as_specified(spending, BINS_OR_GAPS, GAPS + 1),
        exact.compare(len(STARTS) + 1, "==", len(CLASSES), "one class of bins more than starts"),
        value="1",
    )
