"""``M satisfies per-record zero-concentrated privacy``: what a record costs at most, by its size."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed
from establish.proofs_check.engine.statements.made_by import Made, made_by
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
    require_spec_only,
    where,
)
from establish.proofs_check.engine.statements.variables import Integer, Variable
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.distributions.gaussian import renyi as of_normals
from establish.spec.distributions.on_integers import renyi as on_integers
from establish.spec.parameters import ParameterError

BITS = 128
TOTALS, RECORDS = (0, 1, 7, 100), (1, 2, 30)
ORDERS = tuple(map(Fraction, ("3/2", "2", "11")))
"""The totals, the sizes of records and the orders that an adversary tries, each with each."""


@dataclass(frozen=True)
class RecordsPrivate(Statement):
    """For all parameters of a domain, all whole totals q ≥ 0, all records of a whole size x ≥ 0 and every
    order a > 1: D_a(M(q + x)‖M(q)) ≤ a·policy and D_a(M(q)‖M(q + x)) ≤ a·policy.

    mechanism: a function of the parameters whose result has ``output(sizes, c)``, a law on the integers or a
    normal law. policy: a formula of a world, the parameters and x, the ρ of such a record.
    """

    domain: Domain
    mechanism: Callable[..., Any]
    policy: Formula

    @property
    def made(self) -> Made:
        """The class of mechanisms, and its parameters as formulas."""
        return made_by(self.mechanism, self.domain.names)

    @property
    def text(self) -> str:
        cost = printed(self.policy, (*self.domain.variables, Integer("x", least=0)))
        return (
            f"{self.domain.said()}, all whole totals q ≥ 0, all records of a whole size x ≥ 0 and every "
            f"order a > 1: D_a(M(q + x)‖M(q)) ≤ a·({cost}) and D_a(M(q)‖M(q + x)) ≤ a·({cost}), "
            f"M being {self.made}"
        )

    def at(self, point: Point) -> Truth:
        """At parameters, a total ``q``, a record's size ``x`` and an order ``a``."""
        values = self.domain.own_values(point)
        q, x, a = (Fraction(point[name]) for name in ("q", "x", "a"))
        if q < 0 or x < 0 or a <= 1 or q.denominator > 1 or x.denominator > 1:
            raise self.refused(f"q = {q}, x = {x} and a = {a}: q and x are whole and at least 0, and a > 1")
        return self._at(values, int(q), int(x), a)

    def _at(self, values: Sequence[Fraction], q: int, x: int, a: Fraction) -> Truth:
        with enclosing(BITS):
            made = self.mechanism(*values)
            more, less = made.output((q, x), ARB), made.output((q,), ARB)
            order = ARB.number(a)
            most = order * self.policy(ARB, *map(ARB.number, values), ARB.number(x))
            found = [divergence(*pair, order) for pair in ((more, less), (less, more))]
            broken, kept = any(d > most for d in found), all(d <= most for d in found)
            told = f"{self.domain.told(values)}, q = {q}, x = {x}, a = {a}"
            sides = " and ".join(d.str(9, radius=False) for d in found)
            shown = f"{told}: {sides} against {most.str(9, radius=False)}"
        return Truth(False if broken else True if kept else None, shown, exact=False)

    searched = ("{} points, divergences in Arb",)

    def refutations(self, effort: int) -> Iterator[str]:
        for values in self.domain.simple_points(max(3, effort // 12)):
            for q, x, a in product(TOTALS, RECORDS, ORDERS):
                try:
                    truth = self._at(values, q, x, a)
                except (ArithmeticError, ParameterError):  # a sum that is too long, or no such mechanism
                    break
                yield truth.refutes

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "policy")

        def slower(c: Any, *v: Any) -> Any:
            return self.policy(c, *v) / (1 + v[-1] / 100)

        yield "policy of slower growth", replace(self, policy=slower)


def divergence(first: Any, second: Any, order: Any) -> Any:
    """D_a between two laws of one kind."""
    return (of_normals if isinstance(first, Gaussian) else on_integers)(first, second, order)


def PrivatePerRecord(
    *variables: Variable, mechanism: Callable[..., Any], policy: Formula, given: Sequence[Any] = ()
) -> RecordsPrivate:
    """A mechanism on totals satisfies per-record zero-concentrated privacy with a policy, at all parameters.

    See :class:`RecordsPrivate`. given: conditions on the parameters. Raises StatementError for formulas that
    read more than ``establish.spec``, or that cannot be evaluated.
    """
    made = RecordsPrivate(Domain(variables, tuple(given)), mechanism, policy)
    for formula in made.formulas:
        require_spec_only(formula)
    try:
        made.text  # noqa: B018 - its formulas are printed when it is written
        made.simple_counterexample(1)
    except Exception as error:
        raise StatementError(f"{where(policy)}: cannot be stated: {error}") from error
    return made
