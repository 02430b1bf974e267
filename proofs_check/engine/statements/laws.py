"""Statements on laws as a whole: convergence in probability, and sums of independent variables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed, read
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.terms import Term
from establish.spec.arithmetic import MP

FAR = Fraction(10**12)
"""The value of the growing parameter at which an adversary integrates."""

NEAR = Fraction(1, 20)
"""E min(1, |f − limit|) there that is called too much for a limit."""

DEGREE = 4
"""Of the quadrature for it: some 120 points in each part, where an error of a hundredth does not matter."""

CLOSE = Fraction(1, 10**8)
"""Relative distance beyond which two densities are called different."""


@dataclass(frozen=True)
class InProbability(Statement):
    """For all parameters but the last, f(X) → limit in probability as the last one grows, X of a law that
    depends on them.

    law, of: formulas of a world and the parameters; ``of`` takes the outcome after them. limit: a formula of
    those before the last. breaks: where the density, whose width does not change, has its peak or a kink.
    """

    domain: Domain
    law: Formula
    of: Formula
    limit: Formula
    breaks: tuple[Formula, ...] = ()

    @property
    def text(self) -> str:
        variables = self.domain.variables
        outcome = printed(lambda c, *v: self.of(c, *v, Term("X")), variables)
        law = printed(lambda c, *v: self.law(c, *v).log_density(Term("o")), variables)
        return (
            f"{self.domain.said()}, as {variables[-1].name} → ∞: {outcome} → "
            f"{printed(self.limit, variables[:-1])} in probability, for X with the log-density {law}"
        )

    def at(self, point: Point) -> Truth:
        """A point alone neither shows nor refutes a limit."""
        raise self.refused("no point decides whether there is convergence")

    def _distance(self, values: Sequence[Fraction]) -> Any:
        """E min(1, |f(X) − limit|), which tends to 0 exactly when there is convergence in probability."""
        mp, variables = MP.mp, self.domain.variables
        law = read(self.law, MP, variables, values)
        limit = read(self.limit, MP, variables[:-1], values[:-1])
        ends = [mp.mpf(read(b, MP, variables, values)) for b in self.breaks]
        inputs = [MP.number(v) for v in values]

        def integrand(x: Any) -> Any:
            return mp.exp(law.log_density(x)) * min(1, abs(self.of(MP, *inputs, x) - limit))

        with mp.workdps(30):
            around = [end + sign * step for end in ends for step in (0, 2, 20) for sign in (1, -1)]
            ends = [-mp.inf, *sorted(set(around)), mp.inf]
            return mp.quad(integrand, ends, maxdegree=DEGREE)

    searched = ("{} parameters", "quadrature at {} parameters, at 10¹²")

    def refutations(self, effort: int) -> Iterator[str]:
        before = replace(self.domain, variables=self.domain.variables[:-1])
        for values in before.simple_points(effort // 30 or 1):
            distance = self._distance((*values, FAR))
            at = f"{before.told(values)}, {self.domain.variables[-1].name} = 10¹²"
            far = f"{at}: E min(1, |f − limit|) is {MP.mp.nstr(distance, 4)}"
            yield far if distance > MP.number(NEAR) else ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        limit = self.limit
        for share in (Fraction(1, 10), Fraction(1)):
            yield (
                f"limit plus {share}",
                replace(self, limit=lambda c, *v, s=share: limit(c, *v) + c.number(s)),
            )


@dataclass(frozen=True)
class SumsOfIndependent(Statement):
    """For all n ≥ 1 the sum of n independent X_i ≥ 0 of the law at (a, …) has the law at (n·a, …).

    law: a function of a world and the parameters, of which a is the first. times: n·a, another share of it
    in planted neighbors only.
    """

    domain: Domain
    law: Formula
    times: Fraction = Fraction(1)

    @property
    def text(self) -> str:
        variables = self.domain.variables
        first = variables[0].name
        law = printed(lambda c, *v: self.law(c, *v).log_density(Term("x")), variables)
        share = "" if self.times == 1 else f"{self.times}·"
        return (
            f"for every n ≥ 1, {self.domain.said()}: the sum of n independent variables with the log-density "
            f"{law} on x > 0 has that with {share}n·{first} for {first}"
        )

    def at(self, point: Point) -> Truth:
        """The densities of the sum of two and of the law, at parameters and ``x``; False if they differ."""
        return self._at(self.domain.own_values(point), Fraction(point["x"]))

    def _at(self, values: Sequence[Fraction], x: Fraction) -> Truth:
        mp, variables = MP.mp, self.domain.variables
        one = read(self.law, MP, variables, values)
        both = read(self.law, MP, variables, (2 * self.times * values[0], *values[1:]))
        at = MP.number(x)
        with mp.workdps(20):
            sum_of_two = mp.quad(
                lambda t: mp.exp(one.log_density(t) + one.log_density(at - t)), [0, at / 2, at]
            )
            density = mp.exp(both.log_density(at))
        apart = abs(sum_of_two - density) > MP.number(CLOSE) * (1 + density)
        shown = f"{mp.nstr(sum_of_two, 10)} against {mp.nstr(density, 10)}"
        return Truth(False if apart else None, f"{self.domain.told(values)}, x = {x}: {shown}", False)

    searched = ("{} convolutions", "{} convolutions of two densities")

    def refutations(self, effort: int) -> Iterator[str]:
        for values in self.domain.simple_points(effort // 10 or 1):
            for x in (Fraction(1, 2), Fraction(2)):
                yield self._at(values, x).refutes

    def planted(self) -> Iterator[tuple[str, Statement]]:
        for share in map(Fraction, ("1001/1000", "11/10")):
            yield f"the sum's parameter times {share}", replace(self, times=share)


def ConvergesInProbability(
    *variables: Any, law: Formula, of: Formula, limit: Formula, breaks: Sequence[Formula] = ()
) -> InProbability:
    """``of`` of an outcome tends to ``limit`` in probability as the last variable grows.

    Raises StatementError for formulas that read more than ``establish.spec`` or cannot be evaluated.
    """
    made = InProbability(Domain(tuple(variables)), law, of, limit, tuple(breaks))
    return made.of_spec(lambda it: it.counterexample(1))


def AddUp(*variables: Any, law: Formula) -> SumsOfIndependent:
    """Independent variables of a law on the positive numbers add up within it: its first parameter does.

    Raises StatementError for formulas that read more than ``establish.spec`` or cannot be evaluated.
    """
    made = SumsOfIndependent(Domain(tuple(variables)), law)
    return made.of_spec(lambda it: it.counterexample(1))
