"""What running one check gave: its verdict and how long it took."""

from __future__ import annotations

import signal
import time
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from establish.proofs_check.engine.extras import how_to_install, library_of
from establish.proofs_check.engine.grades import (
    POSITIVE,
    UNGRADED,
    UNSTATED,
    Grades,
    Stated,
    beside,
    contradicted,
    graded,
)
from establish.proofs_check.engine.lines import line_of
from establish.proofs_check.engine.patience import LIMIT, LONG_LIMIT, watched
from establish.proofs_check.engine.register import Check, Claim, imported
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.statement import PLAIN, Search, Statement
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Grade,
    Outcome,
    UnsettledError,
    Verdict,
    settled_only,
)
from establish.proofs_check.engine.written import written


@dataclass(frozen=True)
class Settlement:
    """A verdict, the seconds its check took, and the traceback when the check raised.

    The verdict of a check that raised is *unsettled*, and its condition says why; so is one that an
    adversary refutes, and one on objects that its evidence does not decide. grades: how strong it is.
    searches: what the adversaries of its objects tried. cpu: the seconds of processor time. lacks: the
    library that is not installed, so that the check was not run. line: the line of the check's file at
    which it raised, or where an unsettled check begins; or 0.
    """

    verdict: Verdict
    seconds: float
    trace: str = ""
    grades: Grades = UNGRADED
    searches: tuple[Search, ...] = ()
    cpu: float = 0.0
    lacks: str = ""
    line: int = 0

    def searched(self, effort: int) -> bool:
        """Whether every adversary that had something to search tried as much as ``effort``, or more."""
        return all(search.effort >= effort for search in self.searches)

    @property
    def refuted(self) -> bool:
        """Whether an adversary found a counterexample, which a search with less effort does not undo."""
        return any(search.refuted for search in self.searches)

    @property
    def effort(self) -> int:
        """The most that an adversary tried, 0 where none had something to search."""
        return max((search.effort for search in self.searches), default=0)

    def to_json(self) -> dict[str, Any]:
        """Plain strings, numbers, lists and dicts, which `from_json` reads."""
        data = asdict(self)
        for piece in data["verdict"]["evidence"]:
            del piece["made"]
        return data

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Settlement:
        """The settlement that `to_json` wrote.

        Raises KeyError, TypeError or ValueError when ``data`` is something else.
        """
        verdict = dict(data["verdict"])
        pieces = verdict.pop("evidence")
        evidence = tuple(Evidence(**{**piece, "grade": Grade(piece["grade"])}) for piece in pieces)
        outcome = Outcome(verdict.pop("outcome"))
        words = ("statement", "value", "condition")
        grades = {name: Grade(g) if (g := data["grades"][name]) else None for name in words}
        if Grade.FORMAL in grades.values():
            raise ValueError("a settlement is not formal: the record of a proof assistant is read beside it")
        searches = (
            Search(**{**s, "found": tuple(s["found"]), "missed": tuple(s["missed"])})
            for s in data["searches"]
        )
        return Settlement(
            Verdict(outcome, evidence, **verdict),
            float(data["seconds"]),
            data["trace"],
            Grades(**grades, prose=data["grades"]["prose"]),
            tuple(searches),
            float(data["cpu"]),
            line=int(data["line"]),
        )


def settle(check: Check, stated: Stated = UNSTATED, effort: int = PLAIN) -> Settlement:
    """Run ``check`` once, and let the adversaries of the claim's objects meet its verdict with ``effort``.

    Whatever the check raises makes the claim unsettled, never an error of ours; so does what an object of the
    claim raises when it is printed or searched. A verdict that calls a
    statement true, as printed or as it is meant, is unsettled when the search refutes that statement.
    """
    start, cpu = time.perf_counter(), time.process_time()
    trace, lacks, line = "", "", 0
    searches: tuple[Search, ...] = ()
    grades = UNGRADED
    try:
        meant = [each.content for each in stated.all]
        verdict = check()
        if type(verdict) is not Verdict:
            raise TypeError(f"the check returned {verdict!r}, not a Verdict")
        if other := beside(verdict, stated):
            raise UnsettledError(f"{verdict.outcome}, but {other}")
        verdict = replace(verdict, evidence=tuple(map(settled_only, verdict.evidence)))
        if opposite := contradicted(verdict, stated):
            raise UnsettledError(f"{verdict.outcome}, and its evidence shows the opposite: {opposite}")
        grades = graded(verdict, stated)
        searches = tuple(_searched(statement, effort) for statement in _said_true(verdict, stated))
        if stated.printed and grades.prose:
            raise UnsettledError(f"the check says {verdict.outcome}, and {grades.prose}")
        for each, before in zip(stated.all, meant, strict=True):
            if each.content != before:
                raise UnsettledError(f"it says something else than before its check was run: {each.text}")
    except UnsettledError as reason:
        verdict = _unsettled(str(reason))
        trace, line = traceback.format_exc(), _line(reason, check)
    except ModuleNotFoundError as error:
        lacks = library_of(error)
        needed = f"{lacks} is not installed: {how_to_install(lacks)}" if lacks else f"{error}"
        verdict = _unsettled(needed)
        trace = traceback.format_exc()
        line = 0 if lacks else _line(error, check)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            raise  # the user's; where it is the command's to end, as in a worker, it is the check's own
        verdict = _unsettled(f"{type(error).__name__}: {error}")
        trace, line = traceback.format_exc(), _line(error, check)
    if refuted := next((search for search in searches if search.refuted), None):
        verdict = _unsettled(f"the adversary refutes {refuted.statement} at {refuted.refuted}")
        line = written(check).line
    if verdict.outcome is Outcome.UNSETTLED:
        grades = UNGRADED
    seconds, used = time.perf_counter() - start, time.process_time() - cpu
    return Settlement(verdict, round(seconds, 3), trace, grades, searches, round(used, 3), lacks, line)


def _unsettled(reason: str) -> Verdict:
    return Verdict(Outcome.UNSETTLED, (), condition=reason)


def _line(error: BaseException, check: Check) -> int:
    """The line of the check's file at which ``error`` was raised; of one raised elsewhere, its first line."""
    at = written(check)
    return line_of(error, at.file) or at.line


def settle_claim(entry: Claim, effort: int = PLAIN) -> Settlement:
    """Settle a claim of the register, with its objects; one that is not imported yet is imported."""
    known = imported(entry)
    with watched(entry.id, LONG_LIMIT if entry.thorough else LIMIT):
        return settle(known.check, known.stated, effort)


@shared
def _searched(statement: Statement, effort: int) -> Search:
    """What the adversary of a statement tried: claims of one family state some of them together."""
    return statement.search(effort)


def _said_true(verdict: Verdict, stated: Stated) -> tuple[Statement, ...]:
    """The objects that the verdict says are true."""
    if verdict.outcome in POSITIVE:
        return stated.printed + stated.tight
    if verdict.outcome in (Outcome.FAILS, Outcome.ILL_POSED):
        return stated.meant + stated.tight
    if verdict.outcome is Outcome.MISPRINT:
        read_as_true = any(f"({outcome})" in verdict.condition for outcome in POSITIVE)
        return stated.meant + stated.tight if read_as_true else stated.tight
    return ()
