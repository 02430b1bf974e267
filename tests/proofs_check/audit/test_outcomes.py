"""An exception, NaN, None, a text: outputs like any other, told by their type and the dataset."""

import json
import math

import numpy as np
import pytest

from establish.proofs_check.audit import audit, dp
from establish.proofs_check.audit.grey.grey_box import replay
from establish.proofs_check.audit.question import outcomes
from establish.proofs_check.audit.question.mechanism import Mechanism

SECRET = "the count is 4711"


def laplace(n, rng):
    return n + rng.laplace(0.0, 1.0)


def crashes(n, rng):
    if n > 12:
        raise ValueError(SECRET)
    return laplace(n, rng)


class Crashes:
    """The same, for many at once: one bad output spoils them all."""

    def sample(self, n, size, rng):
        if n > 12:
            raise ZeroDivisionError(SECRET)
        return n + rng.laplace(0.0, 1.0, size)


class Infinite:
    def sample(self, n, size, rng):
        return n + rng.laplace(0.0, 1.0, size) + (np.inf if n > 12 else 0.0)


ON_SOME = {
    "an exception": (crashes, "the exception ValueError"),
    "an exception for many": (Crashes(), "the exception ZeroDivisionError"),
    "NaN": (lambda n, rng: laplace(n, rng) if n <= 12 else math.nan, "NaN"),
    "None": (lambda n, rng: laplace(n, rng) if n <= 12 else None, "None"),
    "a text": (lambda n, rng: laplace(n, rng) if n <= 12 else "(D)", ""),
    "an object": (lambda n, rng: laplace(n, rng) if n <= 12 else {n}, "an object of type set"),
    "a text in a tuple": (lambda n, rng: (0, laplace(n, rng) if n <= 12 else "(D)"), ""),
    "infinity": (Infinite(), ""),
}


@pytest.mark.parametrize(("mechanism", "words"), ON_SOME.values(), ids=ON_SOME)
def test_what_is_no_number_on_some_datasets_gives_them_away(mechanism, words):
    result = audit(mechanism, dp(1), samples=50_000, pairs=[(12, 13), (3, 4)])
    assert result.violated
    assert set(result.pair) == {12, 13}
    told = json.dumps(result.to_json(), ensure_ascii=False)
    assert words in told
    assert SECRET not in told


def test_the_type_of_an_exception_is_told_with_the_first_dataset():
    result = audit(crashes, dp(1), samples=20_000, pairs=[(12, 13)])
    assert any("on 13 the output was the exception ValueError" in note for note in result.notes)


def test_a_replay_tells_an_exception_that_one_dataset_always_raises():
    faults = replay(crashes, dp(1), (12, 13)).faults
    assert "the exception ValueError on 13 in all" in faults[0]
    assert SECRET not in " ".join(faults)


def test_an_exception_that_is_as_likely_on_both_datasets_is_no_violation():
    def unlucky(n, rng):
        if rng.random() < 0.3:
            raise RuntimeError
        return laplace(n, rng)

    class Unlucky:
        def sample(self, n, size, rng):
            if (rng.random(size) < 1e-3).any():
                raise RuntimeError
            return n + rng.laplace(0.0, 1.0, size)

    for mechanism in (unlucky, Unlucky()):
        assert not audit(mechanism, dp(1), samples=20_000, pairs=[(0, 1), (12, 13)]).violated


def test_an_exception_whose_probability_breaks_the_level_is_a_violation():
    class Seldom:
        """Every thirtieth output fails on 1, every hundredth on 0."""

        def sample(self, n, size, rng):
            if (rng.random(size) < (0.033 if n else 0.01)).any():
                raise RuntimeError
            return rng.laplace(0.0, 1e6, size)

    result = audit(Seldom(), dp("1/10"), samples=200_000, pairs=[(0, 1)])
    assert result.violated
    assert result.event == "output is no number"


def test_texts_are_outputs_of_their_own():
    def answers(n, rng):
        return "large" if (rng.random() < 0.7) == (n > 0) else "small"

    result = audit(answers, dp("1/2"), samples=20_000, pairs=[(0, 1)])
    assert result.violated
    assert result.event in ("output = 'large'", "output = 'small'", "output ≠ 'large'", "output ≠ 'small'")
    assert not audit(answers, dp(1), samples=20_000, pairs=[(0, 1)]).violated


def test_a_threshold_on_the_output_holds_no_exception():
    def either(n, rng):
        if rng.random() < 0.5:
            raise RuntimeError
        return laplace(3 * n, rng)

    result = audit(either, dp(1), samples=50_000, pairs=[(0, 1)])
    assert result.violated
    most = max(p for bounds in result.probabilities for p in bounds)
    assert most < 0.6 or "not" in result.event or "no number" in result.event or "≠" in result.event


def test_signs_are_floats_between_all_numbers_and_infinity():
    for words in ("NaN", "None", "the exception KeyError"):
        assert outcomes.LARGEST_NUMBER < outcomes.FIRST_SIGN <= outcomes.sign(words) < math.inf
        assert outcomes.said(outcomes.sign(words)) == words
    assert outcomes.said(1.0) is outcomes.said(math.inf) is None
    array = outcomes.of_array(np.array([1.0, math.nan, math.inf, 1.7976931348623157e308, -math.inf]))
    assert outcomes.signs(array).tolist() == [False, True, False, False, False]
    assert array[3] == outcomes.LARGEST_NUMBER
    rows = outcomes.of_outputs([(1, None), (outcomes.Raised("KeyError"), "a")])
    assert [[outcomes.said(x) for x in row] for row in rows] == [
        [None, "None"],
        ["the exception KeyError", "'a'"],
    ]


def test_rows_of_exceptions_are_as_wide_as_the_others():
    def some(n, rng):
        if rng.random() < 0.5:
            raise KeyError
        return (n, 2.0, 3.0)

    drawn = Mechanism(some).draw(0, 200, np.random.default_rng(1))
    assert drawn.shape == (200, 3)
    assert 0 < outcomes.signs(drawn).all(axis=1).sum() == outcomes.signs(drawn).any(axis=1).sum() < 200
