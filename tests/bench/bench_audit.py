"""Print the self-test's score, how often correct mechanisms raise an alarm, and how fast faults show."""

import os
import sys
import time

from establish.proofs_check.audit import audit
from establish.proofs_check.audit.alarms import alarms
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.selftest import run

AUDITS = 1000
"""Audits of correct mechanisms, of which none may raise an alarm."""


def main() -> int:
    jobs = os.cpu_count() or 1
    for size in ("5%", "10%", "50%"):
        entry = ENTRIES[f"Laplace, scale {size} too small"]
        start = time.perf_counter()
        result = audit(entry.mechanism, entry.definition, seconds=60)
        spent = time.perf_counter() - start
        print(f"{size} overshoot at ε = 1: {result.outcome}, {result.samples} outputs, {spent:.1f} s")
    raised = alarms(AUDITS, outputs=100_000, jobs=jobs)
    print(f"{len(raised)} false alarms in {AUDITS} audits of correct mechanisms {raised}", flush=True)
    return 0 if run(jobs=jobs) and not raised else 1


if __name__ == "__main__":
    sys.exit(main())
