"""Smooth Path's density: that of the cheapest chain of moves from the flat part, on fine steps."""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import flint
import pytest

from establish.spec.arithmetic import ARB, MP, Number, enclosing
from establish.spec.distributions import shortest_path
from establish.spec.distributions.shortest_path import ShortestPath, sections_below
from establish.spec.growth_scale import ends
from establish.spec.mechanisms.smooth_path import MOST_STEPS, MOST_TURN, SmoothPathMechanism, fine_steps, turn
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism, flat_part

TINY = MP.number(10) ** -40

LAWS = {
    f"{alpha}, {epsilon}": SmoothPathMechanism(alpha, epsilon).cell_law(0, 0)
    for alpha, epsilon in (("1/10", "1"), ("1/2", "3"), ("1/32", "1/2"), ("1", "5/2"))
}
"""Of 10, 3, 16 and 1 fine steps."""

NEXT = Fraction(1, 10**50)

each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)

SIGNS = (-1, 1)
"""Below and above."""


def ball_of(x: Number) -> flint.arb:
    """What rounding leaves of a value of 60 digits."""
    low, _ = ends(x)
    return ARB.number(low) + flint.arb(0, 1e-50)


def loss(law: ShortestPath, w: Fraction):
    """ψ(w) = −ln of the density over that of the flat, from the side of 0 where w is the end of a step."""
    return MP.log(law.height) - law.log_density(MP.number(w * (1 - NEXT)))


def cost(law: ShortestPath, count: int, stretch: Fraction):
    """Of so many moves, whose stretches upwards over those back have that product."""
    return count * MP.number(law.epsilon) + MP.log(MP.number(stretch))


def stretches(growth: Fraction, steps: int, whole: Fraction) -> list[Fraction]:
    """Factors from 1 to 1+α, first the largest, with the product ``whole``."""
    found = []
    for _ in range(steps):
        found.append(min(growth, whole))
        whole /= found[-1]
    assert whole == 1
    return found


def cheapest(law: ShortestPath, sign: int, steps: int, whole: Fraction) -> Fraction:
    """How far from 0 moves of that cost lead: below they stretch at once, above as late as possible."""
    found = stretches(1 + law.alpha, steps, whole)
    place = law.up if sign > 0 else law.down
    for m in reversed(found) if sign > 0 else found:
        place = m * place + 1 if sign > 0 else (place + 1) / m
    return place


@each_law
@pytest.mark.parametrize("sign", SIGNS)
def test_the_cheapest_chain_of_moves_attains_the_density(law, sign):
    rng, attained = random.Random(1), 0
    breaks_at = [law.down + k for k in range(law.fine + 1)]
    if sign > 0:
        breaks_at = [cheapest(law, 1, k, (1 + law.alpha) ** k) for k in range(law.fine + 1)]
    for k in range(1, law.fine + 1):
        shares = (Fraction(0), Fraction(1), Fraction(rng.randint(1, 99), 100))
        for power, share in product(range(k), shares):
            whole = (1 + law.alpha) ** power * (1 + share * law.alpha)
            place = cheapest(law, sign, k, whole)
            assert place <= breaks_at[k]
            off = cost(law, k, whole**sign) - loss(law, sign * place)
            assert off > -TINY
            if place > breaks_at[k - 1]:
                attained += 1
                assert abs(off) < TINY
    assert attained > 2 * law.fine


def chains(law: ShortestPath, count: int) -> Iterator[tuple[Fraction, int, Fraction]]:
    """Ends of random chains from the flat part, how many moves lead there, and their stretch."""
    rng = random.Random(2)
    for _ in range(count):
        w, stretch = rng.choice((-law.down, law.up, Fraction(0))), Fraction(1)
        ups = rng.choice((0, 1, rng.random()))
        for k in range(1, law.fine + 4):
            d = rng.choice((Fraction(1), Fraction(1), Fraction(rng.randint(0, 8), 8)))
            m = 1 + law.alpha * d * Fraction(rng.choice((0, 4, 4, rng.randint(0, 4))), 4)
            if rng.random() < ups:
                w, stretch = m * w + d, stretch * m
            else:
                w, stretch = (w - d) / m, stretch / m
            yield w, k, stretch


@each_law
def test_no_chain_of_moves_is_cheaper(law):
    least = min(cost(law, k, m) - loss(law, w) for w, k, m in chains(law, 60))
    assert -TINY < least < TINY


def breaks(law: ShortestPath) -> list[Fraction]:
    """Where sections end."""
    return [
        sign * place
        for sign, side in zip(SIGNS, law.sides, strict=True)
        for place in (Fraction(0), side.flat, *(section.end for section in side.sections))
    ]


def dearest(law: ShortestPath) -> Number:
    """The largest cost of a move to or from next to the end of a section, in units of ε."""
    near, most = Fraction(1, 10**30), MP.number(0)
    for place, side in product(breaks(law)[:: law.fine // 3 + 1], (-near, near)):
        for d, m in ((1, 1), (1, 1 + law.alpha), (Fraction(1, 3), 1 + law.alpha / 3)):
            for w in (place + side, (place + side - d) / m):
                most = max(most, abs((loss(law, m * w + d) - loss(law, w)) - MP.log(MP.number(m))))
    return most / MP.number(law.epsilon)


@each_law
def test_no_move_next_to_the_end_of_a_section_costs_more_than_epsilon(law):
    assert abs(dearest(law) - 1) < TINY


@pytest.mark.parametrize("above", [False, True])
def test_fine_steps_that_are_lower_on_one_side_cost_more(above):
    law = replace(LAWS["1/2, 3"])
    sides = [*law.sides]
    sides[above] = replace(sides[above], decay=sides[above].decay * Fraction(99, 100))
    vars(law)["sides"] = tuple(sides)
    assert dearest(law) > 1 + TINY


@each_law
def test_the_density_never_rises_away_from_0_and_adds_up_to_the_distribution(law):
    for sign in SIGNS:
        ends = sorted((w for w in breaks(law) if sign * w > 0), key=abs)
        losses = [loss(law, w * (1 + side)) for w in ends for side in (0, 3 * NEXT)]
        assert all(a < b + TINY for a, b in pairwise(losses))
    places = sorted(breaks(law))
    for a, b in [*pairwise(map(MP.number, places))][:: len(places) // 5 + 1]:
        found = MP.mp.quad(lambda x: MP.exp(law.log_density(x)), [a, b])
        assert abs(law.cdf(b) - law.cdf(a) - found) < MP.number(10) ** -20


@each_law
def test_the_quantile_inverts_the_distribution(law):
    places = [MP.number(w) for w in breaks(law)]
    middle = [(a + b) / 2 for a, b in pairwise(places)]
    for w in (*places, *middle, 3 * places[0], 3 * places[-1]):
        assert abs(law.quantile(law.cdf(w)) - w) < TINY * (1 + abs(w))


@each_law
def test_balls_contain_what_they_stand_for(law):
    """Also those that reach over the ends of sections."""
    with enclosing(300):
        balls = replace(law, center=ARB.number(0), scale=ARB.number(1), c=ARB)
        for place in breaks(law)[:: law.fine // 2 + 1]:
            for radius in (Fraction(0), Fraction(1, 10**9), Fraction(1)):
                ball = ARB.number(place) + flint.arb(0, ARB.number(radius))
                cumulated, density = balls.cdf(ball), balls.log_density(ball)
                for share in (-1, Fraction(-1, 3), Fraction(1, 2), 1):
                    x = MP.number(place + share * radius)
                    assert cumulated.overlaps(ball_of(law.cdf(x)))
                    assert density.overlaps(ball_of(law.log_density(x)))
                assert radius or max(cumulated.rad(), density.rad()) < 1e-30


@pytest.mark.parametrize("alpha", ["1/1000", "1/100", "1/10", "1/2", "3/4", "1", "2", "10"])
def test_as_many_fine_steps_are_taken_as_the_argument_allows(alpha):
    alpha = Fraction(alpha)
    for epsilon, down in product(("1/20", "1/4", "1", "2", "30"), (0, Fraction(1, 3), 4, 300)):
        fine, turns = fine_steps(alpha, Fraction(epsilon), Fraction(down))
        assert may_be_fine(alpha, Fraction(epsilon), down, fine, turns)
        assert fine == MOST_STEPS or not may_be_fine(
            alpha, Fraction(epsilon), down, fine + 1, turn(alpha) or MOST_TURN
        )


def may_be_fine(alpha: Fraction, epsilon: Fraction, down: Fraction, fine: int, turns: int) -> bool:
    """Certainly, in balls of 400 bits."""
    with enclosing(400):
        growth = ARB.log(ARB.number(1 + alpha))
        return fine == 0 or bool(
            alpha * turns >= 1 - (1 + alpha) ** (-turns - 1)
            and (turns + 2) * growth < ARB.number(epsilon)
            and fine * growth < ARB.number(epsilon)
            and down + fine <= 2 / alpha
        )


@pytest.mark.parametrize("multiple", [6, 10])
def test_an_epsilon_next_to_a_multiple_of_the_growth_takes_no_step_too_many(multiple):
    """Below 6 and 10 times ln(11/10) by less than 60 digits tell."""
    alpha = Fraction(1, 10)
    with enclosing(400):
        below = (multiple * ARB.log(ARB.number(1 + alpha)) * 10**80).floor().unique_fmpz()
    epsilon = Fraction(int(below), 10**80)
    fine, turns = fine_steps(alpha, epsilon, Fraction(0))
    assert may_be_fine(alpha, epsilon, Fraction(0), fine, turns)


@pytest.mark.parametrize("alpha", ["1/100", "1/10", "3/10", "1/2", "1", "2"])
def test_the_turn_leaves_no_section_out(alpha):
    alpha = Fraction(alpha)
    turns = turn(alpha)
    assert turns is not None
    for start in (Fraction(0), Fraction(1, 9), Fraction(1), Fraction(5, 2)):
        fine = min(MOST_STEPS, max(0, int(2 / alpha - start)))
        found = list(sections_below(alpha, start, fine, turns))
        assert found == list(sections_below(alpha, start, fine, MOST_STEPS))
        assert all(section.factor(section.start) <= (1 + alpha) ** (turns + 1) for section in found)


def test_the_turn_is_the_least():
    for alpha in (Fraction(1, 1000), Fraction(1, 10), Fraction(3, 5), Fraction(5, 8), Fraction(4)):
        found = turn(alpha)
        assert found is not None
        holds = [alpha * j >= 1 - (1 + alpha) ** (-j - 1) for j in range(1, found + 1)]
        assert holds == [False] * (found - 1) + [True]
    assert turn(Fraction(1, 10_000)) is None


@pytest.mark.parametrize(("alpha", "epsilon"), [("1/10", "1/2"), ("1/5000", "1/20"), ("5", "9")])
def test_where_no_step_is_fine_the_law_is_that_of_smooth_staircase(alpha, epsilon):
    path, stairs = (
        kind(alpha, epsilon).cell_law(40, 30) for kind in (SmoothPathMechanism, SmoothStaircaseMechanism)
    )
    assert (path.fine, path.down, path.up) == (0, stairs.down, stairs.up)
    assert abs(path.mean_absolute() / stairs.mean_absolute() - 1) < TINY
    for x in range(-100, 200, 7):
        assert abs(path.log_density(x) - stairs.log_density(x)) < TINY
        assert abs(path.cdf(x) - stairs.cdf(x)) < TINY


def test_a_share_across_a_break_has_no_quantile_in_balls():
    with enclosing():
        law = SmoothPathMechanism("1/10", "1").cell_law(0, 0, ARB)
        wide = law.cdf(ARB.number(-law.down)) + ARB.number(Fraction(1, 10**6)) * flint.arb(0, 1)
        with pytest.raises(ArithmeticError, match="it is open whether"):
            law.quantile(wide)


def test_what_is_kept_of_a_law_and_a_mechanism_is_kept_for_its_precision():
    # A first look with few digits, as an integral takes, must not be what later ones find.
    case = Fraction(1, 7), Fraction(5, 2)

    def height():
        return SmoothPathMechanism(*case).output((3,), MP).height

    shortest_path._sides.cache_clear()
    flat_part.cache_clear()
    with MP.mp.workdps(15):
        rough = height()
    found, places = height(), flat_part(*case)
    shortest_path._sides.cache_clear()
    flat_part.cache_clear()
    assert (found, places) == (height(), flat_part(*case))
    assert rough != found


@each_law
def test_sections_are_the_largest_of_the_lines_of_the_theorem(law):
    """As shortest_path.v has 1/p below and q above: at three places of each section, in rational numbers."""
    growth, totals = 1 + law.alpha, [Fraction(1)]
    for j in range(1, law.fine):
        totals.append(totals[-1] + growth**j)
    for sign, side in zip(SIGNS, law.sides, strict=True):
        for section in side.sections:
            k = section.step
            if sign < 0:
                starts, bound = [(Fraction(k - 1 - j), law.down + totals[j]) for j in range(k)], growth**-k
            else:
                starts, bound = [(totals[j], law.up + k - 1 - j) for j in range(k)], Fraction(1)
            for z in (section.start, (section.start + section.end) / 2, section.end):
                largest = max(bound, *((z - start) / size for start, size in starts if size))
                assert section.factor(z) == 1 / largest
