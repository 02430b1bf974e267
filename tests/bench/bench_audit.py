"""Print the self-test's score, how often correct mechanisms raise an alarm, and how fast faults show."""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from establish.proofs_check.audit import audit
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.selftest import run

AUDITS = 1000
"""Audits of correct mechanisms, of which none may raise an alarm."""

OUTPUTS = 100_000
"""Outputs for each of them."""


def alarm(number: int) -> str:
    """The name of the correct mechanism that audit ``number`` raised an alarm about, or nothing."""
    correct = [entry for entry in ENTRIES.values() if entry.correct]
    entry = correct[number % len(correct)]
    result = audit(entry.mechanism, entry.definition, samples=OUTPUTS, seconds=60, seed=number)
    return entry.name if result.violated else ""


def main() -> int:
    jobs = os.cpu_count() or 1
    for size in ("5%", "10%", "50%"):
        entry = ENTRIES[f"Laplace, scale {size} too small"]
        start = time.perf_counter()
        result = audit(entry.mechanism, entry.definition, seconds=60)
        spent = time.perf_counter() - start
        print(
            f"{size} overshoot at ε = 1: {result.outcome}, {result.samples} outputs, {spent:.1f} s"
        )
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        alarms = [name for name in pool.map(alarm, range(AUDITS), chunksize=10) if name]
    print(
        f"{len(alarms)} false alarms in {AUDITS} audits of correct mechanisms {alarms}", flush=True
    )
    return 0 if run(jobs=jobs) and not alarms else 1


if __name__ == "__main__":
    sys.exit(main())
