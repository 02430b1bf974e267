"""Smooth Path: the rule derives what is true, and leaves open or refuses what is planted."""

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any

import pytest

from establish import RuleError, rules, solver
from establish.proofs_check.papers.ours.smooth_staircase import logarithms
from establish.spec.arithmetic import MP
from establish.spec.distributions.shortest_path import PathSide, Section, ShortestPath
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism
from tests.proofs_check.engine.private import private
from tests.proofs_check.engine.test_rules_smooth_steps import places

module_of_rule = sys.modules[rules.smooth_path.__module__]


@lru_cache
def made(alpha: Fraction, epsilon: Fraction) -> SmoothPathMechanism:
    return SmoothPathMechanism(alpha, epsilon)


class Remade(SmoothPathMechanism):
    """The mechanism, whose flat part is sought once for all tests."""

    def __init__(self, alpha, epsilon):
        vars(self).update(vars(made(alpha, epsilon)))


@lru_cache
def arcs():
    return tuple(map(solver.proves, rules.arcs()))


def varies(loss):
    return solver.proves(loss, lambda c, alpha, epsilon, m, _: logarithms(c, alpha, epsilon, m))


def shown(statement):
    return (
        *places(),
        *arcs(),
        *map(solver.proves, rules.laws_of_neighbors(statement)),
        *(solver.proves(loss, logarithms) for loss in rules.crossings(statement)),
        *map(varies, rules.variations(statement)),
    )


def test_the_level_is_derived_and_no_smaller_one():
    less = private(Remade, Fraction(99, 100), steep=3)
    assert rules.smooth_path(less, *shown(less)).established is None
    for loss in rules.variations(less):
        assert not varies(loss).established


def test_each_piece_is_owed(monkeypatch):
    statement = private(Remade, steep=3)
    pieces = shown(statement)
    assert rules.smooth_path(statement, *pieces).established
    monkeypatch.setattr(module_of_rule, "_is_path", lambda statement: True)
    for left_out in range(len(pieces)):
        found = rules.smooth_path(statement, *pieces[:left_out], *pieces[left_out + 1 :])
        assert (found.established, "has no proof" in found.witness) == (None, True)


@pytest.mark.parametrize("kind", [SmoothStaircaseMechanism, SmoothLomaxMechanism])
def test_another_law_is_refused(kind):
    with pytest.raises(RuleError, match="no such law"):
        rules.smooth_path(private(kind, steep=3))


FINE = (Fraction(1, 10), Fraction(1))
SAMPLED = {FINE, *(tuple(map(Fraction, point)) for point in (("1/10", "1/2"), ("1/2", "3"), ("1", "3")))}
"""Where laws are planted, each looked at alone; at the first the law has fine steps."""


def test_each_law_is_planted_at_a_sampled_point_where_the_true_one_is_taken(monkeypatch):
    statement = private(Remade, steep=3)
    assert set(islice(module_of_rule._defined(statement), module_of_rule.SAMPLED)) >= SAMPLED
    for at in SAMPLED:
        monkeypatch.setattr(module_of_rule, "_defined", lambda statement, at=at: iter([at, FINE]))
        assert module_of_rule._is_path(statement)


def refused(point: tuple[str, ...], change: Callable[[ShortestPath], ShortestPath]) -> None:
    """A law that differs at one of the sampled α and ε."""
    at = tuple(map(Fraction, point))
    assert at in SAMPLED

    class Planted(Remade):
        def cell_law(self, count, largest, c=MP):
            return change(super().cell_law(count, largest, c))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module_of_rule, "_defined", lambda statement: iter([at]))
        with pytest.raises(RuleError, match="no such law"):
            rules.smooth_path(private(Planted, steep=3))


STEPS = {
    "N·L > ε": ("1/10", "1", 11, 4),
    "r1 + N > 2/α": ("1/2", "3", 4, 2),
    "(turn+2)·L > ε": ("1/10", "1/2", 1, 4),
    "a turn that is too small": ("1/10", "1/2", 2, 3),
    "no turn": ("1", "3", 1, 0),
}
"""Steps and turns that miss one condition only: 1/2 lies between 5·ln(11/10) and 6·ln(11/10)."""


@pytest.mark.few(1, 2)
@pytest.mark.parametrize("name", STEPS)
def test_fine_steps_that_the_argument_does_not_allow_are_refused(name):
    alpha, epsilon, fine, turn = STEPS[name]
    refused((alpha, epsilon), lambda law: replace(law, fine=fine, turn=turn))


def with_side(law: ShortestPath, above: bool, **changes: Any) -> ShortestPath:
    """The law with other values on one side."""
    sides = [*law.sides]
    sides[above] = replace(sides[above], **changes)
    law.__dict__["sides"] = tuple(sides)
    return law


def larger(section: Section, law: ShortestPath) -> list[Section]:
    """p is larger by one segment; of q it is less."""
    return [replace(section, size=section.size * (1 + law.alpha))]


SECTIONS: dict[str, Callable[[Section, ShortestPath], list[Section]]] = {
    "larger": larger,
    "smaller": lambda section, law: [replace(section, size=section.size / (1 + law.alpha))],
    "left out": lambda section, law: [],
    "a step later": lambda section, law: [replace(section, step=section.step + 1)],
    "shorter": lambda section, law: [replace(section, end=(section.start + 3 * section.end) / 4)],
    "level": lambda section, law: [
        replace(section, pole=None, size=section.factor(section.end) * Fraction(99, 100))
    ],
}


@pytest.mark.few(2, 4)
@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize("which", [0, 20])
@pytest.mark.parametrize("name", SECTIONS)
def test_another_section_is_refused(name, which, above):
    def change(law: ShortestPath) -> ShortestPath:
        sections = [*law.sides[above].sections]
        place = which % len(sections)
        sections[place : place + 1] = SECTIONS[name](sections[place], law)
        return with_side(law, above, sections=tuple(sections))

    refused(("1/10", "1"), change)


def under_step_1(law: ShortestPath, size: Fraction, step: int) -> Section:
    """From r1 on, instead of all up to the end of the first section of that step."""
    end = next(section.end for section in law.sides[0].sections if section.step == step)
    return Section(law.down, end, step, size)


FIRST: dict[str, tuple[bool, Callable[[ShortestPath], Section]]] = {
    "p above 1+α on step 1": (False, lambda law: replace(law.sides[0].sections[1], start=law.down)),
    "step 2 where step 1 must be": (False, lambda law: under_step_1(law, (1 + law.alpha) ** 2, 2)),
    "q below 1 on step 1": (
        True,
        lambda law: replace(law.sides[1].sections[0], size=law.up + 1, pole=Fraction(0)),
    ),
    "step 2 where step 1 must be, above": (True, lambda law: replace(law.sides[1].sections[0], step=2)),
}
"""The side, and what lies there from the flat part on."""


@pytest.mark.few(1, 2)
@pytest.mark.parametrize("name", FIRST)
def test_another_beginning_is_refused(name):
    above, made_of = FIRST[name]

    def change(law: ShortestPath) -> ShortestPath:
        first = made_of(law)
        others = [s for s in law.sides[above].sections if s.start >= first.end]
        return with_side(law, above, sections=(first, *others))

    refused(("1/10", "1"), change)


@pytest.mark.few(1)
@pytest.mark.parametrize("above", [False, True])
def test_a_section_that_goes_on_over_the_next_one_is_refused(above):
    """Beyond its end a hyperbola needs another segment: there p is too large, and q too small."""

    def change(law: ShortestPath) -> ShortestPath:
        first, *others = law.sides[above].sections
        place = next(k for k, (a, b) in enumerate(pairwise(others)) if a.step == b.step and a.pole and b.pole)
        over = replace(others[place], end=others[place + 1].end)
        return with_side(law, above, sections=(first, *others[:place], over, *others[place + 2 :]))

    refused(("1/10", "1"), change)


BEYOND: dict[str, Callable[[PathSide], dict[str, Any]]] = {
    "a weight that is too small": lambda side: {"weight": side.weight * Fraction(99, 100)},
    "a weight that is too large": lambda side: {"weight": side.weight * Fraction(101, 100)},
    "fine steps that cost more": lambda side: {"decay": side.decay * Fraction(99, 100)},
    "far steps that cost more": lambda side: {
        "far": replace(side.far, ratio=side.far.ratio * Fraction(99, 100))
    },
    "far steps that start later": lambda side: {
        "far": replace(side.far, flat=side.far.flat + Fraction(1, 100))
    },
    "far steps that spread less": lambda side: {
        "far": replace(side.far, growth=side.far.growth * Fraction(99, 100))
    },
    "a longer flat part": lambda side: {"flat": side.flat + Fraction(1, 100)},
}


@pytest.mark.few(2, 4)
@pytest.mark.parametrize("above", [False, True])
@pytest.mark.parametrize("name", BEYOND)
def test_a_side_that_differs_is_refused(name, above):
    refused(("1/2", "3"), lambda law: with_side(law, above, **BEYOND[name](law.sides[above])))


@pytest.mark.few(1, 2)
@pytest.mark.parametrize(
    "changes",
    [
        {"center": MP.number(8)},
        {"scale": MP.number(2)},
        {"alpha": Fraction(1, 11)},
        {"epsilon": Fraction(11, 10)},
        {"down": Fraction(-1, 10)},
    ],
)
def test_other_parameters_are_refused(changes):
    refused(("1/10", "1"), lambda law: replace(law, **changes))


def test_steps_below_that_slide_too_long_are_refused():
    def change(law: ShortestPath) -> ShortestPath:
        far = law.sides[0].far
        return with_side(law, False, far=replace(far, slides=far.slides + 1))

    refused(("1/2", "3"), change)


def test_no_fine_step_at_any_sample_is_told():
    class Coarse(Remade):
        def cell_law(self, count, largest, c=MP):
            return replace(super().cell_law(count, largest, c), fine=0, turn=1)

    with pytest.raises(RuleError, match="no fine step at the sampled parameters"):
        rules.smooth_path(private(Coarse, steep=3))
