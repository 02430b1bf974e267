"""What rules assume they owe: slips that an honest author could make are refused or left open."""

from dataclasses import replace
from fractions import Fraction as F
from functools import partial

import pytest

from establish import AtMost, Integer, Rational, Real, RuleError, StatementError, rules, solver, symbolic
from establish.proofs_check.engine.statements import Bounded, Composes, HasMaximum, Implies, Indistinguishable
from establish.spec.arithmetic import MP
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms import log_laplace
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism, TightLogLaplaceMechanism
from establish.spec.mechanisms.smooth_gamma import TightSmoothGammaMechanism
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.requirements import IndividualRequirement
from tests.proofs_check.engine.private import private
from tests.proofs_check.engine.test_rules_noise import added

WRONG_TOTALS = {
    "only what is small counts": (lambda c, s, m: s + m * m * (1 - s) / (1 + s), lambda c, s: c.sqrt(s)),
    "the second one is free": (lambda c, s, m: c.maximum(s, m * m), lambda c, s: c.sqrt(s)),
    "one release is free": (lambda c, s, m: s + m * m, lambda c, s: c.sqrt(s) * s / (1 + s)),
    "the other root": (lambda c, s, m: s + m * m, lambda c, s: -c.sqrt(s)),
    "a hundredth less": (lambda c, s, m: s + m * m * 99 / 100, lambda c, s: c.sqrt(s)),
}


@pytest.mark.parametrize("name", WRONG_TOTALS)
def test_a_total_of_any_number_of_budgets_is_shown_by_one_more(name):
    statement = Composes(*WRONG_TOTALS[name])
    lemmas = map(symbolic.proves, rules.composition_lemmas(statement))
    assert rules.adaptive_normals(statement, *lemmas).established is not True


HALVES = HasMaximum(Integer("n", least=0, most=10), of=lambda c, n: -(n - F(11, 2)) * (n - F(11, 2)))


def test_a_larger_value_between_whole_numbers_refutes_no_maximum():
    half = lambda c, n: c.number(F(11, 2))  # noqa: E731
    with pytest.raises(RuleError, match="not seen to"):
        rules.rising(HALVES, half)
    with pytest.raises(RuleError, match="n lies in ℤ"):
        rules.no_maximum(HALVES, half)


@pytest.mark.parametrize("following", [lambda c, n: n + 1, lambda c, n: 2 * n * n + 3 * n + 1])
def test_a_sum_of_whole_numbers_is_seen_to_be_whole(following):
    growing = HasMaximum(Integer("n", least=0), of=lambda c, n: 2 * n)
    owed = rules.rising(growing, following)
    assert rules.no_maximum(growing, following, *map(solver.proves, owed)).established is True


def test_rational_values_are_seen_and_roots_are_not():
    growing = HasMaximum(Rational("x", least=1), of=lambda c, x: x)
    assert rules.rising(growing, lambda c, x: x + F(1, 2))
    with pytest.raises(RuleError, match="ℚ"):
        rules.rising(growing, lambda c, x: c.sqrt(2 * x * x))


def test_a_path_between_whole_numbers_refutes_no_order():
    order = Bounded(Integer("n", least=1), left=lambda c, n: 1 + 0 * n, by=lambda c, n: (n - F(3, 2)) ** 2)
    with pytest.raises(RuleError, match="n lies in ℤ"):
        rules.exceeding(order, {"n": lambda c, k: F(3, 2) + 1 / (2 * k)})


def test_a_right_side_that_is_negative_refutes_no_order():
    """−1/2 ≤ −C for C = 1/2, though for no C ≥ 1."""
    order = Bounded(Real("x", least=1), left=lambda c, x: -x / (2 * x), by=lambda c, x: -x / x)
    path = {"x": lambda c, k: k}
    found = rules.no_constant(order, path, *map(solver.owed, rules.exceeding(order, path)))
    assert (found.established, "0 ≤" in found.witness) == (None, True)


def test_an_instance_of_a_statement_on_whole_numbers_must_be_whole():
    general = AtMost(Integer("n", least=0), left=lambda c, n: n, right=lambda c, n: n * n)
    special = AtMost(Real("x", least=0), left=lambda c, x: x, right=lambda c, x: x * x)
    with pytest.raises(RuleError, match="n lies in ℤ"):
        rules.substitute(special, general, {"n": lambda c, x: x}, solver.proves(general))


class Bare:
    """What is called a density has no mass of 1."""

    def __init__(self, center, scale, c):
        self.center, self.scale, self.c = center, scale, c

    def log_density(self, o):
        return -self.c.absolute(o - self.center) / self.scale


class Narrow(Laplace):
    """A law of the specification with another density."""

    def log_density(self, o):
        return super().log_density(o) - 1


@pytest.mark.parametrize("law", [Bare, Narrow])
def test_what_is_no_law_of_the_specification_is_refused(law, monkeypatch):
    monkeypatch.setattr(
        "establish.proofs_check.engine.statements.statement.require_spec_only", lambda formula: None
    )
    statement = Indistinguishable(
        Real("s", least=1, most=100),
        first=lambda c, s: law(c.number(0), c.number(1), c),
        second=lambda c, s: law(c.number(0), s, c),
        level=lambda c, s: c.number(0),
    )
    with pytest.raises(StatementError, match="is not a law of"):
        rules.at_every_output(statement, solver.proves(rules.log_ratio(statement)))


@pytest.mark.parametrize("growth", [lambda alpha, epsilon: 2 * alpha, lambda alpha, epsilon: alpha + 0])
def test_a_weaker_statement_has_the_same_growth(growth):
    true, wider = private(TightLogLaplaceMechanism), private(TightLogLaplaceMechanism, alpha=growth)
    assert true.text != wider.text
    with pytest.raises(RuleError, match="differ in alpha"):
        rules.comparison_of_levels(wider, true)


MADE = {
    "a parameter cut off": lambda alpha, epsilon: TightLogLaplaceMechanism(alpha, max(epsilon, F(1, 2000))),
    "a parameter chosen": lambda a, e: TightLogLaplaceMechanism(a, e if e <= 1000 else 2 * e),
    "another mechanism elsewhere": lambda a, e: (LogLaplaceMechanism if a > 9 else TightLogLaplaceMechanism)(
        a, e
    ),
    "no mechanism": lambda a, e: a,
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_no_call_of_one_class_is_no_mechanism(name):
    with pytest.raises(StatementError, match="mechanism of M"):
        private(MADE[name], name="M")


SPENDS_MORE = {
    "twice the budget": lambda a, e: TightLogLaplaceMechanism(a, 2 * e),
    "half the growth": lambda a, e: TightLogLaplaceMechanism(a / 2, e),
    "the parameters exchanged": lambda a, e: TightLogLaplaceMechanism(e, a),
}


@pytest.mark.parametrize("name", SPENDS_MORE)
def test_the_law_that_is_read_is_that_of_the_mechanism_that_is_made(name):
    statement = private(SPENDS_MORE[name])
    assert statement.search(10).refuted
    assert not all(solver.proves(owed).established for owed in rules.densities(statement))


def test_a_mechanism_may_be_called_by_a_function():
    def make(alpha, epsilon):
        return TightLogLaplaceMechanism(alpha, epsilon)

    direct = private(TightLogLaplaceMechanism)
    for called in (make, lambda a, e: make(a, e), lambda a, e: log_laplace.TightLogLaplaceMechanism(a, e)):
        assert private(called).text == direct.text
    assert private(partial(TightLogLaplaceMechanism)).text == direct.text
    assert "spec.mechanisms.log_laplace.TightLogLaplaceMechanism(α, ε)" in direct.text
    assert "at growth by α" in direct.text


def test_two_mechanisms_of_one_name_are_two_statements():
    """Evidence about the one is none about the other."""
    texts = {
        private(made).text
        for made in (
            GrowthLaplaceMechanism,
            lambda alpha, epsilon: GrowthLaplaceMechanism(alpha, 2 * epsilon),
        )
    }
    assert len(texts) == 2


TRUE = AtMost(Real("x", least=0), left=lambda c, x: -x, right=1)


class Fading(TightSmoothGammaMechanism):
    """Its noise has lighter tails in larger cells, and is that of the specification in an empty one."""

    def cell_law(self, count, largest, c=MP):
        law = super().cell_law(count, largest, c)
        return replace(law, gamma=law.gamma + count)


def test_noise_that_changes_its_shape_with_the_cell_is_no_scale():
    def slide(c, alpha, epsilon, *_):
        return c.number(epsilon)

    true = private(TightSmoothGammaMechanism, steep=3)
    assert rules.smooth(true, slide, slide, solver.proves(TRUE)).established is None
    fading = replace(true, mechanism=Fading)
    with pytest.raises(RuleError, match="no law center"):
        rules.smooth(fading, slide, slide)


class OneJobMore(Edge):
    """A relation of another name's kind."""


RELATIONS = {
    "chosen by the growth": lambda universe, alpha: Edge(universe) if alpha <= 1 else Node(universe),
    "of a kind of its own": lambda universe, alpha: OneJobMore(universe),
}


@pytest.mark.parametrize("name", RELATIONS)
def test_the_relation_of_an_implication_is_the_same_at_every_growth(name):
    told = r"neighbors are not known|reads only|of which class"
    with pytest.raises((RuleError, StatementError), match=told):
        rules.two_steps(
            Implies(
                "D",
                neighbors=RELATIONS[name],
                requirement=lambda universe, alpha: IndividualRequirement(universe),
                multiple=2,
            )
        )


class Shifted(LogLaplaceMechanism):
    """Its least output depends on the count."""

    def output(self, sizes, c=MP):
        n = sum(sizes)
        law = super().output((n,), c)
        return replace(law, shift=law.shift + n)


def test_outputs_of_neighbors_have_the_same_least_value():
    owed = rules.densities(private(Shifted))
    assert len(owed) == 3
    assert solver.proves(owed[-1]).established is not True
    assert solver.proves(rules.densities(private(TightLogLaplaceMechanism))[-1]).established is True


def test_noise_in_coordinates_is_a_law_of_the_specification():
    statement = replace(added(F(1)), law=lambda c, *v: Bare(v[-1], c.number(1), c))
    with pytest.raises(StatementError, match="is not a law of"):
        rules.coordinatewise(statement, solver.proves(rules.one_coordinate(statement)[0]))
