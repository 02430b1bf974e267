"""What is drawn follows the ideal law, and neighbors are told apart no better than μ allows.

Two tests of a law with n standardized draws Z, each with false-alarm probability at most 1e-9: by the
Dvoretzky–Kiefer–Wolfowitz inequality the greatest distance between the empirical distribution function
and Φ exceeds √(ln(2e9)/(2n)) with probability at most 1e-9; and by Laurent and Massart (2000, Lemma 1)
ΣZ² leaves n − 2√(nx) to n + 2√(nx) + 2x with probability at most 2e^(−x), x = ln(2e9).
"""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from establish.impl.budget.queries import SumQuery
from establish.impl.microdata.establishments import LARGEST_TOTAL, Establishments
from establish.impl.microdata.estimates import from_psi, from_sums
from establish.impl.microdata.group_by import Codes, Groups, groups, largest
from establish.impl.microdata.least_squares import Answered, least_squares
from establish.impl.microdata.neighbor_functions import Identity, Logarithm, NeighborFunction, Root
from establish.impl.microdata.probably_no_clipping import (
    Clipped,
    ProbablyNoClipping,
    clipped_sums,
    margin,
    upper_bounds,
)
from establish.impl.microdata.psi_mechanism import FAR, PsiMechanism
from establish.impl.publish.establishment_answers import answer, fitted
from establish.impl.sampling.bits import Bits
from establish.spec.arithmetic import MP
from establish.spec.composition import Attribute, Gedp
from establish.spec.mechanisms import probably_no_clipping as pnc_spec
from establish.spec.mechanisms import psi_mechanism as psi_spec
from establish.spec.mechanisms import remainder as remainder_spec
from establish.spec.neighbor_functions.functions import Expression, identity, logarithm, root
from establish.spec.parameters import ParameterError

PAIRS: list[tuple[NeighborFunction, Expression]] = [
    (Root(), root()),
    (Root("1/3"), root("1/3")),
    (Logarithm("1/2"), logarithm("1/2")),
    (Identity(), identity()),
]
BY_NAME = pytest.mark.parametrize(("ours", "meant"), PAIRS, ids=[ours.name for ours, _ in PAIRS])

LOG = math.log(2e9)


def standardized(
    answers: NDArray[np.float64], center: NDArray[np.float64], scale: NDArray[np.float64] | float, unit: float
) -> NDArray[np.float64]:
    """Exactly N(0, 1) when ``answers`` are exactly normal and rounded: a uniform point of each step."""
    share = np.random.default_rng(99).random(answers.size)
    low, high = (norm.cdf((answers - center + half * unit) / scale) for half in (-0.5, 0.5))
    return np.asarray(norm.ppf(low + share * (high - low)))


def follows_the_normal_law(z: NDArray[np.float64]) -> bool:
    n, ordered = z.size, norm.cdf(np.sort(z))
    steps = np.arange(n + 1) / n
    distance = max(np.abs(ordered - steps[1:]).max(), np.abs(ordered - steps[:-1]).max())
    excess = float((z**2).sum()) - n
    root_term = 2 * math.sqrt(n * LOG)
    return bool(distance < math.sqrt(LOG / (2 * n)) and -root_term < excess < root_term + 2 * LOG)


@pytest.mark.parametrize("error", ["scale", "center", None])
def test_the_tests_of_a_law_see_a_mistake_of_five_percent(error):
    z = np.random.default_rng(3).normal(0.05 * (error == "center"), 1, DRAWS)
    assert follows_the_normal_law(z * (1.05 if error == "scale" else 1)) == (error is None)


DRAWS = 60_000
TOTALS = np.array([0, 1, 7, 1000, 2**31, LARGEST_TOTAL])


@BY_NAME
def test_answers_of_the_psi_mechanism_follow_the_specified_law(ours, meant):
    running = PsiMechanism(ours, "1/2", "7/10")
    law = psi_spec.PsiMechanism(meant, "1/2", "7/10")
    which = np.arange(DRAWS) % TOTALS.size
    answers = running.release(TOTALS[which], Bits.seeded(1))
    assert (answers % running.grid.unit == 0).all()
    ideal = [law.output([int(total)], MP) for total in TOTALS]
    center = np.array([float(one.mean) for one in ideal])
    z = standardized(answers, center[which], float(law.sd), running.grid.unit)
    assert follows_the_normal_law(z)


@BY_NAME
def test_answers_of_pnc_follow_the_specified_law(ours, meant):
    """Three establishments a group; a value above its group's largest bound is clipped there."""
    running = ProbablyNoClipping(ours, "1/2", "6/10")
    law = pnc_spec.ProbablyNoClipping(meant, "1/2", "6/10")
    cases = [((5, 0, 2), (9, 1, 4)), ((12, 3, 8), (7, 4, 2)), ((10**6, 5, 5), (2 * 10**6, 7, 9))]
    which = np.arange(DRAWS) % len(cases)
    values = np.array([case[0] for case in cases])[which].reshape(-1)
    bounds = np.array([case[1] for case in cases])[which].reshape(-1)
    formed = Groups(np.repeat(np.arange(DRAWS), 3), DRAWS, ())
    found = running.release(formed, values, bounds, Bits.seeded(2))
    ideal = [law.output(x, u, MP) for x, u in cases]
    center = np.array([float(one.mean) for one in ideal])[which]
    scale = np.array([float(one.sd) for one in ideal])[which]
    np.testing.assert_allclose(found.sds, scale, rtol=1e-12, strict=True)
    assert follows_the_normal_law(standardized(found.answers, center, scale, running.grid.unit))


def farthest(meant: Expression, x: int, gamma: Fraction) -> int:
    """The largest whole number that is close to x, by doubling and halving."""
    low, high = x, 2 * x + 2
    while meant.close(x, high, gamma):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if meant.close(x, middle, gamma) else (low, middle)
    return low


@BY_NAME
@pytest.mark.parametrize("gamma", ["1", "2"])
def test_one_establishment_moves_a_sum_by_at_most_mu_scales(ours, meant, gamma):
    """Exactly, in fractions; and some neighbor comes within 1% of it, as the sensitivity is attained."""
    rng = np.random.default_rng(11)
    mechanism = ProbablyNoClipping(ours, gamma, "3/5")
    closest = Fraction(0)
    for _ in range(60):
        values = (2.0 ** rng.uniform(0, 30, 8)).astype(np.int64)
        bounds = np.maximum((values * rng.uniform(0.5, 3, 8)).astype(np.int64), 1)
        formed = groups([Codes(rng.integers(0, 3, 8), np.array(list("abc"), dtype=object))], 8)
        moved, place = values.copy(), int(rng.integers(8))
        moved[place] = farthest(meant, int(values[place]), Fraction(gamma))
        bounds[place] = moved[place] if rng.random() < 0.5 else bounds[place]
        most = largest(formed, bounds)
        apart = clipped_sums(formed, moved, most) - clipped_sums(formed, values, most)
        for gap, scale in zip(apart.tolist(), mechanism.scales(most).tolist(), strict=True):
            cost = Fraction(abs(gap)) / Fraction(scale)
            assert cost <= Fraction(3, 5)
            closest = max(closest, cost)
    assert closest > Fraction(99, 100) * Fraction(3, 5)


@pytest.mark.parametrize(("gamma", "mu"), [("1/2", "7/10"), ("50", "3/20"), ("1/3", "1e-3")])
def test_the_noise_is_never_below_what_the_budget_asks_for(gamma, mu):
    sd = Fraction(PsiMechanism(Root(), gamma, mu).sd)
    assert Fraction(gamma) / Fraction(mu) <= sd <= Fraction(gamma) / Fraction(mu) * (1 + 2**-50)


@BY_NAME
def test_upper_bounds_are_the_specifications_rounded_up(ours, meant):
    running = PsiMechanism(ours, "1/2", "7/10")
    tau = pnc_spec.margin("1/100", 4000, MP)
    assert margin("1/100", 4000) == pytest.approx(float(tau), rel=1e-12)
    answers = np.array([-9.0, -1.0, 0.0, 0.25, 3.0, 9.125])
    found = upper_bounds(running, answers, margin("1/100", 4000))
    for ω, u in zip(answers, found.tolist(), strict=True):
        noise = MP.number(running.gamma / running.mu)
        exact = pnc_spec.upper_bound(meant, MP.number(Fraction(float(ω))), noise, tau, MP)
        assert u == max(1, math.ceil(float(exact)))


def test_confidence_intervals_cover_as_often_as_stated():
    """Of n draws the share covered is 0.95 within √(ln(2e9)/(2n)), by Hoeffding; at the sum 0, 0.975."""
    mechanism = PsiMechanism(Root(), "1/2", "7/10")
    allowed = math.sqrt(LOG / (2 * DRAWS))
    for total, level in ((0, 0.975), (50, 0.95)):
        answers = mechanism.release(np.full(DRAWS, total), Bits.seeded(total + 5))
        found = from_psi(mechanism, answers)
        assert abs(((found.low <= total) & (total <= found.high)).mean() - level) < allowed


def test_estimates_from_noisy_sums_are_the_sums_with_known_variance():
    found = from_sums(Clipped(np.array([-3.0, 40.0]), np.array([2.0, 10.0])))
    assert found.values.tolist() == [-3.0, 40.0]
    assert found.variances.tolist() == [4.0, 100.0]
    assert found.low.tolist() == pytest.approx([0.0, 40 - 19.59964])
    assert found.high.tolist() == pytest.approx([-3 + 3.919928, 40 + 19.59964])


def data(jobs: list[int]) -> Establishments:
    n = len(jobs)
    county = Codes(np.arange(n, dtype=np.int32) % 2, np.array(["a", "b"], dtype=object))
    measures = {"jobs": np.array(jobs), "pay": 7 * np.array(jobs)}
    return Establishments("id", np.arange(n), {"county": county}, measures)


DEFINITION = Gedp.of([Attribute.of("jobs", "sqrt", "1/2"), Attribute.of("pay", "sqrt", 5)])


def query(name: str, by: tuple[str, ...], mechanism: str) -> SumQuery:
    mu = {"jobs": Fraction(7, 10), "pay": Fraction(1, 5)}
    zeta = Fraction(1, 100) if mechanism == "pnc" else None
    return SumQuery(name, by, mechanism, mu, by == ("id",), zeta)


QUERIES = [query("identity", ("id",), "psi"), query("county", ("county",), "pnc")]


def test_pnc_takes_its_noise_from_the_released_answers_by_establishment():
    """The bounds are of both measures of six establishments at once: m = 12."""
    jobs, pay, jobs_sums, pay_sums = answer(data([1, 5, 20, 9, 0, 300]), QUERIES, DEFINITION, Bits.seeded(3))
    tau = float(pnc_spec.margin("1/100", 12, MP))
    for own, by_county, gamma, mu in ((jobs, jobs_sums, 0.5, 0.7), (pay, pay_sums, 5, 0.2)):
        u = np.ceil(np.maximum(own.answers + gamma / mu * tau, 0) ** 2)
        radius = np.sqrt([u[0::2].max(), u[1::2].max()])
        assert isinstance(by_county.released, Clipped)
        assert by_county.released.sds == pytest.approx((2 * gamma * radius - gamma**2) / mu)


def test_the_noise_of_pnc_says_nothing_more_about_the_values():
    """Same bits, other values, the same identity answers put in place: the same scales."""
    mechanism = ProbablyNoClipping(Root(), "1/2", "6/10")
    formed, bounds = groups([], 3), np.array([9, 4, 6])
    first, second = (
        mechanism.release(formed, np.array(values), bounds, Bits.seeded(1))
        for values in ([1, 2, 3], [8, 4, 0])
    )
    assert first.sds.tolist() == second.sds.tolist()
    assert second.answers[0] - first.answers[0] == 6.0


def test_pnc_without_answers_by_establishment_is_refused():
    with pytest.raises(ParameterError, match="query county: pnc takes its bounds"):
        answer(data([1, 2]), QUERIES[1:], DEFINITION, Bits.seeded(1))


def test_a_measure_that_the_data_do_not_have_is_refused():
    held = data([1, 2])
    bare = Establishments("id", held.identifiers, held.attributes, {"jobs": held.measures["jobs"]})
    with pytest.raises(ParameterError, match="measure = pay is not there"):
        answer(bare, QUERIES, DEFINITION, Bits.seeded(1))


@pytest.mark.parametrize("mechanism", [PsiMechanism, ProbablyNoClipping])
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 0, -1, "x"])
def test_a_budget_or_distance_that_is_not_positive_is_refused(mechanism, bad):
    with pytest.raises(ParameterError, match="μ ="):
        mechanism(Root(), "1/2", bad)
    with pytest.raises(ParameterError, match="γ ="):
        mechanism(Root(), bad, "1/2")


def test_noise_that_floats_cannot_hold_is_refused():
    for psi in (Root(), Root("1/3"), Logarithm(), Identity()):
        most = PsiMechanism(psi, psi.largest_sd, "1")
        found = from_psi(most, np.array([float(psi.transformed(TOTALS)[0][-1]) + FAR * most.sd]))
        assert np.isfinite([found.values, found.variances, found.high]).all()
        with pytest.raises(ParameterError, match=r"γ/μ = .* is not allowed"):
            PsiMechanism(psi, 2 * psi.largest_sd, "1")


@pytest.mark.parametrize(("gamma", "mu"), [("1e-200", "1"), ("1e-310", "1e-310"), ("1", "1e150")])
def test_a_deviation_whose_square_is_no_float_is_refused(gamma, mu):
    """1e-200 squared is 0 in floats, and 1e-310 has fewer digits than a float should have."""
    for psi in (Root(), Logarithm(), Identity()):
        with pytest.raises(ParameterError, match="floating point"):
            ProbablyNoClipping(psi, gamma, mu)
    if gamma != "1e-310":
        with pytest.raises(ParameterError, match="floating point"):
            PsiMechanism(Root(), gamma, mu)


@BY_NAME
def test_second_answers_follow_the_specified_law_and_sums_are_clipped_at_own_bounds(ours, meant):
    """Two establishments a group: the first has the smaller bound, or the value that its bound clips."""
    running = ProbablyNoClipping(ours, "1/4", "6/10", remainder=True)
    gamma, mu = MP.number(Fraction(1, 4)), MP.number(Fraction(6, 10))
    cases = [((5, 20), (9, 30)), ((12, 8), (7, 40)), ((3, 10**6), (4, 2 * 10**6))]
    which = np.arange(DRAWS) % len(cases)
    values, bounds = (np.array([case[k] for case in cases])[which].reshape(-1) for k in (0, 1))
    formed = Groups(np.repeat(np.arange(DRAWS), 2), DRAWS, ())
    found = running.release(formed, values, bounds, Bits.seeded(4))
    assert found.left is not None
    reach = [[pnc_spec.sensitivity(meant, MP.number(u), gamma, MP) for u in us] for _, us in cases]
    scale = np.array([float(remainder_spec.sum_scale(one[1], mu, MP)) for one in reach])[which]
    center = np.array([min(x[0], u[0]) + x[1] for x, u in cases])[which]
    np.testing.assert_allclose(found.sds, scale, rtol=1e-9, strict=True)
    assert follows_the_normal_law(standardized(found.answers, center, scale, running.grid.unit))
    for place in (0, 1):
        law = [
            (
                float(meant.value(MP.number(x[place]), MP)),
                float(gamma / (mu * MP.sqrt(remainder_spec.left(one[place], one[1], MP)))),
            )
            for (x, _), one in zip(cases, reach, strict=True)
        ]
        center, scale = (np.array(side)[which] for side in zip(*law, strict=True))
        sds, answers = found.left.sds[place::2], found.left.answers[place::2]
        np.testing.assert_allclose(sds, scale, rtol=1e-8, strict=True)
        unit = PsiMechanism(ours, "1/4", Fraction(6, 160)).grid.unit
        assert follows_the_normal_law(standardized(answers, center, scale, unit))


@BY_NAME
def test_one_establishment_moves_sum_and_second_answer_by_at_most_mu_together(ours, meant):
    """Exactly, in fractions, for the scales that are drawn with; some neighbor spends 99% of μ²."""
    rng = np.random.default_rng(12)
    gamma = "1" if isinstance(ours, Identity) else "1/4"
    mechanism, mu = ProbablyNoClipping(ours, gamma, "3/5", remainder=True), Fraction(3, 5)
    closest = Fraction(0)
    for _ in range(40):
        values = (2.0 ** rng.uniform(0, 30, 6)).astype(np.int64)
        bounds = np.maximum((values * rng.uniform(0.5, 3, 6)).astype(np.int64), 1)
        moved, place = values.copy(), int(rng.integers(6))
        moved[place] = farthest(meant, int(values[place]), Fraction(gamma))
        bounds[place] = moved[place] if rng.random() < 0.5 else bounds[place]
        released = mechanism.release(groups([], 6), values, bounds, Bits.seeded(1))
        assert released.left is not None
        apart = np.minimum(moved, bounds).sum() - np.minimum(values, bounds).sum()
        of_sum = Fraction(int(apart)) / Fraction(released.sds[0])
        of_second = Fraction(gamma) / Fraction(released.left.sds[place])
        assert of_sum**2 + of_second**2 <= mu**2
        closest = max(closest, (of_sum**2 + of_second**2) / mu**2)
    assert closest > Fraction(99, 100)


def test_second_answers_are_pooled_with_the_first_by_their_budgets():
    county = replace(QUERIES[1], remainder=True)
    answers = answer(data([1, 5, 20, 9, 0, 300]), [QUERIES[0], county], DEFINITION, Bits.seeded(3))
    first, second = (one for one in answers if one.measure == "jobs")
    assert second.left is not None
    weight = first.mechanism.sd**-2 / (first.mechanism.sd**-2 + second.left.sds**-2)
    omega = weight * first.answers + (1 - weight) * second.left.answers
    sds = (first.mechanism.sd**-2 + second.left.sds**-2) ** -0.5
    x = omega**2 - sds**2
    variances = 2 * sds**2 * (2 * np.maximum(x, 0) + sds**2)
    expected = least_squares(
        [
            Answered(first.formed, x, variances),
            Answered(second.formed, second.answers, second.estimates().variances),
        ]
    )
    assert fitted(answers)["jobs"] == pytest.approx(expected)


def test_without_the_option_the_answers_are_as_before_and_there_is_no_second_one():
    one, other = (
        answer(data([1, 5, 20]), queries, DEFINITION, Bits.seeded(3))
        for queries in (QUERIES, [QUERIES[0], replace(QUERIES[1], remainder=True)])
    )
    assert all(found.left is None for found in one)
    assert [found.left is None for found in other] == [True, True, False, False]
    before, after = one[2].released, other[2].released
    assert isinstance(before, Clipped)
    assert isinstance(after, Clipped)
    assert after.sds / before.sds == pytest.approx((256 / 255) ** 0.5)


def test_a_remainder_whose_noise_floats_cannot_hold_is_refused():
    ProbablyNoClipping(Logarithm(), "1/2", "1")
    with pytest.raises(ParameterError, match=r"remainder = true .* 16γ/μ = 9.6 .* at most 8"):
        ProbablyNoClipping(Logarithm(), "6/10", "1", remainder=True)
