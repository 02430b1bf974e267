"""The checks of several mechanisms on several processors, each of them once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from types import FunctionType

from establish.impl.certificate import CertificateError, certifying
from establish.proofs_check.certification.runs import granted
from establish.proofs_check.certification.subjects import pieces, shown
from establish.proofs_check.engine import processes
from establish.proofs_check.engine.verdicts import Evidence

Place = tuple[str, int]
"""A mechanism, and the number of a piece of its checks."""

Shown = list[Evidence] | str
"""What a piece shows, or why it cannot be run."""


@contextmanager
def checking(names: Sequence[str], jobs: int) -> Iterator[Mapping[str, Callable[[], list[Evidence]]]]:
    """Inside the block, what waits for the checks of each of these mechanisms, by name.

    They all run in ``jobs`` processes from when the first is waited for. A check that several share runs
    once, and before the others, as it takes longest.
    """
    places: dict[str, list[Place]] = {}
    first: dict[object, Place] = {}
    for name in names:
        places[name] = [
            first.setdefault(piece if isinstance(piece, FunctionType) else (name, i), (name, i))
            for i, piece in enumerate(pieces(name))
        ]
    used = [place for each in places.values() for place in each]
    with ExitStack() as opened:

        @cache
        def started() -> Mapping[Place, Future[Shown]]:
            pool = ProcessPoolExecutor(jobs, processes.context(__name__))
            opened.callback(pool.shutdown, cancel_futures=True)
            order = sorted(dict.fromkeys(used), key=lambda place: -used.count(place))
            return {place: pool.submit(_piece, *place) for place in order}

        yield {name: partial(_shown, started, each) for name, each in places.items()}


def _piece(name: str, number: int) -> Shown:
    try:
        with certifying(granted):
            return list(shown(pieces(name)[number]))
    except CertificateError as error:
        return str(error)


def _shown(started: Callable[[], Mapping[Place, Future[Shown]]], places: Sequence[Place]) -> list[Evidence]:
    found = []
    for place in places:
        result = started()[place].result()
        if isinstance(result, str):
            raise CertificateError(result)
        found += result
    return found
