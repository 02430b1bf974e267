"""Draws of the staircase law on whole numbers: the quick way gives what the exact way gives."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product

import flint
import numpy as np
import pytest
from numpy.typing import NDArray

from establish.impl.sampling import laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.quantile_table import FLOOR
from establish.impl.sampling.rounding import draw
from establish.impl.sampling.whole_first_try import LEAST, NEAR, Lists
from establish.impl.sampling.whole_floats import Rungs, Scale
from establish.impl.sampling.whole_staircase import WholeStaircase, _lists
from establish.impl.sampling.workspace import CHUNK, Workspace
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.whole_staircase import HALF
from establish.spec.distributions.whole_staircase import WholeStaircase as Law
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism

SETTINGS = [("1/10", "2"), ("1/5", "4"), ("1/100", "1/4"), ("1/3", "1"), ("5/2", "6"), ("1/1000", "1/20")]
LOW = ("1/10", "1/5")
"""Where widths of steps differ so much around the turn that k is guessed badly."""

Words = NDArray[np.uint64]
Decide = Callable[[WholeStaircase, Words], np.ndarray]
"""The outputs for words, not finite where they are left open."""

PLACES = (0, 1, 2, 7, 19, 20, 21, 22, 25, 31, 33, 77, 199, 256, 257, 258, 5_000, 65_535, 10**6, 10**11)


def sampler(alpha: str, epsilon: str, counts):
    made = WholeStaircaseMechanism(alpha, epsilon)
    return laws.whole_staircase_sampler(np.asarray(counts, float), made.scale, made.ladder)


@pytest.mark.few(3)
@pytest.mark.parametrize(("alpha", "epsilon"), SETTINGS)
def test_the_quick_way_is_the_exact_one(alpha, epsilon):
    """Each count twice; a blurred word leaves most draws to the exact way."""
    one = sampler(alpha, epsilon, PLACES * 2)
    quick, slow = draw(one, Bits.seeded(3)), draw(one, Bits.seeded(3), slack=1.0)
    blurred = draw(one, Bits.seeded(3), seen=12)
    assert slow.escalated == len(PLACES) * 2 > blurred.escalated
    assert quick.escalated < 8
    assert np.array_equal(quick.values, slow.values)
    assert np.array_equal(quick.values, blurred.values)


@pytest.mark.parametrize("count", [5, 21, 31, 300])
def test_hardly_a_draw_is_left_open(count):
    """At counts whose place is half of an odd number, too (21): none of 20,000."""
    assert draw(sampler("1/10", "2", [count] * 20_000), Bits.seeded(4)).escalated == 0


@pytest.mark.parametrize(
    ("alpha", "epsilon", "count"),
    [
        ("1/10", "1/5", 19),
        ("1/100", "1/50", 199),
        pytest.param("1/1000", "3/2000", 999, marks=pytest.mark.small_campaign),
        ("1/3", "2/5", 5),
    ],
)
def test_hardly_a_draw_is_left_open_where_a_step_is_short(alpha, epsilon, count):
    """At small ε the guess is many steps away beyond the turn; the first try goes there, too."""
    one, work = sampler(alpha, epsilon, [count] * 4_000), Workspace()
    assert draw(one, Bits.seeded(4)).escalated == 0
    work.size = 4_000
    words = work.words("words")
    Bits.seeded(4).fill(words)
    assert one.chords().settle(slice(0, 4_000), words, np.empty(4_000), work).size < 200


@pytest.mark.few(4)
@pytest.mark.parametrize(("alpha", "epsilon"), SETTINGS)
def test_floats_of_the_scale_and_of_the_ladder_are_within_their_bounds(alpha, epsilon):
    made = WholeStaircaseMechanism(alpha, epsilon)
    scale, work = Scale.of(made.scale), Workspace()
    numbers = np.array([*range(400), 1_000, 54_321, 10**7, 10**12], float)
    work.size = numbers.size
    for shift, place in ((0, scale.of_whole), (HALF, scale.after)):
        x = numbers + float(shift)
        t, off = place(numbers, work)
        for piece, exactly in ((made.ladder.piece, made.ladder.at), (made.ladder.cut_piece, made.ladder.cut)):
            value, error = Rungs.of(made.ladder, piece).at(t, off)
            with enclosing(160):
                for k, number in enumerate(x):
                    truth = made.scale.at(Fraction(float(number)), ARB)
                    assert not abs(ARB.number(truth) - flint.arb(t[k])) > flint.arb(off[k])
                    if np.isfinite(error[k]):
                        ideal = exactly(truth, ARB)
                        assert not abs(ideal - flint.arb(value[k])) > flint.arb(error[k])
            assert np.isfinite(error).mean() > 0.99


NEXT = (0, 1, 2, 64, 2048)
"""How far words are from the ends of outputs, on both sides."""


def words_up_to(law: Law, o: int) -> flint.arb:
    """2^64·P(output ≤ o)."""
    return law.tails(o)[0] * 2**64


def accepted_wrongly(
    alpha: str, epsilon: str, counts: Iterable[int], decide: Decide, distances: Iterable[int] = (*NEXT, 2**20)
) -> tuple[int, int]:
    """How many words next to the ends of outputs floats decide, and how many of them otherwise than Arb.

    A word is decided by the first 64 bits, so the words around 2^64·P(output ≤ o) tell any bound that is too
    small: there the law is between two outputs.
    """
    made, decided, wrong = WholeStaircaseMechanism(alpha, epsilon), 0, 0
    ways = {sign * distance for distance in distances for sign in (-1, 1)}
    for n in counts:
        with enclosing(256):
            most = cache(partial(words_up_to, made.output((n,), ARB)))
            ends = [int(most(o).mid().floor().unique_fmpz()) for o in range(max(n - 8, 0), n + 9)]
            words = [end + way for end, way in product(ends, ways)]
            words = [word for word in words if FLOOR <= word < 2**64 - FLOOR]
            one = sampler(alpha, epsilon, [n] * len(words))
            for word, output in zip(words, decide(one, np.array(words, np.uint64)), strict=True):
                if np.isfinite(output):
                    decided += 1
                    o = int(output)
                    wrong += not (most(o - 1) <= word and word + 1 <= most(o))
    return decided, wrong


def carefully(one: WholeStaircase, words: Words) -> np.ndarray:
    work = Workspace()
    work.size = words.size
    signed = words.view(np.int64).astype(float)
    values, bounds = one.evaluate(slice(0, words.size), signed, np.abs(signed), 1.0, work)
    return np.where(np.isfinite(bounds), values, np.nan)


def by_lists(one: WholeStaircase, words: Words) -> np.ndarray:
    work, values = Workspace(), np.empty(words.size)
    work.size = words.size
    with np.errstate(invalid="ignore"):
        left = one.chords().settle(slice(0, words.size), words, values, work)
    values[left] = np.nan
    return values


@pytest.mark.parametrize(("alpha", "epsilon"), SETTINGS[:4])
def test_floats_decide_no_word_next_to_the_end_of_an_output_wrongly(alpha, epsilon):
    decided, wrong = accepted_wrongly(alpha, epsilon, [0, 7, 20, 21, 33, 258, 5_000], carefully)
    assert (decided > 100, wrong) == (True, 0)


def without_bound(at):
    def places(self, t, off):
        value, error = at(self, t, off)
        return value, np.where(np.isinf(error), error, 0.0)

    return places


@pytest.mark.parametrize("which", ["word", "ladder"])
def test_a_bound_that_is_too_small_is_noticed(which, monkeypatch):
    """Without that of the drawn word, or that of Λ and cut, words at an end count as decided."""
    if which == "word":
        monkeypatch.setattr(WholeStaircase, "_part_off", lambda self, a, k, unit: 0.0 * a)
    else:
        monkeypatch.setattr(Rungs, "at", without_bound(Rungs.at))
    assert accepted_wrongly("1/10", "2", [0, 7, 20, 21, 33, 258, 5_000], carefully)[1] > 0


@pytest.mark.parametrize(("alpha", "epsilon"), SETTINGS)
def test_the_first_try_is_the_careful_way(alpha, epsilon):
    """Of long arrays, with counts that its tables do not reach; few of the others are left open."""
    counts = np.arange(2 * CHUNK + 300) * 7919 % 20_011
    one = sampler(alpha, epsilon, np.append(counts % 30, counts))
    for which, most in ((one, 0.05), (sampler(alpha, epsilon, PLACES * 300), 0.25)):
        work, first, bits = Workspace(), which.chords(), Bits.seeded(8)
        careful = draw(which, Bits.seeded(8)).values
        left = 0
        for start in range(0, careful.size, CHUNK):
            part = slice(start, min(start + CHUNK, careful.size))
            work.size = part.stop - start
            words, values = work.words("words"), np.empty(work.size)
            bits.fill(words)
            open_ones = first.settle(part, words, values, work)
            left += open_ones.size
            assert np.array_equal(np.delete(values, open_ones), np.delete(careful[part], open_ones))
        assert left <= most * careful.size


@pytest.mark.parametrize(("alpha", "epsilon"), [*SETTINGS[:4], LOW])
def test_the_first_try_decides_no_word_next_to_the_end_of_an_output_wrongly(alpha, epsilon):
    counts, distances = [0, 7, 20, 21, 33, 258, 5_000], (*NEXT, 2**40)
    found = accepted_wrongly(alpha, epsilon, counts, by_lists, distances)
    assert (found[0] > 40, found[1]) == (True, 0)


def test_a_step_that_is_guessed_too_far_out_decides_nothing_wrongly():
    """From 13 on the way down a step is narrower than those far from the turn on either side of it."""
    found = accepted_wrongly("1/3", "3/4", [13], by_lists, range(0, 2**55, 2**50))
    assert (found[0] > 40, found[1]) == (True, 0)


@pytest.mark.parametrize("epsilon", ["2", "8"])
def test_the_first_try_leaves_open_what_is_too_small(epsilon):
    """The least number that it looks at bounds what the bits of a word that are not seen amount to."""
    sizes = {int(2 ** (k / 4)) for k in range(120, 176)} | {int(LEAST) - 1}
    words = np.array([word for a in sizes for word in (a, 2**64 - a)], np.uint64)
    assert np.isnan(by_lists(sampler("1/10", epsilon, [20] * words.size), words)).all()


Places = Callable[[Scale, np.ndarray, Workspace], tuple[np.ndarray, np.ndarray]]


def moved(places: Places, by: float, exact_too: bool) -> Places:
    """Places that are off by all of ``by``, and say so."""

    def at(scale: Scale, numbers: np.ndarray, work: Workspace) -> tuple[np.ndarray, np.ndarray]:
        t, off = places(scale, numbers, work)
        which = (off > 0) | exact_too
        return np.where(which, t + by, t), np.where(which, abs(by), off)

    return at


@pytest.fixture
def own_lists() -> Iterator[None]:
    """Lists that are made in a test do not outlive it."""
    _lists.cache_clear()
    yield
    _lists.cache_clear()


def with_moved_places(monkeypatch: pytest.MonkeyPatch, counts: float, cuts: float, exact_too: bool) -> None:
    monkeypatch.setattr(Scale, "of_whole", moved(Scale.of_whole, counts, exact_too))
    monkeypatch.setattr(Scale, "after", moved(Scale.after, cuts, exact_too))


FAR_APART = [int(2 ** (k / 2)) for k in range(42, 74)]
"""Distances of words around what places that are off by NEAR move the ends of outputs by."""


@pytest.mark.usefixtures("own_lists")
@pytest.mark.parametrize(
    ("alpha", "epsilon", "counts"), [("1/10", "2", [21, 33, 258]), ("5/2", "6", [1, 2, 50])]
)
@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("exact_too", [False, True])
def test_places_that_are_off_by_all_that_is_allowed_decide_no_word_wrongly(
    alpha, epsilon, counts, way, exact_too, monkeypatch
):
    """The error of floats is far below NEAR, so that true places tell little of the bound. Cuts are moved the
    other way, and by a little less, which leaves room for their roundings.
    """
    with_moved_places(monkeypatch, way * NEAR, -way * 0.875 * NEAR, exact_too)
    found = accepted_wrongly(alpha, epsilon, counts, by_lists, FAR_APART)
    assert (found[0] > 40, found[1]) == (True, 0)


@pytest.mark.usefixtures("own_lists")
@pytest.mark.parametrize(("counts", "cuts"), [(2 * NEAR, 0.0), (0.0, 2 * NEAR)])
def test_places_that_are_off_by_more_decide_nothing(counts, cuts, monkeypatch):
    with_moved_places(monkeypatch, counts, cuts, exact_too=True)
    assert accepted_wrongly("5/2", "6", [2, 50], by_lists, [2**40, 2**50]) == (0, 0)


@pytest.mark.usefixtures("own_lists")
def test_half_of_the_bound_is_too_small_for_such_places(monkeypatch):
    made = Lists.of
    with_moved_places(monkeypatch, NEAR, -0.875 * NEAR, exact_too=False)
    monkeypatch.setattr(Lists, "of", lambda *given: replace(lists := made(*given), off=lists.off / 2))
    assert accepted_wrongly("1/10", "2", [33, 258], by_lists, FAR_APART)[1] > 0


@pytest.mark.usefixtures("own_lists")
def test_a_bound_of_the_first_try_that_is_too_small_is_noticed(monkeypatch):
    made = Lists.of
    monkeypatch.setattr(Lists, "of", lambda *given: replace(made(*given), off=0.0))
    assert accepted_wrongly("1/10", "2", [0, 7, 20, 21, 33, 258, 5_000], by_lists)[1] > 0
