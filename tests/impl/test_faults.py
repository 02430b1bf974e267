"""Every call to the system that a release makes fails once, in every way: one line, nothing half done."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from establish.impl.budget.heads import head_of
from establish.impl.budget.ledger import entries_of

CALLS = ("open", "write", "fsync", "ftruncate", "replace", "mkdir", "chmod")
LAW = ("--mechanism", "laplace", "--epsilon", "1", "--count", "jobs")
FAULTS = {
    "permission denied": PermissionError(errno.EACCES, os.strerror(errno.EACCES)),
    "disk full": OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
    "read-only": OSError(errno.EROFS, os.strerror(errno.EROFS)),
    "vanished network file": OSError(errno.ESTALE, os.strerror(errno.ESTALE)),
    "signal": KeyboardInterrupt(),
}


@contextmanager
def failing(folder: Path, number: int, fault: BaseException | None) -> Iterator[list[int]]:
    """Inside, the given call below the folder raises; the list holds how many there were."""
    seen = [0]

    def wrapped(real: Callable[..., object]) -> Callable[..., object]:
        def call(first: object, *rest: object, **named: object) -> object:
            path = os.readlink(f"/proc/self/fd/{first}") if isinstance(first, int) else str(first)
            if path.startswith(str(folder)):
                seen[0] += 1
                if fault is not None and seen[0] == number:
                    raise fault
            return real(first, *rest, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, wrapped(getattr(os, name)))
        yield seen


LONG = {"permission denied", "read-only", "vanished network file"}
"""Faults of the kind of those before them."""


@pytest.mark.small_campaign
@pytest.mark.parametrize(
    "how", [pytest.param(how, marks=[pytest.mark.campaign] * (how in LONG)) for how in FAULTS]
)
def test_a_fault_at_any_call_leaves_nothing_half_done_and_the_ledger_right(run, tmp_path, how):
    folder = tmp_path / "run"

    def call(*more: object) -> tuple[int, str, str]:
        options = ("--out", folder / "o.csv", "--head", folder / "heads", *more)
        return run("release", "counts", folder / "in.csv", *LAW, *options)

    def begin() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "in.csv").write_text("place,jobs\nNorth,40\nSouth,50\n")

    begin()
    with failing(folder, 0, None) as seen:
        assert call()[0] == 0
    assert seen[0] > 25
    spent = 0
    for number in range(1, seen[0] + 1):
        begin()
        with failing(folder, number, FAULTS[how]):
            status, printed, err = call()
        told = f"call {number}: {status}, {printed}, {err}"
        assert status in (0, 2, 130), told
        assert err.count("\n") == (0 if status == 0 else 1), told
        assert "North" not in err, told
        entries = entries_of(folder / "in.csv.ledger")
        visible = {name for name in ("o.csv", "o.csv.json") if (folder / name).exists()}
        assert visible in (set(), {"o.csv", "o.csv.json"}), told
        assert len(entries) == 1 or not visible, told
        assert visible or status, told
        if visible:
            assert head_of(folder / "o.csv.json").checksum == entries[0].checksum, told
        elif entries:
            spent += 1
            status, _, err = call("--resume")
            assert status == 0 or "cannot be completed" in err, f"{told}, {err}"
        if not (folder / "o.csv").exists():
            assert call()[0] == 0, told
    assert spent > 0
