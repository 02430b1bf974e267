"""Run the checks of many claims, on several processors, each content once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from establish.proofs_check.engine import processes
from establish.proofs_check.engine.cache import Cache
from establish.proofs_check.engine.fingerprint import Fingerprints
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.settlement import Settlement, settle_claim
from establish.proofs_check.engine.statements.statement import PLAIN
from establish.proofs_check.engine.verdicts import Outcome, Verdict
from establish.proofs_check.engine.worker import load, settle_ids


@dataclass(frozen=True)
class Result:
    """A claim, how it came out, and whether that was read from the cache."""

    claim: Claim
    settlement: Settlement
    cached: bool

    @property
    def record(self) -> Record:
        return Record.of(self.claim, self.settlement)


def run(
    entries: Iterable[Claim],
    *,
    cache: Cache,
    jobs: int = 1,
    fresh: bool = False,
    files: tuple[Path, ...] = (),
    effort: int = PLAIN,
) -> Iterator[Result]:
    """Settle ``entries`` and yield each result as soon as it is there.

    A claim and those that repeat it are settled by one run of their check. ``fresh`` runs every
    check and renews the cache. ``effort`` is what adversaries try at least: a result of the cache is taken
    when they tried as much, or refuted the statement. ``files`` are the reviewer's own files that
    registered some of the entries: with ``jobs`` > 1 the worker processes execute them again to find the
    checks.
    """
    sharing: dict[str, list[Claim]] = {}
    for entry in entries:
        sharing.setdefault(entry.same_as or entry.id, []).append(entry)
    fingerprints = Fingerprints()
    keys: dict[str, str] = {}
    took: dict[str, float] = {}
    for home, group in sharing.items():
        key = fingerprints.key(group[0])
        known = cache.get(key, effort)
        if known is None or fresh:
            keys[home] = key
            guess = LONG if group[0].thorough else SHORT
            took[home] = guess if known is None else known.seconds
        else:
            yield from (Result(entry, known, cached=True) for entry in group)
    tasks = _tasks({home: sharing[home][0] for home in keys}, took)
    for home, settlement in _settle_each(tasks, jobs, files, effort):
        stands = cache.put(keys[home], settlement)
        yield from (Result(entry, stands, cached=False) for entry in sharing[home])


Task = Mapping[str, Claim]
"""Claims that one process settles one after the other, by the id that settles them."""


def _tasks(pending: Task, took: Mapping[str, float]) -> list[Task]:
    """The claims of one family are one task, so that what their checks share is computed once.

    took: the seconds of an earlier run, or a guess; the longest task comes first.
    """
    families: dict[str, dict[str, Claim]] = {}
    for home, entry in pending.items():
        families.setdefault(family(entry.module), {})[home] = entry
    return sorted(families.values(), key=lambda task: -sum(took[home] for home in task))


LONG, SHORT = 10.0, 0.25
"""The seconds that a claim is guessed to take, thorough or not, of which no earlier run is known."""


def family(module: str) -> str:
    """The folder of a module that lies deeper than the folder of its source; else the module."""
    before, papers, within = module.partition(".papers.")
    source, *rest = within.split(".")
    return f"{before}{papers}{source}.{rest[0]}" if rest else module


def _settle_each(
    tasks: Sequence[Task], jobs: int, files: tuple[Path, ...], effort: int
) -> Iterator[tuple[str, Settlement]]:
    if min(jobs, sum(map(len, tasks))) <= 1:
        for task in tasks:
            yield from ((home, settle_claim(entry, effort)) for home, entry in task.items())
        return
    lost: list[Task] = []
    papers = any(".papers." in entry.module for task in tasks for entry in task.values())
    with _processes(min(jobs, len(tasks)), files, papers) as pool:
        calls = [([entry.id for entry in task.values()], effort) for task in tasks]
        futures = dict(zip(processes.submitted(pool, settle_ids, calls), tasks, strict=True))
        for future in processes.as_done(futures):
            try:
                yield from zip(futures[future], future.result(), strict=True)
            except BrokenProcessPool:
                lost.append(futures[future])
    for task in lost:
        yield from ((home, _settle_alone(entry.id, files, effort)) for home, entry in task.items())


def _settle_alone(id: str, files: tuple[Path, ...], effort: int) -> Settlement:
    """The settlement of a claim whose process died, perhaps of another claim's check."""
    with _processes(1, files, False) as pool:
        try:
            return processes.submitted(pool, settle_ids, [([id], effort)])[0].result()[0]
        except BrokenProcessPool as error:
            reason = f"the process that ran the check died: {error}"
            return Settlement(Verdict(Outcome.UNSETTLED, (), condition=reason), 0.0)


def _processes(
    jobs: int, files: tuple[Path, ...], papers: bool
) -> AbstractContextManager[ProcessPoolExecutor]:
    """Processes that have executed ``files``: forked, where that is possible, from one process.

    That one is started anew and runs no thread of ours, so that forking it is safe. papers: whether it
    imports all papers first, so that no other has to.
    """
    return processes.pool(jobs, _context(papers), load, (files,))


def _context(papers: bool) -> Any:
    return processes.context(f"establish.proofs_check.engine.{'preloaded' if papers else 'worker'}")


def prepare_processes() -> None:
    """Let the process that others are forked from import the papers meanwhile, if forking is possible."""
    _context(papers=True)
    if processes.FORKED:
        from multiprocessing.forkserver import ensure_running  # which Windows has not

        with processes.deaf():
            ensure_running()
