"""The mechanisms that are certified."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from establish.impl.cards import NAMES, place
from establish.proofs_check.certification import bins_or_gaps, counts, earnings, equal_gaps, microdata
from establish.proofs_check.certification.printed_domains import printed
from establish.proofs_check.certification.runs import granted, runs
from establish.proofs_check.certification.sampling.error_bounds import certify_bounds
from establish.proofs_check.certification.sampling.exact_way import exact_way
from establish.proofs_check.certification.sampling.float_bounds import float_bounds
from establish.proofs_check.certification.subject import Case, Subject
from establish.proofs_check.certification.theorems import tried
from establish.proofs_check.engine.verdicts import Evidence


def subject_of(name: str, cases: Sequence[Case]) -> Subject:
    """The mechanism ``name``, checked in all its cases; samplers share bounds and the exact way."""

    def checks() -> list[Evidence]:
        of_samplers = (*certify_bounds(), *exact_way(), *float_bounds())
        asked = [each for each in runs() if each.name == name and tried(each)]
        domains = (check(each) for each in asked for check in (printed, counts.anywhere))
        return [*of_samplers, *domains, *(case.conforms() for case in cases)]

    def quick() -> list[Evidence]:
        asked = [each for each in runs() if each.name == name and tried(each)]
        return [*map(printed, asked), *(case.quick() for case in cases if case.quick is not None)]

    return Subject(
        name,
        tuple(dict.fromkeys([place(name), *(module for case in cases for module in case.modules)])),
        tuple(dict.fromkeys(claim for case in cases for claim in case.rests_on)),
        checks,
        partial(granted, name),
        quick,
    )


CASES: tuple[Case, ...] = (
    *counts.CASES,
    *earnings.CASES,
    *equal_gaps.CASES,
    *bins_or_gaps.CASES,
    *microdata.CASES,
)
"""Everything that is checked of one mechanism; all share the checks of samplers."""


def subjects() -> dict[str, Subject]:
    """Every mechanism that needs a certificate to run, by name."""
    return {name: subject_of(name, [case for case in CASES if case.mechanism == name]) for name in NAMES}
