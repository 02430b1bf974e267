"""A domain of several variables with side conditions, and the points of it that an adversary tries."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, islice, zip_longest
from typing import Any
from unicodedata import normalize

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable

from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Side,
    StatementError,
    require_spec_only,
    where,
)
from establish.proofs_check.engine.statements.terms import TEXT
from establish.proofs_check.engine.statements.terms import Term as Text
from establish.proofs_check.engine.statements.variables import DRAWS, Variable
from establish.proofs_check.engine.statements.wording import said
from establish.proofs_check.terms.content import digest_of
from establish.proofs_check.terms.formula import Tree, tree_of
from establish.proofs_check.terms.sentence import prop
from establish.proofs_check.terms.trees import NotATerm, Program, Prop, Term, lift
from establish.proofs_check.terms.trees import variable as term_of
from establish.proofs_check.terms.values import compared
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.domains import SYMBOLS
from establish.spec.domains import Domain as DomainOfMechanism
from establish.spec.domains import Formula as FormulaOfParameters

LONG = 2000
"""Bits from which on a rational is shown by its first digits."""

WORDS = {"<": "<", "<=": "≤", "==": "=", "!=": "≠", ">=": "≥", ">": ">"}


@dataclass(frozen=True)
class Condition:
    """``left relation right`` for two formulas of the variables; relation is one of WORDS."""

    left: Any
    relation: str
    right: Any

    def __post_init__(self) -> None:
        if self.relation not in tuple(WORDS):
            raise StatementError(f"{self.relation!r} is not a relation: use {', '.join(WORDS)}")

    def said(self, variables: Sequence[Variable]) -> str:
        left, right = (printed(f, variables) for f in (self.left, self.right))
        return f"{left} {WORDS[self.relation]} {right}"


def number_or(formula: Side, name: str = "a side") -> Formula | Program:
    """A formula as it is; a rational as the formula that is constant.

    Raises StatementError, naming the argument, for anything else.
    """
    return formula if isinstance(formula, Program) or callable(formula) else constant(formula, name)


def constant(number: int | str | Fraction, name: str = "a side") -> Formula:
    """The formula that is this rational everywhere. Raises StatementError, naming the argument, otherwise."""
    if isinstance(number, float):
        raise StatementError(f"{name} = {number!r} is a binary float: write an int or a Fraction")
    try:
        value = Fraction(number)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise StatementError(
            f"{name} = {number!r} must be a formula, such as lambda c, x: 2 * x, or a rational"
        ) from error
    return lambda c, *_: c.number(value)


def given(left: Formula | Program, relation: str, right: Side) -> Condition:
    """A side condition of a domain; the right side may be a rational."""
    return Condition(number_or(left, "left"), relation, number_or(right, "right"))


def within(domain: DomainOfMechanism) -> list[Condition]:
    """The inequalities of a mechanism's domain, as side conditions on its parameters in the order α, ε, δ.

    That a parameter is above 0 is left out: its variable says it.
    """
    return [
        Condition(_of_parameters(each.left[1]), each.relation, _of_parameters(each.right[1]))
        for each in domain.conditions
        if not (each.left[0] in SYMBOLS and (each.relation, each.right[0]) == (">", "0"))
    ]


def _of_parameters(side: FormulaOfParameters) -> Formula:
    return lambda c, *values: side(dict(zip(SYMBOLS.values(), values, strict=False)), c)


def printed(formula: Formula, variables: Sequence[Variable]) -> str:
    """The formula with its operations, unsimplified; in words where it branches on its variables."""
    try:
        return str(formula(TEXT, *(Text(v.name) for v in variables)))
    except Exception:  # a guard or a branch asks for a number
        return said(formula)


def computed(formula: Formula) -> Program:
    """A formula that a program computes at whole and rational values, by a table or by a sum over a range.

    Such a formula is read at points only: by exact arithmetic, by balls, and case by case. What is a
    formula of the world, with c.sqrt(x), c.maximum(x, y) and so on, needs no such word. Raises StatementError
    for a function that reads more than ``establish.spec``.
    """
    require_spec_only(formula)
    return Program(digest_of(formula), formula)


def as_tree(formula: Formula | Program, variables: Sequence[Term]) -> Tree:
    """The formula as a tree over these variables. Raises StatementError with file and line if it is none."""
    try:
        return tree_of(formula, variables)
    except NotATerm as error:
        raise StatementError(f"{where(formula)}: cannot be evaluated as a formula: {error}") from error
    except Exception as error:
        raise StatementError(
            f"{where(formula)}: cannot be evaluated: {type(error).__name__}: {error}"
        ) from error


def read(formula: Formula, c: World, variables: Sequence[Variable], values: Sequence[Fraction]) -> Any:
    """The formula in a world, at values of the variables."""
    inputs = [
        c.number(x) if v.field == "ℝ" else int(x) if v.field == "ℤ" else x
        for v, x in zip(variables, values, strict=True)
    ]
    return formula(c, *inputs)


def digits(value: Number) -> str:
    """A ball by 17 digits; a rational as it is, one that is longer than anybody reads by its first digits."""
    if isinstance(value, (int, Fraction)):
        if max(Fraction(value).as_integer_ratio(), key=abs).bit_length() < LONG:
            return str(value)
        with enclosing():
            value = ARB.number(value)
    return str(value.str(17, radius=False))


def holds(prop: Prop, variables: Sequence[Term], values: Sequence[Fraction]) -> bool | None:
    """Whether a proposition is true at values of the variables; None for undecided or undefined."""
    return compared(prop, {id(v): x for v, x in zip(variables, values, strict=True)}).truth


@dataclass(frozen=True)
class Domain:
    """Variables in order, each bound possibly depending on those before, and side conditions."""

    variables: tuple[Variable, ...]
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        """Raises StatementError for what is no variable or condition, and for names by which a method would
        take two unknowns for one.
        """
        for variable in self.variables:
            if not isinstance(variable, Variable):
                raise StatementError(f"{variable!r} is not a variable: write Real('x') or Integer('n')")
        for condition in self.conditions:
            if not isinstance(condition, Condition):
                raise StatementError(
                    f"given: {condition!r} is not a condition: write given(left, '<=', right)"
                )
        looks: list[str] = []
        for name in self.names:
            if not isinstance(name, str) or not name.strip() or "#" in name:
                raise StatementError(f"a variable is called {name!r}: give it a name without #")
            if name == "π" or not any(map(str.isalpha, name)):
                raise StatementError(
                    f"a variable is called {name!r}, which reads as a number: give it a name with a letter"
                )
            if (seen := _look(name)) in looks:
                raise StatementError(f"two variables are called {name!r}: give each its own name")
            looks.append(seen)
        object.__setattr__(self, "variables", tuple(map(self._bounded, range(len(self.variables)))))
        object.__setattr__(self, "conditions", tuple(map(self._conditioned, self.conditions)))

    @property
    def formulas(self) -> tuple[Formula, ...]:
        """The bounds that depend on variables, and both sides of each condition."""
        bounds = (b for v in self.variables for b in (v.low, v.high) if callable(b))
        return (*bounds, *(side for c in self.conditions for side in (c.left, c.right)))

    def _bounded(self, place: int) -> Variable:
        """A variable whose bounds are read as trees over the variables before."""
        variable, earlier = self.variables[place], self.terms[:place]
        low, high = (as_tree(b, earlier) if callable(b) else b for b in (variable.low, variable.high))
        return replace(variable, low=low, high=high)

    def _conditioned(self, condition: Condition) -> Condition:
        left, right = (as_tree(f, self.terms) for f in (condition.left, condition.right))
        return Condition(left, condition.relation, right)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The variables as terms, in order."""
        return tuple(term_of(v.name, v.field) for v in self.variables)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(v.name for v in self.variables)

    def said(self) -> str:
        """``for all 0 < γ, z ∈ ℝ with γ ≤ 1``; empty when there is no variable."""
        if not self.variables:
            return ""
        named = [v.said(self.variables[:i]) for i, v in enumerate(self.variables)]
        with_ = "; ".join(condition.said(self.variables) for condition in self.conditions)
        return f"for all {', '.join(named)}" + (f" with {with_}" if with_ else "")

    def assumed(self) -> set[str]:
        """What the bounds and conditions say, as conclusions are printed."""
        found = {condition.said(self.variables) for condition in self.conditions}
        for i, variable in enumerate(self.variables):
            earlier, name = self.variables[:i], variable.name
            for bound, word in variable.limits:
                end, sign = variable.shown(bound, earlier), "≤" if "=" in word else "<"
                found.add(f"{end} {sign} {name}" if ">" in word else f"{name} {sign} {end}")
        return found

    def before(self, words: str) -> str:
        """The words for all values of the variables; alone where there is none."""
        said = self.said()
        return f"{said}: {words}" if said else words

    def own_values(self, point: Point) -> tuple[Fraction, ...]:
        """The values of the variables at a point that gives more. Raises as `values`."""
        return self.values({name: point[name] for name in self.names})

    def values(self, point: Point) -> tuple[Fraction, ...]:
        """The point as rationals in order. Raises StatementError outside the domain."""
        if set(point) != set(self.names):
            raise StatementError(f"a point gives {', '.join(self.names) or 'nothing'}, not {dict(point)}")
        values = tuple(_rational(name, point[name]) for name in self.names)
        if not self.includes(values):
            raise StatementError(f"{self.told(values)} lies outside the domain: {self.said()}")
        return values

    @cached_property
    def given(self) -> tuple[Prop, ...]:
        """The bounds and side conditions, as propositions about `terms`, those of a variable in its turn."""
        found: list[Prop] = []
        for term, v in zip(self.terms, self.variables, strict=True):
            for bound, word in v.limits:
                end = bound.term if isinstance(bound, Tree) else bound
                found.append(prop(term, word, lift(_rational(v.name, end))))
        return (*found, *(prop(c.left.term, c.relation, c.right.term) for c in self.conditions))

    def inside(self, values: Sequence[Fraction]) -> bool | None:
        """Whether the values lie in the domain; None where a bound or a condition is not decided there."""
        found = self._met(values)
        return False if False in found else None if None in found else True

    def includes(self, values: Sequence[Fraction]) -> bool:
        """Whether the values lie in the domain certainly."""
        return self.inside(values) is True

    def may_include(self, values: Sequence[Fraction]) -> bool:
        """Whether the values lie in the domain, where balls that touch are taken to be equal."""
        met = zip(self.given, self._met(values), strict=True)
        return all(told or (told is None and p.relation in ("<=", "==")) for p, told in met)

    def _met(self, values: Sequence[Fraction]) -> list[bool | None]:
        if any(v.field == "ℤ" and x.denominator != 1 for v, x in zip(self.variables, values, strict=True)):
            return [False] * len(self.given) or [False]
        return [holds(p, self.terms, values) for p in self.given]

    def told(self, values: Sequence[Fraction]) -> str:
        return ", ".join(f"{n} = {v}" for n, v in zip(self.names, values, strict=True))

    def simple_points(self, most: int) -> Iterator[tuple[Fraction, ...]]:
        """Points of the domain: the simplest values of all variables crossed, then mixed by a fixed seed."""
        known = _whole_lists(self)
        if most not in known:
            seen: dict[tuple[Fraction, ...], None] = {}
            few = max(2, int((most / 2) ** (1 / max(1, len(self.variables)))))
            for point in chain(self._crossed((), few), self._mixed(20 * most)):
                if len(seen) >= most:
                    break
                if point not in seen and self.includes(point):
                    seen[point] = None
                    yield point
            known[most] = tuple(seen)
            return
        yield from known[most]

    def telling_points(self, telling: Sequence[Fraction], most: int) -> Iterator[tuple[Fraction, ...]]:
        """At most ``most`` points at which a variable has one of the values, or a whole one at an end, and
        the others are simple. Where balls do not decide whether a point lies in the domain, it is one of
        them.
        """
        points = chain.from_iterable(
            zip_longest(*map(partial(self._turning, telling), range(len(self.terms))))
        )
        yield from islice((p for p in dict.fromkeys(points) if p is not None and self.may_include(p)), most)

    def _turning(self, telling: Sequence[Fraction], place: int) -> Iterator[tuple[Fraction, ...]]:
        """Points in which the variable of that place has a telling value."""
        for simplest in (0, 1):
            before = self._simplest((), place, simplest)
            if before is None:
                return
            numbers = self.variables[place].whole_between(before)
            ends = [Fraction(n) for n in (*numbers[-2:], *numbers[:2])] if numbers else []
            for value in (*ends, *telling):
                point = self._simplest((*before, value), len(self.variables), simplest)
                if point is not None:
                    yield point

    def _simplest(self, values: tuple[Fraction, ...], most: int, at: int) -> tuple[Fraction, ...] | None:
        """The values, and after them one of the simplest of each variable up to ``most``."""
        try:
            while len(values) < most:
                choice = self.variables[len(values)].candidates(values)
                values = (*values, choice[min(at, len(choice) - 1)])
        except (IndexError, ArithmeticError, ValueError):
            return None
        return values

    def _crossed(self, values: tuple[Fraction, ...], few: int) -> Iterator[tuple[Fraction, ...]]:
        """The ``few`` simplest values of every variable, in all combinations."""
        if len(values) == len(self.variables):
            yield values
            return
        for value in self.variables[len(values)].candidates(values)[:few]:
            yield from self._crossed((*values, value), few)

    def _mixed(self, tries: int) -> Iterator[tuple[Fraction, ...]]:
        mixer = random.Random(0)
        for _ in range(tries):
            values: tuple[Fraction, ...] = ()
            for variable in self.variables:
                choice = variable.candidates(values)
                if not choice:
                    break
                values = (*values, mixer.choice(choice))
            if len(values) == len(self.variables):
                yield values

    def drawn_point(self, wanted: Any, examples: int) -> tuple[Fraction, ...] | None:
        """A point that Hypothesis finds and shrinks with ``wanted(values)``, or None."""

        def placed(draws: tuple[int, ...]) -> tuple[Fraction, ...] | None:
            values: tuple[Fraction, ...] = ()
            try:
                for variable, draw in zip(self.variables, draws, strict=True):
                    values = (*values, variable.placed(draw, values))
            except ArithmeticError:  # an end that is not defined there: the variables before lie outside
                return None
            return values if self.includes(values) else None

        def refutes(draws: tuple[int, ...]) -> bool:
            values = placed(draws)
            return values is not None and bool(wanted(values))

        chosen = settings(
            max_examples=examples,
            database=None,
            derandomize=True,
            deadline=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        try:
            draws = find(
                st.tuples(*[st.integers(-DRAWS, DRAWS)] * len(self.variables)), refutes, settings=chosen
            )
            return placed(draws)
        except (NoSuchExample, Unsatisfiable):
            return None


def _look(name: str) -> str:
    """What a reader sees of a name: no blanks, nothing that does not print, and one form of each letter."""
    return "".join(letter for letter in normalize("NFKC", name) if letter.isprintable() and letter != " ")


def _rational(name: str, value: Any) -> Any:
    if isinstance(value, Term):
        return value
    if isinstance(value, float):
        raise StatementError(f"{name} = {value!r} is a binary float: write a rational")
    try:
        return Fraction(value)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise StatementError(f"{name} = {value!r} is not a rational number: write 1, '1/2'") from error


@shared
def _whole_lists(domain: Domain) -> dict[int, tuple[tuple[Fraction, ...], ...]]:
    """The simple points of a domain by how many were asked for, once all of them were looked at: statements,
    their planted neighbors and evidence ask again.
    """
    return {}
