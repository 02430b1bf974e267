"""An audit says what it looked at: pairs tried and listed, and what it would have found on them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from establish import ParameterError, assert_private, custom, dp, edge, gedp, strong_er_ee
from establish.proofs_check.audit import audit
from establish.proofs_check.audit.black.plan import fitting, outputs_for, stage
from establish.proofs_check.audit.black.power import USUAL_CUT, detection, enough
from establish.proofs_check.audit.black.search import Stage
from establish.proofs_check.audit.question.level import Approximate
from establish.spec.relations.record import UnitCount
from tests.proofs_check.audit.lawful import Sampled


def total(d):
    return sum(d) if isinstance(d, tuple) else d


def laplace(scale=1.0):
    return Sampled(lambda d, size, rng: total(d) + rng.laplace(0.0, scale, size))


def with_loss_from(high, moved, scale=1.0):
    """Laplace noise, and counts from ``high`` on are moved: one listed pair has the loss moved/scale."""
    return Sampled(lambda d, size, rng: (total(d) >= high) * moved + rng.laplace(0.0, scale, size))


@pytest.mark.few(1)
@pytest.mark.parametrize("samples", [20_000, 39_062, 200_000, 1_000_000])
def test_no_more_outputs_are_drawn_than_were_asked_for(samples):
    counted = []

    def draw(d, size, rng):
        counted.append(size)
        return sum(d) + rng.laplace(size=size)

    result = audit(Sampled(draw), edge(1), samples=samples)
    assert sum(counted) == result.samples <= samples
    assert result.samples >= 0.9 * samples, "what is paid for is used"


def test_every_listed_pair_is_tried_when_there_are_outputs_for_it():
    result = audit(laplace(), edge(1), samples=100_000)
    assert result.pairs_tried == result.pairs_listed > 50


def test_where_outputs_are_too_few_the_report_says_how_many_pairs_were_tried():
    result = audit(laplace(), edge(1), samples=5_000)
    assert 0 < result.pairs_tried < result.pairs_listed
    assert result.detection <= result.pairs_tried / result.pairs_listed
    assert result.too_weak
    assert result.enough_samples > 5_000


@pytest.mark.small_campaign
def test_as_many_outputs_as_an_audit_asked_for_are_enough():
    weak = audit(laplace(), edge(1), samples=20_000)
    assert weak.too_weak
    # The scores that pairs must exceed vary from run to run, hence the double.
    assert not audit(laplace(), edge(1), samples=2 * weak.enough_samples).too_weak


def test_an_audit_that_is_not_too_weak_does_not_ask_for_more_outputs_than_it_had():
    # Far below its level, so that few outputs set its pairs apart from one with a loss.
    seen = audit(laplace(2.0), edge(1), samples=100_000)
    assert not seen.too_weak
    assert seen.enough_samples <= seen.samples


def test_low_scores_of_all_pairs_let_fewer_outputs_be_enough_and_those_of_some_do_not():
    level, pairs = Approximate(Fraction(1)), 52

    def after(listed, cuts):
        plan = stage(listed, 82, 48)
        return [Stage(plan, list(plan.sizes), [cuts] * (len(plan.sizes) - 1))]

    unknown = enough(level, [], pairs, 82)
    assert enough(level, after(pairs, -0.5), pairs, 82) < 0.5 * unknown
    assert enough(level, after(30, -0.5), pairs, 82) == unknown
    assert enough(level, after(pairs, USUAL_CUT), pairs, 82) == unknown
    assert enough(level, after(pairs, USUAL_CUT + 1), pairs, 82) > unknown
    assert enough(level, after(pairs, -0.5), pairs, 82, more_than=unknown) > unknown


def test_a_stage_finds_more_where_finalists_have_more_outputs_and_nothing_where_they_have_none():
    def found(first, tested):
        return detection(Approximate(Fraction(1)), [200, 600], [0.0], first, tested, 1.5)

    assert found(0, 10**6) == 0
    assert found(300, 10**4) < found(1000, 10**4) < 1
    assert found(1000, 1000) < found(1000, 3000)


@pytest.mark.small_campaign
def test_as_many_outputs_as_a_weak_audit_asks_for_find_half_of_the_violations():
    # Of 40 independent audits that find a violation with probability 1/2 each, fewer than 3 do so with
    # probability P(Binomial(40, 1/2) < 3) = 7.5e-10.
    audits = [audit(laplace(2.0), dp(1), samples=20_000, seed=s) for s in range(8)]
    asked = [weak.enough_samples for weak in audits if weak.too_weak]
    assert 20_000 < min(asked) <= max(asked) < 150_000
    found = [
        audit(with_loss_from(50, 3.0, 2.0), dp(1), samples=min(asked), seed=s).violated for s in range(40)
    ]
    assert sum(found) >= 3


@pytest.mark.small_campaign
def test_a_loss_on_one_pair_of_the_list_is_found_as_often_as_the_report_says():
    # The promise is 0.99 by a bound; 12 independent audits find fewer than 9 of them with probability
    # at most P(Binomial(12, 0.99) < 9) = 4.6e-6. The seeds are fixed, so the outcome is too.
    clean = audit(with_loss_from(10**9, 0.0), dp(1), samples=60_000)
    assert clean.power is not None
    found = [
        audit(with_loss_from(50, clean.power), dp(1), samples=60_000, seed=s).violated for s in range(12)
    ]
    assert sum(found) >= 9


@pytest.mark.small_campaign
def test_detection_does_not_get_worse_with_more_outputs():
    rates = []
    for samples in (2_500, 10_000, 40_000):
        audits = [audit(with_loss_from(100, 1.5), dp(1), samples=samples, seed=s).violated for s in range(6)]
        rates.append(sum(audits))
    assert rates == sorted(rates)
    assert rates[0] < rates[-1] == 6


def test_a_larger_stage_gives_every_pair_at_least_what_a_smaller_one_gave():
    sizes = []
    for allowed in (10**4, 10**5, 10**6, 10**7):
        before, spent = 0, 0
        while plan := fitting(94, 150, allowed - spent, before, keeps=True):
            assert plan.cost <= allowed - spent
            assert plan.left[0] == 94
            spent += plan.cost
            before = plan.sizes[0]
        sizes.append(before)
    assert sizes == sorted(sizes)
    assert sizes[1] > 0


def test_the_outputs_that_are_said_to_be_enough_pay_for_the_stage():
    for size in (64, 300, 5000, 10**6):
        needed = outputs_for(94, 150, size)
        before, spent = 0, 0
        while plan := fitting(94, 150, needed - spent, before, keeps=True):
            spent += plan.cost
            before = plan.sizes[0]
        assert before >= size
        assert needed < 2 * stage(94, 150, size).cost


def test_pairs_that_the_user_lists_are_all_tried_whatever_their_size():
    far = [(10**9, 10**9 + 1), (3, 4), (70_000, 70_001)]
    result = audit(laplace(), custom(far, 1), samples=50_000)
    assert result.pairs_listed == result.pairs_tried == 3
    fault = Sampled(lambda d, size, rng: np.full(size, d) if d > 10**8 else d + rng.laplace(size=size))
    assert audit(fault, custom(far, 1), samples=50_000).pair in (far[0], far[0][::-1])
    assert len(custom([(n, n + 1) for n in range(500)], 1).listed()) == 500
    assert len(custom(UnitCount(400), 1).listed()) == 400


def test_pairs_are_given_to_an_audit_in_place_of_its_own():
    result = audit(laplace(), edge(1), pairs=[((10**6,), (10**6 + 1,))], samples=50_000)
    assert result.pairs_listed == 1
    for wrong in ([((1,), (3,))], [((1,),)], [7], [((1,), (1,))]):
        with pytest.raises(ParameterError, match="pairs"):
            audit(laplace(), edge(1), pairs=wrong)
    with pytest.raises(ParameterError, match="one of them"):
        audit(laplace(), dp(1), pairs=[(0, 1)], universe=3)


def test_finding_nothing_is_said_to_be_no_evidence():
    result = audit(laplace(), dp(1), samples=50_000)
    assert result.caution == "Finding no violation is not evidence of privacy."
    assert audit(laplace(0.2), dp(1), samples=50_000).caution == ""


def test_an_assertion_fails_on_an_audit_that_saw_nothing_unless_a_reason_is_given():
    strong = strong_er_ee("1/10", 1)

    def scalar(sizes, rng):
        return (sum(sizes) + 10) * math.exp(rng.laplace(0.0, 0.0954)) - 10

    with pytest.raises(AssertionError, match="weak_is_fine"):
        assert_private(scalar, strong, samples=5_000)
    with pytest.raises(AssertionError, match="weak_is_fine"):
        assert_private(scalar, strong, samples=5_000, weak_is_fine=" ")
    assert assert_private(scalar, strong, samples=5_000, weak_is_fine="a smoke test").too_weak


def notes_on(sample):
    return " ".join(audit(Sampled(sample), dp(1), samples=20_000).notes)


def test_an_output_is_called_constant_only_where_it_is_so_everywhere():
    def zero_at_first(d, size, rng):
        return rng.laplace(size=size) if d else np.zeros(size)

    assert "the output does not depend on rng" not in notes_on(zero_at_first)
    assert "the output does not depend on rng" in notes_on(lambda d, size, rng: np.full(size, d))


def test_that_all_datasets_gave_the_same_output_is_said():
    def of_seed(d, size, rng):
        return np.full(size, np.random.default_rng(0).normal())

    for sample in (of_seed, lambda d, size, rng: np.zeros(size)):
        assert "every call gave the same output, whatever the dataset" in notes_on(sample)
    far = notes_on(lambda d, size, rng: np.full(size, float(d > 40)))
    assert "every call gave the same output" not in far


def test_a_violation_says_what_it_leaves_of_other_definitions():
    # Laplace noise of scale 1/2, a pure loss of 2: at ε = 1 the least δ is 1 − e^(−1/2), and the event
    # between the centers has the largest gap, 2Φ⁻¹(1 − e^(−1)/2).
    result = audit(laplace(0.5), dp(1), samples=1_000_000, pairs=[(0, 1)])
    delta, mu = dict(result.trade_off.profile)[1.0], result.trade_off.mu
    assert 0.2 < delta <= -math.expm1(-0.5)
    assert 1.0 < mu <= 2 * stats.norm.ppf(1 - math.exp(-1) / 2)
    (p, _), (_, q) = result.probabilities
    assert delta >= p - math.e * q
    assert mu >= stats.norm.ppf(p) - stats.norm.ppf(q)

    close = [((100.0,), (110.25,))]  # the roots are 10 and 10.5
    wrong = Sampled(lambda d, size, rng: sum(d) ** 0.5 + rng.normal(0, 0.25, size))
    result = audit(wrong, gedp(1, "sqrt", 1), samples=1_000_000, pairs=close)
    epsilon, delta = result.trade_off.epsilon, dict(result.trade_off.profile)[0.0]
    # N(0, 1/4²) moved by 1/2 has μ = 2, and total variation 2Φ(1) − 1.
    assert 1.5 < epsilon < math.inf
    assert 0.4 < delta <= 2 * stats.norm.cdf(1) - 1
