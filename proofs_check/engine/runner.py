"""Run the checks of many claims, on several processors, each content once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from establish.proofs_check.engine.cache import Cache
from establish.proofs_check.engine.fingerprint import Fingerprints
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.register import Claim, claims, claims_of_file
from establish.proofs_check.engine.settlement import Settlement, settle
from establish.proofs_check.engine.verdicts import Outcome, Verdict


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
) -> Iterator[Result]:
    """Settle ``entries`` and yield each result as soon as it is there.

    A claim and those that repeat it are settled by one run of their check. ``fresh`` runs every
    check and renews the cache. ``files`` are the reviewer's own files that registered some of the
    entries: with ``jobs`` > 1 the worker processes execute them again to find the checks.
    """
    sharing: dict[str, list[Claim]] = {}
    for entry in entries:
        sharing.setdefault(entry.same_as or entry.id, []).append(entry)
    fingerprints = Fingerprints()
    keys: dict[str, str] = {}
    for home, group in sharing.items():
        key = fingerprints.key(group[0])
        known = None if fresh else cache.get(key)
        if known is None:
            keys[home] = key
        else:
            yield from (Result(entry, known, cached=True) for entry in group)
    for home, settlement in _settle_each({home: sharing[home][0] for home in keys}, jobs, files):
        cache.put(keys[home], settlement)
        yield from (Result(entry, settlement, cached=False) for entry in sharing[home])


def _settle_each(
    pending: Mapping[str, Claim], jobs: int, files: tuple[Path, ...]
) -> Iterator[tuple[str, Settlement]]:
    jobs = min(jobs, len(pending))
    if jobs <= 1:
        yield from ((home, settle(entry.check, entry.stated)) for home, entry in pending.items())
        return
    lost: list[str] = []
    with _processes(jobs, files) as pool:
        homes = {pool.submit(_settle_id, entry.id): home for home, entry in pending.items()}
        for future in as_completed(homes):
            try:
                yield homes[future], future.result()
            except BrokenProcessPool:
                lost.append(homes[future])
    for home in lost:
        yield home, _settle_alone(pending[home].id, files)


def _settle_alone(id: str, files: tuple[Path, ...]) -> Settlement:
    """The settlement of a claim whose process died, perhaps of another claim's check."""
    with _processes(1, files) as pool:
        try:
            return pool.submit(_settle_id, id).result()
        except BrokenProcessPool as error:
            reason = f"the process that ran the check died: {error}"
            return Settlement(Verdict(Outcome.UNSETTLED, (), condition=reason), 0.0)


def _processes(jobs: int, files: tuple[Path, ...]) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(jobs, context, initializer=_load, initargs=(files,))


_known: dict[str, Claim] = {}
"""In a worker process: every claim that it may be asked to settle."""


def _load(files: tuple[Path, ...]) -> None:
    _known.update(claims())
    for file in files:
        _known.update(claims_of_file(file))


def _settle_id(id: str) -> Settlement:
    return settle(_known[id].check, _known[id].stated)
