"""The staircase law on whole numbers: the rule derives what is true, and refuses or leaves open the rest."""

import sys
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from establish import RuleError, rules, solver, symbolic
from establish.proofs_check.papers.ours import whole_staircase
from establish.proofs_check.papers.ours.whole_staircase import PRIVATE
from establish.spec.distributions import whole_staircase as law
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism

STRONG = PRIVATE.strong

module_of_rule = sys.modules[rules.on_whole_scale.__module__]


@cache
def of_the_ladder():
    """All that the rule owes of the law, one piece each, whatever the level."""
    cell, gaps, late, grown = rules.whole_steps()
    return (
        *map(solver.proves, (cell, gaps, grown)),
        solver.proves(late, whole_staircase._logarithms),
        *map(solver.proves, rules.whole_ladder()),
        *whole_staircase._read(),
    )


def shown(statement):
    return [solver.proves(rules.whole_level(statement)), *of_the_ladder()]


def test_the_level_is_derived_and_no_smaller_one():
    assert rules.on_whole_scale(STRONG, *shown(STRONG)).established is True
    level = lambda c, a, e: c.number(Fraction(99, 100)) * e  # noqa: E731
    less = replace(STRONG, level=level)
    assert rules.on_whole_scale(less, *shown(less)).established is None


def test_every_piece_is_needed(monkeypatch):
    pieces = shown(STRONG)
    assert len(pieces) == 54
    for name in ("pieces_meet", "cuts_rise", "tails_meet", "whole_steps", "whole_ladder"):
        monkeypatch.setattr(module_of_rule, name, cache(getattr(module_of_rule, name)))
    for k in range(len(pieces)):
        found = rules.on_whole_scale(STRONG, *pieces[:k], *pieces[k + 1 :])
        assert (found.established, "has no proof" in found.witness) == (None, True)


def times(formula):
    """A hundredth less of what a formula gives."""
    return lambda *given: formula(*given) * 99 / 100


def pieces_with(place, part):
    """The pieces of Λ (0) or of cut (1) with one number a hundredth less."""

    whole = law.pieces

    def less(*given):
        found = [list(piece) for piece in whole(*given)]
        found[place][part] = found[place][part] * 99 / 100
        return tuple(map(tuple, found))

    return less


PLANTED = {
    "the slope of a piece above": ("start_after", times(law.start_after)),
    "the slope of a piece below": ("start_before", times(law.start_before)),
    "how far Λ bends": ("excess", times(law.excess)),
    "the rise of a piece": ("pieces", pieces_with(0, 1)),
    "the jump of a piece": ("pieces", pieces_with(0, 2)),
    "the rise of a cut": ("pieces", pieces_with(1, 1)),
    "the jump of a cut": ("pieces", pieces_with(1, 2)),
    "the share of one kind": ("receding", lambda power: power * 49 / 100),
    "the mass of all steps on a side": ("ratio", times(law.ratio)),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", PLANTED)
def test_a_hundredth_less_in_the_ladder_is_not_shown(name, monkeypatch):
    attribute, planted = PLANTED[name]
    for cached in (law._pieces, law._rungs):
        cached.cache_clear()
    monkeypatch.setattr(law, attribute, planted)
    try:
        exact = all(symbolic.proves(owed).established for owed in (*rules.pieces_meet(), *rules.tails_meet()))
        assert not (exact and all(solver.proves(owed).established for owed in rules.cuts_rise()))
    finally:
        monkeypatch.undo()
        for cached in (law._pieces, law._rungs):
            cached.cache_clear()


@pytest.mark.parametrize("factor", ["9/10", "99/100"])
def test_a_takeover_that_is_too_early_is_not_shown(factor):
    """From less than (1+L)/(α−L) on, the gaps of the logarithm are not all longer."""
    _, _, late, _ = rules.whole_steps()
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
        rules.on_whole_scale(replace(STRONG, mechanism=mechanism))


def test_a_relation_without_growth_by_a_share_is_refused():
    with pytest.raises(RuleError, match="no growth by a share"):
        rules.on_whole_scale(replace(STRONG, neighbors="strong", queries="worker"))
