"""The world in which the solver reads a formula, and what it is told of functions."""

import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import z3

_TOLD: Mapping[str, Callable[[Any, Any], z3.BoolRef]] = {
    "exp": lambda value, x: z3.And(value > 0, value >= 1 + x, z3.Implies(x == 0, value == 1)),
    "log": lambda value, x: z3.Implies(x > 0, z3.And(value <= x - 1, z3.Implies(x == 1, value == 0))),
    "erf": lambda value, x: z3.And(value > -1, value < 1, (x > 0) == (value > 0), (x < 0) == (value < 0)),
    "sin": lambda value, x: z3.And(value >= -1, value <= 1),
    "sqrt": lambda value, x: z3.Implies(x >= 0, z3.And(value >= 0, value * value == x)),
}
"""What is told of one value f(x), by the name of f."""


class Reading:
    """The world in which the solver reads a formula: polynomials, and other functions as unknowns.

    ln, e^x and √ of a term become unknown real numbers, one for each term, of which ``facts`` tells only
    this: e^x is positive, at least 1 + x, and 1 at 0; ln y ≤ y − 1 for y > 0, and 0 at 1; both increase;
    ln(x·y) = ln x + ln y and ln(x/y) = ln x − ln y for x, y > 0; ln(e^x) = x and e^(t·ln y) = y^t; √y is
    at least 0 and its square is y, for y ≥ 0. A power x^(p/q) is the p-th power of the q-th root of x,
    which for x > 0 is positive with the q-th power x, and 0 for x = 0; any other x^t is positive with the
    logarithm t·ln x for x > 0, and 0 for x = 0 and t > 0. A sine lies between −1 and 1, and π between 3
    and 4. erf lies strictly between −1 and 1, has the sign of its argument, and increases. ψ and ψ⁻¹ are
    told of by `told_of_psi`. Whatever follows for all such numbers is true.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[Any, Any]] = {}
        self._told: list[z3.BoolRef] = []

    @property
    def opaque(self) -> bool:
        """Whether an unknown was made, so that a model of the solver refutes nothing."""
        return bool(self._known)

    @property
    def pi(self) -> Any:
        """An unknown between 3 and 4."""
        value = self._unknown("pi", self.number(0))
        self._told.append(z3.And(value > 3, value < 4))
        return value

    def number(self, value: Any) -> Any:
        if isinstance(value, float):
            raise TypeError(f"{value!r} is a binary float: write an int or a Fraction")
        return z3.RealVal(str(Fraction(value))) if isinstance(value, int | Fraction) else value

    def power(self, base: Any, exponent: Any) -> Any:
        share = _fraction(exponent)
        if share is None:
            return self._real_power(self.number(base), exponent)
        if share.denominator == 1:
            return self._whole_power(base, int(share))
        root = self._unknown(f"root {share.denominator} of", base)
        return self._whole_power(root, share.numerator)

    def _real_power(self, base: Any, exponent: Any) -> Any:
        base, exponent = z3.simplify(base), z3.simplify(exponent)
        value = self._unknown(f"power {exponent.sexpr()} of", base)
        at_zero = z3.Implies(z3.And(base == 0, exponent > 0), value == 0)
        logarithm = self.log(value) == exponent * self.log(base)
        self._told += [at_zero, z3.Implies(base > 0, z3.And(value > 0, logarithm))]
        return value

    def _whole_power(self, base: Any, exponent: int) -> Any:
        result = self.number(1)
        for _ in range(abs(exponent)):
            result = result * base
        return result if exponent >= 0 else 1 / result

    def absolute(self, x: Any) -> Any:
        return z3.If(self.number(x) >= 0, self.number(x), -self.number(x))

    def maximum(self, x: Any, y: Any) -> Any:
        return z3.If(self.number(x) >= self.number(y), self.number(x), self.number(y))

    def sign(self, x: Any) -> Any:
        one = self.number(1)
        return z3.If(self.number(x) > 0, one, z3.If(self.number(x) < 0, -one, self.number(0)))

    def where(self, word: str, left: Any, right: Any, then: Any, other: Any) -> Any:
        """The value of a branch: one side or the other."""
        return z3.If(relation(left, word, right, self), self.number(then), self.number(other))

    @property
    def undefined(self) -> Any:
        """What a formula gives where it has no value: of it nothing is told, and it must be unreachable."""
        return self._unknown("undefined", self.number(0))

    def floor(self, x: Any) -> Any:
        return z3.ToReal(z3.ToInt(self.number(x)))

    def exp(self, x: Any) -> Any:
        value = self._unknown("exp", x)
        for base, exponent in self._logarithm_in(self.number(x)):
            power = self.power(base, exponent)
            self._told.append(z3.Implies(base > 0, value == power))
        return value

    def _logarithm_in(self, product: Any) -> Iterator[tuple[Any, Any]]:
        """(y, t) where a product is t·ln y: e^(t·ln y) is y^t."""
        factors = product.children() if z3.is_mul(product) else []
        for (name, _), (known, term) in list(self._known.items()):
            if name == "log" and sum(z3.eq(known, factor) for factor in factors) == 1:
                rest = [factor for factor in factors if not z3.eq(known, factor)]
                yield term, z3.simplify(z3.Product(rest))

    def log(self, x: Any) -> Any:
        x = self.number(x)
        value = self._unknown("log", x)
        for (name, _), (known, term) in list(self._known.items()):
            if name == "exp" and z3.eq(known, x):
                self._told.append(value == term)
        if z3.is_mul(x) or z3.is_div(x):
            first, *others = (z3.simplify(part) for part in x.children())
            sign = -1 if z3.is_div(x) else 1
            parts = self.log(first) + sum(sign * self.log(part) for part in others)
            positive = z3.And(*(part > 0 for part in (first, *others)))
            self._told.append(z3.Implies(positive, value == parts))
        return value

    def sqrt(self, x: Any) -> Any:
        return self._unknown("sqrt", x)

    def psi(self, x: Any) -> Any:
        """ψ of a term, for any neighbor function ψ."""
        return self._unknown("psi", x)

    def psi_inverse(self, u: Any) -> Any:
        """ψ⁻¹ of a term; ψ of it is known as well."""
        value = self._unknown("psi_inverse", u)
        self.psi(value)
        return value

    def sin(self, x: Any) -> Any:
        return self._unknown("sin", x)

    def erf(self, x: Any) -> Any:
        return self._unknown("erf", x)

    def _unknown(self, name: str, x: Any) -> Any:
        term = z3.simplify(self.number(x))
        key = (name, term.sexpr())
        if key not in self._known:
            self._known[key] = (z3.Real(f"{name}#{len(self._known)}"), term)
        return self._known[key][0]

    def facts(self, *, order: bool = True) -> list[z3.BoolRef]:
        """What is told of the unknowns; without ``order`` not that functions increase, which is faster."""
        found = list(self._told)
        groups: dict[str, list[tuple[Any, Any]]] = {}
        for (name, _), (value, term) in self._known.items():
            groups.setdefault(name, []).append((value, term))
            if name.startswith("root"):
                power = self._whole_power(value, int(name.split()[1]))
                found.append(z3.Implies(term > 0, z3.And(value > 0, power == term)))
                found.append(z3.Implies(term == 0, value == 0))
            if name in _TOLD:
                found.append(_TOLD[name](value, term))
        for name in ("exp", "log", "erf") if order else ():
            for (a, x), (b, y) in combinations(groups.get(name, []), 2):
                defined = z3.And(x > 0, y > 0) if name == "log" else z3.BoolVal(True)
                found.append(z3.Implies(z3.And(defined, x < y), a < b))
                found.append(z3.Implies(z3.And(defined, y < x), b < a))
                found.append(z3.Implies(z3.And(defined, x == y), a == b))
        return found + told_of_psi(groups.get("psi", []), groups.get("psi_inverse", []))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise TypeError(f"the solver has no {name}: transform the statement first")


def told_of_psi(values: list[tuple[Any, Any]], inverses: list[tuple[Any, Any]]) -> list[z3.BoolRef]:
    """What is told of a neighbor function (Definition 5.1), for pairs (ψ(x), x) and (ψ⁻¹(u), u).

    ψ increases strictly on x ≥ 0. ψ is concave: ψ(d) − ψ(c) ≤ ψ(b) − ψ(a) where 0 ≤ a ≤ b, a ≤ c and
    d − c is b − a as the solver simplifies them. ψ∘exp is convex: ψ(b) − ψ(a) ≤ ψ(d) − ψ(c) where 0 < a ≤ b,
    a ≤ c and a·d is b·c as the solver simplifies them. ψ⁻¹(u) is at least 0 and ψ(ψ⁻¹(u)) = u for every u ≥
    ψ(0); `Arbitrary` leaves ψ(0) out of the values where it is −∞, and this is then told for every u.
    """
    found = []
    for (a, x), (b, y) in combinations(values, 2):
        both = z3.And((x < y) == (a < b), (y < x) == (b < a))
        found.append(z3.Implies(z3.And(x >= 0, y >= 0), both))
        found.append(z3.Implies(x == y, a == b))
    terms = [x for _, x in values]
    each = list(product(range(len(terms)), repeat=2))
    apart = {(i, j): z3.simplify(terms[j] - terms[i], som=True) for i, j in each}
    times = {(i, j): z3.simplify(terms[i] * terms[j], som=True) for i, j in each}
    for i, j, k, m in permutations(range(len(terms)), 4):
        (fa, a), (fb, b), (fc, c), (fd, _) = (values[at] for at in (i, j, k, m))
        if z3.eq(apart[i, j], apart[k, m]):
            found.append(z3.Implies(z3.And(a >= 0, a <= b, a <= c), fd - fc <= fb - fa))
        if z3.eq(times[i, m], times[j, k]):
            found.append(z3.Implies(z3.And(a > 0, a <= b, a <= c), fb - fa <= fd - fc))
    at_zero = [value for value, term in values if z3.is_rational_value(term) and z3.simplify(term == 0)]
    for value, u in inverses:
        defined = z3.And(*(u >= lowest for lowest in at_zero))
        whole = [p for p, term in values if z3.eq(z3.simplify(term), z3.simplify(value))]
        found.append(z3.Implies(defined, z3.And(value >= 0, *(p == u for p in whole))))
    return found


def _fraction(exponent: Any) -> Fraction | None:
    """The rational that an exponent is, or None where it is no number."""
    if isinstance(exponent, int | Fraction):
        return Fraction(exponent)
    term = z3.simplify(exponent)
    return term.as_fraction() if z3.is_rational_value(term) else None


_RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


def relation(left: Any, word: str, right: Any, c: Reading) -> z3.BoolRef:
    """``left word right`` as a formula of the solver."""
    decided: z3.BoolRef = _RELATIONS[word](c.number(left), c.number(right))
    return decided
