"""How often correct mechanisms are accused, and how many outputs a fault takes.

``python -m establish.proofs_check.audit.alarms`` audits the correct entries of the gallery again and again,
each time with another seed. By design one audit raises a false alarm with probability at most 1e-9, so that
not one in ten thousand is to be expected: a single one is a defect. Each alarm is told at once; a campaign
that is stopped says how far it came, and ``--from`` starts another where it ended.
"""

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from establish.proofs_check.audit import audit
from establish.proofs_check.audit.black.black_box import FEWEST_SAMPLES
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.tally import INTERRUPTED, Tally, stop_on_terminate
from establish.proofs_check.engine import processes

RUNS = 10_000
"""Audits of correct mechanisms."""

OUTPUTS = 20_000
"""Outputs of each of them: alarms come from tests, and most of those are made on few outputs."""

ENOUGH = 20_000_000
"""Outputs of an audit of a fault, at most."""

PATIENCE = 60.0
"""Seconds of one audit, at most."""

T = TypeVar("T")


def accused(number: int, outputs: int = OUTPUTS) -> tuple[int, str]:
    """The number of an audit, and the correct entry that it accuses, with pair and event, or nothing."""
    correct = [entry for entry in ENTRIES.values() if entry.correct]
    entry = correct[number % len(correct)]
    result = audit(entry.mechanism, entry.definition, samples=outputs, seconds=PATIENCE, seed=number)
    said = f"{entry.name}, seed {number}: {result.pair}: {result.event}"
    return number, said * result.violated


def outputs_until_found(name: str) -> tuple[str, int | None]:
    """A fault and the outputs that its audit draws in all, those for a simpler witness included."""
    entry = ENTRIES[name]
    result = audit(entry.mechanism, entry.definition, samples=ENOUGH, seconds=PATIENCE)
    return name, result.samples if result.violated else None


def alarms(runs: int, outputs: int = OUTPUTS, jobs: int = 1, first: int = 0) -> list[str]:
    """The accusations of so many audits of correct mechanisms, each printed when it is made."""
    numbers = range(first, first + runs)
    raised, left = [], set(numbers)
    try:
        with Tally(runs, "audits of correct mechanisms", "false alarms") as tally:
            for number, said in _done(partial(accused, outputs=outputs), numbers, jobs):
                tally.add(said, bool(said))
                left.remove(number)
                raised += [said] * bool(said)
    except KeyboardInterrupt:
        following = min(left, default=first + runs)
        print(f"all seeds before {following} are done: go on with --from {following}", flush=True)
        raise
    return raised


def median_outputs(names: Sequence[str], jobs: int = 1) -> tuple[float, int]:
    """The median of the outputs until these faults are found, and how many are; a miss counts as ∞.

    What came of each fault is printed when it is known.
    """
    every: list[float] = []
    with Tally(len(names), "audits of faults", "found") as tally:
        for name, outputs in _done(outputs_until_found, names, jobs):
            said = "missed" if outputs is None else f"found with {outputs} outputs"
            tally.add(f"{name}: {said}", outputs is not None)
            every.append(float("inf") if outputs is None else float(outputs))
        return statistics.median(every), tally.seen


def _done(work: Callable[..., T], items: Iterable[object], jobs: int) -> Iterator[T]:
    """What comes of each item, as soon as it is there."""
    if jobs == 1:
        yield from map(work, items)
        return
    with processes.pool(jobs, get_context("spawn")) as pool:
        for one in processes.as_done(processes.submitted(pool, work, zip(items))):
            yield one.result()


def _from(least: int) -> Callable[[str], int]:
    """A whole number that is at least so large."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is not allowed: a whole number from {least} on")
        return int(text)

    return read


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Look for false alarms in correct mechanisms.", usage=argparse.SUPPRESS
    )
    parser.add_argument("--runs", type=_from(1), default=RUNS, help="audits")
    parser.add_argument("--from", type=_from(0), default=0, dest="first", help="the first seed")
    parser.add_argument("--outputs", type=_from(FEWEST_SAMPLES), default=OUTPUTS, help="of each audit")
    parser.add_argument("--jobs", type=_from(1), default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--medians", action="store_true", help="audit the faults, too")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _asked(arguments)
    stop_on_terminate()
    try:
        raised = alarms(asked.runs, asked.outputs, asked.jobs, asked.first)
        print(
            f"{len(raised)} false alarms in {asked.runs} audits of correct mechanisms, seeds "
            f"{asked.first} to {asked.first + asked.runs - 1}",
            flush=True,
        )
        if asked.medians:
            names = [entry.name for entry in ENTRIES.values() if not entry.correct]
            median, found = median_outputs(names, asked.jobs)
            print(f"{found} of {len(names)} faults found; median of {median:g} outputs, witness included")
    except KeyboardInterrupt:
        return INTERRUPTED
    return 1 if raised else 0


if __name__ == "__main__":
    sys.exit(main())
