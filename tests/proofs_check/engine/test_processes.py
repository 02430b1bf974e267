"""Processes of ours end with what started them, whenever and however that ends."""

import os
import signal
import time

import pytest

from establish.proofs_check.engine import processes
from tests import groups
from tests.groups import all_ended, of_group

pytestmark = pytest.mark.skipif(os.name == "nt", reason="groups of processes are those of POSIX")

STARTED = """
import signal, sys, time
from establish.proofs_check.engine import processes
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs behind it
signal.signal(signal.SIGTERM, signal.default_int_handler)
try:
    print("imported", flush=True)
    with processes.pool(2, processes.context()) as pool:
        for done in processes.as_done(processes.submitted(pool, time.sleep, [(600,)] * 4000)):
            done.result()
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.fixture
def started():
    program = groups.started(STARTED)
    yield program
    for pid in of_group(program.pid):
        os.kill(pid, signal.SIGKILL)
    program.communicate()


# From before the first process is started to when all of them work.
@pytest.mark.parametrize("moment", [0.0, 0.05, 0.1, 0.2, 0.4, 0.8])
@pytest.mark.parametrize(("number", "to_all"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_processes_end_at_once_whenever_a_signal_comes(started, moment, number, to_all):
    time.sleep(moment)
    (os.killpg if to_all else os.kill)(started.pid, number)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, out, err) == (130, "", "")
    assert all_ended(started.pid)


@pytest.mark.parametrize("moment", [0.1, 0.8])
def test_processes_end_when_what_started_them_is_killed(started, moment):
    time.sleep(moment)
    started.kill()
    assert all_ended(started.pid)


def test_results_come_as_they_are_done_and_in_the_order_that_was_asked_for():
    with processes.pool(2, processes.context()) as pool:
        futures = processes.submitted(pool, divmod, [(7, 2), (9, 4), (5, 3)])
        assert {done.result() for done in processes.as_done(futures)} == {(3, 1), (2, 1), (1, 2)}
        assert [one.result() for one in futures] == [(3, 1), (2, 1), (1, 2)]


def test_what_a_process_raises_is_raised_here_and_ends_the_others():
    waits = []

    def fails():
        with processes.pool(2, processes.context()) as pool:
            waits.extend(processes.submitted(pool, time.sleep, [(600,)]))
            processes.submitted(pool, divmod, [(1, 0)])[0].result()

    with pytest.raises(ZeroDivisionError):
        fails()
    assert waits[0].done()
