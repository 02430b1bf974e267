"""Kill releases of a table at random moments, and look at what is left; see test_leftovers.py.

Run as ``python crash_release.py KILLS FOLDER SEED``: prints one JSON object with what was seen, or ends with
an AssertionError. The data and their ledger lie in one folder, the outputs in another.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from establish.impl.budget.books import books_of
from establish.impl.budget.ledger import entries_of
from establish.impl.mechanisms.laplace import Laplace
from establish.impl.publish.counts import release_table
from establish.impl.publish.leftovers import entry_of
from establish.impl.tables.drafts import PREFIX

SLOW = 0.02
"""Seconds that every fsync of a child takes longer, so that many kills come while drafts wait."""


def release_for_ever(data: Path, out: Path) -> None:
    fsync = os.fsync

    def slowly(file: int) -> None:
        time.sleep(SLOW)
        fsync(file)

    os.fsync = slowly
    for number in range(10**6):
        release_table(data, out / f"{os.getpid()}-{number}.csv", Laplace(1), count="jobs")


def left(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{PREFIX}*"))


def main(kills: int, folder: Path, seed: int) -> dict[str, int]:
    rng = random.Random(seed)
    home, out = folder / "data", folder / "out"
    home.mkdir()
    out.mkdir()
    data = home / "cells.csv"
    data.write_text("place,jobs\nNorth,40\nSouth,50\n")
    ledger = books_of([data]).ledger
    assert ledger is not None
    seen = dict.fromkeys(("kills", "drafts", "removed", "paid and waiting", "published"), 0)
    longest = 0.5
    for kill in range(kills):
        child = os.fork()
        if child == 0:
            release_for_ever(data, out)
        time.sleep(rng.uniform(0, longest))
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), "a child ended by itself: its releases failed"
        seen["kills"] += 1
        assert not left(out), "noisy tables wait in the folder that is published"
        before = left(home)
        begun = time.monotonic()
        released = release_table(data, out / f"after-{kill}.csv", Laplace(1), count="jobs")
        longest = 3 * (time.monotonic() - begun)
        known = entries_of(ledger)
        waiting = [own for own in left(home) if any(entry_of(r, known) for r in own.glob("*.json"))]
        assert left(home) == waiting, "drafts that nobody paid for are still there"
        assert len(released.told) >= len(before)
        seen["drafts"] += len(before)
        seen["removed"] += len(set(before) - set(waiting))
    seen["paid and waiting"] = len(waiting)
    paid = {Path(entry.spending.output) for entry in entries_of(ledger)}
    visible = set(out.iterdir())
    assert {path for path in visible if path.suffix == ".json"} <= paid, "a record without an entry"
    assert {Path(f"{path}.json") for path in visible if path.suffix == ".csv"} <= paid
    seen["published"] = len(paid & visible)
    return seen


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))))
