"""Statement objects print themselves, evaluate themselves, refuse nonsense, and their adversaries see."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from establish import ParameterError, enclosure, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.statements import (
    AtMost,
    Below,
    Equal,
    Every,
    Integer,
    Moment,
    Printed,
    Real,
    StatementError,
    given,
)
from establish.proofs_check.engine.statements.privacy import BOUNDED, steps
from establish.proofs_check.engine.statements.statement import THOROUGH
from establish.proofs_check.papers.ours.growth_staircase import UNBIASED
from establish.spec.distributions import heavy_tailed, laplace
from establish.spec.mechanisms import log_laplace
from establish.spec.relations.growth import may_grow
from tests.proofs_check.engine.private import private

SLIDING = AtMost(
    Real("γ", above=0),
    Real("z"),
    Real("Δ"),
    left=lambda c, gamma, z, step: (
        heavy_tailed.log_kernel(z, gamma, c) - heavy_tailed.log_kernel(z + step, gamma, c)
    ),
    right=lambda c, gamma, z, step: (1 + gamma) * c.absolute(step),
)
"""Lemma 8.6 on slides: false for γ < 1, true for γ > 1."""


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("x", "x"), "two variables are called 'x'"),
        (("x", "x "), "two variables are called 'x '"),
        (("x", "x\u200b"), "two variables are called"),
        (("x", "\uff58"), "two variables are called"),
        (("x", "sin#0"), "without #"),
        (("", "y"), "''"),
    ],
)
def test_names_by_which_two_unknowns_would_be_one_are_refused(names, said):
    # A solver that knows unknowns by name would prove this, which is false at x = 1/7919, y = 0.
    def left(c, x, y):
        return 1 - 10**12 * (x - y - c.number(1) / 7919) ** 2

    with pytest.raises(StatementError, match=said):
        AtMost(*(Real(name, least=0, most=1) for name in names), left=left, right=0)


@pytest.mark.parametrize("name", ["2", "1/2", "π", "∞"])
def test_a_name_that_reads_as_a_number_is_refused(name):
    """Its text would be "for all 3 < 2: 3 ≤ 2"."""
    with pytest.raises(StatementError, match="which reads as a number"):
        AtMost(Real(name, above=3), left=3, right=lambda c, x: x)


def test_a_statement_prints_quantifiers_and_domains_first_and_its_formulas_unsimplified():
    assert SLIDING.text == (
        "for all 0 < γ, z ∈ ℝ, Δ ∈ ℝ: −ln(1 + |z|^γ) − (−ln(1 + |z + Δ|^γ)) ≤ (1 + γ)·|Δ|"
    )


def test_a_statement_says_what_it_reads_of_the_specification():
    assert SLIDING.reads == ("establish.spec.distributions.heavy_tailed.log_kernel",)


def test_the_adversary_refutes_the_lemma_below_one_at_a_simple_point():
    assert SLIDING.search().refuted.startswith("γ = 1/2, z = 0")
    # by hand: ln(1 + √Δ) > 3Δ/2 at z = 0, γ = 1/2, Δ = 1/16: ln(5/4) = .2231 > .0938
    assert SLIDING.at({"γ": F(1, 2), "z": 0, "Δ": F(1, 16)}).value is False


def test_the_adversary_finds_nothing_above_one_and_sees_a_planted_neighbor():
    found = SLIDING.where(given(lambda c, gamma, z, step: gamma, ">", 1)).search()
    assert found.refuted == ""
    assert found.sees


def test_a_counterexample_is_a_point_at_which_the_statement_evaluates_itself():
    found = exact.refuted(SLIDING, γ="1/2", z=0, Δ="1/16")
    assert (found.established, found.refutes, found.decides) == (True, True, SLIDING.text)
    assert exact.refuted(SLIDING, γ=2, z=0, Δ="1/16").established is False


def constant(c, x):
    return x * 0 + solver.EFFORT


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Real("x", above=2, most=1), "empty domain"),
        (lambda: Integer("x", above=0, below=1), "empty domain"),
        (lambda: Real("x", above=0, least=0), "two bounds on one side"),
        (lambda: Real("x", over=0), "over is not a bound"),
        (lambda: Real("x", above=0.5), "binary float"),
        (lambda: AtMost(Real("x"), left=lambda c, x: c.number(1), right=2), "x is never used"),
        (lambda: AtMost(Real("x"), left=lambda c, x: x, right=0.5), "binary float"),
        (lambda: AtMost(Real("x", above=0), left=lambda c, x: c.gamma(x), right=1), "cannot be evaluated"),
        (lambda: AtMost(Real("x"), left=constant, right=1), "reads only establish.spec"),
        (
            lambda: AtMost(
                Integer("n", least=0, most=3),
                left=lambda c, n: c.number(n),
                right=1,
                given=[given(lambda c, n: c.number(n), ">", 3)],
            ),
            "the domain is empty",
        ),
        (lambda: AtMost(Real("x", most=2), left=lambda c, x: x, right=2), "the conclusion is assumed"),
        (lambda: Every("n", list, lambda n: True), "no case"),
        (lambda: Printed(lambda c: c.number(1), "one"), "not a printed decimal number"),
        (lambda: given(lambda c: c.number(1), "~", 1), "is not a relation"),
    ],
)
def test_nonsense_is_refused_when_it_is_written(make, message):
    with pytest.raises(StatementError, match=message):
        make()


def test_the_refusal_names_file_and_line():
    with pytest.raises(StatementError, match=r"test_statements\.py:\d+"):
        AtMost(Real("x"), left=lambda c, x: c.number(1), right=2)


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ({"γ": 1}, "a point gives"),
        ({"γ": 0, "z": 1, "Δ": 1}, "outside the domain"),
        ({"γ": 0.5, "z": 1, "Δ": 1}, "binary float"),
    ],
)
def test_a_point_outside_the_domain_is_refused(point, message):
    with pytest.raises(StatementError, match=message):
        SLIDING.at(point)


@pytest.mark.parametrize(
    "evidence",
    [
        lambda: solver.proves(AtMost(Real("x"), left=lambda c, x: x - x * x, right=F(1, 4))),
        lambda: enclosure.proves(
            Below(Real("x", least=0, most=1), left=lambda c, x: x * c.exp(-x), right=F(2, 5))
        ),
        lambda: exhaustive.proves(AtMost(Integer("n", least=0, most=9), left=lambda c, n: n * n, right=81)),
        lambda: symbolic.proves(
            Equal(
                Real("γ", above=1),
                left=lambda c, g: heavy_tailed.normalizer(g, c) * 2 * c.pi,
                right=lambda c, g: g * c.sin(c.pi / g),
            )
        ),
        lambda: exact.decided(Printed(lambda c: c.sqrt(c.number(2)), "1.414")),
    ],
)
def test_a_method_decides_the_object_that_it_was_given(evidence):
    found = evidence()
    assert found.established is True
    assert found.decides in found.says


@pytest.mark.parametrize(
    "evidence",
    [
        lambda: solver.proves(AtMost(Real("x"), left=lambda c, x: x - x * x, right=F(1, 5))),
        lambda: exhaustive.proves(AtMost(Integer("n", least=0, most=9), left=lambda c, n: n * n, right=80)),
        lambda: symbolic.proves(
            Equal(Real("x"), left=lambda c, x: c.exp(x) * c.exp(x), right=lambda c, x: c.exp(x))
        ),
        lambda: exact.decided(Printed(lambda c: c.sqrt(c.number(2)), "1.415")),
    ],
)
def test_a_method_refutes_a_false_object(evidence):
    assert evidence().established is False


def test_the_solver_never_refutes_by_a_model_of_functions_that_it_does_not_know():
    square = AtMost(Real("x", above=0), left=lambda c, x: c.log(x), right=lambda c, x: x / 2)
    assert solver.proves(square).established is None  # true: ln x ≤ x/e, beyond what z3 is told


def test_sides_of_the_same_text_show_nothing():
    same = Equal(Real("x"), left=lambda c, x: c.exp(x), right=lambda c, x: c.exp(x))
    assert symbolic.proves(same).established is None


def test_a_printed_number_is_noticed_when_its_last_digit_is_wrong():
    assert Printed(lambda c: c.sqrt(c.number(2)), "1.414").search().found == ("last digit one more",)


SECOND = Moment(
    Real("λ", above=0),
    law=lambda c, scale: laplace.Laplace(c.number(0), scale, c),
    of=lambda c, x: x * x,
    closed=lambda c, scale: laplace.absolute_moment(2, scale),
    breaks=[lambda c, scale: c.number(0)],
)


def test_a_moment_is_shown_by_integration_and_a_wrong_one_is_refuted_by_quadrature():
    assert symbolic.integrates(SECOND).established is True
    assert SECOND.search().sees
    wrong = replace(SECOND, closed=lambda c, scale: scale * scale)
    assert wrong.search().refuted


@pytest.mark.parametrize("part", ["law", "of", "closed"])
def test_a_moment_that_cannot_be_evaluated_is_refused_when_it_is_written(part):
    formulas = {"law": SECOND.law, "of": SECOND.of, "closed": SECOND.closed}
    formulas[part] = lambda c, x: c.nothing(x)
    with pytest.raises(StatementError, match=r"test_statements.py:\d+: cannot be evaluated"):
        Moment(Real("λ", above=0), **formulas)


def test_densities_are_not_taken_for_probabilities_that_were_read_before():
    """Both are read of the same laws at the same outputs."""
    forgiven = private(log_laplace.LogLaplaceMechanism, F(1, 4), delta=lambda c, *v: c.number(1))
    assert not forgiven.counterexample(1)[1]
    assert replace(forgiven, delta=None).counterexample(1)[1]


def log_laplace_is_private(neighbors, queries):
    return private(log_laplace.LogLaplaceMechanism, F(1, 2), neighbors=neighbors, queries=queries)


@pytest.mark.parametrize("case", [("strong", "establishment"), ("weak", "worker")])
def test_the_adversary_of_privacy_finds_nothing_where_theorem_8_1_is_true_and_sees_a_hundredth(case):
    found = log_laplace_is_private(*case).search()
    assert (found.refuted, found.found) == ("", ("level times 99/100",))


def test_the_adversary_of_privacy_finds_the_query_class_that_strong_neighbors_do_not_protect():
    assert "counts 0 and 2" in log_laplace_is_private("strong", "worker").search().refuted


@pytest.mark.small_campaign
def test_the_adversary_of_privacy_looks_at_parameters_where_the_mechanism_is_defined():
    # Conditions that no formula of the domain tells leave none of the three simplest parameters.
    private = UNBIASED[0]
    for point in private.domain.simple_points(3):
        with pytest.raises(ParameterError):
            private.mechanism(*point)
    found = private.search()
    assert (found.refuted, found.found) == ("", ("level times 99/100",))
    assert "at 3 parameters" in found.tried


def test_privacy_has_no_truth_where_the_mechanism_is_not_defined():
    with pytest.raises(StatementError, match="is not defined at α = 1/2, ε = 1"):
        UNBIASED[0].at({"α": F(1, 2), "ε": 1, "x": 0, "y": 1, "rest": 0, "o": 0})


SMALL = Every("number", lambda: range(3), lambda n: n < 3)


def test_who_searches_and_who_shows_every_case_ask_a_predicate_once():
    asked = []
    counting = replace(SMALL, holds=lambda n: asked.append(n) or n < 3)
    assert exhaustive.each(counting, "0, 1, 2").established
    assert counting.search().sees
    assert asked == [0, 1, 2, 0]  # the last for the opposite, a neighbor of its own


def test_a_predicate_that_raised_in_the_middle_is_asked_again_from_there():
    failures = iter([ArithmeticError("not yet")])

    def fails_once(n):
        if n == 1 and (failure := next(failures, None)):
            raise failure
        return n < 2

    small = replace(SMALL, holds=fails_once)
    with pytest.raises(ArithmeticError):
        exhaustive.each(small, "0, 1, 2")
    assert exhaustive.each(small, "0, 1, 2").established is False


@pytest.mark.few(6)
@pytest.mark.parametrize("alpha", [F(1), F(1, 2), F(1, 10)])
@pytest.mark.parametrize("case", sorted(BOUNDED))
def test_what_rules_say_of_the_growth_of_counts_is_true_of_all_enumerated_neighbors(case, alpha):
    for (x, y), _, _ in steps(*case, alpha, THOROUGH):
        small, large = sorted((x, y))
        allowed = large == small + 1 if BOUNDED[case] == "one" else may_grow(small, large, alpha)
        assert allowed, (x, y)


def test_a_case_outside_the_universe_refutes_nothing():
    with pytest.raises(StatementError, match="outside the universe: number 5"):
        exact.refuted(SMALL, case=5)
