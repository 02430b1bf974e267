"""What is known of the signs of polynomials: of their generators, and by what is given."""

from typing import Any

import flint

from establish.proofs_check.recheck.quotients import GENERATORS, MOST, ONE, Form, Open, Poly

UNKNOWN, LEAST, ABOVE = 0, 1, 2
"""What is known of a generator: nothing, at least 0, above 0."""


BITS = 256
"""The precision of numbers."""


def monic(p: Poly) -> str:
    return str(p / p.leading_coefficient())


def lead_sign(p: Poly) -> int:
    return 1 if p.leading_coefficient() > 0 else -1


class Signs:
    """signs: what is known of each generator. facts: polynomials, with whether they are above 0 or at least
    that. known, least: of monic polynomials, 1 or −1 where they have that sign, 0 where they are not 0.
    values: of generators that are numbers, as balls.
    """

    def __init__(self) -> None:
        self.places: dict[Any, int] = {}
        self.signs: list[int] = []
        self.facts: list[tuple[Poly, bool]] = []
        self.known: dict[str, int] = {}
        self.least: dict[str, int] = {}
        self.values: dict[int, flint.arb] = {}

    def generator(self, key: Any, sign: int = UNKNOWN, value: flint.arb | None = None) -> Form:
        if key not in self.places:
            if len(self.signs) >= MOST:
                raise Open(f"it has more than {MOST} variables and values of functions")
            self.places[key] = len(self.signs)
            self.signs.append(sign)
            if sign != UNKNOWN:
                self.facts.append((GENERATORS[self.places[key]], sign == ABOVE))
            if value is not None:
                self.values[self.places[key]] = value
        return Form(GENERATORS[self.places[key]], ONE)

    def sign(self, p: Poly) -> int:
        """1 or −1 where a polynomial certainly has that sign and is not 0, else 0."""
        if p == 0:
            return 0
        lead, factors = p.factor()
        result = 1 if lead > 0 else -1
        for factor, times in factors:
            one = self.of_factor(factor)
            if not one and (times % 2 or not self.nonzero(factor)):
                return 0
            result *= one ** (times % 2) if one else 1
        return result

    def weak_sign(self, p: Poly) -> int:
        """1 or −1 where it is at least, or at most, 0; 2 where it is 0."""
        if p == 0:
            return 2
        if told := self.least.get(monic(p)):
            return told * lead_sign(p)
        lead, factors = p.factor()
        result = 1 if lead > 0 else -1
        for factor, times in factors:
            if times % 2:
                one = self.of_factor(factor) or self._coefficients(factor)[0]
                one = one or lead_sign(factor) * self.least.get(monic(factor), 0)
                if not one:
                    return 0
                result *= one
        return result

    def nonzero(self, p: Poly) -> bool:
        return all(self.of_factor(f) or monic(f) in self.known for f, _ in p.factor()[1])

    def of_factor(self, factor: Poly) -> int:
        """As `sign`, of a polynomial without factors."""
        one, strict = self._coefficients(factor)
        if one and strict:
            return one
        if told := self.known.get(monic(factor)):
            return lead_sign(factor) * told
        value = self.number(factor)
        return 0 if value is None else int(value > 0) - int(value < 0)

    def number(self, p: Poly) -> flint.arb | None:
        """The value of a polynomial whose generators are all numbers."""
        total = flint.arb(0)
        with flint.ctx.workprec(BITS):
            for powers, coefficient in p.to_dict().items():
                product = flint.arb(coefficient)
                for place, power in enumerate(powers):
                    if power and place not in self.values:
                        return None
                    if power:
                        product *= self.values[place] ** power
                total += product
        return total

    def value(self, form: Form) -> flint.arb | None:
        n, d = self.number(form.n), self.number(form.d)
        return None if n is None or d is None else n / d

    def learn(self, p: Poly, strict: bool, weak: bool = True) -> None:
        """Keeps that a polynomial is above 0, or at least that; with neither, that it is not 0."""
        if p.is_constant():
            return
        if weak and not strict:
            self.least[monic(p)] = lead_sign(p)
            return
        lead, factors = p.factor()
        result, unknown = (1 if lead > 0 else -1), []
        for factor, times in factors:
            one = self.of_factor(factor)
            unknown += [factor] if not one and times % 2 else []
            result *= (one or 1) ** (times % 2)
            if not one:
                self.known.setdefault(monic(factor), 0)  # it is not 0
        if strict and len(unknown) == 1:
            self.known[monic(unknown[0])] = result * lead_sign(unknown[0])

    def _coefficients(self, p: Poly) -> tuple[int, bool]:
        """A sign that all monomials have, or 0, and whether one is not 0."""
        sign, strict = 0, False
        for powers, coefficient in p.to_dict().items():
            own, certain = (1 if coefficient > 0 else -1), True
            for place, power in enumerate(powers):
                if power and self.signs[place] != ABOVE:
                    certain = False
                    if power % 2 and self.signs[place] == UNKNOWN:
                        return 0, False
            if sign and sign != own:
                return 0, False
            sign, strict = own, strict or certain
        return sign, strict

    def positive(self, form: Form) -> bool:
        return self.sign(form.n) * self.sign(form.d) == 1
