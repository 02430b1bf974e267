"""Laws without mass, moments without support, and two objects for one mechanism."""

from fractions import Fraction as F

import pytest

from establish import Moment, Private, Rational, Real, StatementError, exact, solver, symbolic
from establish.proofs_check.engine.rules import at_every_output, log_ratio
from establish.proofs_check.engine.statements import Indistinguishable
from establish.spec.arithmetic import MP
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.mechanisms.log_laplace import TightLogLaplaceMechanism
from tests.proofs_check.engine.private import private

S = Real("s", above=0)


def laplace(c, s):
    return Laplace(c.number(0), s, c)


class Bare(Laplace):
    """The factor 1/(2·scale) left out: no density."""

    def log_density(self, x):
        return -self.c.absolute(x - self.center) / self.scale


class Flat(Laplace):
    """The same height everywhere: no mass at all."""

    def log_density(self, x):
        return self.c.number(0) * x


class Shifted(Laplace):
    """A density of mass e."""

    def log_density(self, x):
        return super().log_density(x) + 1


MOMENTS = {
    "half of a support": lambda: Moment(
        S, law=laplace, of=lambda c, x: x, closed=lambda c, s: s / 2, low=lambda c, s: c.number(0)
    ),
    "half of a support, the square": lambda: Moment(
        S, law=laplace, of=lambda c, x: x * x, closed=lambda c, s: s * s, low=lambda c, s: c.number(0)
    ),
    "a law of mass 2s": lambda: Moment(
        S,
        law=lambda c, s: Bare(c.number(0), s, c),
        of=lambda c, x: c.absolute(x),
        closed=lambda c, s: 2 * s * s,
        breaks=[lambda c, s: c.number(0)],
    ),
    "a law of mass e": lambda: Moment(
        S,
        law=lambda c, s: Shifted(c.number(0), s, c),
        of=lambda c, x: c.absolute(x),
        closed=lambda c, s: c.exp(c.number(1)) * s,
        breaks=[lambda c, s: c.number(0)],
    ),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_a_moment_of_no_law_is_not_shown(name, believed):
    assert not believed(lambda: symbolic.integrates(MOMENTS[name]()))


ENDS = {
    "the mean of a half": lambda: Moment(
        S, law=laplace, of=lambda c, x: x, closed=lambda c, s: 0 * s, low=lambda c, s: c.number(0)
    ),
    "the mass of a half": lambda: Moment(
        S, law=laplace, of=lambda c, x: 1, closed=lambda c, s: 1 + 0 * s, low=lambda c, s: c.number(0)
    ),
    "no end": lambda: Moment(
        Real("n", above=0),
        law=lambda c, n: LogLaplace(n, c.number(0), c.number(F(1, 4)), c),
        of=lambda c, x: x,
        closed=lambda c, n: n * F(16, 15),
        breaks=[lambda c, n: n],
    ),
}
"""True sentences, of which only the place where outcomes begin is wrong, or missing."""


@pytest.mark.parametrize("name", ENDS)
def test_a_true_moment_is_not_refuted_by_where_its_outcomes_are_said_to_begin(name):
    with pytest.raises(StatementError, match=r"leaves out outcomes|low says where outcomes begin"):
        ENDS[name]()


def test_a_support_that_is_too_short_at_one_point_refutes_nothing_there():
    half = Moment(
        Real("n", least=0),
        law=lambda c, n: LogLaplace(n + 1, c.number(0), c.number(F(1, 4)), c),
        of=lambda c, x: x,
        closed=lambda c, n: (n + 1) * F(16, 15),
        breaks=[lambda c, n: n + 1],
        low=lambda c, n: c.maximum(c.number(0), n - 50),
    )
    with pytest.raises(StatementError, match=r"n = 100: the law has the mass 0\.9"):
        exact.refuted(half, n=100)


def test_a_moment_of_a_law_is_shown(believed):
    true = Moment(
        S,
        law=laplace,
        of=lambda c, x: c.absolute(x),
        closed=lambda c, s: s,
        breaks=[lambda c, s: c.number(0)],
    )
    assert believed(lambda: symbolic.integrates(true))


def made(c):
    return type(
        "Law",
        (),
        {"center": c.number(0), "scale": c.number(3), "log_density": lambda _, o: -c.absolute(o) / 3},
    )()


@pytest.mark.parametrize("law", [lambda c, s: made(c), lambda c, s: Bare(c.number(0), 3 / c.number(s), c)])
def test_a_law_of_ones_own_is_refused(law):
    with pytest.raises(StatementError, match=r"calls type|reads only"):
        Indistinguishable(Real("s", least=1), first=law, second=law, level=lambda c, s: s)


@pytest.mark.parametrize("law", [Bare, Flat])
def test_the_adversary_weighs_what_a_mechanism_releases(law):
    class Releases:
        def __init__(self, epsilon):
            self.epsilon = epsilon

        def output(self, sizes, c=MP):
            return law(c.number(0), 3 / c.number(self.epsilon), c)

    statement = Private(
        Rational("ε", above=0),
        name="No law",
        mechanism=Releases,
        neighbors="edge",
        queries="establishment",
        level=lambda c, e: c.number(e),
    )
    assert "mass" in statement.counterexample(60)[1]


@pytest.mark.parametrize("least", [F(1, 2000), F(1, 10**6), F(3, 7777)])
def test_a_mechanism_that_clamps_is_not_its_reading(least):
    with pytest.raises(StatementError, match="it uses max, so no formula says what it makes"):
        private(lambda alpha, epsilon: TightLogLaplaceMechanism(alpha, max(epsilon, least)))


CONSTANTS = {
    "a rational": lambda c: c.number(F(2, 5)),
    "a quotient": lambda c: c.number(2) / 5,
    "a root": lambda c: c.sqrt(c.number(F(4, 25))),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_a_law_is_none_where_its_class_refuses_a_constant(name):
    """1/(1 + |z|^γ) has no integral at γ = 2/5, where its normalizer is above 0 all the same."""

    def law(c, s):
        return HeavyTailed(c.number(0), s, CONSTANTS[name](c), c)

    alike = Indistinguishable(Real("s", least=1), first=law, second=law, level=lambda c, s: s)
    with pytest.raises(StatementError, match="is no law there"):
        log_ratio(alike)


def test_a_law_is_one_where_its_class_allows_a_constant():
    def law(c, s):
        return HeavyTailed(c.number(0), s, c.number(4), c)

    alike = Indistinguishable(Real("s", least=1), first=law, second=law, level=lambda c, s: s)
    assert at_every_output(alike, solver.proves(log_ratio(alike))).established
