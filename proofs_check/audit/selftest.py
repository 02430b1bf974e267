"""The audit's own test: how many planted faults it finds, and how often it raises a false alarm."""

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

from establish.proofs_check.audit import audit
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.engine import processes

SECONDS = {"large": 40.0, "50%": 20.0, "10%": 20.0, "5%": 20.0, "": 4.0}
"""So long each entry is audited at most, by the size of its fault; a correct one, ``""``, in vain."""

QUICK_SHARE = 5
"""The quick self-test takes the first of so many entries of each kind."""

QUICK_SECONDS = 20.0
"""So long an entry of the quick self-test is audited at most."""


@dataclass(frozen=True)
class Score:
    """How one entry came out. seconds: of computation; found: by pair and event, in words."""

    name: str
    kind: str
    size: str
    violated: bool
    seconds: float
    samples: int
    found: str

    @property
    def correct(self) -> bool:
        """Whether the mechanism keeps what it claims, so that ``violated`` is a false alarm."""
        return not self.size


@dataclass(frozen=True)
class SelfTest:
    """All scores. ``passed``: no large fault was missed, and there was no false alarm."""

    scores: tuple[Score, ...]
    seconds: float

    @property
    def missed(self) -> tuple[Score, ...]:
        """Large faults that were not found."""
        return tuple(s for s in self.scores if s.size == "large" and not s.violated)

    @property
    def false_alarms(self) -> tuple[Score, ...]:
        """Correct mechanisms that were said to break their claim."""
        return tuple(s for s in self.scores if s.correct and s.violated)

    @property
    def passed(self) -> bool:
        return not self.missed and not self.false_alarms

    def rate(self, size: str) -> tuple[int, int]:
        """How many faults of a size were found, and how many there are."""
        chosen = [s for s in self.scores if s.size == size]
        return sum(s.violated for s in chosen), len(chosen)


def chosen(quick: bool) -> list[str]:
    """The names of the entries of the self-test: all, or the quick subset."""
    if not quick:
        return list(ENTRIES)
    seen: dict[tuple[str, str], int] = {}
    names = []
    for entry in ENTRIES.values():
        group = (entry.kind, entry.size)
        if entry.size not in ("5%", "10%") and seen.get(group, 0) % QUICK_SHARE == 0:
            names.append(entry.name)
        seen[group] = seen.get(group, 0) + 1
    return names


def score(name: str, quick: bool = False, seed: int = 0) -> Score:
    """Audit one entry of the gallery."""
    entry = ENTRIES[name]
    seconds = min(SECONDS[entry.size], QUICK_SECONDS if quick else math.inf)
    start = time.perf_counter()
    result = audit(entry.mechanism, entry.definition, seconds=seconds, seed=seed)
    words = f"{result.pair}: {result.event}" if result.violated else ""
    spent = time.perf_counter() - start
    return Score(name, entry.kind, entry.size, result.violated, spent, result.samples, words)


def measure(
    quick: bool = False,
    seed: int = 0,
    jobs: int = 1,
    names: Sequence[str] | None = None,
    each: Callable[[Score], None] = lambda score: None,
) -> SelfTest:
    """Audit the gallery, or ``names`` of it; ``each`` is told of every entry as it is done.

    jobs: processes. Audits are limited by time, so rates vary with the speed of the machine.
    """
    start = time.perf_counter()
    work = partial(score, quick=quick, seed=seed)
    scores: list[Score] = []
    for one in _mapped(work, chosen(quick) if names is None else list(names), jobs):
        scores.append(one)
        each(one)
    return SelfTest(tuple(scores), time.perf_counter() - start)


def _mapped(work: Callable[[str], Score], names: list[str], jobs: int) -> Iterable[Score]:
    if jobs <= 1:
        yield from map(work, names)
        return
    with processes.pool(jobs, get_context("spawn")) as pool:
        yield from (one.result() for one in processes.submitted(pool, work, zip(names)))


def report(test: SelfTest) -> str:
    """The score by kind and by size, as a table, and what did not come out as it should."""
    lines = [f"{'kind':44}{'found':>10}{'seconds':>10}"]
    for kind in dict.fromkeys(s.kind for s in test.scores if not s.correct):
        lines.append(_line(kind, [s for s in test.scores if s.kind == kind and not s.correct]))
    lines += ["", f"{'size of the fault':44}{'found':>10}{'seconds':>10}"]
    for size in SECONDS:
        group = [s for s in test.scores if s.size == size and size]
        if group:
            lines.append(_line(size, group))
    right = [s for s in test.scores if s.correct]
    alarms = len(test.false_alarms)
    lines += ["", f"false alarms: {alarms} in {len(right)} audits of correct mechanisms"]
    lines += [f"missed, {s.size}: {s.name}" for s in test.scores if s.size and not s.violated]
    lines += [f"false alarm: {s.name}: {s.found}" for s in test.false_alarms]
    verdict = "passed" if test.passed else "FAILED"
    return "\n".join([*lines, "", f"self-test {verdict} in {test.seconds:.0f} s"])


def run(quick: bool = False, seed: int = 0, jobs: int | None = None) -> bool:
    """Audit the gallery, print the score, and say whether the self-test passed.

    quick: a subset, in less than a minute. jobs: processes, one per processor unless given.
    """
    done: list[Score] = []

    def tell(one: Score) -> None:
        done.append(one)
        print(f"\r{len(done)} audited: {one.name:60.60}", end="", file=sys.stderr, flush=True)

    test = measure(quick, seed, jobs or os.cpu_count() or 1, each=tell)
    print(file=sys.stderr)
    print(report(test))
    return test.passed


def _line(name: str, group: list[Score]) -> str:
    found = f"{sum(s.violated for s in group)}/{len(group)}"
    return f"{name:44}{found:>10}{sum(s.seconds for s in group):>10.1f}"
