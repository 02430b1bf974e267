"""Spreading staircases: the rule derives what is true, and leaves open or refuses what is planted."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from establish import Grade, RuleError, solver
from establish.proofs_check.engine.rules import crossings, laws_of_neighbors, moves, smooth_staircase, spreads
from establish.proofs_check.papers.ours import smooth_staircase as home
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism
from tests.proofs_check.engine.private import private


class LowerSteps(SmoothStaircaseMechanism):
    """A planted fault: steps below cost as much as those above."""

    def down_drop(self, c):
        return self.up_drop(c)


@cache
def places():
    """Where moves lead, which no level changes."""
    return tuple(map(solver.proves, (*moves(), *spreads())))


def shown(statement):
    return (
        *places(),
        *map(solver.proves, laws_of_neighbors(statement)),
        *(solver.proves(loss, home.logarithms) for loss in crossings(statement)),
    )


@pytest.mark.parametrize(("share", "steep", "expected"), [(1, 3, True), ("99/100", 3, None)])
def test_the_level_is_derived_and_no_smaller_one(share, steep, expected):
    statement = private(SmoothStaircaseMechanism, Fraction(share), steep=steep)
    found = smooth_staircase(statement, *shown(statement))
    assert found.established is expected
    assert expected is None or (found.grade, "not at all" in found.scope) == (Grade.STEPS, True)


def test_steps_below_that_cost_all_of_the_level_are_not_private():
    """A crossing inwards below costs ε, and the stretch ln m besides."""
    owed = crossings(private(LowerSteps, steep=3))
    assert not all(solver.proves(loss, home.logarithms).established for loss in owed)


def test_each_piece_is_owed():
    statement = home.PRIVATE.strong
    pieces = shown(statement)
    for left_out in (0, 4, 9, 15, len(pieces) - 1):
        found = smooth_staircase(statement, *pieces[:left_out], *pieces[left_out + 1 :])
        assert (found.established, "has no proof" in found.witness) == (None, True)


class Narrow(SmoothStaircaseMechanism):
    """Its breaks spread less."""

    def cell_law(self, count, largest, c=None):
        law = super().cell_law(count, largest, MP)
        below, above = law.sides
        law.__dict__["sides"] = below, replace(above, growth=above.growth * Fraction(99, 100))
        return law


@pytest.mark.parametrize("mechanism", [SmoothLomaxMechanism, Narrow, LowerSteps])
def test_another_law_is_refused(mechanism):
    with pytest.raises(RuleError, match="no such law"):
        smooth_staircase(private(mechanism, steep=3))
