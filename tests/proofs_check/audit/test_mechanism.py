"""How a mechanism is called, and what it may return."""

import contextlib
import time

import numpy as np
import pytest

from establish.proofs_check.audit.question.mechanism import AuditError, Mechanism, OutOfTimeError
from establish.proofs_check.audit.question.randomness import remarks
from establish.proofs_check.audit.question.timer import TooSlowError, time_limit


def rng():
    return np.random.default_rng(1)


class Vectorized:
    def sample(self, dataset, size, rng):
        return dataset + rng.normal(size=(size, 2, 3))


@pytest.mark.parametrize(
    ("target", "width"),
    [
        (lambda d, rng: d + rng.normal(), 1),
        (lambda d, rng: 3, 1),
        (lambda d, rng: True, 1),
        (lambda d, rng: np.float32(1), 1),
        (lambda d, rng: (d, rng.normal()), 2),
        (lambda d, rng: [1, 2, 3], 3),
        (lambda d, rng: rng.normal(size=(2, 2)), 4),
        (lambda d, rng: ((1, 2), (3, 4)), 4),
        (lambda d, rng: np.inf, 1),
        (Vectorized(), 6),
    ],
)
def test_numbers_tuples_and_arrays_become_rows(target, width):
    drawn = Mechanism(target).draw(0, 100, rng())
    assert drawn.shape == (100, width)
    assert drawn.dtype == np.float64


def test_an_integer_now_and_a_float_then_are_both_numbers():
    drawn = Mechanism(lambda d, rng: 0 if rng.random() < 0.5 else 0.5).draw(0, 200, rng())
    assert set(drawn[:, 0]) == {0.0, 0.5}


def test_the_same_generator_gives_the_same_outputs():
    one, two = (Mechanism(lambda d, rng: rng.normal()).draw(0, 300, rng()) for _ in range(2))
    assert np.array_equal(one, two)


def test_a_tuple_is_passed_as_it_is_and_a_list_as_a_copy():
    seen = []

    def keep(dataset, rng):
        seen.append(dataset)
        return 0.0

    whole, parts = (1, (2, 3)), [1, 2]
    Mechanism(keep).draw(whole, 1, rng())
    Mechanism(keep).draw(parts, 1, rng())
    assert seen[0] is whole
    assert seen[1] == parts
    assert seen[1] is not parts


def test_time_limits_interrupt_and_are_lifted_afterwards():
    start = time.monotonic()
    with pytest.raises(TooSlowError), time_limit(0.05):
        time.sleep(5)
    assert time.monotonic() - start < 2
    with time_limit(0.05):
        pass
    time.sleep(0.1)


def test_code_that_catches_every_exception_is_interrupted_too():
    def stubborn(dataset, rng):
        while True:
            with contextlib.suppress(Exception):
                time.sleep(1)

    with pytest.raises(AuditError, match=r"longer than 0\.1 s on 7"):
        Mechanism(stubborn, call_seconds=0.1).draw(7, 1, rng())


def test_after_the_deadline_nothing_is_drawn():
    with pytest.raises(OutOfTimeError):
        Mechanism(lambda d, rng: 0.0, deadline=time.monotonic() - 1).draw(0, 1, rng())


def test_a_mechanism_that_keeps_to_its_generator_gets_no_remark():
    assert remarks(Mechanism(lambda d, rng: rng.normal()), [0], 1) == ()
    assert remarks(Mechanism(Vectorized()), [0], 1) == ()


OWN = np.random.default_rng(5)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (lambda d, rng: OWN.normal(), "ignores rng"),
        (lambda d, rng: np.random.normal(), "global random generator"),  # noqa: NPY002  # the fault
        (lambda d, rng: OWN.normal() + rng.normal(), "some randomness comes from elsewhere"),
    ],
)
def test_randomness_from_elsewhere_is_remarked(target, said):
    assert any(said in note for note in remarks(Mechanism(target), [0], 1))
