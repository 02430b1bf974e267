"""Inequalities and identities over quantified reals, rationals and integers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from establish.proofs_check.engine.statements.domain import (
    WORDS,
    Condition,
    Domain,
    as_tree,
    digits,
    number_or,
    printed,
)
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Side,
    Statement,
    StatementError,
    Truth,
    require_spec_only,
    unused,
    where,
)
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.engine.statements.wording import said
from establish.proofs_check.terms.sentence import REVERSED, Sentence, prop
from establish.proofs_check.terms.telling import telling
from establish.proofs_check.terms.values import Compared, compared, truth

SHRINKING = tuple(Fraction(s) for s in ("999/1000", "99/100", "9/10", "1/2", "1/10"))
"""Factors by which a planted neighbor moves the larger side towards being false."""

MAKERS = "AtMost, Below, Equal or Compares"
"""The functions by which authors make a `Comparison`."""

SIGNS = {"<": "<", "=": "==", ">": ">"}
"""The signs by which two numbers are shown, as relations."""

LOWERING = tuple(map(Fraction, ("1/1000", "1/10", "1", "10", "100")))
"""By how much it lowers the larger side where a side is 0, so that no factor changes what is said."""


NUMERAL = re.compile(r"−?\d+(/\d+)?")


"""A side that is a number."""


def how_computed(side: Formula, number: str = "") -> str:
    """The formula by which a number is computed; ``number`` where it is given as it is."""
    source = getattr(side, "source", side)
    written = re.sub(r"number\((.*)\) of c\b", r"\1", said(source)) if source else number
    return number if number and re.fullmatch(r"value \[value = .*\]", written) else written


@dataclass(frozen=True)
class Comparison(Statement):
    """``left relation right`` at every point of a domain; authors make it by the functions below."""

    domain: Domain
    left: Any
    relation: str
    right: Any

    def __post_init__(self) -> None:
        """Reads both sides as trees, once, for every method. Raises StatementError where one is none."""
        for name in ("left", "right"):
            side = number_or(getattr(self, name), name)
            object.__setattr__(self, name, as_tree(side, self.domain.terms))

    def failure(self, values: Sequence[Fraction]) -> str | None:
        """Why the statement cannot be evaluated there, or None."""
        try:
            self._compared(values)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return None

    @cached_property
    def sentence(self) -> Sentence:
        """What the statement says, as trees."""
        said = prop(self.left.term, self.relation, self.right.term)
        return Sentence(self.domain.terms, self.domain.given, said)

    @cached_property
    def identity(self) -> str:
        return self.sentence.digest

    def _compared(self, values: Sequence[Fraction]) -> Compared:
        """The conclusion at values of the variables. Raises ArithmeticError where a side is not finite."""
        at = {id(v): x for v, x in zip(self.domain.terms, values, strict=True)}
        found = compared(self.sentence.conclusion, at)
        if not found.defined:
            raise ArithmeticError("a side is not a finite number")
        return found

    @property
    def _sides(self) -> tuple[Formula, Formula]:
        return self.left, self.right

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (*self._sides, *self.domain.formulas)

    @cached_property
    def _printed_sides(self) -> list[str]:
        return [printed(side, self.domain.variables) for side in self._sides]

    @property
    def _of_numbers(self) -> bool:
        return all(map(NUMERAL.fullmatch, self._printed_sides))

    @property
    def defines(self) -> tuple[Any, ...]:
        """What computes two numbers, which the text names and does not print."""
        return tuple(getattr(side, "source", side) for side in self._sides) if self._of_numbers else ()

    @cached_property
    def conclusion(self) -> str:
        """Both sides, unsimplified; where both are numbers, how each is computed."""
        sides = self._printed_sides
        if self._of_numbers:
            sides = [how_computed(side, text) for side, text in zip(self._sides, sides, strict=True)]
        return f" {WORDS[self.relation]} ".join(sides)

    @property
    def text(self) -> str:
        return self.domain.before(self.conclusion)

    def at(self, point: Point) -> Truth:
        return self._at(self.domain.values(point))

    def _at(self, values: Sequence[Fraction]) -> Truth:
        found = self._compared(values)
        left, right = (found.left, found.right)
        if self.relation in REVERSED:
            left, right = right, left
        between = next((word for word in "<=>" if truth(SIGNS[word], left, right)), "≈")
        shown = f"{digits(left)} {between} {digits(right)}"
        at = self.domain.told(values)
        return Truth(found.truth, f"{at}: {shown}" if at else shown, found.exact)

    def counterexample(self, effort: int) -> tuple[str, str]:
        if not self.domain.variables:
            return "its only point", self._at(()).shown if self._false(()) else ""
        tried, refuted = self.simple_counterexample(effort)
        if refuted:
            return tried, refuted
        for values in self.domain.telling_points(self._telling, effort // 2):
            if self._false(values):
                return f"{tried}, then those of its constants", self._at(values).shown
        drawn = self.domain.drawn_point(self._false, effort // 4)
        if drawn is not None:
            return f"{tried}, then Hypothesis", self._at(drawn).shown
        return f"{tried} and {effort // 4} of Hypothesis", ""

    def simple_counterexample(self, effort: int) -> tuple[str, str]:
        points = self.domain.simple_points(effort)
        refutations = (self._at(values).shown if self._false(values) else "" for values in points)
        return self.first_of(refutations, "{} simple points")

    @cached_property
    def _telling(self) -> list[Fraction]:
        """Values at which its formulas may turn."""
        return telling((*self.sentence.given, self.sentence.conclusion))

    def _false(self, values: Sequence[Fraction]) -> bool:
        try:
            return self._compared(values).truth is False
        except ArithmeticError:
            return False

    def planted(self) -> Iterator[tuple[str, Statement]]:
        """Without variables those are left out that happen to be true at the only point."""
        for name, neighbor in self._neighbors():
            if self.domain.variables or neighbor.at({}).value is not True:
                yield name, neighbor

    def _neighbors(self) -> Iterator[tuple[str, Comparison]]:
        left, right = self._sides
        zero = "0" in (printed(f, self.domain.variables) for f in self._sides)
        if self.relation in ("==", "!="):
            for share in SHRINKING[:2]:
                name, moved = f"times {2 - share}", _scaled(right, 2 - share)
                if zero:
                    name, moved = f"plus {1 - share}", _lowered(right, share - 1)
                yield f"right side {name}", replace(self, right=moved, relation="==")
            yield "the two sides are different", replace(self, relation="!=")
            return
        larger = "right" if self.relation in ("<", "<=") else "left"
        side = right if larger == "right" else left
        moves = [(f"times {share}", _scaled(side, share)) for share in SHRINKING]
        if zero:
            moves = [(f"less {by}", _lowered(side, by)) for by in LOWERING]
        for name, moved in moves:
            by = replace(self, right=moved) if larger == "right" else replace(self, left=moved)
            yield f"{larger} side {name}", by
        opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[self.relation]
        yield "the opposite", replace(self, relation=opposite)

    def where(self, *conditions: Condition) -> Comparison:
        """The same statement on the part of the domain where the conditions are met."""
        domain = replace(self.domain, conditions=(*self.domain.conditions, *conditions))
        return checked(replace(self, domain=domain))


def checked(statement: Comparison) -> Comparison:
    """A statement as an author writes it. Raises StatementError with file and line when it reads more than
    ``establish.spec``, ignores a variable, has an empty domain, or cannot be evaluated.
    """
    for formula in statement.formulas:
        require_spec_only(formula, by_kind=True)
    domain, place = statement.domain, where(statement.left)
    ignored = set(domain.names).intersection(*(unused(f, domain.names) for f in statement.formulas))
    if ignored:
        raise StatementError(f"{place}: {', '.join(sorted(ignored))} is never used")
    if statement.conclusion in domain.assumed():
        raise StatementError(f"{place}: the conclusion is assumed: {statement.text}")
    refused = ""
    for values in domain.simple_points(8):
        failure = statement.failure(values)
        if failure is None:
            return statement
        at = domain.told(values) or "its only point"
        refused = refused or f"cannot be evaluated at {at}: {failure}"
    raise StatementError(f"{place}: {refused or f'the domain is empty: {domain.said()}'}")


def _scaled(formula: Formula, factor: Fraction) -> Formula:
    """The formula moved towards 0 by the factor, or away from 0 when it is negative."""

    def scaled(c, *values):  # type: ignore[no-untyped-def]
        value = formula(c, *values)
        return value - c.absolute(value) * c.number(1 - factor)

    return scaled


def _lowered(formula: Formula, by: Fraction) -> Formula:
    return lambda c, *values: formula(c, *values) - c.number(by)


def _comparison(
    variables: Sequence[Variable], left: Side, relation: str, right: Side, conditions: Sequence[Condition]
) -> Comparison:
    if not isinstance(conditions, Sequence):
        raise StatementError(f"given = {conditions!r} must be a list: [given(left, '<=', right)]")
    domain = Domain(tuple(variables), tuple(conditions))
    return checked(Comparison(domain, left, relation, right))


def AtMost(*variables: Variable, left: Side, right: Side, given: Sequence[Condition] = ()) -> Comparison:
    """left ≤ right for all values of the variables that meet the conditions."""
    return _comparison(variables, left, "<=", right, given)


def Below(*variables: Variable, left: Side, right: Side, given: Sequence[Condition] = ()) -> Comparison:
    """left < right for all values of the variables that meet the conditions."""
    return _comparison(variables, left, "<", right, given)


def Equal(*variables: Variable, left: Side, right: Side, given: Sequence[Condition] = ()) -> Comparison:
    """left = right for all values of the variables that meet the conditions."""
    return _comparison(variables, left, "==", right, given)


def Compares(
    *variables: Variable, left: Side, relation: str, right: Side, given: Sequence[Condition] = ()
) -> Comparison:
    """left relation right, for any relation of WORDS."""
    return _comparison(variables, left, relation, right, given)
