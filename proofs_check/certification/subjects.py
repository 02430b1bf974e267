"""The mechanisms that are certified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from establish.impl.cards import NAMES, place
from establish.proofs_check.certification import bins_or_gaps, counts, earnings, equal_gaps, microdata
from establish.proofs_check.certification.printed_domains import printed
from establish.proofs_check.certification.runs import granted, runs
from establish.proofs_check.certification.sampling.error_bounds import certify_bounds
from establish.proofs_check.certification.sampling.exact_way import exact_way
from establish.proofs_check.certification.sampling.float_bounds import float_bounds
from establish.proofs_check.certification.subject import Case, Subject
from establish.proofs_check.certification.theorems import Runs, tried
from establish.proofs_check.engine.verdicts import Evidence

Piece = Callable[[], Evidence | Sequence[Evidence]]
"""A check, or several that are one piece of work."""

OF_SAMPLERS: tuple[Piece, ...] = (certify_bounds, exact_way, float_bounds)
"""What samplers share: bounds and the exact way."""


def pieces(name: str) -> tuple[Piece, ...]:
    """The checks of a mechanism. Those that several share are the same objects."""
    own = (partial(_in_its_domain, name, check) for check in (printed, counts.anywhere))
    return (*OF_SAMPLERS, *own, *(case.conforms for case in _cases(name)))


def shown(piece: Piece) -> Sequence[Evidence]:
    """What a piece shows."""
    found = piece()
    return (found,) if isinstance(found, Evidence) else found


def _cases(name: str) -> list[Case]:
    return [case for case in CASES if case.mechanism == name]


def _in_its_domain(name: str, check: Callable[[Runs], Evidence]) -> list[Evidence]:
    """A check that is about the parameters at which a mechanism is asked whether it runs."""
    return [check(each) for each in runs() if each.name == name and tried(each)]


def subject_of(name: str) -> Subject:
    """The mechanism ``name``, checked in all its cases."""
    cases = _cases(name)

    def checks() -> list[Evidence]:
        return [evidence for piece in pieces(name) for evidence in shown(piece)]

    def quick() -> list[Evidence]:
        own = (case.quick() for case in cases if case.quick is not None)
        return [*_in_its_domain(name, printed), *own]

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
    return {name: subject_of(name) for name in NAMES}
