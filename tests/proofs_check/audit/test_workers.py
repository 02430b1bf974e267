"""Several processes call a slow mechanism, and a violation is found again by what is printed."""

import math
import os
import re
import signal
import time

import numpy as np
import pytest

from establish import ParameterError, assert_private, dp
from establish.proofs_check.audit import audit
from establish.proofs_check.audit.question.mechanism import Mechanism, OutOfTimeError
from establish.proofs_check.audit.question.outcomes import said, signs
from establish.proofs_check.audit.question.workers import FEWEST

CLAIM = dp(1)


def noisy(n, rng):
    return n + rng.laplace(0.0, 1.0)


def weak(n, rng):
    return n + rng.laplace(0.0, 0.7)


def drawn(mechanism, jobs, size=1000, seed=1):
    called = Mechanism(mechanism, jobs=jobs)
    try:
        return called.draw(3, size, np.random.default_rng(seed))
    finally:
        called.close()


def test_outputs_do_not_depend_on_the_number_of_processes():
    one, two, three = (drawn(noisy, jobs) for jobs in (1, 2, 3))
    assert np.array_equal(one, two)
    assert np.array_equal(one, three)
    assert not np.array_equal(one, drawn(noisy, 2, seed=2))
    assert len(np.unique(one)) == 1000, "no block repeats another"


def test_a_process_that_waits_for_work_ends_where_the_command_hears_of_termination_in_python():
    # A handler in Python runs when a wait is over, so that `close` would wait for such a process for ever.
    def interrupt(*_):
        raise KeyboardInterrupt

    def own(n, rng):
        numbers = (signal.SIGTERM, signal.SIGHUP)
        left = all(signal.getsignal(number) is signal.SIG_DFL for number in numbers)
        return left and not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & set(numbers)

    before = {n: signal.signal(n, interrupt) for n in (signal.SIGTERM, signal.SIGHUP)}
    try:
        assert np.all(drawn(own, 2))
        assert all(signal.getsignal(number) is interrupt for number in before)
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & set(before)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_several_processes_do_the_work():
    where = drawn(lambda n, rng: os.getpid(), 2, size=4000)
    assert os.getpid() not in where
    assert drawn(lambda n, rng: os.getpid(), 2, size=FEWEST - 1)[0] == os.getpid()


@pytest.mark.small_campaign
@pytest.mark.parametrize("mechanism", [noisy, weak])
def test_an_audit_comes_out_the_same_for_any_number_of_processes(mechanism):
    def said(jobs):
        found = audit(mechanism, CLAIM, samples=30_000, seconds=math.inf, seed=2, jobs=jobs, pairs=[(0, 1)])
        return found.outcome, found.pair, found.event, found.probabilities, found.samples

    assert said(1) == said(2)


def test_randomness_from_elsewhere_is_drawn_in_one_process():
    own = np.random.default_rng(1)

    def private(n, rng):
        return n + own.laplace(0.0, 1.0)

    result = audit(private, CLAIM, samples=5000, jobs=2, pairs=[(0, 1)])
    assert any("one process drew all outputs" in note for note in result.notes)
    assert not result.violated


def test_what_a_mechanism_does_wrong_is_said_from_a_process_too():
    def late(n, rng):
        if rng.random() < 0.01:
            raise ValueError("broken")
        return rng.normal()

    outputs = drawn(late, 2, size=10_000)
    assert {said(x) for x in outputs[signs(outputs)].tolist()} == {"the exception ValueError"}


def test_processes_end_when_time_ends():
    called = Mechanism(
        lambda n, rng: time.sleep(0.05), deadline=time.monotonic() + 0.2, call_seconds=5, jobs=2
    )
    with pytest.raises(OutOfTimeError):
        called.draw(3, 10_000, np.random.default_rng(1))
    called.close()


def test_processes_are_refused_where_they_have_no_use():
    class Vectorized:
        def sample(self, n, size, rng):
            return n + rng.normal(size=size)

    with pytest.raises(ParameterError, match="jobs = 2 is not used"):
        audit(Vectorized(), CLAIM, jobs=2)
    with pytest.raises(ParameterError, match="jobs = 0 is not allowed"):
        audit(noisy, CLAIM, jobs=0)


class Loaded:
    """A vectorized mechanism that draws twice for each output, as on a machine under load: it waits."""

    def __init__(self, seconds):
        self.seconds = seconds

    def sample(self, n, size, rng):
        time.sleep(self.seconds * min(size / 10_000, 1))
        return n + rng.laplace(0.0, 0.7, size) + 0.0 * rng.random(size)


def test_without_a_limit_on_time_an_audit_does_not_depend_on_speed():
    results = [
        audit(Loaded(seconds), CLAIM, samples=200_000, seconds=math.inf, seed=4, pairs=[(0, 1)])
        for seconds in (0.0, 0.4)
    ]
    fast, slow = ((r.event, r.probabilities, r.samples) for r in results)
    assert fast == slow


@pytest.mark.small_campaign
@pytest.mark.parametrize("jobs", [None, pytest.param(2, marks=pytest.mark.campaign)])
def test_the_call_that_is_printed_finds_a_violation_again(jobs):
    with pytest.raises(AssertionError) as failed:
        assert_private(weak, CLAIM, samples=200_000, seed=6, jobs=jobs)
    (line,) = (line for line in str(failed.value).splitlines() if line.startswith("  again"))
    printed = re.search(r"assert_private\(\.\.\., (pairs=.*)\)$", line)[1]
    options = eval(f"dict({printed})")  # the line that we printed
    assert options["seconds"] == math.inf
    assert options.get("jobs") == jobs
    with pytest.raises(AssertionError, match="has probability at least"):
        assert_private(weak, CLAIM, **options)
