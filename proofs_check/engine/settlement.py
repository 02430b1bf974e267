"""What running one check gave: its verdict and how long it took."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from establish.proofs_check.engine.lines import line_of
from establish.proofs_check.engine.register import Check, file_of
from establish.proofs_check.engine.verdicts import Evidence, Grade, Outcome, UnsettledError, Verdict


@dataclass(frozen=True)
class Settlement:
    """A verdict, the seconds its check took, and the traceback when the check raised.

    The verdict of a check that raised is *unsettled*, and its condition says why. ``line`` is then the
    line of the check's file that was running, or 0.
    """

    verdict: Verdict
    seconds: float
    trace: str = ""
    line: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain strings, numbers, lists and dicts, which `from_json` reads."""
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Settlement:
        """The settlement that `to_json` wrote.

        Raises KeyError, TypeError or ValueError when ``data`` is something else.
        """
        verdict = dict(data["verdict"])
        pieces = verdict.pop("evidence")
        evidence = tuple(Evidence(**{**piece, "grade": Grade(piece["grade"])}) for piece in pieces)
        outcome = Outcome(verdict.pop("outcome"))
        return Settlement(
            Verdict(outcome, evidence, **verdict),
            float(data["seconds"]),
            data["trace"],
            int(data["line"]),
        )


def settle(check: Check) -> Settlement:
    """Run ``check`` once; whatever it raises makes the claim unsettled, never an error of ours."""
    start = time.perf_counter()
    trace, line = "", 0
    try:
        verdict = check()
        if not isinstance(verdict, Verdict):
            raise TypeError(f"the check returned {verdict!r}, not a Verdict")
    except UnsettledError as reason:
        verdict = Verdict(Outcome.UNSETTLED, (), condition=str(reason))
        trace, line = traceback.format_exc(), line_of(reason, file_of(check))
    except (Exception, SystemExit) as error:
        verdict = Verdict(Outcome.UNSETTLED, (), condition=f"{type(error).__name__}: {error}")
        trace, line = traceback.format_exc(), line_of(error, file_of(check))
    return Settlement(verdict, round(time.perf_counter() - start, 3), trace, line)
