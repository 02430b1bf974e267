"""Kill releasing processes at random points, and look at what is on disk after every kill.

Run as ``python crash.py KILLS FOLDER SEED``: prints one JSON object with what was seen, or ends with
an AssertionError. Two processes release under one ledger at a time; a write to the ledger gets a few
bytes at a time, so that a kill may tear a line. A ledger serves GENERATION pairs and its cap is
CAP releases, so that many kills come when little or nothing is left. What SIGKILL cannot show, the
loss of what was written and not synced, is in the tests of torn lines.
"""

import json
import os
import random
import signal
import sys
import time
from fractions import Fraction
from pathlib import Path

from establish.impl.budget.caps import OverCap
from establish.impl.budget.ledger import read_ledger, spend
from establish.impl.budget.lines import scan
from establish.impl.budget.spending import Spending
from establish.impl.tables.publishing import Drafts, publish
from establish.spec.composition import Approximate, ErEe

CAP, GENERATION, LONGEST = 10, 10, 0.03
COST = Approximate(Fraction(1))
WEAK = ErEe.of("weak-er-ee", "1/10")


def release_for_ever(folder: Path, told: int) -> None:
    """What a child does: releases until nothing is left; tells every receipt to its parent."""
    system_write = os.write

    def few_bytes(file: int, content: bytes) -> int:
        time.sleep(0.0002)
        return system_write(file, content[: random.randint(1, 60)])

    os.write = few_bytes
    while True:
        entry = Spending("crash test", "0" * 64, WEAK, {"q": COST}, COST)

        def spend_and_tell(drafts: Drafts, entry: Spending = entry) -> None:
            cap = Approximate(Fraction(CAP))
            spend(folder / "ledger", entry, cap, after=lambda _: drafts.keep())
            system_write(told, entry.release.encode() + b"\n")

        def table(path: Path) -> None:
            path.write_text("noisy\n1\n")

        def sidecar(path: Path, entry: Spending = entry) -> None:
            path.write_text(json.dumps({"release": entry.release}))

        out = folder / f"{entry.release}.csv"
        try:
            publish({out: table, out.with_suffix(".json"): sidecar}, spend_and_tell)
        except OverCap:
            time.sleep(LONGEST)


def start(folder: Path) -> tuple[int, int]:
    """The process id of a child, and where it tells its receipts."""
    hears, told = os.pipe()
    child = os.fork()
    if child == 0:
        random.seed(os.getpid())
        try:
            release_for_ever(folder, told)
        finally:
            os._exit(1)
    os.close(told)
    return child, hears


def receipts(hears: int) -> set[str]:
    with os.fdopen(hears, "rb") as pipe:
        return {line.decode() for line in pipe.read().split(b"\n") if len(line) == 32}


def main(kills: int, folder: Path, seed: int) -> dict[str, int]:
    rng = random.Random(seed)
    seen = dict.fromkeys(
        ("kills", "entries", "full ledgers", "torn lines", "entries without an output", "visible"), 0
    )
    while seen["kills"] < kills:
        own = folder / f"generation-{seen['kills']}"
        own.mkdir()
        ledger, before, acknowledged = own / "ledger", [], set()
        for _ in range(GENERATION):
            children = [start(own) for _ in range(2)]
            for child, _ in rng.sample(children, 2):
                time.sleep(rng.uniform(0, LONGEST))
                os.kill(child, signal.SIGKILL)
                status = os.waitpid(child, 0)[1]
                assert os.WIFSIGNALED(status), "a child ended by itself: its releases failed"
                seen["kills"] += 1
            for _, hears in children:
                acknowledged |= receipts(hears)
            content = ledger.read_bytes() if ledger.exists() else b""
            found = scan(content)
            checksums = [line.checksum for line in found.lines]
            assert checksums[: len(before)] == before, "a complete entry was lost"
            before = checksums
            seen["torn lines"] += found.torn
            account = read_ledger(ledger)
            releases = {entry.release for entry in account.entries} if account else set()
            if account:
                assert account.spent.within(Approximate(Fraction(CAP))), "the cap was passed"
                assert len(account.entries) == len(releases) == len(checksums) - 1
            visible = {path.stem for path in own.iterdir() if path.suffix in (".csv", ".json")}
            assert visible <= releases, "a release without its entry"
            assert acknowledged <= releases, "an acknowledged entry was lost"
        seen["entries"] += len(releases)
        seen["full ledgers"] += len(releases) == CAP
        seen["visible"] += len(visible)
        seen["entries without an output"] += len(releases - visible)
    return seen


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))))
