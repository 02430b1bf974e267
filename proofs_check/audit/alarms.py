"""How often correct mechanisms are accused, and how many outputs a fault takes.

``python -m establish.proofs_check.audit.alarms`` audits the correct entries of the gallery again and again,
each time with another seed. By design one audit raises a false alarm with probability at most 1e-9, so that
not one in ten thousand is to be expected: a single one is a defect.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

from establish.proofs_check.audit import audit
from establish.proofs_check.audit.gallery import ENTRIES

RUNS = 10_000
"""Audits of correct mechanisms."""

OUTPUTS = 20_000
"""Outputs of each of them: alarms come from tests, and most of those are made on few outputs."""

ENOUGH = 20_000_000
"""Outputs of an audit of a fault, at most."""

PATIENCE = 60.0
"""Seconds of one audit, at most."""

T = TypeVar("T")


def accused(number: int, outputs: int = OUTPUTS) -> str:
    """The correct entry that audit ``number`` accuses, with pair and event, or nothing."""
    correct = [entry for entry in ENTRIES.values() if entry.correct]
    entry = correct[number % len(correct)]
    result = audit(
        entry.mechanism, entry.definition, samples=outputs, seconds=PATIENCE, seed=number
    )
    return f"{entry.name}, seed {number}: {result.pair}: {result.event}" * result.violated


def outputs_until_found(name: str) -> int | None:
    """The outputs that an audit of a fault draws in all, those for a simpler witness included."""
    entry = ENTRIES[name]
    result = audit(entry.mechanism, entry.definition, samples=ENOUGH, seconds=PATIENCE)
    return result.samples if result.violated else None


def alarms(runs: int, outputs: int = OUTPUTS, jobs: int = 1) -> list[str]:
    """The accusations of so many audits of correct mechanisms."""
    return [one for one in _mapped(partial(accused, outputs=outputs), range(runs), jobs) if one]


def median_outputs(names: Sequence[str], jobs: int = 1) -> tuple[float, int]:
    """The median of the outputs until these faults are found, and how many are; a miss counts as ∞."""
    found = list(_mapped(outputs_until_found, names, jobs))
    every = [float("inf") if one is None else float(one) for one in found]
    return statistics.median(every), sum(one is not None for one in found)


def _mapped(work: Callable[..., T], items: Iterable[object], jobs: int) -> Iterable[T]:
    if jobs <= 1:
        yield from map(work, items)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, items, chunksize=10)


def main() -> int:
    parser = argparse.ArgumentParser(description="Look for false alarms in correct mechanisms.")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--outputs", type=int, default=OUTPUTS, help="of each audit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--medians", action="store_true", help="audit the faults, too")
    asked = parser.parse_args()
    raised = alarms(asked.runs, asked.outputs, asked.jobs)
    print(f"{len(raised)} false alarms in {asked.runs} audits of correct mechanisms", flush=True)
    for one in raised:
        print(one)
    if asked.medians:
        names = [entry.name for entry in ENTRIES.values() if not entry.correct]
        median, found = median_outputs(names, asked.jobs)
        print(
            f"{found} of {len(names)} faults found; median of {median:g} outputs, witness included"
        )
    return 1 if raised else 0


if __name__ == "__main__":
    sys.exit(main())
