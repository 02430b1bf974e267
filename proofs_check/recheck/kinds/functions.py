"""Normal forms of roots, exponentials, logarithms, and powers that are not whole numbers."""

import itertools
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import flint

from establish.proofs_check.recheck.quotients import (
    ONE,
    RING,
    Finer,
    Form,
    Open,
    Poly,
    constant,
    fraction,
    is_constant,
    quotient,
)
from establish.proofs_check.recheck.signs import ABOVE, LEAST, UNKNOWN, Signs


class Functions:
    """signs: those of the question's generators. finer: into how many parts the argument of an exponential or
    a root is cut. powers: of a root's place, its degree and what is under it. exponents, roots: what an
    exponential's and a root's polynomial is of. arguments: of a logarithm's place. logarithms: of what, and
    the logarithm. sides: as of `_side`.
    """

    def __init__(self, signs: Signs, finer: dict[Any, int]) -> None:
        self.signs, self.finer = signs, finer
        self.powers: dict[int, tuple[int, Form]] = {}
        self.exponents: dict[str, Form] = {}
        self.roots: dict[str, tuple[Form, int]] = {}
        self.arguments: dict[int, Form] = {}
        self.logarithms: list[tuple[Form, Form]] = []
        self.sides: dict[Any, int] = {}

    def reduced(self, form: Form) -> Form:
        """Without powers of roots that are more than these allow."""
        for _ in range(2 * len(self.powers)):
            for place, (degree, under) in self.powers.items():
                entries = form.n.to_dict()
                if any(powers[place] >= degree for powers in entries):
                    groups: dict[int, dict[Any, Any]] = {}
                    for powers, c in entries.items():
                        whole, rest = divmod(powers[place], degree)
                        lower = (*powers[:place], rest, *powers[place + 1 :])
                        groups.setdefault(whole, {})[lower] = c
                    total = constant(0)
                    for whole, group in groups.items():
                        total += Form(RING.from_dict(group), ONE) * under.to(whole)
                    form = quotient(total.n, total.d * form.d)
        return form

    def power(self, base: Form, exponent: Form) -> Form:
        share = is_constant(exponent)
        if share is not None:
            return self.rational_power(base, share)
        if not self.signs.positive(base):
            if self.signs.weak_sign(base.n * base.d) < 1:
                raise Open("a power of a base of unknown sign")
            return self.signs.generator(("power", base.key, exponent.key), LEAST)
        return self.exp(exponent * self.log(base))

    def rational_power(self, base: Form, share: Fraction) -> Form:
        if share.denominator == 1:
            return self.reduced(base.to(int(share)))
        if base.n == 0:
            raise Open("a root of 0")
        result = constant(1)
        for factor, times in self._positive_factors(base, LEAST):
            result *= self._root(factor, share * times)
        return result

    def _positive_factors(self, form: Form, least: int) -> list[tuple[Form, int]]:
        """Factors with their powers, primes of a number among them, each of them above 0.

        least: LEAST where at least 0 is enough for a single one that is no power.
        """
        (over, above), (under, beneath) = form.n.factor(), form.d.factor()
        lead = fraction(over) / fraction(under)
        pieces = [*above, *((f, -times) for f, times in beneath)]
        found: list[tuple[Form, int]] = []
        unknown: list[tuple[Poly, int]] = []
        for f, times in pieces:
            one = self.signs.of_factor(f)
            if one:
                found.append((Form(f if one > 0 else -f, ONE), times))
                lead *= one ** (times % 2)
            else:
                unknown.append((f, times))
        if unknown:
            (f, times), *others = unknown
            f, lead = (f, lead) if lead > 0 else (-f, -lead)
            if least != LEAST or others or times != 1:
                raise Open("a factor of unknown sign under a root or a logarithm")
            found.append((Form(f, ONE), 1))
        if lead <= 0:
            raise Open("a root or a logarithm of a negative number")
        for whole, side in ((lead.numerator, 1), (lead.denominator, -1)):
            found += [(constant(int(p)), times * side) for p, times in flint.fmpz(whole).factor()]
        return found

    def _root(self, base: Form, share: Fraction) -> Form:
        if str(base.n) in self.exponents:
            return self.exp(self.exponents[str(base.n)] * constant(share))
        if share.denominator == 1:
            return base.to(int(share))
        degree = self.finer.get(("root", base.key), 1)
        if degree % share.denominator:
            raise Finer(("root", base.key), share.denominator)
        value = self.signs.value(base)
        known = None if value is None else value.root(degree)
        root = self.signs.generator(("root", base.key), ABOVE if self.signs.positive(base) else LEAST, known)
        self.powers[self.signs.places["root", base.key]] = degree, base
        self.roots[str(root.n)] = base, degree
        whole, rest = divmod(int(share * degree), degree)
        return base.to(whole) * root.to(rest)

    def exp(self, exponent: Form) -> Form:
        """A product over the monomials of the exponent; e^(t·ln y) is y^t."""
        result = constant(1)
        scale = fraction(exponent.d.leading_coefficient())
        for powers, coefficient in exponent.n.to_dict().items():
            monomial = quotient(RING.from_dict({powers: 1}), exponent.d)
            share = fraction(coefficient)
            places = [place for place, power in enumerate(powers) if power]
            if monomial.d == 1 and sum(powers) == 1 and places[0] in self.arguments:
                result *= self.rational_power(self.arguments[places[0]], share / scale)
                continue
            common = [fraction(c) for c in monomial.d.to_dict().values()]
            content = Fraction(gcd(*(c.numerator for c in common)), lcm(*(c.denominator for c in common)))
            monomial = Form(monomial.n, monomial.d / flint.fmpq(content.numerator, content.denominator))
            result *= self._exponential(monomial, share / content)
        return result

    def _side(self, key: Any, form: Form) -> int:
        """The sign by which a function's generator is made. What is learned later does not change it: the
        same generator would be two numbers.
        """
        return self.sides.setdefault(key, self.signs.sign(form.n) * self.signs.sign(form.d))

    def _exponential(self, monomial: Form, share: Fraction) -> Form:
        key = ("exp", monomial.key)
        degree = self.finer.get(key, 1)
        if degree % share.denominator:
            raise Finer(key, share.denominator)
        argument = monomial / constant(degree)
        side = self._side(key, monomial)
        new = key not in self.signs.places
        argument = -argument if side < 0 else argument
        number = self.signs.value(argument)
        known = None if number is None else number.exp() - abs(side)
        value = self.signs.generator(key, ABOVE, known)
        if side:  # e^|argument| is 1 and something above 0
            value += constant(1)
        self.exponents[str(value.n)] = argument
        if new:
            self.logarithms.append((value, argument))
        return value.to(int(share * degree) * (side or 1))

    def log(self, form: Form) -> Form:
        result = constant(0)
        for factor, times in self._positive_factors(form, ABOVE):
            result += self._logarithm(factor) * constant(times)
        return result

    def _logarithm(self, factor: Form) -> Form:
        text = str(factor.n)
        if text in self.exponents:
            return self.exponents[text]
        if text in self.roots:
            base, degree = self.roots[text]
            return self.log(base) / constant(degree)
        key = ("log", text)
        side = self._side(key, factor - constant(1))
        new = key not in self.signs.places
        number = self.signs.value(factor)
        known = None if number is None else number.log() * (side or 1)
        value = self.signs.generator(key, ABOVE if side else UNKNOWN, known)
        result = value if side >= 0 else -value
        self.arguments[self.signs.places[key]] = factor if side >= 0 else constant(1) / factor
        if new:
            self.logarithms.append((factor, result))
        return result

    def told(self) -> list[tuple[Poly, bool]]:
        """What holds of logarithms: ln x − ln y is at most (x − y)/y and at least (x − y)/x, also for 1."""
        facts = []
        pairs = [(constant(1), constant(0)), *self.logarithms]
        for (other, known), (of, value) in itertools.combinations(pairs, 2):
            gap, apart = of - other, value - known
            strict = other == constant(1) and bool(self.signs.sign(gap.n) * self.signs.sign(gap.d))
            for form in (gap - other * apart, of * apart - gap):
                side = self.signs.sign(form.d)
                facts += [(form.n if side > 0 else -form.n, strict)] if side else []
        return facts
