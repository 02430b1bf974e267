"""MOSE: its envelope, its scales with public and own sizes, and its laws."""

import math
from fractions import Fraction as F

import mpmath
import pytest

from establish.spec.parameters import ParameterError
from establish.spec.regression.local import Grid, even_grid, local_sensitivity
from establish.spec.regression.mose import Mose, envelope, maximum_observed_sensitivity

GRID = even_grid(2)
HALF = F(1, 2)
FLAT = ((F(0), F(0)), (HALF, F(0)), (F(1), F(0)))
FLATTER = ((F(0), F(0)), (HALF, F(0)), (HALF, F(0)), (F(1), F(0)))
BENT = ((F(0), F(1)), (HALF, F(0)), (F(1), F(1)))
PAIR = ((F(0), F(0)), (F(1), F(0)))


def test_chi_is_the_largest_size_times_local_sensitivity():
    # 3·1/4, 4·1/5 and 3·2/3 by the local sensitivities 1/4, 1/5, 2/3 at rank 1/2.
    assert maximum_observed_sensitivity((FLAT,), HALF, GRID) == F(3, 4)
    assert maximum_observed_sensitivity((FLAT, FLATTER), HALF, GRID) == F(4, 5)
    assert maximum_observed_sensitivity((FLAT, BENT, FLATTER), HALF, GRID) == 2


def test_chi_is_infinite_with_a_group_that_may_lose_its_line():
    assert maximum_observed_sensitivity((FLAT, PAIR), HALF, GRID) == math.inf
    with pytest.raises(ParameterError, match="chi = ∞"):
        Mose(1, HALF, GRID).scale((FLAT, PAIR), 0)


def test_the_envelope_covers_every_group_and_meets_one():
    groups = (FLAT, BENT, FLATTER)
    chi = maximum_observed_sensitivity(groups, HALF, GRID)
    gaps = [envelope(chi, len(g)) - local_sensitivity(g, HALF, GRID) for g in groups]
    assert min(gaps) == 0
    assert max(gaps) > 0


def test_the_scale_as_published_uses_the_data():
    published = Mose(F(1, 2), HALF, GRID)
    assert published.scale((FLAT, BENT), 0) == 2 * F(2, 3)  # χ = 2, N = 3, 1/ε = 2
    assert published.scale((FLATTER, BENT), 0) == 2 * F(2, 4)


def test_public_constants_take_the_place_of_statistics():
    groups, others = (FLAT, BENT), (FLATTER, FLATTER)
    public = Mose(2, HALF, GRID, chi=F(6), sizes=[3, 2])
    assert [public.scale(groups, g) for g in (0, 1)] == [F(1), F(3, 2)]
    assert public.scale(groups, 0) == public.scale(others, 0)
    only_chi = Mose(2, HALF, GRID, chi=6)
    assert only_chi.scale(groups, 0) == 1
    assert only_chi.scale(others, 0) == F(3, 4)


def test_the_law_is_laplace_about_the_prediction():
    law = Mose(1, HALF, GRID).output((BENT,), 0)
    # center 2/3 and scale 2/3: half of the mass below 2/3, and e^(−1)/2 above 4/3.
    assert abs(law.cdf(F(2, 3)) - F(1, 2)) < mpmath.mpf(10) ** -40
    assert float(1 - law.cdf(F(4, 3))) == pytest.approx(math.exp(-1) / 2, rel=1e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((0, HALF, GRID), "epsilon"), ((1, F(3, 2), GRID), "rank"), ((1, HALF, GRID, 0), "chi")],
)
def test_parameters_outside_their_domain_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        Mose(*arguments)


def test_data_that_do_not_fit_are_refused():
    with pytest.raises(ParameterError, match="at least one group"):
        maximum_observed_sensitivity((), HALF, GRID)
    with pytest.raises(ParameterError, match="size = 0"):
        envelope(F(1), 0)
    with pytest.raises(ParameterError, match="sizes"):
        Mose(1, HALF, GRID, chi=1, sizes=[3]).scale((FLAT, FLAT), 0)
    with pytest.raises(ParameterError, match="group 1"):
        Mose(1, HALF, GRID, chi=1).center((FLAT, PAIR[:1]), 1)
    one_outcome = Grid(GRID.ranks, (F(0),))
    with pytest.raises(ParameterError, match="chi = 0"):
        Mose(1, HALF, one_outcome).scale((FLAT,), 0)
