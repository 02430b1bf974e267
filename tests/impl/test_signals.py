"""What asks a process to end waits while something is done that must not be torn."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from establish.impl.signals import ASKING, undisturbed


@pytest.fixture
def handlers():
    """Handlers that raise KeyboardInterrupt, and those of before afterwards."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in ASKING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def another_thread():
    """One that may take a signal in place of the main thread."""
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    yield
    ended.set()
    thread.join()


@pytest.mark.usefixtures("handlers", "another_thread")
@pytest.mark.parametrize("number", ASKING, ids=lambda number: number.name)
def test_a_signal_waits_until_the_block_is_done_whichever_thread_takes_it(number):
    done = []

    @undisturbed()
    def inner():
        os.kill(os.getpid(), number)
        time.sleep(0.05)
        done.append("inner")

    @undisturbed()
    def outer():
        inner()
        done.append("outer")

    with pytest.raises(KeyboardInterrupt):
        outer()
    assert done == ["inner", "outer"]
    assert all(signal.getsignal(each) is signal.default_int_handler for each in ASKING)


@pytest.mark.usefixtures("handlers")
def test_several_signals_end_the_block_once_and_none_is_held_afterwards():
    @undisturbed()
    def block():
        for number in ASKING:
            os.kill(os.getpid(), number)

    with pytest.raises(KeyboardInterrupt):
        block()
    assert all(signal.getsignal(each) is signal.default_int_handler for each in ASKING)


@pytest.mark.usefixtures("handlers")
def test_what_is_ignored_stays_ignored():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with undisturbed():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.usefixtures("handlers")
def test_in_another_thread_nothing_is_changed():
    found = []

    def look():
        with undisturbed():
            found.extend(signal.getsignal(each) for each in ASKING)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler] * len(ASKING)


ENDS = """
import os, signal
from establish.impl.signals import undisturbed
with undisturbed():
    os.kill(os.getpid(), signal.SIGTERM)
    print("done", flush=True)
print("never")
"""


def test_a_process_that_lets_the_system_end_it_ends_after_the_block():
    ended = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (-signal.SIGTERM, "done\n")
