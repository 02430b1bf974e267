"""Moments and normalization of a law: an expectation against its closed form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import mpmath

from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.domain import Domain, as_tree, printed, read
from establish.proofs_check.engine.statements.mass import is_other
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.quadrature import closely, with_peaks
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
)
from establish.proofs_check.engine.statements.terms import Term as Text
from establish.proofs_check.terms.content import digest_of
from establish.proofs_check.terms.formula import Tree
from establish.proofs_check.terms.sentence import Sentence
from establish.proofs_check.terms.trees import Prop, Term, lift, variable
from establish.spec.arithmetic import MP

CLOSE = mpmath.mpf(10) ** -8
"""Relative distance beyond which an expectation by quadrature is called different."""

DOUBT = 1000
"""How many times its estimated error an integral may be away as well."""

OUTSIDE = (Fraction(1), Fraction(1, 1000))
"""How far below the end of a support no density may be."""


@dataclass(frozen=True)
class Expectation(Statement):
    """E f(X) = closed form, for X with a density, at every point of a domain of parameters.

    law: a function of the world and the parameters, whose result has ``log_density``. of: a function of the
    world and an outcome, after the parameters where ``depends`` is set. breaks: outcomes at which the
    density or f has a kink, as functions like the law; low: where the support begins, if it does.
    """

    domain: Domain
    law: Formula
    of: Formula
    closed: Formula
    breaks: tuple[Formula, ...] = ()
    low: Formula | None = None
    depends: bool = False

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """The log-density and f over the parameters and an outcome x; over the parameters alone the closed
        form, the breaks and the low end.
        """
        with_x = (*self.domain.terms, self.at_x)
        density = as_tree(lambda c, *v: self.law(c, *v[:-1]).log_density(v[-1]), with_x)
        outcome = as_tree(lambda c, *v: self.outcome(c, v[:-1], v[-1]), with_x)
        ends = [self.low] if self.low else []
        alone = (as_tree(f, self.domain.terms) for f in (self.closed, *self.breaks, *ends))
        return (density, outcome, *alone)

    @property
    def at_x(self) -> Term:
        """The outcome, by a name that no parameter has."""
        return variable("#x")

    @cached_property
    def identity(self) -> str:
        return digest_of((self.domain, self.trees, self.low is None))

    @cached_property
    def values_exist(self) -> tuple[Sentence, ...]:
        """Two sentences that are true where every formula has a value: at each outcome of the support, and
        at the parameters alone.
        """
        density, outcome, *alone = self.trees
        inside = [] if self.low is None else [Prop(alone[-1].term, "<", self.at_x)]
        given = self.domain.given
        return (
            Sentence(
                (*self.domain.terms, self.at_x), (*given, *inside), Prop(density.term, "==", outcome.term)
            ),
            *(Sentence(self.domain.terms, given, Prop(f.term, "==", f.term)) for f in alone),
        )

    @property
    def mass(self) -> Expectation:
        """That the law has mass 1 on its support."""
        return replace(self, of=_one, closed=_one, depends=False)

    def outcome(self, c: Any, parameters: Sequence[Any], x: Any) -> Any:
        """f at an outcome."""
        return self.of(c, *parameters, x) if self.depends else self.of(c, x)

    @property
    def text(self) -> str:
        closed = printed(self.closed, self.domain.variables)
        outcome = printed(lambda c, *v: self.outcome(c, v, Text("X")), self.domain.variables)
        law = printed(lambda c, *v: self.law(c, *v).log_density(Text("x")), self.domain.variables)
        return self.domain.before(f"E {outcome} = {closed} for X with the log-density {law}")

    def at(self, point: Point) -> Truth:
        """Raises StatementError outside the domain, and where the law certainly is none, unless its mass is
        what the statement is about.
        """
        values = self.domain.values(point)
        if self.trees[1].term is not lift(1):
            mass, error = _integral_closely(replace(self.mass, closed=_none), tuple(values))
            if is_other(mass, error):
                told = MP.mp.nstr(mass, 6)
                raise self.refused(f"{self.domain.told(values)}: the law has the mass {told}: {self.text}")
        return self._at(values)

    def _integrand(self, values: Sequence[Fraction]) -> tuple[Callable[[Any], Any], list[Any]]:
        """The integrand, and where it is cut: the start of the support, then kinks."""
        mp = MP.mp
        law = read(self.law, MP, self.domain.variables, values)
        ends = sorted(mp.mpf(read(b, MP, self.domain.variables, values)) for b in self.breaks)
        low = -mp.inf
        if self.low is not None:
            low = mp.mpf(read(self.low, MP, self.domain.variables, values))
            ends = [end for end in ends if end > low]

        inputs = [
            MP.number(v) if variable.field == "ℝ" else v
            for variable, v in zip(self.domain.variables, values, strict=True)
        ]

        def integrand(x: Any) -> Any:
            value = mp.exp(law.log_density(x)) * self.outcome(MP, inputs, x)
            if isinstance(value, mp.mpc):
                raise StatementError(
                    f"no real number at the outcome {mp.nstr(x, 6)}: low says where outcomes begin"
                )
            return value

        return integrand, [low, *ends]

    def integral(self, values: tuple[Fraction, ...]) -> Any:
        """The expectation by quadrature, which the closed form has no part in."""
        mp = MP.mp
        integrand, cuts = self._integrand(values)
        with mp.workdps(25):
            return mp.quad(integrand, [*cuts, mp.inf])

    def integral_closely(self, values: tuple[Fraction, ...]) -> tuple[Any, Any]:
        """The same with the peaks of the integrand found first, and an estimate of its error."""
        with MP.mp.workdps(40):
            integrand, cuts = self._integrand(values)
            law = read(self.law, MP, self.domain.variables, values)
            return closely(integrand, with_peaks([*cuts, MP.mp.inf], lambda x: MP.exp(law.log_density(x))))

    def _at(self, values: Sequence[Fraction], sure: bool = True) -> Truth:
        """False where a quick integral is away from the closed form and, to be sure, a close one is too."""
        mp = MP.mp
        alone = replace(self, closed=_none)
        integral = _integral(alone, tuple(values))
        closed = read(self.closed, MP, self.domain.variables, values)
        apart = abs(integral - closed) > CLOSE * (1 + abs(closed))
        if apart and sure:
            integral, error = _integral_closely(alone, tuple(values))
            apart = abs(integral - closed) > CLOSE * (1 + abs(closed)) + DOUBT * error
        shown = f"{self.domain.told(values)}: {mp.nstr(integral, 12)} against {mp.nstr(closed, 12)}"
        return Truth(False if apart else None, shown, exact=False)

    def evaluate(self) -> None:
        """Evaluates every formula at three points, the integrand on both sides of every cut, and reads trees.

        What a formula raises passes on.
        """
        for values in self.domain.simple_points(3):
            integrand, (low, *kinks) = self._integrand(values)
            read(self.closed, MP, self.domain.variables, values)
            first = [kinks[0] - 1 if kinks else MP.mp.mpf(0)] if self.low is None else [low + 1]
            for x in [*first, *(kink + 1 for kink in kinks)]:
                integrand(x)
            if self.low is not None:
                self._require_end(values, low)
        self.identity  # noqa: B018 - its formulas are read as trees when it is written

    def _require_end(self, values: Sequence[Fraction], low: Any) -> None:
        """Raises StatementError where the law has a density below ``low``, too."""
        law = read(self.law, MP, self.domain.variables, values)
        for below in OUTSIDE:
            try:
                found = law.log_density(low - MP.number(below))
            except (ArithmeticError, ValueError, TypeError):  # none there
                continue
            if not isinstance(found, MP.mp.mpc) and MP.mp.isfinite(found):
                raise StatementError(
                    f"low = {MP.mp.nstr(low, 6)} leaves out outcomes: the law has a density below it, too"
                )

    def counterexample(self, effort: int) -> tuple[str, str]:
        return self._search(effort, sure=True)

    def simple_counterexample(self, effort: int) -> tuple[str, str]:
        """By quick integrals, which is enough to see a planted neighbor."""
        return self._search(effort, sure=False)

    def _search(self, effort: int, sure: bool) -> tuple[str, str]:
        points = self.domain.simple_points(max(3, effort // 20))
        return self.first_of((self._at(values, sure).refutes for values in points), "quadrature at {} points")

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "closed", ("1001/1000", "11/10"), "closed form")
        yield "closed form plus 1/100", replace(self, closed=_plus(self.closed, Fraction(1, 100)))


def _one(c: Any, *_: Any) -> Any:
    """f and the closed form, where the mass is meant."""
    return c.number(1)


def _none(c: Any, *_: Any) -> Any:
    """In place of a closed form, of which quadrature has no need."""
    return c.number(0)


_integral = shared(Expectation.integral, most=64)
_integral_closely = shared(Expectation.integral_closely, most=64)
"""The planted neighbors of a statement have its integrals."""


def _plus(formula: Formula, more: Fraction) -> Formula:
    return lambda c, *x: formula(c, *x) + c.number(more)


def Moment(
    *variables: Any,
    law: Formula,
    of: Formula,
    closed: Formula,
    breaks: Sequence[Formula] = (),
    low: Formula | None = None,
    given: Sequence[Any] = (),
    depends: bool = False,
) -> Expectation:
    """E of(X) = closed for all parameters; with ``of`` constant 1 the law is normalized.

    depends: whether ``of`` takes the parameters before the outcome.

    The adversary integrates the density by quadrature, which shares nothing with the closed form. Raises
    StatementError for formulas that read more than ``establish.spec`` or cannot be evaluated.
    """
    domain = Domain(tuple(variables), tuple(given))
    made = Expectation(domain, law, of, closed, tuple(breaks), low, depends)
    return made.of_spec(Expectation.evaluate)
