"""What running one check gave: its verdict and how long it took."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from establish.proofs_check.engine.extras import how_to_install, library_of
from establish.proofs_check.engine.register import Check
from establish.proofs_check.engine.verdicts import Evidence, Grade, Outcome, UnsettledError, Verdict


@dataclass(frozen=True)
class Settlement:
    """A verdict, the seconds its check took, and the traceback when the check raised.

    The verdict of a check that raised is *unsettled*, and its condition says why. cpu: the seconds of
    processor time. lacks: the library that is not installed, so that the check was not run.
    """

    verdict: Verdict
    seconds: float
    trace: str = ""
    cpu: float = 0.0
    lacks: str = ""

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
            float(data["cpu"]),
        )


def settle(check: Check) -> Settlement:
    """Run ``check`` once; whatever it raises makes the claim unsettled, never an error of ours."""
    start, cpu = time.perf_counter(), time.process_time()
    trace = lacks = ""
    try:
        verdict = check()
        if not isinstance(verdict, Verdict):
            raise TypeError(f"the check returned {verdict!r}, not a Verdict")
    except UnsettledError as reason:
        verdict = Verdict(Outcome.UNSETTLED, (), condition=str(reason))
        trace = traceback.format_exc()
    except ModuleNotFoundError as error:
        lacks = library_of(error)
        needed = f"{lacks} is not installed: {how_to_install(lacks)}" if lacks else f"{error}"
        verdict = Verdict(Outcome.UNSETTLED, (), condition=needed)
        trace = traceback.format_exc()
    except (Exception, SystemExit) as error:
        verdict = Verdict(Outcome.UNSETTLED, (), condition=f"{type(error).__name__}: {error}")
        trace = traceback.format_exc()
    took = round(time.perf_counter() - start, 3)
    return Settlement(verdict, took, trace, round(time.process_time() - cpu, 3), lacks)
