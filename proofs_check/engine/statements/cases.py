"""Statements about every case of a finite universe, in terms of the specification."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from types import FunctionType
from typing import Any

from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.exactly import exactly
from establish.proofs_check.engine.statements.statement import (
    Point,
    Statement,
    StatementError,
    Truth,
    require_spec_only,
    unused,
    where,
)
from establish.proofs_check.engine.statements.wording import said

Cases = Callable[[], Iterable[Any]]
"""The cases of a universe, smallest first."""


@dataclass(frozen=True)
class EveryCase(Statement):
    """``holds(case)`` for every case of ``cases``; an adversary looks at ``larger`` universes as well."""

    name: str
    cases: Cases
    holds: Callable[[Any], bool]
    larger: Cases | None = None
    wrong: Callable[[Any], bool] | None = None

    @property
    def text(self) -> str:
        return f"for every {self.name}, the universe being {said(self.cases)}: {said(self.holds)}"

    def at(self, point: Point) -> Truth:
        """The statement at one case of the universe, given as ``case``."""
        (case,) = self.taken(point, "case")
        if not any(case == one for one in exactly(self.cases)()):
            raise self.refused(f"outside the universe: {self.name} {case!r}")
        return Truth(_truth(exactly(self.holds), case), f"{self.name} {case!r}", exact=True)

    def truths(self) -> Iterator[tuple[Any, bool]]:
        """The cases of the universe, each with whether the statement is true there."""
        yield from _truths(self.cases, self.holds)

    searched = ("{} cases",)

    def refutations(self, effort: int) -> Iterator[str]:
        for universe in (self.cases, self.larger):
            truths = _truths(universe, self.holds) if universe else ()
            for case, truth in islice(truths, 20 * effort):
                yield "" if truth else f"{self.name} {case!r}"

    def planted(self) -> Iterator[tuple[str, Statement]]:
        if self.wrong is not None:
            yield "the wrong neighbor", replace(self, holds=self.wrong)
        holds = self.holds
        yield "the opposite", replace(self, holds=lambda case: not holds(case))


def _truths(cases: Cases, holds: Callable[[Any], bool]) -> Iterator[tuple[Any, bool]]:
    known = _known(cases, holds)
    asked = exactly(holds)
    for place, case in enumerate(exactly(cases)()):
        if place == len(known):
            known.append(_truth(asked, case))
        yield case, known[place]


def _truth(holds: Callable[[Any], bool], case: Any) -> bool:
    """Whether a predicate is true. Raises StatementError for what is no truth value, and passes for one."""
    found = holds(case)
    if not isinstance(found, bool):
        raise StatementError(
            f"{where(holds)}: at the case {case!r} it gives {found!r:.60}, which is neither True nor False"
        )
    return found


@shared
def _known(cases: Cases, holds: Callable[[Any], bool]) -> list[bool]:
    """Where the predicate is true, as far as it was looked: who searches for a counterexample and who shows
    every case ask for the same.
    """
    return []


def Every(
    name: str,
    cases: Cases,
    holds: Callable[[Any], bool],
    *,
    larger: Cases | None = None,
    wrong: Callable[[Any], bool] | None = None,
) -> EveryCase:
    """``holds(case)`` for every case of a finite universe.

    name: what a case is called. larger: a universe beyond it, for the adversary. wrong: a predicate close by
    that is false somewhere, as its planted neighbor. Raises StatementError for functions that read more than
    ``establish.spec``, and for a universe without cases, on which a predicate has no chance to be false.
    """
    made = EveryCase(name, cases, holds, larger, wrong)
    for formula in made.formulas:
        require_spec_only(formula, by_kind=True)
    if next(iter(cases()), None) is None:
        raise StatementError(f"{where(cases)}: the universe has no case")
    if isinstance(holds, FunctionType) and unused(holds, ("case",), before=0):
        raise StatementError(f"{where(holds)}: it never looks at its case")
    return made
