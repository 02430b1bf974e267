"""The mechanisms that run: scales, what they accept, and what they never say."""

import inspect
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish import Laplace, LogLaplace, ParameterError, SmoothGamma, SmoothLaplace
from establish.impl.cards import cards, of_counts
from establish.impl.mechanisms import NAMES, Mechanism, mechanism
from establish.impl.mechanisms.defaults import settled
from establish.impl.sampling.bits import Bits

GIVEN = {"alpha": "1/10", "epsilon": 2, "delta": "1/1000", "rho": "1/8"}
EACH: dict[str, Mechanism] = {
    name: mechanism(name, **{taken: GIVEN[taken] for taken in card.takes})
    for name, card in of_counts().items()
}
"""Every mechanism on counts that has a card."""
each = pytest.mark.parametrize("law", EACH.values(), ids=EACH.keys())


def bits(seed: int = 1) -> Bits:
    return Bits.seeded(seed)


def test_noise_scales_are_the_printed_and_the_tight_ones():
    ln = math.log(1.1)
    assert Laplace("1/4").noise_scale == 4
    assert LogLaplace("0.1", 2, "published").noise_scale == pytest.approx(ln, rel=1e-15)
    assert LogLaplace("0.1", 2, "tight").noise_scale == pytest.approx(ln / 2, rel=1e-15)
    assert SmoothGamma("0.1", 2, "published").noise_scale == pytest.approx(5 / (2 - 5 * ln), rel=1e-14)
    tight = SmoothGamma("0.1", 2, "tight").noise_scale
    assert tight == pytest.approx(27**0.25 / (2 - 3 * ln), rel=1e-14)
    assert SmoothLaplace("0.1", 2, "0.001", "published").noise_scale == 1


def test_a_float_parameter_is_read_as_it_is_written():
    assert LogLaplace(0.1, 2, "published").parameters == {"alpha": "1/10", "epsilon": "2"}


@each
def test_the_same_seed_gives_the_same_noise_and_another_seed_another(law):
    counts = np.arange(1000, 1050)
    assert np.array_equal(law.release(counts, bits(7)), law.release(counts, bits(7)))
    assert not np.array_equal(law.release(counts, bits(7)), law.release(counts, bits(8)))


@each
def test_an_empty_array_gives_an_empty_array(law):
    released = law.release(np.array([], dtype=np.int64), bits())
    assert released.shape == (0,)
    assert released.dtype == np.int64


@each
def test_integral_floats_and_integers_are_the_same_counts(law):
    assert np.array_equal(law.release([3.0, 40.0], bits()), law.release([3, 40], bits()))


@each
@pytest.mark.parametrize("bad", [-7731, 7731.25, math.nan, math.inf, -math.inf, 2.0**53])
def test_a_bad_count_is_named_by_its_row_and_never_shown(law, bad):
    with pytest.raises(ParameterError, match="not so in row 3") as refusal:
        law.release([5, 6, bad, 8], bits())
    message = str(refusal.value)
    assert "counts" in message
    assert "7731" not in message


@each
@pytest.mark.parametrize("bad", [np.array([[1, 2]]), np.array(["1"]), np.array([True]), np.array(1)])
def test_counts_of_another_shape_or_kind_are_refused(law, bad):
    with pytest.raises(ParameterError, match="one-dimensional array of whole numbers"):
        law.release(bad, bits())


@each
@pytest.mark.parametrize("largest", [[5, 7732], [5, 0], [5, -1], [5, 1.5]])
def test_a_largest_establishment_outside_its_cell_is_refused(law, largest):
    law.release([5, 7731], bits(), [5, 7731])
    with pytest.raises(ParameterError, match=r"largest .* row 2") as refusal:
        law.release([5, 7731], bits(), largest)
    assert "773" not in str(refusal.value)


@each
def test_an_empty_cell_has_no_largest_establishment(law):
    law.release([0, 3], bits(), [0, 1])
    with pytest.raises(ParameterError, match="row 1"):
        law.release([0, 3], bits(), [1, 1])


@each
def test_largest_has_one_value_per_count(law):
    with pytest.raises(ParameterError, match="one value per count"):
        law.release([4, 3], bits(), [1])


@pytest.mark.parametrize(
    "name", ["smooth-gamma", "smooth-laplace", "smooth-lomax", "smooth-path", "smooth-staircase"]
)
def test_smooth_noise_is_proportional_to_the_largest_establishment(name):
    law = EACH[name]
    million = 10**6
    counts = np.array([0, 5, 1000 * million, 1000 * million])
    at_count = law.release(counts, bits()) - counts
    # S = max(α·largest, 1), in millions: 100 and 100 from the counts, 1 and 50 from these. One unit of
    # noise is at least 10^6/4 here, so that rounding by 1/2 twice moves a ratio by less than 10^-3.
    largest = np.array([0, 5, 10 * million, 500 * million])
    at_largest = law.release(counts, bits(), largest) - counts
    assert at_largest[:2].tolist() == at_count[:2].tolist()
    assert at_largest[2:] / at_count[2:] == pytest.approx([1 / 100, 1 / 2], abs=1e-3)


def test_log_laplace_output_is_rounded_from_above_minus_gamma():
    # α = 20, ε = 1/2: λ = 4 ln 21 = 12.2. The ideal output lies above −1/20, so 0 is the least whole
    # number that it is rounded to; half of the draws are below 0 before rounding.
    outputs = LogLaplace(20, "1/2", "published").release(np.zeros(10_000, dtype=np.int64), bits())
    assert outputs.min() == 0
    # α = 1/10: −10 can be reached, −11 cannot. λ = 19 puts more than a third of the draws there.
    outputs = LogLaplace("1/10", "1/100", "published").release(np.zeros(10_000, dtype=np.int64), bits())
    assert outputs.min() == -10


def test_an_output_beyond_two_to_the_52_is_moved_there():
    # λ = 190: one draw in ten or more lies beyond e^36 = 2^52.
    outputs = LogLaplace("1/10", "1/1000", "published").release(np.full(1000, 50), bits())
    assert outputs.max() == 2**52


def test_log_laplace_at_a_tiny_alpha_keeps_the_noise_of_one_job():
    # As α → 0 the mechanism tends to n + Laplace(2/ε): γ·(e^η − 1) with η = α·(2/ε)·Laplace(1). With
    # 2/ε = 50 rounding changes the mean of |noise| by less than 0.01.
    noise = LogLaplace("1e-12", "1/25", "published").release(np.full(20_000, 12), bits()) - 12
    # Mean of 50·|Laplace(1)| over 20,000 draws: standard deviation 50/√20000 = 0.354, 8 of them.
    assert np.abs(noise).mean() == pytest.approx(50, abs=2.84)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LogLaplace(0, 2), "α = 0 is not allowed"),
        (lambda: LogLaplace(-1, 2), "α = -1 is not allowed"),
        (lambda: LogLaplace(math.nan, 2), "α = nan is not a finite rational"),
        (lambda: LogLaplace(math.inf, 2), "α = inf is not a finite rational"),
        (lambda: LogLaplace("1/10", 0), "ε = 0 is not allowed"),
        (lambda: Laplace("-1/2"), "ε = -1/2 is not allowed"),
        (lambda: SmoothLaplace("1/10", 2, 1), "δ = 1 is not allowed"),
        (lambda: SmoothLaplace("1/10", 2, 0), "δ = 0 is not allowed"),
        (lambda: SmoothGamma("1/10", "1/5", "published"), "smooth-gamma needs 1 \\+ α < e\\^\\(ε/5\\)"),
        (lambda: LogLaplace("1/10", 2, "exact"), "use published or tight"),
        (lambda: LogLaplace("1e400", 2), "α does not fit into floating point"),
        (lambda: Laplace("1e-320"), "1/ε does not fit into floating point"),
        (lambda: LogLaplace("1/10", "1e-320"), "1/ε does not fit into floating point"),
        (lambda: LogLaplace("1/10", "1e400"), "1/ε does not fit into floating point"),
        (lambda: SmoothGamma("1e-330", "1e-320", "published"), "does not fit into floating point"),
        (
            lambda: mechanism("gauss", epsilon=1),
            "use one of discrete-gaussian, fourth-root-transformation, growth-laplace",
        ),
        (lambda: mechanism("log-laplace", epsilon=1), "α is missing"),
        (lambda: mechanism("smooth-laplace", epsilon=1, alpha=1), "δ is missing"),
        (lambda: mechanism("laplace", epsilon=1, delta="0.1"), "δ = 0.1 is not used by laplace"),
        (lambda: mechanism("laplace", epsilon=1, alpha=-1), "α = -1 is not allowed"),
    ],
)
def test_a_parameter_outside_its_domain_is_refused(make, message):
    assert callable(make)
    with pytest.raises(ParameterError, match=message):
        make()


positive_fractions = st.fractions(Fraction(1, 10**6), 10**6, max_denominator=10**6)


@given(
    name=st.sampled_from([name for name in NAMES if "epsilon" in cards()[name].takes]),
    alpha=positive_fractions,
    epsilon=positive_fractions,
    delta=st.fractions(Fraction(1, 10**6), Fraction(999_999, 10**6)),
    calibration=st.sampled_from(["published", "tight"]),
    counts=st.lists(st.integers(0, 2**53 - 1), max_size=5),
    seed=st.integers(0, 2**32),
)
def test_every_mechanism_refuses_its_parameters_or_gives_noise_in_range(
    name, alpha, epsilon, delta, calibration, counts, seed
):
    refusal = ""
    law: Mechanism = Laplace(1)
    try:
        law = mechanism(
            name,
            epsilon=epsilon,
            alpha=alpha,
            delta=delta if name == "smooth-laplace" else None,
            calibration=calibration,
        )
    except ParameterError as error:
        refusal = str(error)
    if refusal:
        # Only a domain inequality may refuse these positive rationals.
        assert name != "laplace"
        assert f"{name} needs" in refusal
        return
    released = law.release(np.array(counts, dtype=np.int64), bits(seed))
    assert (abs(released) <= 2**52).all()
    if name == "log-laplace":
        assert (released > -1 / alpha - Fraction(1, 2)).all()


@pytest.mark.parametrize(
    "name",
    [name for name, card in cards().items() if "calibration" in inspect.signature(card.load()).parameters],
)
def test_a_class_takes_the_calibration_that_counts_for_its_name(name):
    own = inspect.signature(cards()[name].load()).parameters["calibration"].default
    assert own == settled(name, None, alpha="1/10", epsilon=2, largest=False).calibration
