"""How far apart two laws of finitely many outcomes are, which formulas give at every point of a domain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, as_tree, printed, read
from establish.proofs_check.engine.statements.every_pair import over, require_names
from establish.proofs_check.engine.statements.finite_pairs import BITS
from establish.proofs_check.engine.statements.guarantees import MEASURED, Guarantee, least
from establish.proofs_check.engine.statements.planted import times
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
    require_spec_only,
    unused,
    where,
)
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.terms.reify import TERMS
from establish.proofs_check.terms.values import truth
from establish.spec.arithmetic import ARB, EXACT, SYM, enclosing

WORDS = {"<=": "is at most", "==": "is", ">=": "is at least"}
"""The relations of what is measured to its bound."""

SHARES = tuple(map(Fraction, ("999/1000", "9/10", "1/2")))


@dataclass(frozen=True)
class FiniteLaws(Statement):
    """What a kind of guarantee bounds, of P and Q, has the relation to its last number.

    first, second: the probabilities of the outcomes of P and of Q, as formulas of a world and the parameters.
    has: of a kind of MEASURED. relation: one of WORDS.
    """

    domain: Domain
    first: tuple[Any, ...]
    second: tuple[Any, ...]
    has: Guarantee
    relation: str

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (*self.has.numbers, *self.domain.formulas, *self.first, *self.second)

    @property
    def text(self) -> str:
        variables = self.domain.variables
        *place, bound = (printed(number, variables) for number in self.has.numbers)
        laws = (", ".join(printed(share, variables) for share in law) for law in (self.first, self.second))
        measured = MEASURED[self.has.kind].format(*place, P="P", Q="Q")
        told = "{} {} {}, for P = ({}) and Q = ({})".format(measured, WORDS[self.relation], bound, *laws)
        return self.domain.before(told)

    def at(self, point: Point) -> Truth:
        """Raises StatementError where the formulas are not certain to give two laws, all of whose
        probabilities are above 0.
        """
        return self._at(self.domain.values(point))

    def _at(self, values: Sequence[Fraction]) -> Truth:
        with enclosing(BITS):
            first, second = (self._shares(law, values) for law in (self.first, self.second))
            *place, bound = (self._number(formula, values) for formula in self.has.numbers)
            found = least(self.has.kind, place, first, second)
            sides = (bound, found) if self.relation == ">=" else (found, bound)
            told = truth("==" if self.relation == "==" else "<=", *sides)
            shown = f"{found.str(12, radius=False)} against {bound.str(12, radius=False)}"
        at = self.domain.told(values)
        return Truth(told, f"{at}: {shown}" if at else shown, exact=False)

    def _number(self, formula: Formula, values: Sequence[Fraction]) -> Any:
        return ARB.number(read(formula, ARB, self.domain.variables, values))

    def _shares(self, law: tuple[Any, ...], values: Sequence[Fraction]) -> list[Any]:
        shares = [self._number(share, values) for share in law]
        if not (all(share > 0 for share in shares) and self._is_one(law, values)):
            told = ", ".join(share.str(6, radius=False) for share in shares)
            raise self.refused(
                f"the probabilities of a law are above 0 and sum to 1, and ({told}) is given at "
                f"{self.domain.told(values) or 'every point'}"
            )
        return shares

    def _is_one(self, law: tuple[Any, ...], values: Sequence[Fraction]) -> bool:
        """Whether the probabilities sum to 1: exactly where they are rational, else as a formula."""
        try:
            total = sum(read(share, EXACT, self.domain.variables, values) for share in law)
            return bool(total == 1)
        except TypeError:  # not rational
            return _is_identity(law, self.domain.names)

    searched = ("{} points", "{} points, in Arb")

    def refutations(self, effort: int) -> Iterator[str]:
        return (self._at(values).refutes for values in self.domain.simple_points(effort))

    def planted(self) -> Iterator[tuple[str, Statement]]:
        *place, bound = self.has.numbers
        for share in SHARES:
            share = 1 / share if self.relation == ">=" else share
            has = replace(self.has, numbers=(*place, times(bound, share)))
            yield f"bound times {share}", replace(self, has=has)


def OfFiniteLaws(
    *variables: Variable,
    first: Formula,
    second: Formula,
    has: Guarantee,
    relation: str = "==",
    given: Sequence[Any] = (),
) -> FiniteLaws:
    """How far P is from Q, two laws of finitely many outcomes such as those of randomized response.

    first, second: functions of a world and the parameters that give the probabilities of all outcomes, each
    above 0: ``lambda c, p: (p, 1 - p)``. has: ``guarantees.renyi``, ``mean_loss`` or ``approximate``, one way
    round. relation: whether its last number is the value (``==``), or a bound (``<=``, ``>=``). Raises
    StatementError for what is no law at a simple point, and as other statements do.
    """
    if not isinstance(has, Guarantee) or has.kind not in MEASURED:
        raise StatementError(
            f"has = {has!r} must be guarantees.renyi, mean_loss or approximate; pure is renyi(math.inf, …)"
        )
    if relation not in WORDS:
        raise StatementError(f"relation = {relation!r} must be one of {', '.join(WORDS)}")
    domain = Domain(tuple(variables), tuple(given))
    require_names(domain)
    laws = [_as_shares(domain, name, law) for name, law in (("first", first), ("second", second))]
    if len(laws[0]) != len(laws[1]):
        raise StatementError(f"{where(second)}: first has {len(laws[0])} outcomes, and second {len(laws[1])}")
    for formula in (first, second, *has.numbers):
        require_spec_only(formula)
    made = FiniteLaws(domain, laws[0], laws[1], over(domain, has), relation)
    read_alone = made.formulas[: -2 * len(laws[0])]
    ignored = set(domain.names).intersection(*(unused(f, domain.names) for f in (first, second, *read_alone)))
    if ignored:
        raise StatementError(f"{where(first)}: {', '.join(sorted(ignored))} is never used")
    points = list(domain.simple_points(8))
    if not points:
        raise StatementError(f"{where(first)}: the domain is empty: {domain.said()}")
    for values in points:
        made._at(values)
    return made


@cache
def _is_identity(law: tuple[Any, ...], names: tuple[str, ...]) -> bool:
    """Whether probabilities sum to 1 at all parameters, as sympy simplifies their sum."""
    import sympy

    inputs = [sympy.Symbol(name, real=True) for name in names]
    return bool(sympy.simplify(sum(share(SYM, *inputs) for share in law) - 1) == 0)


def _as_shares(domain: Domain, name: str, law: Formula) -> tuple[Any, ...]:
    """Raises StatementError, naming the argument, for what gives no tuple of probabilities."""
    found = law(TERMS, *domain.terms) if callable(law) else None
    if not isinstance(found, tuple) or not found:
        raise StatementError(
            f"{name} must give the probabilities of all outcomes, such as lambda c, p: (p, 1 - p)"
        )
    return tuple(as_tree(lambda c, *v, i=i: law(c, *v)[i], domain.terms) for i in range(len(found)))
