"""Conversions against brute force: events, moments and tests of simple laws."""

from collections.abc import Callable, Iterator
from itertools import chain, combinations, pairwise

import mpmath
import pytest

from establish.spec import privacy_conversions as formulas
from establish.spec.arithmetic import ARB, MP, SYM, enclosing
from establish.spec.distributions.gaussian import cdf, quantile
from establish.spec.gaussian import privacy_curve

mp = MP.mp
TINY = mp.mpf(10) ** -40
EPSILONS = [mp.mpf(text) for text in ("0.01", "0.5", "1", "4")]
ORDERS = [mp.mpf(text) for text in ("1.01", "1.5", "2", "8", "100")]
DELTAS = [mp.mpf(text) for text in ("0", "0.001", "0.3")]

Laws = tuple[list[mpmath.mpf], list[mpmath.mpf]]
"""Probabilities of the same outputs on two neighbors."""


def randomized_response(epsilon, delta=0) -> Laws:
    """Two answers, and two outputs that reveal the data."""
    true = (1 - delta) * mp.exp(epsilon) / (1 + mp.exp(epsilon))
    return [delta, true, 1 - delta - true, mp.mpf(0)], [mp.mpf(0), 1 - delta - true, true, delta]


def laplace(epsilon, cells: int = 60) -> Laws:
    """Laplace noise of scale 1/ε at 0 and 1, seen as cells: a post-processing, so private at ε as well."""
    edges = [mp.mpf(k) / 8 - mp.mpf("3.2") for k in range(cells)]

    def below(x, center):
        z = epsilon * (x - center)
        return mp.exp(z) / 2 if z < 0 else 1 - mp.exp(-z) / 2

    def law(center):
        values = [mp.mpf(0), *(below(x, center) for x in edges), mp.mpf(1)]
        return [high - low for low, high in pairwise(values)]

    return law(0), law(1)


def delta_of(laws: Laws, level):
    """The hockey-stick divergence: what the best event has more than e^level times."""
    return mp.fsum(max(p - mp.exp(level) * q, mp.mpf(0)) for p, q in zip(*laws, strict=True))


def by_events(laws: Laws, level):
    """The same, over every event."""
    outputs = list(zip(*laws, strict=True))
    events: Iterator = chain.from_iterable(combinations(outputs, k) for k in range(len(outputs) + 1))
    return max(mp.fsum(p - mp.exp(level) * q for p, q in event) for event in events)


def renyi_of(laws: Laws, order):
    terms = [p**order * q ** (1 - order) for p, q in zip(*laws, strict=True) if p]
    return mp.log(mp.fsum(terms)) / (order - 1)


def answers(epsilon) -> Laws:
    first, second = randomized_response(epsilon)
    return first[1:3], second[1:3]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_delta_at_a_level_is_that_of_the_best_event_on_a_flawed_randomized_response(epsilon, delta):
    laws = randomized_response(epsilon, delta)
    for share in ("0", "0.3", "0.9", "1", "2"):
        level = epsilon * mp.mpf(share)
        found = formulas.randomized_response_delta(level, epsilon, delta, MP)
        assert abs(found - by_events(laws, level)) < TINY


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_the_level_at_a_delta_has_this_delta_and_no_smaller_level_has(epsilon, delta):
    for share in ("0.01", "0.2", "0.9"):
        target = delta + (1 - delta) * mp.mpf(share)
        level = formulas.randomized_response_epsilon(target, epsilon, delta, MP)
        back = formulas.randomized_response_delta(level, epsilon, delta, MP)
        assert abs(back - target) < TINY if level > 0 else back <= target


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_laplace_noise_keeps_what_pure_privacy_implies(epsilon):
    laws, (first, second) = laplace(epsilon), laplace(epsilon)
    assert max([abs(mp.log(p / q)) for p, q in zip(first, second, strict=True)]) < epsilon + TINY
    for share in ("0", "0.3", "0.9"):
        level = epsilon * mp.mpf(share)
        assert delta_of(laws, level) <= formulas.randomized_response_delta(level, epsilon, 0, MP)
    for order in ORDERS:
        assert renyi_of(laws, order) <= formulas.pure_to_renyi(order, epsilon, MP)
    mu, rates = formulas.pure_to_gaussian(epsilon, MP), running(second)
    for p, q in list(zip(running(first), rates, strict=True))[:-1]:
        assert quantile(max(p, q), MP) - quantile(min(p, q), MP) <= mu


def running(law: list[mpmath.mpf]) -> list[mpmath.mpf]:
    total, found = mp.mpf(0), []
    for share in law:
        found.append(total := total + share)
    return found


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_randomized_response_attains_its_renyi_divergence_its_mu_and_its_rho(epsilon):
    laws = answers(epsilon)
    for order in ORDERS:
        assert abs(renyi_of(laws, order) - formulas.pure_to_renyi(order, epsilon, MP)) < TINY
    rare = laws[1][0]
    assert abs(quantile(1 - rare, MP) - quantile(rare, MP) - formulas.pure_to_gaussian(epsilon, MP)) < TINY
    rho = formulas.pure_to_concentrated(epsilon, MP)
    near = 1 + mp.mpf(10) ** -20
    assert rho * (1 - mp.mpf(10) ** -15) < renyi_of(laws, near) / near <= rho


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_mu_of_pure_privacy_is_enough_for_every_test_of_randomized_response(epsilon):
    """Between its two outputs a test flips a coin: the rates lie on two lines."""
    rare, mu = answers(epsilon)[1][0], formulas.pure_to_gaussian(epsilon, MP)
    for step in range(1, 100):
        x = mp.mpf(step) / 100
        power = x * mp.exp(epsilon) if x < rare else 1 - (1 - x) * mp.exp(-epsilon)
        assert power <= cdf(quantile(x, MP) + mu, MP) + TINY


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_rho_of_pure_privacy_is_enough_at_every_order_and_less_than_half_the_square(epsilon):
    rho = formulas.pure_to_concentrated(epsilon, MP)
    assert rho < epsilon**2 / 2
    for order in ORDERS:
        assert formulas.pure_to_renyi(order, epsilon, MP) <= formulas.concentrated_to_renyi(order, rho, MP)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_rho_does_not_imply_the_mu_of_normal_noise(epsilon):
    rho = formulas.pure_to_concentrated(epsilon, MP)
    assert formulas.pure_to_gaussian(epsilon, MP) > mp.sqrt(2 * rho)


@pytest.mark.parametrize("order", ORDERS[1:4])
def test_the_renyi_divergence_of_normal_noise_is_that_of_its_rho(order):
    mu = mp.mpf("1.25")
    moment = mp.quad(lambda x: mp.npdf(x, mu) ** order * mp.npdf(x) ** (1 - order), [-40, 0, order * mu, 60])
    found = formulas.concentrated_to_renyi(order, formulas.gaussian_to_concentrated(mu, MP), MP)
    assert abs(mp.log(moment) / (order - 1) - found) < mp.mpf(10) ** -25


@pytest.mark.parametrize("order", ORDERS[1:])
def test_the_delta_of_a_renyi_divergence_is_at_least_that_of_laws_that_have_it(order):
    """And it lies below the tail bound of Bun and Steinke, e^{(a − 1)(r − ε)}."""
    cases: list[tuple[mpmath.mpf, Callable]] = []
    for epsilon in EPSILONS:
        for laws in (answers(epsilon), laplace(epsilon, 30)):
            cases.append((renyi_of(laws, order), lambda level, laws=laws: delta_of(laws, level)))
    for mu in (mp.mpf("0.1"), mp.mpf(1), mp.mpf(3)):
        cases.append((order * mu**2 / 2, lambda level, mu=mu: privacy_curve(level, mu, MP)))
    for value, true in cases:
        for level in (mp.mpf(0), mp.mpf("0.5"), mp.mpf(3)):
            found = formulas.renyi_to_delta(level, order, value, MP)
            assert true(level) <= found <= min(1, mp.exp((order - 1) * (value - level)))


@pytest.mark.parametrize("order", ORDERS[1:])
def test_two_outputs_attain_the_delta_of_a_one_sided_renyi_divergence(order):
    """The bound is tight for one order of the neighbors: the loss is z on an event, and elsewhere −∞."""
    value, level = mp.mpf("0.7"), mp.mpf(2)
    z = level - mp.log(1 - 1 / order)
    p = mp.exp((order - 1) * (value - z))
    assert 0 < p < 1
    assert abs(p * (1 - mp.exp(level - z)) - formulas.renyi_to_delta(level, order, value, MP)) < TINY


@pytest.mark.parametrize("order", ORDERS[1:])
def test_the_level_of_a_renyi_divergence_inverts_its_delta(order):
    for text in ("1e-9", "0.1"):
        target = mp.mpf(text)
        level = formulas.renyi_to_epsilon(target, order, mp.mpf(2), MP)
        back = formulas.renyi_to_delta(level, order, mp.mpf(2), MP)
        assert abs(back - target) < TINY if level > 0 else back <= target


def test_every_formula_is_read_in_every_number_system():
    half = (1, 2)
    asked = [
        lambda c, x: formulas.randomized_response_delta(0, x, 0, c),
        lambda c, x: formulas.randomized_response_epsilon(x / 8, x, 0, c),
        lambda c, x: formulas.pure_to_gaussian(x, c),
        lambda c, x: formulas.pure_to_concentrated(x, c),
        lambda c, x: formulas.pure_to_renyi(2, x, c),
        lambda c, x: formulas.gaussian_to_concentrated(x, c),
        lambda c, x: formulas.renyi_to_delta(1, 3, x, c),
        lambda c, x: formulas.renyi_to_epsilon(x / 8, 3, x, c),
    ]
    for formula in asked:
        value = formula(MP, MP.number(half[0]) / half[1])
        symbolic = formula(SYM, SYM.number(half[0]) / half[1])
        assert abs(mp.mpf(str(symbolic.evalf(50))) - value) < TINY
        with enclosing():
            ball = formula(ARB, ARB.number(half[0]) / half[1])
            assert ball.rad() < 1e-40
            assert abs(float(ball) - float(value)) < 1e-14
