"""Normal forms: a formula as a quotient of two polynomials over ℚ, in generators that have signs.

A generator is what is left of a variable beside its bounds, or the value of a function at a normal form,
such as e^m for a monomial m. Equal quotients are equal wherever both formulas are defined; that they are
defined is shown on its own.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import flint

from establish.proofs_check.recheck.quotients import SIZE, Ends, Form, Open, Split, constant, is_constant
from establish.proofs_check.recheck.sentences import NODES, Prop, Term, below, number, variable
from establish.proofs_check.recheck.signs import ABOVE, LEAST, UNKNOWN, Signs

if TYPE_CHECKING:
    from establish.proofs_check.recheck.kinds.functions import Functions


class Forms(Signs):
    """The normal forms of the formulas of one question. left: what is given beside bounds of variables.

    finer: into how many parts the argument of an exponential or a root is cut. boxed: whether both bounds of
    a variable make its form, and not the low one alone.
    """

    def __init__(
        self, fields: Sequence[str], given: Sequence[Prop], finer: dict[Any, int], boxed: bool = True
    ) -> None:
        super().__init__()
        self.finer, self.boxed = finer, boxed
        self.sizes: dict[Term, int] = {}
        self.given = frozenset(given)
        self.terms: dict[Term, Form] = {}
        self.left = self._bounded(fields, given)
        for prop in self.left:
            self._learn(prop)

    def _bounded(self, fields: Sequence[str], given: Sequence[Prop]) -> list[Prop]:
        """Gives each variable its form, by its first bound on each side; what is given beside is returned."""
        used: set[int] = set()
        for place, field in enumerate(fields):
            own = variable(place, field)
            low, high = self._bound(own, given, 2), self._bound(own, given, 0)
            if low and not self.boxed:
                high = None
            if low and high and given[high[0]].relation == "<=":
                raise Ends(high[0])
            used |= {side[0] for side in (low, high) if side}
            strict = [given[side[0]].relation == "<" for side in (low, high) if side]
            over = self.generator(("variable", place), (ABOVE if strict[0] else LEAST) if strict else UNKNOWN)
            if low and high:
                self.terms[own] = (low[1] + high[1] * over) / (constant(1) + over)
            else:
                self.terms[own] = low[1] + over if low else high[1] - over if high else over
        return [prop for i, prop in enumerate(given) if i not in used]

    def _bound(self, own: Term, given: Sequence[Prop], side: int) -> tuple[int, Form] | None:
        """The first given bound, with its place, that has earlier variables only. side: where the variable
        stands in it.
        """
        for i, prop in enumerate(given):
            left, _, right = prop
            other, inside = (left, right) if side == 2 else (right, left)
            if inside != own or prop.relation not in ("<", "<="):
                continue
            if all(NODES[t][0] != "variable" or t in self.terms for t in below(other)):
                try:
                    return i, self.of(other)
                except Open:
                    continue
        return None

    def _learn(self, prop: Prop) -> None:
        """Keeps what a given proposition says of the sign of a polynomial."""
        try:
            n, d = self.gap(prop)
        except Open:
            return
        side = self.sign(d)
        p = n if side > 0 else -n if side < 0 else n * d  # a denominator is not 0
        if prop.relation != "==":
            self.learn(p, prop.relation == "<", prop.relation == "<=")
        if prop.relation != "!=":
            self.facts.append((p, prop.relation == "<"))
        if prop.relation == "==":
            self.facts.append((-p, False))

    def gap(self, prop: Prop) -> Form:
        """right − left."""
        return self.reduced(self.of(prop.right) - self.of(prop.left))

    @cached_property
    def functions(self) -> "Functions":
        """The normal forms of roots, exponentials and logarithms, which other questions need not read."""
        from establish.proofs_check.recheck.kinds.functions import Functions

        return Functions(self, self.finer)

    def reduced(self, form: Form) -> Form:
        return self.functions.reduced(form) if "functions" in vars(self) else form

    def told(self) -> list[tuple[Any, bool]]:
        """What holds of logarithms."""
        return self.functions.told() if "functions" in vars(self) else []

    def of(self, root: Term) -> Form:
        """Parts first; of a branch the side that is taken alone, as the other one may have no value here."""
        for one in below(root, sides=2):
            if one not in self.terms:
                self.terms[one] = self._node(one)
                self.sizes[one] = self._size(one, self.terms[one])
        return self.terms[root]

    def _size(self, one: Term, form: Form) -> int:
        """ABOVE, LEAST or UNKNOWN, by the node where its polynomial does not show it, which then is kept."""
        p = form.n * form.d
        if self.sign(p):
            return ABOVE if self.sign(p) > 0 else UNKNOWN
        op, _, parts = NODES[one]
        inner = [self.sizes.get(part, UNKNOWN) for part in parts]
        found = LEAST if self.weak_sign(p) > 0 else UNKNOWN
        even = op == "^" and NODES[parts[1]][0] == "number" and NODES[parts[1]][1] % 2 == 0
        if op == "+" and all(inner):
            found = max(inner)
        elif op in ("*", "/") and all(inner):
            found = min(inner)
        elif even:
            found = LEAST
        if found:
            self.learn(p, found == ABOVE)
        return found

    def _node(self, one: Term) -> Form:
        op, data, parts = NODES[one]
        if op == "number":
            return constant(data)
        if op == "where":
            return self.of(parts[2 if self._decided(Prop(parts[0], data, parts[1])) else 3])
        if op in ("undefined", "computed", "variable"):
            raise Open(f"{op} has no form")
        inner = [self.terms[part] for part in parts]
        match op:
            case "+":
                return inner[0] + inner[1]
            case "-":
                return inner[0] - inner[1]
            case "*":
                return self.reduced(inner[0] * inner[1])
            case "/":
                return inner[0] / inner[1]
            case "negative":
                return -inner[0]
            case "^":
                return self._power(inner[0], inner[1])
            case "sqrt":
                return self.functions.rational_power(inner[0], Fraction(1, 2))
            case "exp" | "log":
                return self.functions.exp(inner[0]) if op == "exp" else self.functions.log(inner[0])
            case "absolute":
                return inner[0] if self._decided(Prop(number(0), "<=", parts[0])) else -inner[0]
            case "maximum":
                return inner[0] if self._decided(Prop(parts[1], "<=", parts[0])) else inner[1]
            case "sign":
                if self._decided(Prop(number(0), "==", parts[0])):
                    return constant(0)
                return constant(1 if self._decided(Prop(number(0), "<", parts[0])) else -1)
            case "pi":
                return self.generator(op, ABOVE, flint.arb.pi())
        return self.generator((op, *(form.key for form in inner)))

    def _power(self, base: Form, exponent: Form) -> Form:
        times = is_constant(exponent)
        if times is None or times.denominator != 1:
            return self.functions.power(base, exponent)
        if abs(times) > SIZE:
            raise Open("a power is too large")
        return self.reduced(base.to(int(times)))

    def _decided(self, prop: Prop) -> bool:
        """Which side of a branch is taken. Raises Split where this is not known."""
        if prop in self.given or prop.negated in self.given:
            return prop in self.given
        told = self.truth(prop)
        if told is None:
            raise Split(prop)
        return told

    def truth(self, prop: Prop) -> bool | None:
        """Whether signs show a proposition, or its opposite."""
        n, d = self.gap(prop)
        if n == 0:
            return prop.relation in ("<=", "==")
        under = self.sign(d)
        if not under:  # the denominator is not 0
            n, under = n * d, 1
        if prop.relation in ("==", "!="):
            return (prop.relation == "!=") if self.nonzero(n) else None
        strict, weak = self.sign(n) * under, self.weak_sign(n) * under
        if prop.relation == "<":
            return True if strict == 1 else False if weak == -1 else None
        return True if weak == 1 else False if strict == -1 else None
