"""Divergences between laws with densities: what is stated, what refutes it, and what the rules refuse."""

from dataclasses import dataclass, replace

import pytest

from establish import HockeyStick, MaxDivergence, Real, RenyiOfDensities, RuleError, solver, symbolic
from establish.proofs_check.engine.rules import (
    beyond_threshold,
    every_loss,
    greatest_loss,
    moment_of,
    of_normals,
    one_threshold,
    renyi_by_moment,
    renyi_of_normals,
)
from establish.proofs_check.engine.statements.statement import StatementError
from establish.proofs_check.papers.ours.privacy_conversions import (
    LAPLACE_LOSS,
    NORMAL_DELTA,
    NORMAL_DIVERGENCE,
)
from establish.spec.distributions.gaussian import Gaussian, cdf
from establish.spec.distributions.laplace import Laplace
from establish.spec.privacy_conversions import laplace_moment

A, MU, LEVEL = Real("a", above=1), Real("μ", above=0), Real("ε", least=0)


def at_zero(c, *_):
    return c.number(0)


def normal(most, relation="<=", sd=lambda c: c.number(1)):
    """Two normal laws that lie μ apart; the second may have another standard deviation."""
    return RenyiOfDensities(
        A,
        MU,
        first=lambda c, a, mu: Gaussian(mu, c.number(1), c),
        second=lambda c, a, mu: Gaussian(c.number(0), sd(c), c),
        order=lambda c, a, mu: a,
        relation=relation,
        most=most,
        breaks=(at_zero, lambda c, a, mu: mu, lambda c, a, mu: a * mu),
    )


def delta(most):
    return HockeyStick(
        MU,
        LEVEL,
        first=lambda c, mu, e: Gaussian(mu, c.number(1), c),
        second=lambda c, mu, e: Gaussian(c.number(0), c.number(1), c),
        level=lambda c, mu, e: e,
        relation="==",
        most=most,
        breaks=(at_zero, lambda c, mu, e: mu, lambda c, mu, e: mu / 2 + e / mu),
    )


def laplace(most):
    return RenyiOfDensities(
        A,
        LEVEL,
        first=lambda c, a, e: Laplace(e, c.number(1), c),
        second=lambda c, a, e: Laplace(c.number(0), c.number(1), c),
        order=lambda c, a, e: a,
        most=most,
        breaks=(at_zero, lambda c, a, e: e),
    )


FALSE = {
    "a quarter for a half": lambda: normal(lambda c, a, mu: a * mu * mu / 4),
    "without the order": lambda: normal(lambda c, a, mu: mu * mu / 2),
    "no more than that": lambda: normal(lambda c, a, mu: a * mu * mu / 2, sd=lambda c: c.number(1) / 2),
    "Laplace noise at ε²/4": lambda: laplace(lambda c, a, e: a * e * e / 4),
    "δ at one tail": lambda: delta(lambda c, mu, e: cdf(mu / 2 - e / mu, c)),
    "δ with the signs exchanged": lambda: delta(
        lambda c, mu, e: cdf(mu / 2 + e / mu, c) - c.exp(e) * cdf(-mu / 2 + e / mu, c)
    ),
    "half the greatest loss": lambda: MaxDivergence(
        MU,
        first=lambda c, mu: Laplace(mu, c.number(1), c),
        second=lambda c, mu: Laplace(c.number(0), c.number(1), c),
        most=lambda c, mu: mu / 2,
        breaks=(at_zero, lambda c, mu: mu),
    ),
    "a greatest loss of normal noise": lambda: MaxDivergence(
        MU,
        first=lambda c, mu: Gaussian(mu, c.number(1), c),
        second=lambda c, mu: Gaussian(c.number(0), c.number(1), c),
        most=lambda c, mu: mu * 10,
        breaks=(at_zero, lambda c, mu: mu),
    ),
}


@pytest.mark.parametrize("made", FALSE.values(), ids=FALSE)
def test_a_false_divergence_is_refuted(made):
    assert made().simple_counterexample(24)[1]


def test_what_is_true_is_not_refuted():
    for true in (NORMAL_DELTA, LAPLACE_LOSS):
        assert not true.simple_counterexample(24)[1]


def test_a_false_bound_is_not_proved():
    half = normal(lambda c, a, mu: a * mu * mu / 4)
    assert renyi_of_normals(half, *map(solver.owed, of_normals(half))).established is not True
    loss = FALSE["half the greatest loss"]()
    assert greatest_loss(loss, *map(solver.proves, every_loss(loss))).established is not True


def test_normal_laws_of_two_deviations_are_not_proved_by_the_rule_for_one():
    two = FALSE["no more than that"]()
    assert renyi_of_normals(two, *map(solver.owed, of_normals(two))).established is not True


def test_a_threshold_that_the_loss_does_not_pass_is_refused():
    def wrong(c, mu, e):
        return mu / 2

    below, above, beyond, *spread = beyond_threshold(NORMAL_DELTA, wrong)
    shown = (solver.proves(below), solver.proves(above), symbolic.proves(beyond), *map(solver.proves, spread))
    assert one_threshold(NORMAL_DELTA, wrong, *shown).established is not True


@pytest.mark.small_campaign
def test_a_moment_that_is_another_is_not_integrated():
    statement = laplace(lambda c, a, e: a * e)
    mean, above, *_ = moment_of(statement, lambda c, a, e: 2 * laplace_moment(a, e, c))
    assert symbolic.integrates(mean).established is not True
    alone = renyi_by_moment(statement, lambda c, a, e: laplace_moment(a, e, c), solver.owed(above))
    assert alone.established is None


@dataclass(frozen=True)
class Half:
    """A density with the mass 1/2."""

    c: object

    def log_density(self, x):
        return Gaussian(self.c.number(0), self.c.number(1), self.c).log_density(x) - self.c.log(
            self.c.number(2)
        )


def test_a_law_of_negative_deviation_is_none():
    turned = MaxDivergence(
        MU,
        first=lambda c, mu: Laplace(mu, c.number(1), c),
        second=lambda c, mu: Laplace(c.number(0), mu - mu + 1, c),
        most=lambda c, mu: mu,
        breaks=(at_zero, lambda c, mu: mu),
    )
    _, *spread = every_loss(replace(turned, second=lambda c, mu: Laplace(c.number(0), -mu, c)))
    assert [solver.proves(one).established for one in spread] == [True, False]


def test_each_rule_wants_its_measure_and_a_law_of_the_specification():
    with pytest.raises(RuleError, match="needs a renyi divergence"):
        of_normals(NORMAL_DELTA)
    with pytest.raises(RuleError, match="needs a hockey-stick divergence"):
        beyond_threshold(NORMAL_DIVERGENCE, at_zero)
    with pytest.raises(RuleError, match="needs two normal laws"):
        of_normals(laplace(lambda c, a, e: a * e))
    with pytest.raises(StatementError):
        MaxDivergence(
            MU, first=lambda c, mu: Half(c), second=lambda c, mu: Half(c), most=0, breaks=(at_zero,)
        )


def test_what_says_nothing_is_refused():
    with pytest.raises(StatementError, match="breaks is empty"):
        MaxDivergence(MU, first=lambda c, mu: Gaussian(mu, c.number(1), c), second=at_zero, most=0, breaks=())
    with pytest.raises(StatementError, match="relation = '<'"):
        normal(lambda c, a, mu: a * mu, relation="<")
