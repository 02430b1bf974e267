"""Divergences between laws with densities: what is stated, what refutes it, and what the rules refuse."""

import time
from dataclasses import dataclass, replace

import pytest

from establish import (
    HockeyStick,
    MaxDivergence,
    MeanLossOfDensities,
    Real,
    RenyiOfDensities,
    RuleError,
    StatementError,
    rules,
    solver,
    symbolic,
)
from establish.proofs_check.papers.ours.privacy_conversions import (
    LAPLACE_LOSS,
    NORMAL_DELTA,
    NORMAL_DIVERGENCE,
)
from establish.spec.distributions.gaussian import Gaussian, cdf
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.lomax import Lomax
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
    "half the greatest loss": lambda: beside(MaxDivergence, Laplace, lambda c, mu: mu / 2),
    "a greatest loss of normal noise": lambda: beside(MaxDivergence, Gaussian, lambda c, mu: mu * 10),
}


@pytest.mark.parametrize("made", FALSE.values(), ids=FALSE)
def test_a_false_divergence_is_refuted(made):
    assert made().simple_counterexample(24)[1]


def test_what_is_true_is_not_refuted():
    for true in (NORMAL_DELTA, LAPLACE_LOSS):
        assert not true.simple_counterexample(24)[1]


def test_a_false_bound_is_not_proved():
    half = normal(lambda c, a, mu: a * mu * mu / 4)
    assert rules.renyi_of_normals(half, *map(solver.owed, rules.of_normals(half))).established is not True
    loss = FALSE["half the greatest loss"]()
    assert rules.greatest_loss(loss, *map(solver.proves, rules.every_loss(loss))).established is not True


def beside(kind, law, most, *more, relation="<="):
    """Two laws of one kind that lie μ apart."""
    return kind(
        MU,
        *more,
        first=lambda c, mu, *_: law(mu, c.number(1), c),
        second=lambda c, mu, *_: law(c.number(0), c.number(1), c),
        most=most,
        relation=relation,
        breaks=(at_zero, lambda c, mu, *_: mu),
    )


def loss_at(statement, place):
    return rules.greatest_loss(statement, *map(solver.shows, rules.every_loss(statement, place)), place=place)


def at_mu(c, mu, *_):
    return mu


def test_a_greatest_loss_is_shown_at_an_outcome_that_has_it():
    exact, half = (beside(MaxDivergence, Laplace, f, relation="==") for f in (at_mu, lambda c, mu: mu / 2))
    assert loss_at(exact, at_mu).established
    assert loss_at(exact, lambda c, mu: mu / 2).established is not True
    assert loss_at(half, at_mu).established is not True
    assert half.simple_counterexample(24)[1]
    assert exact.search().sees


def test_normal_noise_has_a_loss_above_every_bound():
    r = Real("r", above=0)
    unbounded = beside(MaxDivergence, Gaussian, lambda c, mu, r: r, r, relation=">=")
    assert loss_at(unbounded, lambda c, mu, r: r / mu + mu / 2).established
    assert loss_at(unbounded, lambda c, mu, r: r / mu).established is not True
    assert not unbounded.search().refuted
    laplace = beside(MaxDivergence, Laplace, lambda c, mu, r: r, r, relation=">=")
    assert loss_at(laplace, lambda c, mu, r: mu + r).established is not True


def test_a_lower_bound_of_a_loss_wants_an_outcome_and_continuous_laws():
    exact = beside(MaxDivergence, Laplace, at_mu, relation="==")
    with pytest.raises(RuleError, match="and place, an outcome"):
        rules.every_loss(exact)
    other = replace(exact, first=lambda c, mu: Lomax(mu, c.number(1), c.number(3), c.number(1), c))
    with pytest.raises(RuleError, match="two normal or Laplace laws"):
        rules.every_loss(other, at_mu)


@pytest.mark.small_campaign
def test_a_mean_loss_is_integrated():
    def mean(c, mu):
        return mu + c.exp(-mu) - 1

    def shown(statement):
        integral, *others = rules.mean_loss_of(statement, mean)
        return rules.mean_of_loss(statement, mean, symbolic.integrates(integral), *map(solver.shows, others))

    exact = beside(MeanLossOfDensities, Laplace, mean, relation="==")
    half = beside(MeanLossOfDensities, Laplace, lambda c, mu: mean(c, mu) / 2, relation="==")
    assert shown(exact).established
    assert exact.search().sees
    assert shown(half).established is not True
    assert half.simple_counterexample(24)[1]


class Asked:
    """A formula that says something else each time."""

    times = 0

    def __call__(self, c, mu):
        self.times += 1
        return c.number(self.times) * mu


ASKED = Asked()
VARYING = {
    "an object": ASKED,
    "its method": ASKED.__call__,
    "a function that asks it": lambda c, mu: ASKED(c, mu),
    "a function of the time": lambda c, mu: c.number(int(time.time())) * mu,
}


@pytest.mark.parametrize("mean", VARYING.values(), ids=VARYING)
def test_a_mean_that_is_another_at_the_second_asking_is_refused(mean):
    statement = beside(MeanLossOfDensities, Laplace, lambda c, mu: mu, relation="==")
    for attempt in (rules.mean_of_loss, lambda stated, mean: rules.chain(stated, (mean,))):
        with pytest.raises(StatementError, match=r"says the same whenever|reads only establish\.spec"):
            attempt(statement, mean)


def test_normal_laws_of_two_deviations_are_not_proved_by_the_rule_for_one():
    two = FALSE["no more than that"]()
    assert rules.renyi_of_normals(two, *map(solver.owed, rules.of_normals(two))).established is not True


def test_a_threshold_that_the_loss_does_not_pass_is_refused():
    def wrong(c, mu, e):
        return mu / 2

    below, above, beyond, *spread = rules.beyond_threshold(NORMAL_DELTA, wrong)
    shown = (solver.proves(below), solver.proves(above), symbolic.proves(beyond), *map(solver.proves, spread))
    assert rules.one_threshold(NORMAL_DELTA, wrong, *shown).established is not True


@pytest.mark.small_campaign
def test_a_moment_that_is_another_is_not_integrated():
    statement = laplace(lambda c, a, e: a * e)
    mean, above, *_ = rules.moment_of(statement, lambda c, a, e: 2 * laplace_moment(a, e, c))
    assert symbolic.integrates(mean).established is not True
    alone = rules.renyi_by_moment(statement, lambda c, a, e: laplace_moment(a, e, c), solver.owed(above))
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
    turned = beside(MaxDivergence, Laplace, at_mu)
    _, *spread = rules.every_loss(replace(turned, second=lambda c, mu: Laplace(c.number(0), -mu, c)))
    assert [solver.proves(one).established for one in spread] == [True, False]


def test_each_rule_wants_its_measure_and_a_law_of_the_specification():
    with pytest.raises(RuleError, match="needs a renyi divergence"):
        rules.of_normals(NORMAL_DELTA)
    with pytest.raises(RuleError, match="needs a hockey-stick divergence"):
        rules.beyond_threshold(NORMAL_DIVERGENCE, at_zero)
    with pytest.raises(RuleError, match="needs two normal laws"):
        rules.of_normals(laplace(lambda c, a, e: a * e))
    with pytest.raises(StatementError):
        MaxDivergence(
            MU, first=lambda c, mu: Half(c), second=lambda c, mu: Half(c), most=0, breaks=(at_zero,)
        )


def test_what_says_nothing_is_refused():
    with pytest.raises(StatementError, match="breaks is empty"):
        MaxDivergence(MU, first=lambda c, mu: Gaussian(mu, c.number(1), c), second=at_zero, most=0, breaks=())
    with pytest.raises(StatementError, match="relation = '<'"):
        normal(lambda c, a, mu: a * mu, relation="<")


def test_a_break_that_reads_more_than_the_specification_is_refused():
    def normal(c, mu):
        return Gaussian(mu, c.number(1), c)

    with pytest.raises(StatementError, match=r"reads only establish\.spec, not time"):
        MaxDivergence(
            MU, first=normal, second=normal, most=0, breaks=(lambda c, mu: c.number(int(time.time())),)
        )
