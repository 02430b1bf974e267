"""The second answer by establishment: its cost against a search, and what pooling it gains."""

from fractions import Fraction as F

import pytest

from establish.spec.arithmetic import EXACT, MP
from establish.spec.mechanisms.probably_no_clipping import sensitivity
from establish.spec.mechanisms.remainder import KEPT, cost, left, pooled, pooling, spent, sum_scale
from establish.spec.neighbor_functions.functions import identity, logarithm, root

TINY = MP.mp.mpf(10) ** -50
VALUES = [F(k, 4) for k in range(17)]


@pytest.mark.few(3)
@pytest.mark.parametrize("gamma", [F(1, 2), F(1), F(2)])
@pytest.mark.parametrize("psi", [root(), logarithm(F(1, 2)), identity()], ids=lambda psi: psi.name)
def test_both_answers_together_tell_all_of_the_budget_and_no_more(psi, gamma):
    most = MP.number(0)
    for bound, largest in ((F(1), F(3)), (F(3), F(3)), (F(2), F(50))):
        for x in VALUES:
            for y in VALUES:
                if x >= y and psi.close(x, y, gamma):
                    numbers = [MP.number(z) for z in (gamma, bound, largest, x, y)]
                    found = cost(psi, numbers[0], tuple(numbers[1:3]), tuple(numbers[3:]), MP)
                    assert found <= 1 + TINY
                    most = max(most, found)
    assert most > 0.95


def test_a_second_answer_at_the_whole_budget_would_cost_more():
    """Without the subtraction, the largest establishment's change costs nearly twice μ²."""
    psi, gamma = root(), MP.number(1)
    own = sensitivity(psi, MP.number(9), gamma, MP)
    assert spent(own, own, MP) + 1 > 1.9
    assert spent(own, own, MP) + left(own, own, MP) == 1


def test_the_noise_of_the_sum_spends_what_is_not_kept():
    for mu in (F(1, 2), F(3)):
        scale = sum_scale(MP.number(7), MP.number(mu), MP)
        assert abs((MP.number(7) / scale) ** 2 / mu**2 - (1 - KEPT)) < TINY


def test_pooled_answers_have_the_variance_of_one_answer_with_both_budgets():
    for first, second in ((F(1, 2), F(1, 2)), (F(3), F(1, 7))):
        best = pooled(first, second, pooling(first, second))
        assert best == 1 / (first**2 + second**2)
        for off in (F(-1, 10), F(1, 10)):
            assert pooled(first, second, pooling(first, second) + off) > best
    assert left(F(0), F(1), EXACT) == 1
