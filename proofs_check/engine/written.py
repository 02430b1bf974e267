"""Where a check is written, known without importing it."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.proofs_check.engine.ours import name_of

if TYPE_CHECKING:
    from establish.proofs_check.engine.verdicts import Verdict
    from establish.proofs_check.formal.accepted import FormalEntry


@dataclass(frozen=True)
class Written:
    """The place and the docstring of a check. file: as `name_of` calls it. line: of its first line."""

    module: str
    file: str
    line: int
    derivation: str


@dataclass(frozen=True)
class Deferred:
    """The check of the claim ``id``, whose module is imported only when the check runs.

    key: its fingerprint when it was last imported, quantified: the texts of the claim's objects then, and
    kernel: what a kernel accepted for that text, opinion: the second one on its proof; the index holds them
    while nothing that they are made from changes.
    """

    id: str
    written: Written
    key: str
    quantified: tuple[str, ...]
    kernel: FormalEntry | None
    opinion: str = ""

    def __call__(self) -> Verdict:
        raise TypeError(f"the check of {self.id} is not imported: settle the claim with settle_claim")


def written(check: Any) -> Written:
    """Where ``check`` is written; of one with given arguments (functools.partial), its function."""
    if isinstance(check, Deferred):
        return check.written
    function = check.func if isinstance(check, partial) else check
    file, line = inspect.getfile(function), function.__code__.co_firstlineno
    derivation = inspect.getdoc(function) or ""
    return Written(function.__module__, name_of(Path(file)), line, derivation)
