"""The checks of several mechanisms on several processors, each of them once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count
from types import MethodType
from typing import Any

from establish.impl.certificate import CertificateError, certifying
from establish.impl.guarantee import Grant
from establish.proofs_check.certification.runs import granted
from establish.proofs_check.certification.subject import Subject
from establish.proofs_check.certification.subjects import Piece, pieces, shown
from establish.proofs_check.engine import processes
from establish.proofs_check.engine.verdicts import Evidence

Shown = list[Evidence] | str
"""What a piece of checks shows, or why it cannot be run."""

Own = tuple[tuple[Grant, ...] | str, dict[int, Shown]]
"""What theorems grant to a mechanism, or why nothing, and its own pieces by their number."""


@contextmanager
def elsewhere(
    subjects: Sequence[Subject], jobs: int, told: Callable[[int, int], object] = lambda done, number: None
) -> Iterator[list[Subject]]:
    """Inside the block, these mechanisms, whose grants are read and whose checks run in ``jobs`` processes.

    They begin when the first is asked for. What is a mechanism's own runs in one process, which finds out
    once where it is defined, and what several share runs once. told: how many pieces of how many are done.
    """
    with ExitStack() as opened:
        work = _Work([subject.name for subject in subjects], jobs, opened, told)
        yield [
            replace(each, checks=partial(work.checks, each.name), granted=partial(work.granted, each.name))
            for each in subjects
        ]


@dataclass(frozen=True)
class _Work:
    names: Sequence[str]
    jobs: int
    opened: ExitStack
    told: Callable[[int, int], object]

    @cached_property
    def _pieces(self) -> dict[str, tuple[Piece, ...]]:
        return {name: pieces(name) for name in self.names}

    @cached_property
    def _pool(self) -> ProcessPoolExecutor:
        return self.opened.enter_context(processes.pool(self.jobs, processes.context(__name__)))

    @cached_property
    def _started(self) -> tuple[dict[Piece, Future[Shown]], dict[str, Future[Own]]]:
        places = {
            piece: (name, number)
            for name, own in self._pieces.items()
            for number, piece in enumerate(own)
            if _is_shared(piece)
        }
        used = Counter(piece for each in self._pieces.values() for piece in each)
        last = sorted(places, key=lambda piece: -used[piece])  # the short ones, so that no process waits long
        ours = processes.submitted(self._pool, _own, [(name,) for name in self.names])
        theirs = processes.submitted(self._pool, _piece, [places[piece] for piece in last])
        own = dict(zip(self.names, ours, strict=True))
        shared = dict(zip(last, theirs, strict=True))
        done, number = count(1), len(own) + len(shared)
        futures: list[Future[Any]] = [*own.values(), *shared.values()]
        for future in futures:
            future.add_done_callback(lambda _: self.told(next(done), number))
        return shared, own

    def granted(self, name: str) -> tuple[Grant, ...]:
        found, _ = self._started[1][name].result()
        if isinstance(found, str):
            raise CertificateError(found)
        return found

    def checks(self, name: str) -> list[Evidence]:
        shared, own = self._started
        found: list[Evidence] = []
        for number, piece in enumerate(self._pieces[name]):
            result = shared[piece].result() if piece in shared else own[name].result()[1][number]
            if isinstance(result, str):
                raise CertificateError(result)
            found += result
        return found


def _is_shared(piece: Piece) -> bool:
    """Whether it may be another mechanism's as well: a function by itself, whose results may be kept."""
    return not isinstance(piece, partial | MethodType)


def _piece(name: str, number: int) -> Shown:
    try:
        with certifying(granted):
            return list(shown(pieces(name)[number]))
    except CertificateError as error:
        return str(error)


def _own(name: str) -> Own:
    own = {n: _piece(name, n) for n, piece in enumerate(pieces(name)) if not _is_shared(piece)}
    try:
        return granted(name), own
    except CertificateError as error:
        return str(error), own
