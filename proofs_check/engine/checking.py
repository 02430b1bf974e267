"""Settle claims from Python, as ``establish check`` does from the command line."""

import os

from establish.proofs_check.engine.cache import Cache, folder
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.runner import run
from establish.proofs_check.engine.selection import select
from establish.proofs_check.engine.statements.statement import PLAIN, THOROUGH


def check(
    *patterns: str, fresh: bool = False, thorough: bool = False, jobs: int | None = None
) -> list[Record]:
    """How every claim that ``patterns`` name comes out, in reading order; all claims without a pattern.

    A pattern is an id, a source, a glob on ids, or the path of a ``.py`` file. ``fresh`` runs every
    check again; otherwise results of unchanged content come from the cache. ``thorough`` runs the
    claims that take long as well, and lets adversaries search deeper. ``jobs`` is the number of
    processes, one per processor by default. Raises Misuse for a pattern that names nothing and for a file
    that cannot be loaded.
    """
    selection = select(patterns)
    chosen = selection.to_check(thorough)
    processes = jobs or os.cpu_count() or 1
    results = {
        result.claim.id: result.record
        for result in run(
            chosen.values(),
            cache=Cache(folder()),
            jobs=processes,
            fresh=fresh,
            files=selection.files,
            effort=THOROUGH if thorough else PLAIN,
        )
    }
    return [results[id] for id in chosen]
