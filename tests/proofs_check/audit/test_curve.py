"""Trade-off curves: simultaneous bounds hold the truth, and what they leave of each definition is no more
than what is true."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from establish.proofs_check.audit import audit, custom, gedp
from establish.proofs_check.audit.black import confirm
from establish.proofs_check.audit.black.curve import accused, bounds, measure, told, worst
from establish.proofs_check.audit.black.events import Range
from establish.proofs_check.audit.black.features import coordinate
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.question.level import Approximate, Gaussian
from establish.proofs_check.audit.question.mechanism import Mechanism
from tests.proofs_check.audit.lawful import normal_delta

ERROR = 1e-9
"""Of every curve here, so that each test below raises a false alarm so rarely."""


class Shifted:
    """Noise of scale 1 around 0 or ``shift``."""

    def __init__(self, noise, shift):
        self.noise, self.shift = noise, shift

    def sample(self, n, size, rng):
        return self.shift * n + self.noise.rvs(size=size, random_state=rng)


def measured(mechanism, level, outputs=200_000, seed=1, pair=(1, 0)):
    samples = Samples(Mechanism(mechanism), np.random.default_rng(seed), low_bits=False)
    return measure(pair, level, samples, outputs, ERROR)


def alone(curve):
    """A curve beside an event that shows nothing."""
    nothing = confirm.Candidate(curve.pair, Range(coordinate(0, 1), 0.0, math.inf), None, 0.0)
    return confirm.Tested(nothing, False, 0.0, ((0.0, 1.0), (0.0, 1.0)), 0)


LAWS = {
    "normal": (stats.norm, 1.0),
    "Laplace": (stats.laplace, 1.0),
    "normal, far": (stats.norm, 3.0),
    "Laplace, wide": (stats.laplace, 0.1),
}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("pair", [(1, 0), (0, 1)])
def test_the_band_holds_the_true_probability_of_every_event(name, pair):
    noise, shift = LAWS[name]
    curve = measured(Shifted(noise, shift), Approximate(Fraction(1)), pair=pair)
    ends = np.array([-math.inf, *curve.nested.edges, math.inf])
    held = [np.diff(noise.cdf(ends - shift * n)) for n in curve.pair]
    assert len(curve.inside) > 40
    for k, both in enumerate(curve.inside, 1):
        for (low, high), bins in zip(both, held, strict=True):
            true = bins[curve.nested.ranks >= k].sum()
            assert low <= true <= high
            # Seven standard errors to either side, and what a few outputs in the tail add.
            assert high - low < 20 * math.sqrt(true * (1 - true) / curve.size) + 100 / curve.size


@pytest.mark.small_campaign
def test_all_bounds_of_a_curve_are_wrong_together_as_often_as_is_said_at_most():
    # 2,000 curves of 20 events from 300 outputs, each wrong somewhere with probability at most 1/5: more
    # than 511 of them are wrong with probability below 1e-9. Were each bound given all of the error,
    # nearly every curve would be wrong.
    runs, error = 2000, 0.2
    most = int(stats.binom.isf(1e-9, runs, error))
    assert most == 511
    rng = np.random.default_rng(3)
    law = np.array([np.arange(1, 22), np.arange(21, 0, -1)]) / 231
    true = law[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
    assert true.shape == (2, 20)
    wrong = 0
    for _ in range(runs):
        counted = np.stack([rng.multinomial(300, side) for side in law])
        low, high = np.moveaxis(np.array(list(bounds(counted, error))), 2, 0)
        wrong += bool(((low > true.T) | (high < true.T)).any())
    assert 0 < wrong <= most


def laplace_delta(loss, epsilon):
    """The least δ of two Laplace laws ``loss`` scales apart, for ε ≤ loss: at outputs beyond the middle."""
    return max(0.0, 1 - math.exp((epsilon - loss) / 2))


@pytest.mark.parametrize(("noise", "exact"), [("norm", normal_delta), ("laplace", laplace_delta)])
@pytest.mark.parametrize("shift", [0.5, 1.0, 2.0])
def test_the_least_delta_stays_below_the_exact_one_and_comes_near_it(noise, exact, shift):
    curve = measured(Shifted(getattr(stats, noise), shift), Gaussian(Fraction(1)))
    result = told(Gaussian(Fraction(1)), alone(curve), curve)
    for epsilon, delta in result.profile:
        # Two shares of 150,000 outputs, each off by seven standard errors of at most 1/2 each.
        off = (1 + math.exp(epsilon)) * 16 * 0.5 / math.sqrt(curve.size)
        assert exact(shift, epsilon) - off < delta <= max(exact(shift, epsilon), 0.0)


@pytest.mark.parametrize("mu", [0.3, 1.0, 2.5])
def test_the_least_mu_of_normal_noise_stays_below_the_true_one_and_comes_near_it(mu):
    curve = measured(Shifted(stats.norm, mu), Gaussian(Fraction(1)))
    result = told(Gaussian(Fraction(1)), alone(curve), curve)
    assert mu - 0.08 < result.mu <= mu


@pytest.mark.parametrize("loss", [0.3, 1.0, 2.5])
def test_the_least_epsilon_of_laplace_noise_stays_below_the_true_one_and_comes_near_it(loss):
    curve = measured(Shifted(stats.laplace, loss), Approximate(Fraction(1)))
    result = told(Approximate(Fraction(1)), alone(curve), curve)
    assert 0.9 * loss - 0.03 < result.epsilon <= loss
    with_delta = told(Approximate(Fraction(1), Fraction(1, 10)), alone(curve), curve)
    # δ = 1 − e^((ε − loss)/2) at ε = loss + 2·ln(1 − δ).
    assert with_delta.epsilon <= max(loss + 2 * math.log(0.9), 0.0)
    assert with_delta.epsilon > 0.8 * (loss + 2 * math.log(0.9)) - 0.05


@pytest.mark.parametrize("pair", [(1, 0), (0, 1)])
@pytest.mark.parametrize("claimed", [Gaussian(Fraction(1)), Approximate(Fraction(1))])
def test_a_curve_accuses_a_claim_that_is_too_small_and_no_other(pair, claimed):
    noise = stats.norm if isinstance(claimed, Gaussian) else stats.laplace
    assert accused(measured(Shifted(noise, 1.0), claimed, pair=pair), claimed) is None
    curve = measured(Shifted(noise, 1.15), claimed, pair=pair)
    found = accused(curve, claimed)
    assert found is not None
    assert 1 < found.least == worst(claimed, curve.inside).least <= 1.15
    first, second = found.candidate.pair
    drawn = np.random.default_rng(5)
    for dataset, (low, high) in zip((first, second), found.probabilities, strict=True):
        outputs = Shifted(noise, 1.15).sample(dataset, 100_000, drawn)[:, None]
        share = found.candidate.event.holds(outputs).mean()
        # The share strays by more than .011 with probability at most 2·exp(−2·.011²·1e5) = 6.2e-11.
        assert low - 0.011 < share < high + 0.011


def test_events_that_are_no_half_lines_are_said_as_ranks():
    # Noise of another width: the ratio is large in both tails.
    class Wider:
        def sample(self, n, size, rng):
            return rng.normal(0.0, 2.0 if n else 1.0, size)

    found = accused(measured(Wider(), Approximate(Fraction(1))), Approximate(Fraction(1)))
    assert found is not None
    assert "bins of output by learned likelihood" in str(found.candidate.event)


def test_too_few_outputs_make_no_curve():
    assert measured(Shifted(stats.norm, 1.0), Gaussian(Fraction(1)), outputs=300) is None


def test_a_wrong_mu_is_accused_and_the_result_tells_the_curve():
    claim = custom([(0, 1)], mu=1)
    result = audit(Shifted(stats.norm, 1.2), claim, samples=2_000_000, seconds=math.inf)
    assert result.violated
    assert result.trade_off is not None
    assert 1 < result.trade_off.mu <= 1.2
    assert set(result.trade_off.pair) == {0, 1}
    right = audit(Shifted(stats.norm, 1.0), claim, samples=2_000_000, seconds=math.inf)
    assert not right.violated
    assert right.trade_off is not None
    assert 0.8 < right.trade_off.mu <= 1.0
    assert right.samples <= 2_000_000
    held = right.to_json()["trade_off"]
    assert len(held["type_1"]) == len(held["type_2"]) > 40
    assert [epsilon for epsilon, _ in held["profile"]] == [0.0, 0.25, 0.5, 1.0, 2.0, 4.0]


def test_notes_of_a_gedp_audit_are_in_its_json():
    def constant(values, rng):
        return 1.0

    result = audit(constant, gedp(1, "sqrt", "1/2"), samples=20_000, seconds=math.inf)
    assert any("every call gave the same output" in note for note in result.to_json()["notes"])
