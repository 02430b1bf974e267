"""Statements about laws on the integers: what is false is refuted, what is not finite refused, and no rule
shows what does not follow.
"""

from dataclasses import replace
from fractions import Fraction

import pytest

import establish
from establish import (
    AtMost,
    Concentrated,
    Integer,
    OnIntegers,
    PerRecord,
    Real,
    Renyi,
    RuleError,
    StatementError,
    SumOnIntegers,
    exact,
    premise,
    rules,
    solver,
)
from establish.proofs_check.engine.verdicts import Grade
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian
from establish.spec.distributions.geometric import Geometric

S = Real("s", above=0)


def around_zero(c, s, *_):
    return DiscreteGaussian(0, s, c)


def variance(relation, closed):
    return OnIntegers(
        S, law=around_zero, of=lambda c, s, k: k * k, degree=2, relation=relation, closed=closed
    )


def tail(closed):
    return OnIntegers(
        S,
        Integer("b", least=1),
        law=around_zero,
        of=lambda c, s, b, k: 1 if k >= b else 0,
        relation="<=",
        closed=closed,
    )


PLANTED = {
    "the variance is s": (lambda: variance("==", lambda c, s: s), {"s": "1/4"}),
    "the variance is at least s": (lambda: variance(">=", lambda c, s: s), {"s": "1/2"}),
    "the tail falls like e^(−b²/s)": (lambda: tail(lambda c, s, b: c.exp(-b * b / s)), {"s": 4, "b": 10}),
    "ρ is Δ²/(3s)": (
        lambda: Concentrated(
            S, law=lambda c, s, x: DiscreteGaussian(x, s, c), sensitivity=1, rho=lambda c, s: 1 / (3 * s)
        ),
        {"s": 1, "x": 0, "y": 1, "a": 2},
    ),
    "the weights sum to √(2πs)": (
        lambda: SumOnIntegers(S, law=around_zero, closed=lambda c, s: c.sqrt(2 * c.pi * s)),
        {"s": "1/10"},
    ),
    "the mean is the center": (
        lambda: OnIntegers(
            Real("m"),
            law=lambda c, m: DiscreteGaussian(m, Fraction(1, 10), c),
            of=lambda c, m, k: k,
            degree=1,
            closed=lambda c, m: m,
        ),
        {"m": "1/3"},
    ),
    "discrete Laplace noise of pure ε has D_a ≤ ε/2": (
        lambda: Renyi(
            Real("ρ", above=0, below=1),
            first=lambda c, r: Geometric(0, r, c),
            second=lambda c, r: Geometric(1, r, c),
            order=20,
            most=lambda c, r: -c.log(r) / 2,
            beyond=1,
        ),
        {"ρ": "1/5"},
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_false_statement_is_refuted_at_a_point_and_its_adversary_finds_one(name):
    make, point = PLANTED[name]
    statement = make()
    found = exact.refuted(statement, **point)
    assert (found.established, found.grade) == (True, Grade.ENCLOSURE)
    assert "solver" in found.method
    assert statement.search(60).refuted


def test_a_true_statement_is_not_refuted_and_its_planted_neighbor_is():
    searched = variance("<=", lambda c, s: s).search(60)
    assert not searched.refuted
    assert searched.sees
    assert exact.refuted(variance("<=", lambda c, s: s), s="1/4").established is False


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: SumOnIntegers(Real("r", above=0, below=2), law=lambda c, r: Geometric(0, r, c), closed=1),
            "not shown to be finite",
        ),
        (
            lambda: OnIntegers(S, law=around_zero, of=lambda c, s, k: k * k, degree=1, closed=1),
            "not shown to be finite",
        ),
        (lambda: Renyi(S, first=around_zero, second=around_zero, order=1, most=0), "not shown to be finite"),
        (
            lambda: Renyi(
                Real("r", above=0, below=1),
                first=lambda c, r: Geometric(0, r, c),
                second=lambda c, r: Geometric(3, r, c),
                order=2,
                most=1,
                beyond=1,
            ),
            "see `beyond`",
        ),
        (lambda: variance("<", lambda c, s: s), "relation = '<' must be one of"),
        (
            lambda: OnIntegers(S, law=around_zero, of=lambda c, s, k: k, degree=-1, closed=1),
            "degree = -1 must be a whole number",
        ),
    ],
)
def test_what_cannot_be_summed_is_refused_with_file_and_line(make, words):
    with pytest.raises(StatementError, match=words) as refused:
        make().search()
    assert "test_on_integers.py:" in str(refused.value)


def gaussian_shift(statement, center, height, *bases):
    owed = rules.shifted(statement, lambda c, s, *_: s, center, height, *bases)
    return rules.gaussian_shift(statement, lambda c, s, *_: s, center, height, bases, *map(solver.owed, owed))


def transform(closed):
    return OnIntegers(
        S, Real("t"), law=around_zero, exponent=lambda c, s, t, k: t * k, relation="<=", closed=closed
    )


def test_a_shift_shows_no_bound_below_the_height():
    half = transform(lambda c, s, t: c.exp(s * t * t / 4))
    found = gaussian_shift(half, lambda c, s, t: s * t, lambda c, s, t: s * t * t / 2, 0)
    assert found.established is None
    assert exact.refuted(half, s=2, t=2).established


def test_a_shift_shows_nothing_with_another_center():
    true = transform(lambda c, s, t: c.exp(s * t * t / 2))
    assert gaussian_shift(true, lambda c, s, t: t, lambda c, s, t: s * t * t / 2, 0).established is None
    assert gaussian_shift(true, lambda c, s, t: s * t, lambda c, s, t: s * t * t / 2, 0).established


def test_a_shift_refuses_a_law_around_no_whole_number():
    """Around 1/2 the sum is least, so that a shift away from there raises the mean above its height."""
    statement = OnIntegers(
        S,
        law=lambda c, s: DiscreteGaussian(Fraction(1, 2), s, c),
        exponent=lambda c, s, k: (Fraction(1, 4) - k) / (2 * s),
        relation="<=",
        closed=1,
    )
    with pytest.raises(RuleError, match="must be a whole number"):
        gaussian_shift(statement, 0, 0, Fraction(1, 2))
    assert exact.refuted(statement, s="1/10").established


def test_equality_is_shown_at_whole_centers_only():
    statement = OnIntegers(
        S,
        Real("t"),
        law=around_zero,
        exponent=lambda c, s, t, k: t * k,
        closed=lambda c, s, t: c.exp(s * t * t / 2),
    )
    with pytest.raises(RuleError, match="must be a whole number"):
        gaussian_shift(statement, lambda c, s, t: s * t, lambda c, s, t: s * t * t / 2, 0)
    assert exact.refuted(statement, s="1/10", t=5).established


def test_second_order_shows_no_smaller_variance():
    bound = transform(lambda c, s, t: c.exp(s * t * t / 2))
    shown = gaussian_shift(bound, lambda c, s, t: s * t, lambda c, s, t: s * t * t / 2, 0)
    smaller = variance("<=", lambda c, s: s * Fraction(99, 100))
    _, *rest = rules.to_second_order(smaller, bound, lambda c, s, k: k, lambda c, s: s)
    found = rules.second_order(
        smaller, bound, lambda c, s, k: k, lambda c, s: s, shown, *map(solver.owed, rest)
    )
    assert found.established is None


@pytest.mark.parametrize(("relation", "more"), [("<=", Fraction(1, 2)), (">=", Fraction(1, 100))])
def test_the_integral_shows_no_tighter_sum(relation, more):
    statement = SumOnIntegers(
        S, law=around_zero, relation=relation, closed=lambda c, s: c.sqrt(2 * c.pi * s) + c.number(more)
    )
    owed = rules.near_integral(statement, lambda c, s: s, 0)
    found = rules.beside_integral(statement, lambda c, s: s, 0, 0, *map(solver.owed, owed))
    assert found.established is None


def test_a_larger_mean_needs_a_larger_integrand():
    high = tail(lambda c, s, b: c.exp(-b * b / (2 * s)))
    exponential = OnIntegers(
        S,
        Integer("b", least=1),
        law=around_zero,
        exponent=lambda c, s, b, k: b * (k - 2 * b) / s,
        relation="<=",
        closed=lambda c, s, b: c.exp(-b * b / (2 * s)),
    )
    _, less = rules.below(high, exponential)
    assert solver.proves(less).established is not True


def test_one_term_is_at_a_whole_place():
    statement = SumOnIntegers(S, law=around_zero, relation=">=", closed=1)
    with pytest.raises(RuleError, match="must be a whole number"):
        rules.single(statement, Fraction(1, 2))


CLOSE = SumOnIntegers(
    S,
    law=around_zero,
    relation="<=",
    closed=lambda c, s: c.sqrt(2 * c.pi * s) * (1 + 2 / (c.exp(2 * c.pi * c.pi * s) - 1)),
)
"""What Poisson's formula gives."""


def by_premise(statement):
    poisson, *rest = rules.beyond_first(statement, lambda c, s: s)
    cited = premise("Poisson summation", poisson, cites="a book")
    return rules.dual_sum(statement, lambda c, s: s, cited, *map(solver.owed, rest))


def test_a_premise_is_named_and_caps_the_grade():
    found = by_premise(CLOSE)
    assert (found.established, found.grade) == (True, Grade.STEPS)
    assert "premise Poisson summation" in found.method.split(" + ")
    assert found.scope == "given Poisson summation (a book)"


def test_a_premise_shows_nothing_that_does_not_follow_from_it():
    assert by_premise(replace(CLOSE, closed=lambda c, s: c.sqrt(2 * c.pi * s))).established is None


def test_a_false_premise_is_refuted_by_its_adversary():
    found = premise("a wrong lemma", variance("==", lambda c, s: s), cites="nowhere")
    assert found.established is False
    assert found.witness


def test_a_misspelled_word_names_the_nearest_at_the_author_s_line():
    with pytest.raises(StatementError, match=r"test_on_integers\.py:\d+: .*no sqroot: did you mean sqrt\?"):
        OnIntegers(S, law=lambda c, s: DiscreteGaussian(0, c.sqroot(s), c), closed=1)
    with pytest.raises(AttributeError, match="did you mean OnIntegers"):
        establish.OnInteger  # noqa: B018


def test_a_whole_number_or_a_fraction_goes_into_every_function_of_a_world():
    numbers = AtMost(left=lambda c: c.log(2) + c.exp(Fraction(1, 2)) + c.erf(1), right=lambda c: c.sqrt(16))
    assert exact.decided(numbers).established


def test_a_record_pays_by_its_own_size():
    """One that costs in proportion to its size is refuted where it is larger than 1, either way round."""
    false = PerRecord(S, law=lambda c, s, q: DiscreteGaussian(q, s, c), policy=lambda c, s, r: r / (2 * s))
    for r in (2, -2):
        assert exact.refuted(false, s=1, q=5, r=r, a=2).established


def test_a_probability_is_printed_as_the_event_that_it_is_of_and_not_by_the_name_of_a_function():
    def _from(c, s, b, k):
        return 1 if k >= b else 0

    tail = OnIntegers(
        S,
        Integer("b", least=0),
        law=lambda c, s, b: DiscreteGaussian(0, s, c),
        of=_from,
        relation="<=",
        closed=lambda c, s, b: c.exp(-b * b / (2 * s)),
    )
    assert "E (1 if b ≤ X, else 0) ≤" in tail.text
    assert ".py" not in tail.text
