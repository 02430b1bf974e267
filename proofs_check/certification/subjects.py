"""The mechanisms that are certified: their code, their claims, and how their samplers are checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from establish.proofs_check.certification import counts
from establish.proofs_check.verdicts import Evidence


@dataclass(frozen=True)
class Subject:
    """One certified mechanism.

    modules: the implementation and the specification that it implements. rests_on: the claims that its
    guarantee needs, over all calibrations. checks: what is shown about its sampler.
    """

    name: str
    modules: tuple[str, ...]
    rests_on: tuple[str, ...]
    checks: Callable[[], list[Evidence]]


def subjects() -> dict[str, Subject]:
    """Every mechanism that needs a certificate to run, by name."""
    return {
        subject.name: subject
        for subject in (
            Subject(
                name,
                tuple(dict.fromkeys(module for case in cases for module in case.modules)),
                tuple(dict.fromkeys(claim for case in cases for claim in case.runs.rests_on)),
                lambda cases=cases: counts.checks(cases),
            )
            for name, cases in counts.CASES.items()
        )
    }
