"""Every case of a stated finite universe."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from establish.proofs_check.engine.statements.cases import EveryCase
from establish.proofs_check.engine.statements.comparison import MAKERS, Comparison
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.statements.statement import require
from establish.proofs_check.engine.verdicts import Evidence, Grade, Made

Case = TypeVar("Case")


def for_all(cases: Iterable[Case], predicate: Callable[[Case], bool], says: str, universe: str) -> Evidence:
    """Evidence that the predicate is true in every case; the first false case is the witness.

    List the cases smallest first, so that the witness is minimal. An empty universe proves nothing.
    """
    return _found(((case, predicate(case)) for case in cases), says, universe)


def _found(truths: Iterable[tuple[Case, bool]], says: str, universe: str) -> Evidence:
    count = 0
    for case, truth in truths:
        count += 1
        if not truth:
            return Evidence(says, False, Grade.EXHAUSTIVE, "exhaustive", repr(case), universe)
    scope = f"universe: {universe} ({count} cases)"
    return Evidence(says, True if count else None, Grade.EXHAUSTIVE, "exhaustive", "", scope)


def proves(statement: Comparison, most: int = 100_000) -> Evidence:
    """Evidence for a statement over integers between two ends each, at every point of its domain.

    As every case is looked at, the grade is ``proof``, or ``enclosure`` where Arb had to decide one.
    Raises TypeError for a variable that is no integer or has no two ends, or for more than ``most`` points.
    """
    require(statement, Comparison, MAKERS)
    found = Evidence(
        statement.text, True, Grade.PROOF, "exhaustive", decides=statement.text, identity=statement.identity
    )
    count = 0
    try:
        for values in _all_points(statement.domain, ()):
            count += 1
            if count > most:
                raise TypeError(f"more than {most} points: {statement.text}")
            truth = statement.at(dict(zip(statement.domain.names, values, strict=True)))
            if truth.value is not True:
                return replace(found, established=truth.value, witness=truth.shown)
            if not truth.exact:
                found = replace(found, grade=Grade.ENCLOSURE)
    except (_Undecided, ArithmeticError) as reason:
        return replace(found, established=None, witness=str(reason))
    if not count:
        return replace(found, established=None, witness="the domain is empty")
    return replace(found, says=f"{statement.text} (all {count} points)", made=Made(statement))


def each(statement: EveryCase, universe: str) -> Evidence:
    """Evidence for a statement on every case of a universe, which is named in words.

    The first false case is the witness. A universe on which the predicate is never false and its planted
    neighbor neither has shown nothing: undecided.
    """
    found = _found(statement.truths(), statement.text, universe)
    wrong = statement.wrong
    if (
        found.established
        and wrong is not None
        and all(truth for _, truth in replace(statement, holds=wrong).truths())
    ):
        found = replace(found, established=None, witness="the mutant is true as well")
    return replace(found, decides=statement.text, identity=statement.identity, made=Made(statement))


class _Undecided(Exception):
    """Whether a point is a case is not decided; the message says which."""


def _all_points(domain: Domain, values: tuple[Fraction, ...]) -> Iterator[tuple[Fraction, ...]]:
    if len(values) == len(domain.variables):
        inside = domain.inside(values)
        if inside is None:
            raise _Undecided(f"whether {domain.told(values)} lies in the domain is not decided")
        if inside:
            yield values
        return
    variable = domain.variables[len(values)]
    numbers = variable.whole_between(values)
    if variable.field != "ℤ" or numbers is None:
        raise TypeError(f"{variable.name} must be an integer between two ends")
    for number in numbers:
        yield from _all_points(domain, (*values, Fraction(number)))
