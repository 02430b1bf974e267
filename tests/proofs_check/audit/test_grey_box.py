"""A replay with frozen draws shows what a pair moves, and accuses no correct mechanism."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from establish import AuditError, ParameterError, dp, edge, gedp, strong_er_ee
from establish.proofs_check.audit.grey.grey_box import replay, replay_all, runs_for
from establish.proofs_check.audit.grey.recorder import DivergedError, Recorder
from establish.proofs_check.audit.question.level import Approximate, Gaussian
from tests.proofs_check.audit.lawful import normal_delta
from tests.proofs_check.audit.test_gallery import CORRECT, FAULTS


def noisy(scale):
    return lambda n, rng: n + rng.laplace(0.0, scale)


def test_the_loss_of_added_noise_is_what_its_scale_says():
    assert replay(noisy(1.0), dp(1), (3, 4)).loss == pytest.approx(1.0)
    assert replay(noisy(1.0), dp(1), (3, 4)).passed
    fault = replay(noisy(0.99), dp(1), (3, 4))
    assert fault.loss == pytest.approx(1 / 0.99)
    assert "the pair costs ε = 1.0101" in fault.faults[0]


def test_a_count_as_the_center_of_the_noise_costs_the_same():
    assert replay(lambda n, rng: rng.laplace(n, 2.0), dp(1), (3, 4)).loss == pytest.approx(0.5)


def test_costs_of_independent_outputs_add_up_and_normal_ones_by_their_squares():
    pair = lambda n, rng: (n + rng.laplace(0, 2.0), 3 * n + rng.laplace(0, 6.0))  # noqa: E731
    assert replay(pair, dp(1), (0, 1)).loss == pytest.approx(1.0)
    both = lambda d, rng: (sum(d) ** 0.5 + rng.normal(0, 2.0), sum(d) ** 0.5 + rng.normal(0, 2.0))  # noqa: E731
    assert replay(both, gedp(1), ((0.0,), (1.0,))).loss == pytest.approx(math.sqrt(0.5))


def test_a_draw_that_two_outputs_share_is_remarked():
    def shared(n, rng):
        noise = rng.laplace()
        return n + noise, 2 * n + noise

    result = replay(shared, dp(1), (0, 1))
    assert any("output[0], output[1]: they share" in remark for remark in result.remarks)
    assert result.loss is None


def test_a_scale_and_a_control_flow_that_depend_on_the_data_are_remarked():
    result = replay(lambda n, rng: n + rng.laplace(0, 1 + n), dp(1), (0, 1))
    assert "laplace(loc = 0, scale = 1)" in result.remarks[0]

    def branches(n, rng):
        return n + (rng.normal() if n else rng.laplace())

    assert "the control flow depends" in replay(branches, dp(1), (0, 1)).remarks[0]


def test_a_value_that_only_one_dataset_gives_is_a_fault():
    def zero_kept(d, rng):
        return sum(d) + rng.laplace(0, 10.0) if sum(d) else 0.0

    (fault,) = replay(zero_kept, edge(1), ((0,), (1,))).faults
    assert fault.startswith("output[0] is 0 on (0,) in all of ")


@pytest.mark.few(30)
@pytest.mark.parametrize("name", FAULTS)
def test_what_is_found_in_the_gallery_is_found_at_its_pair_quickly(name):
    entry = FAULTS[name]
    result = replay(entry.mechanism, entry.definition, entry.at)
    assert result.draws < 100_000
    assert all(fault for fault in result.faults)


@pytest.mark.small_campaign
def test_the_grey_box_sees_a_good_part_of_the_gallery():
    seen = [
        name for name, entry in FAULTS.items() if replay(entry.mechanism, entry.definition, entry.at).faults
    ]
    assert len(seen) >= 40
    assert {"Laplace, scale 5% too small", "Gaussian GEDP, scale 5% too small"} <= set(seen)


@pytest.mark.few(6)
@pytest.mark.parametrize("name", CORRECT)
def test_no_correct_mechanism_of_the_gallery_is_accused(name):
    # Each comparison is wrong with probability at most 1e-10; the seeds are fixed.
    entry = CORRECT[name]
    for pair in entry.definition.listed()[:6]:
        assert replay(entry.mechanism, entry.definition, pair).passed


def test_always_and_never_need_as_many_runs_as_the_level_allows():
    # At ε = 1 the largest P(1 − P/e) for P ≤ 1 is 1 − 1/e, at P = 1.
    assert runs_for(Approximate(1)) == pytest.approx(math.log(1e-10) / math.log(1 - 1 / math.e), abs=1)
    assert runs_for(Approximate(5)) > runs_for(Approximate(1))
    assert runs_for(Gaussian(1)) > 0


def test_a_replay_plays_what_was_recorded_and_refuses_anything_else():
    recorder = Recorder(np.random.default_rng(1))
    drawn = recorder.normal(0.0, 1.0, 3), recorder.geometric(0.5)
    assert recorder.draws[0].parameters == {"loc": 0.0, "scale": 1.0}
    player = Recorder(np.random.default_rng(2), tuple(recorder.draws))
    assert (player.normal(5.0, 2.0, 3) == drawn[0]).all()
    assert player.geometric(0.1) == drawn[1]
    with pytest.raises(DivergedError, match="was not made"):
        player.random()
    player = Recorder(np.random.default_rng(2), tuple(recorder.draws))
    with pytest.raises(DivergedError, match="draw 1 is laplace"):
        player.laplace()


def test_datasets_that_are_no_neighbors_and_mechanisms_that_always_raise_are_refused():
    with pytest.raises(ParameterError, match="are not neighbors"):
        replay(noisy(1.0), strong_er_ee("1/10", 1), ((20,), (23,)))
    assert "the exception ZeroDivisionError on 0" in replay(lambda n, rng: 1 / n, dp(1), (0, 1)).faults[0]
    with pytest.raises(AuditError, match="raised TypeError on every dataset that was tried"):
        replay_all(lambda n, rng: n + "1", dp(1))


def drawn(method, scale):
    """A count with noise of numpy's."""
    return lambda n, rng: n + getattr(rng, method)(0.0, scale)


def laplace_delta(loss, epsilon):
    """The least δ of two Laplace laws: the excess P − e^ε·Q of a half-line, the largest of many."""
    ends = np.linspace(-1.0, loss + 1.0, 20_001)
    return (stats.laplace.cdf(ends) - math.exp(epsilon) * stats.laplace.cdf(ends - loss)).max()


@pytest.mark.parametrize("apart", [0.02, 0.5, 1.001, 4.0, 30.0])
@pytest.mark.parametrize("delta", ["1/10", "1/1000000"])
@pytest.mark.parametrize(("method", "exact"), [("normal", normal_delta), ("laplace", laplace_delta)])
def test_with_a_delta_added_noise_costs_the_epsilon_that_delta_leaves(method, exact, apart, delta):
    result = replay(drawn(method, 1 / apart), dp(1, delta), (3, 4))
    share = float(Fraction(delta))
    if result.loss < 1e-9:
        assert exact(apart, 0.0) <= share * (1 + 1e-9)
    else:
        assert exact(apart, result.loss) == pytest.approx(share, rel=1e-3)
    assert any("the pair costs" in fault for fault in result.faults) == (exact(apart, 1.0) > share)


def test_a_pair_that_delta_covers_is_not_accused():
    # Laplace noise with a loss of 1.001: at ε = 1 it needs δ = 1 − e^(−.0005) = .0005.
    assert replay(drawn("laplace", 1 / 1.001), dp(1, "1/100"), (3, 4)).passed
    assert not replay(drawn("laplace", 1 / 1.001), dp(1, "1/10000"), (3, 4)).passed


def test_with_a_delta_two_moving_laplace_laws_have_no_price():
    def twice(n, rng):
        return n + rng.laplace(), n + rng.laplace()

    assert replay(twice, dp(1, "1/100"), (3, 4)).loss is None
    assert replay(twice, dp(1), (3, 4)).loss == pytest.approx(2.0)


def test_two_moving_normal_laws_are_priced_together_with_a_delta():
    def twice(n, rng):
        return n + rng.normal(), n + rng.normal()

    loss = replay(twice, dp(1, "1/100"), (3, 4)).loss
    assert normal_delta(math.sqrt(2), loss) == pytest.approx(0.01, rel=1e-6)
