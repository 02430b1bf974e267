"""Noise on the growth scale: the rules derive what is true, and refuse or leave open what is planted."""

from fractions import Fraction
from functools import partial

import pytest

from establish import RuleError, rules, solver
from establish.proofs_check.papers.ours import growth_laplace, growth_staircase
from establish.proofs_check.papers.ours.growth_laplace import step_evidence
from establish.spec.arithmetic import MP
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.staircase import Staircase
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism
from tests.proofs_check.engine.private import private

planted = partial(private, steep=1)


def derived(statement):
    rule, owed = {
        GrowthLaplaceMechanism: (rules.on_growth_scale, rules.growth_noise),
        GrowthStaircaseMechanism: (rules.on_growth_staircase, rules.staircase_steps),
    }[statement.mechanism]
    return rule(statement, *step_evidence(statement), *map(solver.proves, owed(statement)))


@pytest.mark.few(1)
@pytest.mark.parametrize("mechanism", [GrowthLaplaceMechanism, GrowthStaircaseMechanism])
def test_the_level_is_derived_and_no_smaller_one(mechanism):
    assert derived(planted(mechanism)).established is True
    assert derived(planted(mechanism, Fraction(99, 100))).established is None


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
    owed = [solver.proves(one) for one in rules.growth_noise(planted(Elsewhere))]
    assert not all(piece.established for piece in owed)


NO_NOISE = "no noise on the growth scale"
OTHER_STEPS = "the steps are not those of ε"
REFUSED = {
    "noise on another scale": (rules.on_growth_scale, planted(SmoothLomaxMechanism), NO_NOISE),
    "Laplace noise as a staircase": (
        rules.on_growth_staircase,
        planted(GrowthLaplaceMechanism),
        "no staircase on the growth scale",
    ),
    "worker attributes": (
        rules.on_growth_scale,
        planted(GrowthLaplaceMechanism, queries="worker"),
        "counts have no growth by a share",
    ),
    "an output that is replaced": (rules.on_growth_scale, planted(Replaced), NO_NOISE),
    "neighbors that grow more": (
        rules.on_growth_scale,
        planted(GrowthLaplaceMechanism, alpha=lambda a, e: 2 * a),
        NO_NOISE,
    ),
    "a staircase around another center": (rules.on_growth_staircase, planted(Shifted), OTHER_STEPS),
    "a staircase with other steps": (rules.on_growth_staircase, planted(Steeper), OTHER_STEPS),
}


@pytest.mark.parametrize(("rule", "statement", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_such_noise_is_refused(rule, statement, told):
    with pytest.raises(RuleError, match=told):
        rule(statement)
