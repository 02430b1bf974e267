"""The checks of several mechanisms on several processors, each of them once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from types import FunctionType

from establish.impl.certificate import CertificateError, certifying
from establish.proofs_check.certification.runs import granted
from establish.proofs_check.certification.subjects import pieces, shown
from establish.proofs_check.engine.verdicts import Evidence

Place = tuple[str, int]
"""A mechanism, and the number of a piece of its checks."""


@contextmanager
def checking(names: Sequence[str], jobs: int) -> Iterator[Mapping[str, Callable[[], list[Evidence]]]]:
    """Inside the block these mechanisms are checked in ``jobs`` processes; by name, what waits for that.

    A check that several share runs once, and before the others, as it takes longest.
    """
    places: dict[str, list[Place]] = {}
    first: dict[object, Place] = {}
    for name in names:
        own = enumerate(pieces(name))
        places[name] = [
            first.setdefault(piece if isinstance(piece, FunctionType) else (name, i), (name, i))
            for i, piece in own
        ]
    used = [place for each in places.values() for place in each]
    with ProcessPoolExecutor(jobs, _context()) as pool:
        order = sorted(dict.fromkeys(used), key=lambda place: -used.count(place))
        futures = {place: pool.submit(_piece, *place) for place in order}
        try:
            yield {name: partial(_shown, [futures[place] for place in each]) for name, each in places.items()}
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _context() -> multiprocessing.context.BaseContext:
    """A process that is started anew imports what is checked, and others are forked from it if possible."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def _piece(name: str, number: int) -> list[Evidence] | str:
    try:
        with certifying(granted):
            return list(shown(pieces(name)[number]))
    except CertificateError as error:
        return str(error)


def _shown(futures: Sequence[Future[list[Evidence] | str]]) -> list[Evidence]:
    found = []
    for future in futures:
        result = future.result()
        if isinstance(result, str):
            raise CertificateError(result)
        found += result
    return found
