"""The staircase law on whole numbers: the rule derives what is true, and refuses or leaves open the rest."""

from dataclasses import replace
from fractions import Fraction

import pytest

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.rules import (
    RuleError,
    on_whole_scale,
    whole_ladder,
    whole_level,
    whole_steps,
)
from establish.proofs_check.papers.ours import whole_staircase
from establish.proofs_check.papers.ours.whole_staircase import PRIVATE
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism

STRONG = PRIVATE.strong


def shown(statement):
    """All that the rule owes, one piece each."""
    cell, gaps, late, grown = whole_steps()
    return [
        solver.proves(whole_level(statement)),
        *map(solver.proves, (cell, gaps, grown)),
        solver.proves(late, whole_staircase._logarithms),
        *map(solver.proves, whole_ladder()),
    ]


def test_the_level_is_derived_and_no_smaller_one():
    assert on_whole_scale(STRONG, *shown(STRONG)).established is True
    level = lambda c, a, e: c.number(Fraction(99, 100)) * e  # noqa: E731
    less = replace(STRONG, level=level)
    assert on_whole_scale(less, *shown(less)).established is None


def test_every_piece_is_needed():
    pieces = shown(STRONG)
    assert len(pieces) == 22
    for k in range(len(pieces)):
        found = on_whole_scale(STRONG, *pieces[:k], *pieces[k + 1 :])
        assert (found.established, "is owed" in found.witness) == (None, True)


@pytest.mark.parametrize("factor", ["9/10", "99/100"])
def test_a_takeover_that_is_too_early_is_not_shown(factor: str):
    """From less than (1+L)/(α−L) on, the gaps of the logarithm are not all longer."""
    _, _, late, _ = whole_steps()
    alpha, m = late.domain.variables
    earlier = replace(m, low=lambda c, a: c.number(Fraction(factor)) * m.low(c, a))
    planted = replace(late, domain=replace(late.domain, variables=(alpha, earlier)))
    assert solver.proves(planted, whole_staircase._logarithms).established is not True


class Leaning(WholeStaircaseMechanism):
    """A ladder of its own."""

    ladder = property(lambda self: super().ladder)  # type: ignore[assignment]


@pytest.mark.parametrize("mechanism", [GrowthStaircaseMechanism, Leaning, "text"])
def test_other_mechanisms_are_refused(mechanism):
    with pytest.raises(RuleError, match="no staircase law on whole numbers"):
        on_whole_scale(replace(STRONG, mechanism=mechanism))


def test_a_relation_without_growth_by_a_share_is_refused():
    with pytest.raises(RuleError, match="no growth by a share"):
        on_whole_scale(replace(STRONG, neighbors="strong", queries="worker"))
