"""Where a mechanism is defined: the inequalities that are printed are those that decide.

A domain is written in words, as "3·ln(1 + α) < ε, 1/1000 <= ε". The same text stands in records, is decided
at exact parameters, and refuses those outside with both sides and with what would be inside. Rational sides
are compared exactly and others in balls that get narrower; what no ball tells apart is not satisfied.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, ClassVar

from establish.spec.arithmetic import ARB, EXACT, MP, Number, World, enclosing
from establish.spec.parameters import Name, ParameterError, Rational, positive

Values = Mapping[str, Fraction]
"""Exact parameters by name: alpha, epsilon, delta and rho, as far as a domain is about them."""

Formula = Callable[[Values, World], Number]

SYMBOLS = {"α": "alpha", "ε": "epsilon", "δ": "delta", "ρ": "rho"}

BITS = tuple(100 * 2**k for k in range(6))
"""The precisions of the balls that are tried in turn, up to 3,200 bits."""

HALVINGS = 60
"""A bound that is told, at 4 digits, is searched by so many halvings, from DOUBLINGS doublings at most."""

DOUBLINGS = 100

UP = (Fraction(2), "ceil", "raise {} above {}", "raise {} to {} or more")
DOWN = (Fraction(1, 2), "floor", "lower {} below {}", "lower {} to {} or less")
"""How a parameter is moved and its bound is rounded, and what is said of one that is outside, and inside."""

_OPERATORS: Mapping[type, Callable[..., Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}

_RELATIONS: Mapping[str, Callable[[Number, Number], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Unreadable(Exception):
    """A text that is no inequality of this kind."""


class OutsideError(ParameterError):
    """Parameters outside of a domain. Its words, which take a search, are found where they are read."""

    def __init__(self, tell: Callable[[], str]) -> None:
        super().__init__()
        self._tell = tell

    @cached_property
    def args(self) -> tuple[str]:  # type: ignore[override]
        return (self._tell(),)

    def __str__(self) -> str:
        return self.args[0]

    def __reduce__(self) -> tuple[type[ParameterError], tuple[str]]:
        return ParameterError, self.args


def _value(node: Any, at: Values, c: World) -> Number:
    """A formula of rationals, the parameters, e, ln, + − · / ^ and brackets."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return c.number(node.value)
    if isinstance(node, ast.Name) and node.id in SYMBOLS:
        return c.number(at[SYMBOLS[node.id]])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        exponent = _value(node.right, at, c)
        is_e = isinstance(node.left, ast.Name) and node.left.id == "e"
        return c.exp(exponent) if is_e else c.power(_value(node.left, at, c), exponent)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and _are_whole(node.left, node.right):
        return c.number(Fraction(node.left.value, node.right.value))  # type: ignore[attr-defined]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, at, c), _value(node.right, at, c))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "ln":
        return c.log(_value(node.args[0], at, c))
    raise Unreadable(ast.dump(node))


def _are_whole(*nodes: ast.AST) -> bool:
    return all(isinstance(node, ast.Constant) and isinstance(node.value, int) for node in nodes)


def formula(text: str) -> Formula:
    """The formula that ``text`` prints. Raises Unreadable."""
    python = text.replace("·", "*").replace("^", "**").replace("−", "-")
    python = re.sub(r"(\d) ?(?=ln|[αεδρ(])", r"\1*", python)
    try:
        tree = ast.parse(python.strip(), mode="eval").body
    except SyntaxError:
        raise Unreadable(text) from None
    return lambda at, c: _value(tree, at, c)


@dataclass(frozen=True)
class Condition:
    """One inequality. left, right: the sides as they are printed, with their formulas."""

    says: str
    left: tuple[str, Formula]
    relation: str
    right: tuple[str, Formula]

    def holds(self, at: Values) -> bool:
        """Whether it certainly holds at exact parameters."""
        compare = _RELATIONS[self.relation]
        try:
            return bool(compare(self.left[1](at, EXACT), self.right[1](at, EXACT)))
        except TypeError:  # a side has no exact value
            pass
        for bits in BITS:
            with enclosing(bits):
                left, right = self.left[1](at, ARB), self.right[1](at, ARB)
                if left < right or left > right:
                    return bool(compare(left, right))
        return False

    def sides(self, at: Values) -> str:
        """What the sides that are no number are, in as few digits (at least 5) as show that they differ."""
        with MP.mp.workdps(80):
            values = [MP.number(side(at, MP)) for _, side in (self.left, self.right)]
            for digits in (5, 10, 20, 50):
                texts = [MP.mp.nstr(value, digits) for value in values]
                if texts[0] != texts[1]:
                    break
        told = zip((self.left[0], self.right[0]), texts, strict=True)
        return " and ".join(f"{name} = {text}" for name, text in told if not re.fullmatch(r"[\d/]+", name))

    def ways_in(self, at: Values) -> str:
        """How parameters would come inside, each by itself, in words."""
        raised, lowered = partial(self._way, at, *UP), partial(self._way, at, *DOWN)
        ways = [*raised("ε"), *raised("ρ"), *(["raise δ"] if "δ" in self.says else []), *lowered("α")]
        ways = ways or [*lowered("ε"), *raised("α")]
        return " or ".join(filter(None, (", ".join(ways[:-1]), *ways[-1:])))

    def _way(
        self, at: Values, factor: Fraction, towards: str, beyond: str, until: str, symbol: str
    ) -> list[str]:
        name = SYMBOLS[symbol]
        bound = self._bound(at, name, factor) if name in at else None
        if bound is None:
            return []
        end = _rounded(bound, getattr(MP.mp, towards))
        exact = Fraction(end)
        allowed = abs(exact - bound) < exact / 2 ** (HALVINGS - 2) and self.holds({**at, name: exact})
        return [until.format(symbol, end) if allowed else beyond.format(symbol, end)]

    def _bound(self, at: Values, name: str, factor: Fraction) -> Fraction | None:
        """The last value of a parameter outside, on the way to where it holds; None where there is none."""
        outside = at[name]
        for _ in range(DOUBLINGS):
            inside = outside * factor
            if self.holds({**at, name: inside}):
                break
            outside = inside
        else:
            return None
        for _ in range(HALVINGS):
            middle = (outside + inside) / 2
            if self.holds({**at, name: middle}):
                inside = middle
            else:
                outside = middle
        return outside


def _rounded(value: Fraction, towards: Callable[[Number], Number]) -> str:
    """``value`` at 4 significant digits, rounded by ``towards``."""
    with MP.mp.workdps(80):
        number = MP.number(value)
        unit = MP.mp.mpf(10) ** (MP.mp.floor(MP.mp.log10(number)) - 3)
        return str(MP.mp.nstr(towards(number / unit) * unit, 4))


@dataclass(frozen=True)
class Domain:
    """says: inequalities with commas between them. formulas: of sides that no short formula says. besides:
    conditions that have a name, which whoever constructs the mechanism decides.
    """

    says: str
    formulas: Mapping[str, Formula] = field(default_factory=dict, hash=False, compare=False)
    besides: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ", ".join((self.says, *self.besides))

    def __and__(self, other: Domain) -> Domain:
        """Where both are defined."""
        return Domain(
            f"{self.says}, {other.says}", {**self.formulas, **other.formulas}, self.besides + other.besides
        )

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        return tuple(self._read())

    def _read(self) -> Iterator[Condition]:
        for says in re.split(", | and ", self.says):
            *parts, last = re.split(r" (<=|<|>=|>) ", says)
            sides = [(side, self.formulas.get(side) or formula(side)) for side in (*parts[::2], last)]
            for relation, (left, right) in zip(parts[1::2], pairwise(sides), strict=True):
                yield Condition(f"{left[0]} {relation} {right[0]}", left, relation, right)

    def includes(self, at: Values) -> bool:
        """Whether every inequality certainly holds at exact parameters."""
        return all(condition.holds(at) for condition in self.conditions)

    def require(self, name: str, at: Values, serving: Callable[[], str] | None = None) -> None:
        """Raise ParameterError unless the mechanism ``name`` is defined: both sides, and how to come inside.

        serving: what would serve at these parameters, where that is known. At names nothing is decided.
        """
        if not are_known(*at.values()):
            return
        for condition in self.conditions:
            if not condition.holds(at):
                raise OutsideError(partial(_refusal, name, condition, dict(at), serving))


def _refusal(name: str, condition: Condition, at: Values, serving: Callable[[], str] | None) -> str:
    given = ", ".join(f"{s} = {at[key]}" for s, key in SYMBOLS.items() if key in at)
    told = f"{name} needs {condition.says}, but {condition.sides(at)} ({given}): {condition.ways_in(at)}"
    return f"{told}; {serving()} would serve" if serving else told


def are_known(*values: Number) -> bool:
    """Whether no parameter is a name or a formula of names."""
    return not any(isinstance(value, Name) for value in values)


UNCHOSEN: Any = Name()
"""What a mechanism of names has in place of what it computes from its parameters: no formula can read it."""


class Defined:
    """An ideal mechanism of α and ε, defined where its domain says. Raises ParameterError elsewhere.

    At names in place of numbers its law is a formula.
    """

    domain: ClassVar[Domain] = Domain("α > 0, ε > 0")

    def __init__(self, alpha: Rational, epsilon: Rational) -> None:
        self.alpha = positive("alpha", alpha)
        self.epsilon = positive("epsilon", epsilon)
        self.domain.require(type(self).__name__, {"alpha": self.alpha, "epsilon": self.epsilon})
        if are_known(self.alpha, self.epsilon):
            self.choose()

    def __setattr__(self, name: str, value: Any) -> None:
        """Raises AttributeError for a second value: what is chosen at numbers leaves the parameters alone."""
        if name in vars(self):
            raise AttributeError(f"{name} of {type(self).__name__} is set once")
        super().__setattr__(name, value)

    def choose(self) -> None:
        """Compute what else the law needs. Raises ParameterError where the mechanism is not defined."""
