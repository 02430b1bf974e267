"""Planted faults are found, true mechanisms are not accused, and a seed repeats an audit."""

import math

import numpy as np
import pytest
from scipy import stats

import establish
from establish.impl.sampling.bits import Bits
from establish.proofs_check.audit import audit, custom, dp, edge, gedp, node, strong_er_ee
from establish.proofs_check.audit.black import shrink
from establish.proofs_check.audit.black.confidence import ERROR, TESTS, ErrorBudget, lower, upper
from establish.proofs_check.audit.black.confirm import Candidate, fresh_test
from establish.proofs_check.audit.black.events import Range
from establish.proofs_check.audit.black.features import coordinate, features
from establish.proofs_check.audit.black.lattice import found_in
from establish.proofs_check.audit.black.learn import learn
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.question.level import Approximate
from establish.proofs_check.audit.question.mechanism import Mechanism
from establish.proofs_check.engine.verdicts import Grade
from tests.proofs_check.audit.lawful import Sampled

ALPHA = 0.1
SHIFT = 1 / ALPHA
STRONG = strong_er_ee("1/10", 1)
WITH_DELTA = strong_er_ee("1/10", 2, "1/100")


def total(dataset):
    return dataset if isinstance(dataset, int) else sum(dataset)


def laplace(epsilon):
    return Sampled(lambda d, size, rng: total(d) + rng.laplace(0, 1 / epsilon, size))


def log_laplace(epsilon, shift=SHIFT):
    scale = math.log1p(ALPHA) / epsilon
    return Sampled(lambda d, size, rng: (total(d) + shift) * np.exp(rng.laplace(0, scale, size)) - shift)


def smooth(floor):
    """Laplace noise of scale (2/ε)·max(α·largest, floor) for ε = 2."""
    return Sampled(lambda d, size, rng: total(d) + max(ALPHA * max(d), floor) * rng.laplace(size=size))


def exported(d, size, rng):
    scale = max(ALPHA * max(d), 1)
    return np.stack([total(d) + scale * rng.laplace(size=size), np.full(size, scale)], axis=1)


def shared_on_the_logarithm(d, size, rng):
    noise = np.exp(rng.laplace(0, 2 * math.log1p(ALPHA), size))
    return np.stack([(n + SHIFT) * noise - SHIFT for n in (d[0], sum(d))], axis=1)


def shared(d, size, rng):
    noise = rng.laplace(0, 2, size)
    return np.stack([d + noise, 2 * d - noise], axis=1)


def lattice(d, size, rng):
    step = 0.001 * (d + 3)
    return np.round((d + rng.laplace(0, 2, size)) / step) * step


def zero_kept(d, size, rng):
    return np.zeros(size) if d == 0 else d + rng.laplace(size=size)


def two_at_full_price(d, size, rng):
    return d + rng.laplace(size=(size, 2))


def disjoint(d, size, rng):
    return d + rng.uniform(-0.4, 0.4, size)


def seeded(d, size, rng):
    return np.full(size, d + np.random.default_rng(0).laplace())


def length_tells(d, size, rng):
    return rng.normal(size=(size, 1 + d % 2))


FAULTS = {
    "a Laplace scale 10% too small": (laplace(1.1), dp(1)),
    "a Laplace scale 50% too small": (laplace(2), dp(1)),
    "a log-Laplace scale 50% too small": (log_laplace(2), STRONG),
    "a missing shift": (log_laplace(1, 0.0), STRONG),
    "a shift too small": (log_laplace(1, 1.0), STRONG),
    "smooth sensitivity without its floor": (smooth(0.0), WITH_DELTA),
    "the noise scale exported": (Sampled(exported), WITH_DELTA),
    "noise shared by two outputs": (Sampled(shared), dp(1)),
    "noise shared on the logarithm": (Sampled(shared_on_the_logarithm), STRONG),
    "an exact zero cell": (Sampled(zero_kept), dp(1)),
    "a lattice that depends on the data": (Sampled(lattice), dp(1)),
    "a budget not counted": (Sampled(two_at_full_price), dp(1)),
    "disjoint ranges": (Sampled(disjoint), dp(1)),
    "a seed reused": (Sampled(seeded), dp(1)),
    "edge noise under an employer definition": (laplace(1), STRONG),
    "edge noise under node privacy": (laplace(1), node(1)),
    "normal noise under pure privacy": (Sampled(lambda d, size, rng: d + 1.5 * rng.normal(size=size)), dp(1)),
    "a normal scale 20% too small": (
        Sampled(lambda d, size, rng: math.sqrt(sum(d)) + 0.4 * rng.normal(size=size)),
        gedp(1, "sqrt", "1/2"),
    ),
    "constant normal noise": (
        Sampled(lambda d, size, rng: sum(d) + 10 * rng.normal(size=size)),
        gedp(1, "sqrt", "1/2"),
    ),
    "an output whose length depends on the data": (Sampled(length_tells), dp(1)),
    "a relation of one's own": (laplace(1), custom([(0, 2), (5, 7)], 1)),
}


@pytest.mark.few(6)
@pytest.mark.parametrize(("mechanism", "definition"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found_and_the_witness_holds_up(mechanism, definition):
    result = audit(mechanism, definition, samples=500_000, seed=1)
    assert result.outcome == "violated"
    assert definition.related(*result.pair)
    assert result.event
    (p, _), (_, q) = result.probabilities
    assert result.epsilon_lower_bound >= definition.level.bound
    assert result.epsilon_lower_bound >= definition.level.least(p, q)
    assert result.evidence is Grade.STATISTICAL
    assert result.confidence == 1 - 1e-9


def released(mechanism):
    """A mechanism of ours, with the cell's largest establishment where it needs that."""

    def draw(d, size, rng):
        largest = d if isinstance(d, int) else max(d)
        bits = Bits.seeded(int(rng.integers(2**63)))
        return mechanism.release(np.full(size, total(d)), bits, np.full(size, largest))

    return Sampled(draw)


SOUND = {
    "log-laplace": (released(establish.LogLaplace("1/10", 1, "tight")), STRONG),
    "smooth-gamma": (released(establish.SmoothGamma("1/10", 1, "tight")), STRONG),
    "smooth-lomax": (released(establish.SmoothLomax("1/10", 1)), STRONG),
    "smooth-staircase-unbiased": (released(establish.UnbiasedSmoothStaircase("1/10", 1)), STRONG),
    "smooth-path": (released(establish.SmoothPath("1/10", 1)), STRONG),
    "smooth-staircase": (released(establish.SmoothStaircase("1/10", 1)), STRONG),
    "growth-staircase": (released(establish.GrowthStaircase("1/10", 1)), STRONG),
    "whole-staircase": (released(establish.WholeStaircase("1/10", 1)), STRONG),
    "growth-staircase-unbiased": (released(establish.UnbiasedGrowthStaircase("1/10", 1)), STRONG),
    "growth-laplace": (released(establish.GrowthLaplace("1/10", 1)), STRONG),
    "smooth-laplace": (released(establish.SmoothLaplace("1/10", 2, "1/100", "tight")), WITH_DELTA),
    "laplace under edge privacy": (released(establish.Laplace(1)), edge(1)),
    "laplace on a count": (laplace(1), dp(1)),
    "two outputs that share the budget": (
        Sampled(lambda d, size, rng: d + rng.laplace(0, 2, (size, 2))),
        dp(1),
    ),
    "two-sided geometric noise": (
        Sampled(
            lambda d, size, rng: d + rng.geometric(1 - 1 / math.e, size) - rng.geometric(1 - 1 / math.e, size)
        ),
        dp(1),
    ),
    "a public lattice": (Sampled(lambda d, size, rng: np.round(d + rng.laplace(size=size), 1)), dp(1)),
    "normal noise on the root": (
        Sampled(lambda d, size, rng: math.sqrt(sum(d)) + 0.5 * rng.normal(size=size)),
        gedp(1, "sqrt", "1/2"),
    ),
    "infinite outputs now and then": (
        Sampled(
            lambda d, size, rng: np.where(
                rng.random((size, 2)) < 0.3, np.inf, d + rng.laplace(0, 2, (size, 2))
            )
        ),
        dp(1),
    ),
    "a constant": (Sampled(lambda d, size, rng: np.zeros(size)), STRONG),
}


OURS = set(list(SOUND)[: list(SOUND).index("laplace on a count")])
"""What we release: certificates compare its draws with their laws, and audits take longer."""

SEVERAL = {"two outputs that share the budget", "infinite outputs now and then"}
"""With more coordinates an audit learns several times as many events."""


@pytest.mark.few(1, 8)
@pytest.mark.parametrize(
    ("name", "samples"),
    [
        *(
            pytest.param(name, 200_000, marks=[pytest.mark.small_campaign] * (name in OURS | SEVERAL))
            for name in SOUND
        ),
        *(pytest.param(name, 1_000_000, marks=pytest.mark.campaign) for name in SOUND),
    ],
)
def test_a_private_mechanism_is_not_accused(name, samples):
    mechanism, definition = SOUND[name]
    result = audit(mechanism, definition, samples=samples, seed=1)
    assert result.outcome == "no_violation_found"
    assert result.epsilon_lower_bound <= definition.level.bound
    assert result.power > definition.level.bound


@pytest.mark.small_campaign
def test_five_percent_too_little_noise_is_found():
    result = audit(laplace(1.05), dp(1), samples=20_000_000, seed=1)
    assert result.violated
    assert 1 < result.epsilon_lower_bound < 1.05


def test_an_exact_zero_is_said_in_the_simplest_way():
    result = audit(Sampled(zero_kept), dp(1), samples=200_000)
    assert set(result.pair) == {0, 1}
    assert result.event == "output = 0"


def test_a_witness_is_shrunk_to_the_smallest_pair():
    # The largest establishment is released as it is from 51 on, so 50 and 51 tell most.
    faulty = Sampled(lambda d, size, rng: np.full(size, max(d) if max(d) > 50 else 0))
    assert sorted(audit(faulty, edge(1), samples=200_000).pair) == [(50,), (51,)]


@pytest.mark.few(1)
@pytest.mark.parametrize("mechanism", [laplace(1.2), laplace(1), Sampled(two_at_full_price)])
def test_the_same_seed_gives_the_same_result(mechanism):
    def run(seed):
        said = audit(mechanism, dp(1), samples=5_000, seed=seed).to_json()
        return {key: value for key, value in said.items() if key != "seconds"}

    first = run(3)
    assert run(3) == first
    assert run(4) != first


@pytest.mark.small_campaign
def test_a_violation_as_large_as_the_power_is_found():
    # At probability 0.99 each, 10 audits miss 3 or more with probability below 1.2e-4.
    power = audit(laplace(1), dp(1), samples=30_000).power
    found = [audit(laplace(power), dp(1), samples=30_000, seed=s).violated for s in range(10)]
    assert sum(found) >= 8


@pytest.mark.small_campaign
def test_more_samples_give_more_power():
    few, many = (audit(laplace(1), dp(1), samples=n).power for n in (50_000, 1_000_000))
    assert 1 < many < few


@pytest.mark.small_campaign
def test_low_bits_count_only_when_asked_for():
    # n + η keeps bits below 2^-53 of η when n = 0, and not when n = 1.
    plain = audit(laplace(1), dp(1), samples=300_000)
    assert plain.outcome == "no_violation_found"
    assert any("last bits" in note for note in plain.notes)
    bits = audit(laplace(1), dp(1), samples=300_000, low_bits=True)
    assert bits.violated
    assert "power of 2" in bits.event


def test_other_definitions_try_the_pairs_of_a_given_universe():
    result = audit(laplace(1), dp(1), samples=50_000, universe=3)
    assert result.universe.startswith("3 pairs")
    assert not result.violated


def test_clopper_pearson_bounds_err_as_rarely_as_they_say():
    # Summed over all outcomes: the bounds are wrong with at most the stated probability.
    for n, p, error in ((20, 0.3, 0.05), (100, 0.01, 1e-3), (50, 0.5, 1e-6), (7, 0.999, 0.1)):
        outcomes = np.arange(n + 1)
        weights = stats.binom.pmf(outcomes, n, p)
        too_high = [lower(int(k), n, error) > p for k in outcomes]
        too_low = [upper(int(k), n, error) < p for k in outcomes]
        assert weights[too_high].sum() <= error
        assert weights[too_low].sum() <= error
    assert lower(0, 10, 0.1) == 0
    assert upper(10, 10, 0.1) == 1


def test_the_looks_of_an_audit_share_its_error():
    budget = ErrorBudget()
    assert 0.99 * ERROR < sum(budget.spend() for _ in range(TESTS)) <= ERROR
    with pytest.raises(ValueError, match="spent"):
        budget.spend()


def test_a_spent_budget_reports_nothing():
    samples = Samples(Mechanism(laplace(50)), np.random.default_rng(0), low_bits=False)
    found = Candidate((1, 0), Range(coordinate(0, 1), 0.5, math.inf), None, 99.0)
    level = Approximate(dp(1).level.epsilon)
    assert fresh_test(found, level, samples, ErrorBudget(), 4096).violated
    assert fresh_test(found, level, samples, ErrorBudget(left=0), 4096) is None


def test_a_confirmed_event_has_the_probabilities_that_theory_gives():
    # Pr[n + Laplace(1) ≥ 0.5] is 1 − e^(−1/2)/2 for n = 1 and e^(−1/2)/2 for n = 0.
    samples = Samples(Mechanism(laplace(1)), np.random.default_rng(0), low_bits=False)
    found = Candidate((1, 0), Range(coordinate(0, 1), 0.5, math.inf), None, 0.0)
    tested = fresh_test(found, dp("7/10").level, samples, ErrorBudget(), 1 << 16, sharpest=True)
    tail = math.exp(-0.5) / 2
    for (low, high), truth in zip(tested.probabilities, (1 - tail, tail), strict=True):
        assert low < truth < high
        assert high - low < 0.03
    assert tested.violated
    assert 0.7 < tested.least < math.log((1 - tail) / tail)


def test_what_is_learned_for_two_laplace_laws_is_the_threshold_of_the_theory():
    # The likelihood ratio of Laplace laws at 1 and 0 is largest on all of [1, ∞).
    rng = np.random.default_rng(2)
    first, second = (n + rng.laplace(size=(100_000, 1)) for n in (1, 0))
    best = learn(first, second, Approximate(dp("1/2").level.epsilon))[0]
    assert best.score > 20
    p, q = best.shares
    assert p / q > 2.3, "close to e"


def test_lattices_are_recognized_and_their_absence_too():
    noise = np.random.default_rng(3).laplace(size=1000)
    found = found_in(np.round(noise / 0.3) * 0.3)
    assert found.step == pytest.approx(0.3)
    assert found.origin == 0
    found = found_in(0.1 + np.round(noise / 0.25) * 0.25)
    assert found.step == pytest.approx(0.25)
    assert found.origin == pytest.approx(0.1)
    assert found_in(noise) is None
    assert found_in(np.zeros(100)) is None


def test_an_output_of_many_numbers_is_told_in_few_words():
    rng = np.random.default_rng(3)
    laws = [rng.normal(shift, 1.0, (100, 2_000)) for shift in (0.0, 0.1)]
    found = features(*laws)
    (direction,) = [one.words for one in found if "·output[" in one.words]
    assert direction.count("·output[") == 16
    assert direction.endswith(" smaller terms")
    assert not [one for one in found if "distance" in one.words], "from all of them to all others"
    assert [one for one in features(*(law[:, :256] for law in laws)) if "distance" in one.words]


def test_a_witness_of_many_establishments_is_cut_down_in_few_steps():
    smaller = list(shrink._cut_down(((1,) * 5_000, (1,) * 4_999 + (2,))))
    assert len(smaller) < 20
    assert ((1,), (2,)) in smaller
    assert {1, 2_501, 4_999} <= {len(first) for first, _ in smaller}, "one of them alone, half, all but one"
