"""A check that is interrupted ends at once, with one line, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.groups import all_ended, of_group

LONG = """
import time
from establish import claim, not_checkable


def wait():
    time.sleep(600)
    return not_checkable("data")


for number in range(8):
    claim(f"mine/wait{number}", where="Section 1", says="It takes ten minutes.")(wait)
"""


HEARING = """
import signal
from establish.proofs_check.commands.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets ignore both what runs behind it
signal.signal(signal.SIGHUP, signal.SIG_DFL)
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="groups of processes are those of POSIX")
@pytest.mark.small_campaign
@pytest.mark.usefixtures("settled_once")
@pytest.mark.parametrize(
    ("number", "to_all"),
    [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, False)],
    ids=["Ctrl-C", "terminated", "hung up"],
)
def test_an_interrupted_check_ends_at_once(tmp_path, number, to_all):
    file = tmp_path / "long.py"
    file.write_text(LONG)
    call = [sys.executable, "-c", HEARING, "check", str(file), "--jobs", "2"]
    check = subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    until = time.monotonic() + 60
    while len(of_group(check.pid)) < 4 and time.monotonic() < until:  # it, two helpers, a worker
        time.sleep(0.05)
    (os.killpg if to_all else os.kill)(check.pid, number)
    try:
        _, err = check.communicate(timeout=60)
        assert (check.returncode, err) == (130, "establish: interrupted\n")
        assert all_ended(check.pid)
    finally:
        for pid in of_group(check.pid):
            os.kill(pid, signal.SIGKILL)
