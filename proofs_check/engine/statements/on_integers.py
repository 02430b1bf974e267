"""Expectations and sums over the integers: laws by weights, whose sums are enclosed with their tails."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice
from math import ceil
from typing import Any

from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import WORDS, Condition, Domain, as_tree, printed
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.terms import BRANCHING
from establish.proofs_check.engine.statements.terms import Term as Text
from establish.proofs_check.engine.statements.variables import Integer, Variable
from establish.proofs_check.terms.content import digest_of
from establish.proofs_check.terms.formula import Tree
from establish.proofs_check.terms.telling import telling
from establish.proofs_check.terms.trees import Prop, Term, below, lift, parts, variable
from establish.proofs_check.terms.values import ball, fill
from establish.proofs_check.terms.values import values as values_of
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.on_integers import divergence, mixed, total

BITS = (64, 256)
"""Working bits, the second where the first decides nothing."""

FARTHEST = 4000
"""How far from 0 a sum is followed at a point: where that is not enough, the point decides nothing."""

INDEX = variable("#k", "ℤ")
"""The index of a sum, by a name that no parameter has."""

INDEX_NAME = "k"
ONE = lift(1)


def _of_index(term: Term, at: Mapping[int, Any]) -> Callable[[int], Any]:
    """A term at given parameters as a function of k: what does not hang on k is evaluated once."""
    free: dict[int, bool] = {}
    for part in parts([term]):
        free[id(part)] = part is not INDEX and all(free[id(one)] for one in below(part))
    alone = [part for part in parts([term]) if free[id(part)] and part.op != "undefined"]
    known = {**at, **dict(zip(map(id, alone), values_of(alone, at), strict=True))}
    others = [part for part in parts([term]) if id(part) not in known and part is not INDEX]

    def at_index(k: int) -> Any:
        known[id(INDEX)] = Fraction(k)
        fill(others, known)
        return ball(known[id(term)])

    return at_index


def _branches_once(tree: Tree) -> bool:
    """Whether a formula compares two sides once: more than that is shorter in its author's words."""
    return sum(part.op == "where" for part in parts([tree.term])) == 1


def _finite(one: Tree, edge: Tree, side: int, domain: Domain) -> tuple[list[Comparison], list[Comparison]]:
    """The two lists for one logarithm on one side."""

    def bend(c: Any, *v: Any) -> Any:
        *inputs, k = v
        return one(c, *inputs, k - 1) + one(c, *inputs, k + 1) - 2 * one(c, *inputs, k)

    def first(c: Any, *v: Any) -> Any:
        return bend(c, *v[:-1], side * (edge(c, *v[:-1]) + 1))

    def before(c: Any, *v: Any) -> Any:
        return one(c, *v[:-1], v[-1] - side)

    curved = [Comparison(domain, bend, "<=", first), Comparison(domain, first, "<", 0)]
    falling = [Comparison(domain, bend, "<=", 0), Comparison(domain, one, "<", before)]
    return curved, falling


def compared(difference: Any, relation: str) -> bool | None:
    """Whether a number known by a ball has the relation to 0; None where the ball does not tell."""
    below, above = bool(difference < 0), bool(difference > 0)
    if relation == "==":
        return False if below or above else None
    truly, falsely = (below, above) if relation == "<=" else (above, below)
    return True if truly else False if falsely else None


class OverIntegers(Statement):
    """What statements share that sum over the integers, at every point of a domain of parameters.

    beyond: a formula of the parameters, ≥ 0; above it in |k| the logarithms of what is summed are concave.
    """

    domain: Domain
    beyond: Formula
    relation: str
    finite_by: Callable[[Any], None]

    made_with = ("solver",)

    @cached_property
    def _finite(self) -> bool:
        """True, or StatementError where a sum is not shown to be finite."""
        self.finite_by(self)
        return True

    def require_value(self) -> None:
        self._finite  # noqa: B018 - shown once

    def over_index(self, formula: Formula) -> Tree:
        """A formula of a world, the parameters and k, as a tree."""
        return as_tree(formula, (*self.domain.terms, INDEX))

    @cached_property
    def from_index(self) -> Tree:
        """``beyond`` over the parameters."""
        return as_tree(self.beyond, self.domain.terms)

    def outside(self, more: int, kept: Sequence[Variable]) -> tuple[Domain, Domain]:
        """The kept parameters with all integers k ≥ beyond + more, and with all k ≤ −beyond − more."""
        places = [self.domain.names.index(variable.name) for variable in kept]
        name = INDEX_NAME if INDEX_NAME not in self.domain.names else f"{INDEX_NAME}′"
        conditions = self.domain.conditions if len(kept) == len(self.domain.variables) else ()
        edge = Tree(self.from_index.term, tuple(self.domain.terms[i] for i in places))

        def alone(formula: Formula) -> Formula:
            return lambda c, *v: formula(c, *v[: len(kept)])

        given = tuple(Condition(alone(one.left), one.relation, alone(one.right)) for one in conditions)
        right = Integer(name, least=lambda c, *v: edge(c, *v) + more)
        left = Integer(name, most=lambda c, *v: -edge(c, *v) - more)
        first, second = (Domain((*kept, k), given) for k in (right, left))
        return first, second

    def read_by(self, *trees: Tree) -> tuple[Variable, ...]:
        """The parameters that some trees and ``beyond`` read, where no condition or bound ties them to
        others: so that what is owed of a law is the same in all statements about it.
        """
        tied = self.domain.formulas
        read = {id(part) for part in parts([self.from_index.term, *(tree.term for tree in trees)])}
        pairs = zip(self.domain.variables, self.domain.terms, strict=True)
        return tuple(v for v, term in pairs if tied or id(term) in read)

    def finite(self, *logarithms: Tree) -> list[tuple[list[Comparison], ...]]:
        """What makes the sum of e^l finite and bounds what is left out of it, for each l on each side: one of
        two lists. Curved: the second differences are at most the first one, which is negative. Falling: they
        are at most 0, and l falls from the start.
        """
        return [
            _finite(Tree(one.term, (*places, INDEX)), Tree(self.from_index.term, places), side, domain)
            for one in logarithms
            for kept in [self.read_by(one)]
            for places in [tuple(self.domain.terms[self.domain.variables.index(v)] for v in kept)]
            for side, domain in zip((1, -1), self.outside(1, kept), strict=True)
        ]

    @property
    def owed(self) -> list[tuple[list[Comparison], ...]]:
        """What makes every sum finite and its enclosure true, as lists of which one must be shown each:
        ``finite_by`` shows them before anything is settled, or refuses.
        """
        raise NotImplementedError

    def gap(self, values: Sequence[Fraction]) -> tuple[Any, Any]:
        """The side that is summed, and the other, as balls."""
        raise NotImplementedError

    def sums(self, values: Sequence[Fraction]) -> Callable[..., Any]:
        """Sums at these parameters: of a tree of logarithms, and perhaps of what stands before."""
        at = {id(v): x for v, x in zip(self.domain.terms, values, strict=True)}
        edge = ceil(ball(values_of([self.from_index.term], at)[0]).upper().fmpq())

        def summed(logarithm: Tree, of: Tree | None = None, degree: int = 0, size: Any = 1) -> Any:
            factor = None if of is None or of.term is ONE else _of_index(of.term, at)
            return total(_of_index(logarithm.term, at), ARB, factor, degree, size, edge, FARTHEST)

        return summed

    def at(self, point: Point) -> Truth:
        self.require_value()
        return self.compared_at(self.domain.values(point))

    def compared_at(self, values: Sequence[Fraction], precisions: Sequence[int] = BITS) -> Truth:
        for bits in precisions:
            with enclosing(bits):
                left, right = self.gap(values)
                told = compared(left - right, self.relation)
                sign = "<" if left < right else ">" if left > right else "≈"
                shown = f"{left.str(17, radius=False)} {sign} {right.str(17, radius=False)}"
            if told is not None or self.relation == "==":
                break
        at = self.domain.told(values)
        return Truth(told, f"{at}: {shown}" if at else shown, exact=False)

    @property
    def trees(self) -> tuple[Tree, ...]:
        """What is summed, and the bound."""
        raise NotImplementedError

    searched = ("{} points, sums in Arb",)

    def refutations(self, effort: int) -> Iterator[str]:
        self.require_value()
        turning = telling(Prop(one.term, "==", ONE) for one in self.trees)
        points = chain(
            islice(self.domain.simple_points(effort), max(4, effort // 2)),
            self.domain.telling_points(turning, effort // 4),
        )
        for values in points:
            try:
                yield self.compared_at(values, BITS[:1]).refutes
            except ArithmeticError:  # a sum that is too long, or a side that is not finite
                continue

    def planted(self) -> Iterator[tuple[str, Statement]]:
        if self.relation == "<=":
            yield from scaled(self, "closed", ("99/100", "9/10", "1/2"), "closed form")
        else:
            yield from scaled(self, "closed", ("1001/1000", "11/10"), "closed form")
        by = Fraction(-1 if self.relation == "<=" else 1, 100)
        closed: Formula = self.closed  # type: ignore[attr-defined]
        moved: Any = lambda c, *v: closed(c, *v) + c.number(by)  # noqa: E731
        yield f"closed form plus {by}", replace(self, closed=moved)  # type: ignore[type-var]


@dataclass(frozen=True)
class IntegerMean(OverIntegers):
    """E f(X)·e^{g(X)} has the relation to a closed form, for X on the integers with P(X = k) ∝ e^{l(k)}; or,
    where it is not ``normalized``, Σ f(k)·e^{g(k) + l(k)} has.

    law: a function of a world and the parameters, whose result has ``log_weight``, l. of, exponent: formulas
    of a world, the parameters and k; |f(k)| ≤ size·(1 + |k|)^degree beyond. closed, size: of the parameters.
    """

    domain: Domain
    law: Formula
    of: Formula
    exponent: Formula
    relation: str
    closed: Formula
    degree: int
    size: Formula
    beyond: Formula
    finite_by: Callable[[Any], None]
    normalized: bool = True

    @cached_property
    def log_weight(self) -> Tree:
        """l over the parameters and k."""
        return self.over_index(lambda c, *v: self.law(c, *v[:-1]).log_weight(v[-1]))

    @cached_property
    def tilted(self) -> Tree:
        """g + l over the parameters and k; l itself where g is 0."""
        if self.over_index(self.exponent).term is lift(0):
            return self.log_weight
        return self.over_index(lambda c, *v: self.exponent(c, *v) + self.log_weight(c, *v))

    @cached_property
    def factor(self) -> Tree:
        """f over the parameters and k."""
        return self.over_index(self.of)

    @cached_property
    def bound(self) -> Tree:
        return as_tree(self.closed, self.domain.terms)

    @cached_property
    def sizes(self) -> Tree:
        """``size`` over the parameters."""
        return as_tree(self.size, self.domain.terms)

    @cached_property
    def identity(self) -> str:
        trees = (self.log_weight, self.tilted, self.factor, self.bound, self.sizes, self.from_index)
        return digest_of((self.domain, trees, self.relation, self.degree, self.normalized))

    @property
    def trees(self) -> tuple[Tree, ...]:
        return (self.tilted, self.factor, self.bound)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (self.law, self.of, self.exponent, self.closed, self.size, self.beyond)

    @property
    def text(self) -> str:
        variables = self.domain.variables
        index = Integer("X" if self.normalized else "k")
        f, g = printed(self.of, (*variables, index)), printed(self.exponent, (*variables, index))
        if _branches_once(self.factor):
            f = str(self.factor(BRANCHING, *(Text(v.name) for v in (*variables, index))))
        weight = printed(lambda c, *v: self.law(c, *v).log_weight(Text("k")), variables)
        held = f"({f})" if self.factor.term.op in ("+", "-", "where") else f
        parts = [] if self.factor.term is ONE else [held]
        parts += [] if self.tilted is self.log_weight else [f"e^({g})"]
        closed = printed(self.closed, variables)
        if self.normalized:
            words = (
                f"E {'·'.join(parts) or '1'} {WORDS[self.relation]} {closed} for X on ℤ with "
                f"P(X = k) ∝ e^({weight})"
            )
        else:
            words = f"Σ over k ∈ ℤ of {'·'.join([*parts, f'e^({weight})'])} {WORDS[self.relation]} {closed}"
        return self.domain.before(words)

    @property
    def owed(self) -> list[tuple[list[Comparison], ...]]:
        different = [] if self.tilted == self.log_weight else [self.tilted]
        found = self.finite(self.log_weight, *different)
        if self.factor.term is ONE:
            return found

        def size(c: Any, *v: Any) -> Any:
            return self.sizes(c, *v[:-1]) * c.power(1 + c.absolute(v[-1]), self.degree)

        small = [
            Comparison(domain, lambda c, *v: c.absolute(self.factor(c, *v)), "<=", size)
            for domain in self.outside(0, self.domain.variables)
        ]
        return [*found, (small,)]

    def gap(self, values: Sequence[Fraction]) -> tuple[Any, Any]:
        summed = self.sums(values)
        left = summed(self.tilted, self.factor, self.degree, ARB.number(self.sizes(ARB, *values)))
        if self.normalized:
            left = left / summed(self.log_weight)
        return left, ARB.number(self.bound(ARB, *values))


@dataclass(frozen=True)
class RenyiBound(OverIntegers):
    """D_a(P‖Q) has the relation to a bound, for two laws on the integers and an order a > 1.

    first, second: functions of a world and the parameters, whose results have ``log_weight``. order, closed:
    formulas of the parameters. written: the formulas of the author, where these are made of them.
    """

    domain: Domain
    first: Formula
    second: Formula
    order: Formula
    relation: str
    closed: Formula
    beyond: Formula
    finite_by: Callable[[Any], None]
    written: tuple[Formula, ...] = ()

    @cached_property
    def weights(self) -> tuple[Tree, Tree]:
        """The logarithms of the weights over the parameters and k."""
        first, second = (
            self.over_index(lambda c, *v, law=law: law(c, *v[:-1]).log_weight(v[-1]))
            for law in (self.first, self.second)
        )
        return first, second

    @cached_property
    def orders(self) -> Tree:
        return as_tree(self.order, self.domain.terms)

    @cached_property
    def joint(self) -> Tree:
        """a·l_P + (1 − a)·l_Q over the parameters and k."""
        first, second = self.weights

        def joint(c: Any, *v: Any) -> Any:
            return mixed(self.order(c, *v[:-1]), first(c, *v), second(c, *v))

        return self.over_index(joint)

    @cached_property
    def bound(self) -> Tree:
        return as_tree(self.closed, self.domain.terms)

    @cached_property
    def identity(self) -> str:
        trees = (*self.weights, self.orders, self.bound, self.from_index)
        return digest_of((self.domain, trees, self.relation))

    @property
    def trees(self) -> tuple[Tree, ...]:
        return (*self.weights, self.orders, self.bound)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return self.written or (self.first, self.second, self.order, self.closed, self.beyond)

    @property
    def text(self) -> str:
        variables = self.domain.variables
        first, second = (
            printed(lambda c, *v, law=law: law(c, *v).log_weight(Text("k")), variables)
            for law in (self.first, self.second)
        )
        order, closed = (printed(f, variables) for f in (self.order, self.closed))
        return self.domain.before(
            f"D_a(P‖Q) {WORDS[self.relation]} {closed} at the order a = {order}, for P and Q on ℤ with "
            f"P(k) ∝ e^({first}) and Q(k) ∝ e^({second})"
        )

    @property
    def owed(self) -> list[tuple[list[Comparison], ...]]:
        above = Comparison(self.domain, 1, "<", self.order)
        return [([above],), *self.finite(*self.weights, self.joint)]

    def gap(self, values: Sequence[Fraction]) -> tuple[Any, Any]:
        summed = self.sums(values)
        a = ARB.number(self.orders(ARB, *values))
        joint, first, second = map(summed, (self.joint, *self.weights))
        return divergence(a, joint, first, second, ARB), ARB.number(self.bound(ARB, *values))
