"""Inequalities and identities between finite sums of any length, with an adversary over short ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice, product

from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.comparison import Comparison, checked
from establish.proofs_check.engine.statements.domain import WORDS, printed
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
    require_spec_only,
    where,
)
from establish.spec.arithmetic import EXACT

LONGEST = 3
"""How many terms a sum has that the adversary tries, at most."""

SHARES = tuple(map(Fraction, ("99/100", "9/10", "1/2")))


@dataclass(frozen=True)
class Sums(Statement):
    """Σ left ≤ Σ right, or =, over every finite family of terms in a domain.

    shared: how many variables of ``term`` are the same for all terms; the others are the term's own. under:
    two formulas, with families only in which the sum of the first is at most that of the second.
    """

    term: Comparison
    shared: int
    under: tuple[Formula, Formula] | None = None

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (*self.term.formulas, *(self.under or ()))

    @property
    def text(self) -> str:
        variables = self.term.domain.variables
        own = ", ".join(v.name for v in variables[self.shared :])
        left, right = (printed(f, variables) for f in (self.term.left, self.term.right))
        costs = [f"Σ {printed(f, variables)}" for f in self.under or ()]
        given = f", with {' ≤ '.join(costs)}" if costs else ""
        return (
            f"for all n ≥ 1 and all n terms ({own}), {self.term.domain.said()} in each of them{given}: "
            f"Σ {left} {WORDS[self.term.relation]} Σ {right}"
        )

    def at(self, point: Point) -> Truth:
        """At the shared variables, and ``terms``: a list of the values of the others."""
        names = self.term.domain.names
        *shared, terms = self.taken(point, *names[: self.shared], "terms")
        rows = [self.term.domain.values(dict(zip(names, (*shared, *own), strict=True))) for own in terms]
        if not self._is_meant(rows):
            raise self.refused()
        return self._at(rows)

    def _is_meant(self, rows: Sequence[Sequence[Fraction]]) -> bool:
        if self.under is None:
            return True
        first, second = (_total(side, rows) for side in self.under)
        return first <= second

    def _at(self, rows: Sequence[Sequence[Fraction]]) -> Truth:
        left, right = self._totals(rows)
        told = "; ".join(self.term.domain.told(row) for row in rows)
        return Truth(self._holds(left, right), f"{told}: {left} against {right}", exact=True)

    def _totals(self, rows: Sequence[Sequence[Fraction]]) -> tuple[Fraction, Fraction]:
        return _total(self.term.left, rows), _total(self.term.right, rows)

    def _holds(self, left: Fraction, right: Fraction) -> bool:
        return left <= right if self.term.relation == "<=" else left == right

    @property
    def has_families(self) -> bool:
        """Whether some family of equal terms, among the simple ones, is meant."""
        return any(self._is_meant([row]) for row in self.term.domain.simple_points(60))

    searched = ("{} sums", f"{{}} sums of up to {LONGEST} terms")

    def refutations(self, effort: int) -> Iterator[str]:
        families: dict[tuple[Fraction, ...], list[tuple[Fraction, ...]]] = {}
        for row in self.term.domain.simple_points(4 * effort):
            families.setdefault(row[: self.shared], []).append(row)
        for rows, length in product(families.values(), range(1, LONGEST + 1)):
            for chosen in islice(filter(self._is_meant, product(rows, repeat=length)), effort):
                holds = self._holds(*self._totals(chosen))
                yield "" if holds else self._at(chosen).refutes

    def planted(self) -> Iterator[tuple[str, Statement]]:
        right = self.term.right
        for share in SHARES:
            for sign in (1, -1):
                moved = replace(
                    self.term,
                    right=lambda c, *v, s=share, sign=sign: (
                        right(c, *v) - sign * (1 - s) * c.absolute(right(c, *v))
                    ),
                )
                yield (f"right side moved by {1 - share} of itself, {sign}", replace(self, term=moved))
        more = replace(self.term, left=lambda c, *v: self.term.left(c, *v) + c.number(1))
        yield "one more in each term of the left side", replace(self, term=more)


def _total(side: Formula, rows: Sequence[Sequence[Fraction]]) -> Fraction:
    return sum((_value(side, tuple(row)) for row in rows), Fraction(0))


@partial(shared, most=4096)
def _value(side: Formula, row: tuple[Fraction, ...]) -> Fraction:
    """One term of a sum. Kept, as the same terms come together in many sums."""
    return Fraction(side(EXACT, *row))


def EverySum(
    term: Comparison, *, shared: Sequence[str] = (), under: tuple[Formula, Formula] | None = None
) -> Sums:
    """Sums of the sides of ``term``, over families that agree in the variables ``shared``, its first ones.

    under: the sum of the first formula is at most that of the second. Raises StatementError where the shared
    variables are not the first, the relation is neither ≤ nor =, or a formula reads more than
    ``establish.spec``.
    """
    if tuple(shared) != term.domain.names[: len(shared)]:
        raise StatementError(f"{', '.join(shared)} must be the first variables of: {term.text}")
    if term.relation not in ("<=", "=="):
        raise StatementError(f"sums keep ≤ and =, not {term.relation}: {term.text}")
    for formula in under or ():
        require_spec_only(formula)
    made = Sums(checked(term), len(shared), under)
    if under and not made.has_families:
        raise StatementError(f"{where(under[0])}: no sum meets the constraint: {made.text}")
    return made
