"""Groups of processes, as a shell stops them."""

import subprocess
import sys
import time


def started(code: str) -> subprocess.Popen[str]:
    """A process that runs ``code``, in a group of its own, and has printed ``imported``."""
    program = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert program.stdout
    assert program.stdout.readline() == "imported\n"
    return program


def of_group(group: int) -> list[int]:
    """The processes of a group that still run."""
    listed = subprocess.run(["ps", "-eo", "pgid=,stat=,pid="], capture_output=True, text=True, check=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    return [int(pid) for pgid, state, pid in rows if pgid == str(group) and not state.startswith("Z")]


def all_ended(group: int, seconds: float = 60.0) -> bool:
    """Whether all processes of the group end in so many seconds."""
    until = time.monotonic() + seconds
    while of_group(group) and time.monotonic() < until:
        time.sleep(0.05)
    return of_group(group) == []
