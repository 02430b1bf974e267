"""Noise on the growth scale: the rules derive what is true, and refuse or leave open what is planted."""

from dataclasses import replace
from fractions import Fraction

import pytest

from establish import Private, Rational, RuleError, rules, solver
from establish.proofs_check.engine.statements import given
from establish.proofs_check.papers.ours import growth_laplace, growth_staircase
from establish.proofs_check.papers.ours.growth_laplace import step_evidence
from establish.spec.arithmetic import MP
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.staircase import Staircase
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism


def private(mechanism, share=Fraction(1), neighbors="strong", queries="establishment", steep=1):
    """The mechanism at a share of its ε, where ε is above ``steep`` times ln(1 + α)."""
    return Private(
        Rational("α", above=0),
        Rational("ε", above=0),
        name="planted",
        mechanism=mechanism,
        alpha=lambda alpha, epsilon: alpha,
        neighbors=neighbors,
        queries=queries,
        level=lambda c, alpha, epsilon: share * c.number(epsilon),
        given=[given(lambda c, a, e: steep * c.log(1 + c.number(a)), "<", lambda c, a, e: c.number(e))],
    )


def derived(statement):
    rule, owed = {
        GrowthLaplaceMechanism: (rules.on_growth_scale, rules.growth_noise),
        GrowthStaircaseMechanism: (rules.on_growth_staircase, rules.staircase_steps),
    }[statement.mechanism]
    return rule(statement, *step_evidence(statement), *map(solver.proves, owed(statement)))


@pytest.mark.few(1)
@pytest.mark.parametrize("mechanism", [GrowthLaplaceMechanism, GrowthStaircaseMechanism])
def test_the_level_is_derived_and_no_smaller_one(mechanism):
    assert derived(private(mechanism, Fraction(1))).established is True
    assert derived(private(mechanism, Fraction(99, 100))).established is None


@pytest.mark.parametrize("home", [growth_laplace, growth_staircase])
def test_a_step_that_was_not_shown_leaves_it_open(home):
    statement = home.PRIVATE.strong
    noise = rules.growth_noise if home is growth_laplace else rules.staircase_steps
    rule = rules.on_growth_scale if home is growth_laplace else rules.on_growth_staircase
    by_share, by_one, no_fall = step_evidence(statement)
    shown = tuple(map(solver.proves, noise(statement)))
    for some in ((by_share, by_one), (by_share, no_fall), (by_one, no_fall)):
        found = rule(statement, *some, *shown)
        assert (found.established, "has no proof" in found.witness) == (None, True)


def test_noise_on_another_scale_is_refused():
    statement = private(SmoothLomaxMechanism, Fraction(1))
    with pytest.raises(RuleError, match="no noise on the growth scale"):
        rules.on_growth_scale(statement)


def test_laplace_noise_is_no_staircase():
    with pytest.raises(RuleError, match="no staircase on the growth scale"):
        rules.on_growth_staircase(private(GrowthLaplaceMechanism, Fraction(1)))


def test_strong_neighbors_with_worker_attributes_are_refused():
    statement = private(GrowthLaplaceMechanism, Fraction(1), "strong", "worker")
    with pytest.raises(RuleError, match="counts have no growth by a share"):
        rules.growth_noise(statement) and rules.on_growth_scale(statement)


class Elsewhere(GrowthLaplaceMechanism):
    """Planted: noise that grows with the center, a release of another function, a larger growth."""

    def noisy(self, center, c=MP):
        return Laplace(center, (1 + c.absolute(center)) / c.number(self.epsilon), c)


class Replaced(GrowthLaplaceMechanism):
    def output(self, sizes, c=MP):
        return super().output([2 * size for size in sizes], c)


class Shifted(GrowthStaircaseMechanism):
    def noisy(self, center, c=MP):
        return Staircase(2 * center, self.down, self.up, self.epsilon, c)


class Steeper(GrowthStaircaseMechanism):
    def noisy(self, center, c=MP):
        return Staircase(center, self.down, self.up, self.epsilon * 2, c)


def test_noise_that_depends_on_the_count_is_left_open():
    owed = [solver.proves(one) for one in rules.growth_noise(private(Elsewhere, Fraction(1)))]
    assert not all(piece.established for piece in owed)


def test_an_output_that_is_replaced_is_refused():
    with pytest.raises(RuleError, match="no noise on the growth scale"):
        rules.on_growth_scale(private(Replaced, Fraction(1)))


def test_the_growth_of_the_neighbors_must_be_that_of_the_scale():
    statement = replace(private(GrowthLaplaceMechanism, Fraction(1)), alpha=lambda a, e: 2 * a)
    with pytest.raises(RuleError, match="no noise on the growth scale"):
        rules.on_growth_scale(statement)


@pytest.mark.parametrize("mechanism", [Shifted, Steeper])
def test_a_staircase_around_another_center_or_with_other_steps_is_refused(mechanism):
    with pytest.raises(RuleError, match="the steps are not those of ε"):
        rules.on_growth_staircase(private(mechanism, Fraction(1)))
