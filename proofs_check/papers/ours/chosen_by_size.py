"""What it costs to let a protected total pick the mechanism."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

from establish import Evidence, Verdict, aside, claim, exact, exhaustive, holds, symbolic
from establish.impl.earnings.chosen_by_size import BOUNDS, CHOICES, spending
from establish.proofs_check.engine.rules import settled
from establish.proofs_check.engine.statements import Below, Equal, Integer, Real, Together, computed
from establish.proofs_check.papers.ours.small_mechanisms import (
    CHANGE,
    HALF,
    PRESENCE,
    Mechanism,
    clamped_median,
    fitted_median,
    largest_ratio,
    private,
    protected_counts,
)
from establish.spec.earnings.chosen_by_size import BY_SIZE, SizeRule, chosen, cut_off
from establish.spec.earnings.neighbors import Earnings
from establish.spec.indistinguishability import Distribution

Shares = tuple[Fraction, ...]
PLACE = "Choice of a mechanism by a protected total"
RULE: SizeRule[str] = SizeRule((Fraction(1), Fraction(2)), ("clamped", "fitted", "counts"))
MECHANISMS: dict[str, Mechanism] = {
    "clamped": clamped_median,
    "fitted": fitted_median,
    "counts": protected_counts,
}
"""Each private at e^ε = 2."""


def total(d: Earnings) -> Distribution:
    """The protected number of individuals, e^ε = 2."""
    return cut_off(len(d), HALF, -1, 5)


def by_total(t: Hashable) -> str:
    """What RULE picks at ε = 1; it sees the protected total only."""
    assert isinstance(t, int)
    return RULE.pick(t, 1)


def picking(pick: Callable[[Hashable], str]) -> Mechanism:
    """Protected total, then the mechanism that it picks."""
    return chosen(total, pick, MECHANISMS)


PICKED = Together("chosen", level=lambda c, first, second, *_: first * second)
"""A protected total and then a release that it picks cost e^(ε_0)·e^(ε_1)."""

REACHED = Equal(
    Real("c_0", least=1),
    Real("c_1", least=1),
    left=lambda c, a, b: (a / (1 + a) * (b / (1 + b))) / (1 / (1 + a) * (1 / (1 + b))),
    right=lambda c, a, b: a * b,
)
"""Two answers with c/(1+c) and 1/(1+c), whatever the first one picks."""


@claim(
    "establish/chosen-by-size-loss",
    where=PLACE,
    states=PICKED,
    tight=REACHED,
    says="A protected total with ε_0 and then a mechanism with ε_1, picked by that total and ε alone, cost "
    "ε_0 + ε_1.",
)
def the_pick_looks_at_public_quantities_only() -> Verdict:
    """P(t, y) = P(t)·P_pick(t)(y): both data sets meet the same pick at the same t, so the mechanisms
    compared are one and the same, and P(t, y) ≤ e^(ε_0)·P'(t)·e^(ε_1)·P'_pick(t)(y). Exact laws of three
    mechanisms on the small universe with e^(ε_0) = e^(ε_1) = 2: private at 4, which is
    attained where counts are picked, and at 16 when one individual's earnings change. A pick by the true
    number of individuals has no bound: an output tells which mechanism ran.
    """
    rule = picking(by_total)
    leaks = _picked_by_the_truth
    return holds(
        settled(PICKED),
        symbolic.proves(REACHED),
        exact.compare(largest_ratio(rule, PRESENCE), "==", 4, "e^loss of the pair, exact"),
        aside(private(rule, 16, "what the rule picks", CHANGE)),
        aside(
            exact.compare(
                int(largest_ratio_is_infinite(leaks)), "==", 1, "picked by the true number: no finite loss"
            )
        ),
        value="ε_0 + ε_1, attained",
        condition="bounds of the rule, bins and candidates are public constants",
    )


def _picked_by_the_truth(d: Earnings) -> Distribution:
    """What a rule that looks at the number of individuals itself would release."""
    name = by_total(len(d))
    return {(name, y): p for y, p in MECHANISMS[name](d).items()}


def largest_ratio_is_infinite(mechanism: Mechanism) -> bool:
    """Whether some neighbors have an output that only one of them can produce."""
    laws = {d: mechanism(d) for d in PRESENCE.datasets()}
    return any(set(laws[d]) != set(laws[e]) for d in laws for e in PRESENCE.neighbors(d))


_CLASS = Integer("class", least=0, most=len(BY_SIZE) - 1)

SHARES = (
    Equal(_CLASS, left=computed(lambda c, place: c.number(sum(BY_SIZE[place]))), right=1),
    Below(_CLASS, left=0, right=computed(lambda c, place: c.number(min(BY_SIZE[place])))),
)
"""In every class the shares add up to 1, and the least of them is positive."""


def runs_as_specified(spent: Callable[[int], Shares], shares: Sequence[Shares], classes: int) -> Evidence:
    """The implementation spends in every class the shares of the specification."""
    return exhaustive.for_all(
        range(max(len(shares), classes)),
        lambda place: spent(place) == shares[place],
        "the shares that are spent are those of the specification",
        "the classes",
    )


@claim(
    "establish/chosen-by-size-budget",
    where=PLACE,
    says="In every class of the rule that runs, the shares of ε for the total, for a count and for what is "
    "released are positive and add up to 1.",
    states=SHARES,
    tight=SHARES,
)
def every_class_spends_epsilon_and_no_more() -> Verdict:
    """The shares are exact rationals, and those that the implementation spends."""
    return holds(
        *map(exhaustive.proves, SHARES),
        runs_as_specified(spending, BY_SIZE, len(CHOICES)),
        exact.compare(len(CHOICES), "==", len(BOUNDS) + 1, "one class more than bounds"),
        value="1",
    )
