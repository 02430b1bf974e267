"""The staircase law on whole numbers: its scale, its ladder, its masses and its losses, by brute force."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.whole_staircase import HALF
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism, mean_errors
from establish.spec.parameters import ParameterError
from establish.spec.whole_scale import whole_scale

SHARES = ["1/10", "1/20", "1/3", "7/10", "1", "5/2", "7"]
SETTINGS = [("1/10", "2"), ("1/10", "1/5"), ("1/5", "4"), ("1/3", "1"), ("5/2", "6")]


def grown(n: int, alpha: Fraction) -> int:
    """The most that n may grow to in one step, counted up."""
    most = n + 1
    while most + 1 <= (1 + alpha) * n:
        most += 1
    return most


def test_a_look_with_few_digits_or_wide_balls_leaves_no_later_one_less_exact():
    looked, afresh = (WholeStaircaseMechanism("1/10", "2").output((40,), c) for c in (MP, MP))
    with MP.mp.workdps(15):
        rough = looked.mass(43)
    assert looked.mass(43) == afresh.mass(43) != rough
    looked, afresh = (WholeStaircaseMechanism("1/10", "2").output((40,), c) for c in (ARB, ARB))
    with enclosing(30):
        looked.mass(43)
    with enclosing(200):
        assert looked.mass(43).rad() == afresh.mass(43).rad() < 1e-50


@pytest.mark.parametrize(("alpha", "epsilon"), SETTINGS)
def test_the_pieces_of_the_ladder_and_of_the_cut_meet_at_whole_places(alpha, epsilon):
    """Λ is what its slopes and jumps add up to, as its proof of privacy reads these; so is the cut."""
    ladder = WholeStaircaseMechanism(alpha, epsilon).ladder
    with enclosing(200):
        for pieces in (ladder.piece, ladder.cut_piece):
            for j in range(ladder.turn - 30, ladder.turn + 30):
                start, slope, jump = pieces(j, ARB)
                apart = start + slope + jump - pieces(j + 1, ARB)[0]
                assert apart.contains(0)
                assert apart.rad() < 1e-40
        assert ladder.at(Fraction(ladder.turn), ARB).contains(0)


@pytest.mark.parametrize("share", SHARES)
def test_no_step_is_longer_than_one_and_small_ones_are_whole(share):
    """Every n up to twice M, where windows cross it; whole steps up to 2/α."""
    alpha = Fraction(share)
    scale = whole_scale(alpha)
    with enclosing():
        places = [ARB.number(scale.at(Fraction(n), ARB)) for n in range(2 * scale.last)]
        assert all(low < high for low, high in pairwise(places))
        for n in range(2 * scale.last):
            if (most := grown(n, alpha)) < len(places):
                assert not places[most] - places[n] > 1
    for n in range(int(2 / alpha) + 1):
        assert scale.exact(Fraction(n)) == n
    assert scale.exact(Fraction(-5, 2)) == Fraction(-5, 2)


@pytest.mark.parametrize("share", ["1/10", "5/2"])
def test_numbers_below_a_place_and_sums_are_those_that_are_counted(share):
    scale = whole_scale(Fraction(share))
    cuts = [MP.number(scale.at(o + HALF, MP)) for o in range(2 * scale.last)]
    for k in (0, 1, 5, scale.last - 1, scale.last, scale.last + 3):
        t = Fraction(str(MP.mp.nstr(cuts[k], 30)))
        for place in (t - Fraction(1, 10**20), t + Fraction(1, 10**20)):
            assert scale.numbers_below(place) == sum(cut < MP.number(place) for cut in cuts)
        whole = sum(cuts[:k], MP.number(0))
        assert abs(scale.total(k, MP) - whole) < MP.number(10) ** -40


@pytest.mark.parametrize(("alpha", "epsilon"), SETTINGS)
def test_masses_are_positive_and_add_up(alpha, epsilon):
    made = WholeStaircaseMechanism(alpha, epsilon)
    for n in (0, 1, 9, 20, 21, 37):
        law = made.output((n,))
        masses = {o: law.mass(o) for o in range(n - 6, n + 7)}
        assert all(mass > 0 for mass in masses.values())
        below, above = law.tails(n - 7)[0], law.tails(n + 6)[1]
        assert abs(sum(masses.values()) + below + above - 1) < MP.number(10) ** -40
        p = law.cdf(n + 1)
        assert law.quantile(p - masses[n + 1] / 2) == n + 1
        assert law.cdf(MP.number(Fraction(2 * n + 3, 2))) == p


@pytest.mark.parametrize(("alpha", "epsilon"), SETTINGS)
@pytest.mark.parametrize("radius", ["1/100", "1/2", "3/2"])
def test_around_a_ball_of_centers_tails_hold_those_of_every_center_in_it(alpha, epsilon, radius):
    """A wide ball leaves open on which side of the center an output lies."""
    made = WholeStaircaseMechanism(alpha, epsilon)
    law = made.output((9,), ARB)
    with enclosing():
        middle, apart = (ARB.number(x) for x in (law.center, Fraction(radius)))
        centers = [middle - apart, middle, middle + apart]
        wide = replace(law, center=centers[0].union(centers[2]))
        for o in range(5, 14):
            for center in centers:
                exact = replace(law, center=center).tails(o)
                assert all(tail.overlaps(held) for tail, held in zip(exact, wide.tails(o), strict=True))


@pytest.mark.parametrize(("alpha", "epsilon"), SETTINGS)
def test_no_output_loses_more_than_epsilon(alpha, epsilon):
    """All growths from up to 45 workers in Arb, at outputs around both counts and far away."""
    made, share = WholeStaircaseMechanism(alpha, epsilon), Fraction(alpha)
    worst = 0.0
    with enclosing():
        level = ARB.number(Fraction(epsilon))
        laws = [made.output((n,), ARB) for n in range(grown(45, share) + 1)]
        for n in (*range(12), *range(17, 46, 3)):
            for more in {n + 1, grown(n, share)}:
                for o in {-3, 0, n - 1, n, n + 1, more, 2 * more}:
                    loss = abs(ARB.log(laws[n].mass(o) / laws[more].mass(o)))
                    assert not loss > level, (n, more, o)
                    worst = max(worst, float(loss.mid()))
    assert worst > 0.999 * float(Fraction(epsilon))


def test_small_counts_get_the_geometric_law():
    """Far below 2/α: to 1e-9 at (1/10, 2) and 5 workers, where whole steps last to 20."""
    law = WholeStaircaseMechanism("1/10", 2).output((5,))
    geometric = Geometric(5, MP.exp(-MP.number(2)))
    for o in range(12):
        assert abs(law.mass(o) / geometric.mass(o) - 1) < MP.number(10) ** -4
    assert abs(law.mass(5) - geometric.mass(5)) < MP.number(10) ** -9


def test_large_counts_have_the_error_of_the_staircase_law():
    """At (1/10, 2) and 10,000 workers: within 1e-3 of the limit .406114."""
    above, below = mean_errors(WholeStaircaseMechanism("1/10", 2), 10_000)
    assert abs(float(above + below) / 1000 / 0.406114053 - 1) < 1e-3


def test_cells_of_many_are_their_sum():
    made = WholeStaircaseMechanism("1/10", 2)
    assert made.output((3, 30)).mass(31) == made.output((33,)).mass(31)


@pytest.mark.parametrize(
    ("alpha", "epsilon", "told"),
    [
        ("1/2000", 1, "needs α >= 1/1000, but α = 0.0005 (α = 1/2000, ε = 1): raise α to 0.001 or more"),
        ("1/10", "1/20", "needs ln(1 + α) < ε, but ln(1 + α) = 0.09531 and ε = 0.05"),
        (0, 1, "alpha = 0 is not allowed"),
        ("1/5", "1/5", "error below 1/α"),
        ("1/10", 51, "but ε = 51.0 (α = 1/10, ε = 51): lower ε to 50.0 or less"),
    ],
)
def test_parameters_outside_the_domain_are_refused(alpha, epsilon, told):
    with pytest.raises(ParameterError) as refused:
        WholeStaircaseMechanism(alpha, epsilon)
    assert told in str(refused.value)
