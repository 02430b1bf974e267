"""Statements about all tables of sums with bounds, of any size, with an adversary over small tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Real, Variable
from establish.spec.arithmetic import EXACT
from establish.spec.disclosure_limitation.linear_bounds import LinearTable

ROW = (Real("y"), Real("b"))
TERM = (Real("r"), Real("low"), Real("high"))
PLACES = 3
BOX = (0, 1, 2)
FORMS: tuple[tuple[int, ...], ...] = ((1, 1, 0), (1, -1, 1), (0, 1, 1), (1, 0, 0), (-1, 1, 0))
DUALS = tuple({0: Fraction(a), 1: Fraction(b)} for a, b in product(("-1", "1/2", "2"), repeat=2))
TARGETS = ({0: 1}, {2: 1}, {0: 1, 1: -2}, {1: Fraction(1, 2), 2: 3})

Table = tuple[LinearTable, tuple[tuple[int, ...], ...]]
"""A table and the whole values from BOX that fit it."""


@lru_cache
def small_tables() -> tuple[Table, ...]:
    """Two sums over three unknowns from 0 to 2 that some whole values fit."""
    found = []
    for first, second in product(FORMS, repeat=2):
        rows = [{k: v for k, v in enumerate(form) if v} for form in (first, second)]
        for right in product((0, 1, 2), repeat=2):
            table = LinearTable(rows, right, [0] * PLACES, [2] * PLACES)
            fitting = tuple(x for x in product(BOX, repeat=PLACES) if table.is_table(x))
            if fitting:
                found.append((table, fitting))
    return tuple(found)


@dataclass(frozen=True)
class DualBound(Statement):
    """For all tables A·x = b with low ≤ x ≤ high, forms e and vectors y with r = e − y·A: e·x is at least
    Σ row(y_i, b_i) + Σ term(r_j, low_j, high_j), which is what `LinearTable.least` says.

    lifts: instead, that such bounds of two forms by two vectors are at most that of their sum by the sum of
    the vectors.
    """

    row: Formula
    term: Formula
    lifts: bool = False

    @property
    def text(self) -> str:
        row, term = printed(self.row, ROW), printed(self.term, TERM)
        tables = (
            "for all m, n ≥ 0, tables of m sums over n unknowns A·x = b with low ≤ x ≤ high (∓∞ allowed), "
            "forms e and vectors y"
        )
        bound = (
            f"L(e, y) = Σ_i {row} at (y_i, b_i) + Σ_j {term} at (r_j, low_j, high_j), r = e − y·A, which is "
            "LinearTable.least"
        )
        if self.lifts:
            return f"{tables}, and f, z: L(e, y) + L(f, z) ≤ L(e + f, y + z) where low ≤ high, for {bound}"
        return f"{tables}, and all x that fit: L(e, y) ≤ e·x, for {bound}"

    def at(self, point: Point) -> Truth:
        """At a ``table`` (one of LinearTable), and ``target``, ``dual`` with the ``values`` that fit,
        or two more of them for sums.
        """
        more_names = ("more", "further") if self.lifts else ("values",)
        table, target, dual, *rest = self.taken(point, "table", "target", "dual", *more_names)
        if self.lifts:
            more, further = rest
            total = self._bound(table, _sum(target, more), _sum(dual, further))
            parts = self._bound(table, target, dual) + self._bound(table, more, further)
            return Truth(parts <= total, f"{_told(table)}: {parts} against {total}", exact=True)
        (values,) = rest
        if not table.is_table(values):
            raise self.refused(f"outside the domain: {values} does not fit")
        bound, value = self._bound(table, target, dual), _form(target, values)
        told = f"{_told(table)}, form {target}, dual {dual}, x = {values}: {bound} against {value}"
        return Truth(bound <= value and bound == table.least(target, dual), told, exact=True)

    def _bound(self, table: LinearTable, target: Any, dual: Any) -> Fraction:
        left = table.remainder(target, dual)
        rows = (self.row(EXACT, y, Fraction(table.right[i])) for i, y in dual.items())
        terms = (
            self.term(EXACT, Fraction(r), Fraction(table.lower[j] or 0), Fraction(table.upper[j] or 0))
            for j, r in left.items()
        )
        return sum(map(Fraction, (*rows, *terms)), Fraction(0))

    searched = ("{} bounds", "{} bounds on small tables, against every table that fits")

    def refutations(self, effort: int) -> Iterator[str]:
        return (self.at(point).refutes for point in islice(self._points(), 40 * effort))

    def _points(self) -> Iterator[dict[str, Any]]:
        for table, fitting in small_tables():
            for target, dual in islice(product(TARGETS, DUALS), 0, None, 5):
                if self.lifts:
                    more = {"more": TARGETS[1], "further": DUALS[1]}
                    yield {"table": table, "target": target, "dual": dual, **more}
                    continue
                for values in fitting:
                    yield {"table": table, "target": target, "dual": dual, "values": values}

    def planted(self) -> Iterator[tuple[str, Statement]]:
        row, term = self.row, self.term
        if self.lifts:
            yield (
                "1/100 less of the square of a factor",
                replace(self, row=lambda c, y, b: row(c, y, b) - y * y * c.number(Fraction(1, 100))),
            )
        else:
            yield ("1/100 more", replace(self, row=lambda c, y, b: row(c, y, b) + c.number(Fraction(1, 100))))
        yield ("the ends exchanged", replace(self, term=lambda c, r, low, high: term(c, r, high, low)))


@dataclass(frozen=True)
class Combination(Statement):
    """For all tables, x that fit and u that fit too, or along which no bound stops and the sums are 0,
    and all s: first(s)·x + second(s)·u fits.

    along: whether u is such a direction. parameter: s with its domain.
    """

    first: Formula
    second: Formula
    parameter: Variable
    along: bool

    @property
    def text(self) -> str:
        one, two = (printed(f, (self.parameter,)) for f in self.formulas)
        other = (
            "d with A·d = 0, d_j ≥ 0 where low_j is finite and d_j ≤ 0 where high_j is"
            if self.along
            else "u that fit"
        )
        return (
            "for all m, n ≥ 0, tables of m sums over n unknowns A·x = b with low ≤ x ≤ high (∓∞ allowed), "
            f"x that fit, {other}, and {self.parameter.said(())}: "
            f"({one})·x + ({two})·{'d' if self.along else 'u'} fits"
        )

    def at(self, point: Point) -> Truth:
        """At a ``table`` (one of LinearTable), ``x``, ``u`` and ``s``."""
        table, x, u, s = self.taken(point, "table", "x", "u", "s")
        other = table.is_direction(dict(enumerate(u))) if self.along else table.is_table(u)
        if not (other and table.is_table(x) and Domain((self.parameter,)).includes((Fraction(s),))):
            raise self.refused()
        one, two = (Fraction(f(EXACT, Fraction(s))) for f in self.formulas)
        moved = [one * a + two * b for a, b in zip(x, u, strict=True)]
        return Truth(
            table.is_table(moved), f"{_told(table)}, x = {x}, {u}, s = {s}: {_row(moved)}", exact=True
        )

    searched = ("{} tables", "{} combinations in small tables")

    def refutations(self, effort: int) -> Iterator[str]:
        return (self.at(point).refutes for point in islice(self._points(), 20 * effort))

    def _points(self) -> Iterator[dict[str, Any]]:
        values = [v for (v,) in Domain((self.parameter,)).simple_points(6)]
        for table, fitting in small_tables():
            if self.along:
                open_table = replace(table, upper=[None] * PLACES)
                for x, d in product(fitting[:2], product((0, 1), repeat=PLACES)):
                    if any(d) and open_table.is_direction(dict(enumerate(d))):
                        for s in values:
                            yield {"table": open_table, "x": x, "u": d, "s": s}
                continue
            for x, u in product(fitting[:3], repeat=2):
                for s in values:
                    yield {"table": table, "x": x, "u": u, "s": s}

    def planted(self) -> Iterator[tuple[str, Statement]]:
        first, second = self.first, self.second
        yield (
            "first factor 1/100 more",
            replace(self, first=lambda c, s: first(c, s) + c.number(Fraction(1, 100))),
        )
        yield "backwards", replace(self, second=lambda c, s: -second(c, s))


def _sum(one: Any, other: Any) -> dict[int, Fraction]:
    return {k: Fraction(one.get(k, 0)) + Fraction(other.get(k, 0)) for k in {*one, *other}}


def _form(target: Any, values: Sequence[int]) -> Fraction:
    return sum((Fraction(k) * values[j] for j, k in target.items()), Fraction(0))


def _row(values: Sequence[Fraction]) -> str:
    return ", ".join(map(str, values))


def _told(table: LinearTable) -> str:
    return f"sums {list(map(dict, table.rows))} = {list(table.right)}"


def DualsBound(*, row: Formula, term: Formula, lifts: bool = False) -> DualBound:
    """What a dual vector certifies; lifts: what sums of dual vectors do. Raises StatementError for
    formulas that read more than ``establish.spec``.
    """
    return DualBound(row, term, lifts).of_spec()


def Combines(*, first: Formula, second: Formula, parameter: Variable, along: bool = False) -> Combination:
    """Combinations of tables, or of a table and a direction. Raises StatementError as `DualsBound` does."""
    return Combination(first, second, parameter, along).of_spec()
