"""The signs that a tree can have, from its nodes and from what is given: what needs no solver."""

from collections.abc import Sequence
from fractions import Fraction

from establish.proofs_check.terms.owed import whole
from establish.proofs_check.terms.trees import FUNCTIONS, Prop, Term, below, lift, node, parts

MINUS, ZERO, PLUS = 1, 2, 4
"""The signs, as bits of a set."""

ANY, NONNEGATIVE, NONPOSITIVE = MINUS | ZERO | PLUS, ZERO | PLUS, MINUS | ZERO
ALLOWED = {"<": MINUS, "<=": NONPOSITIVE, "==": ZERO, "!=": MINUS | PLUS}
"""The signs that left − right may have where a relation holds."""

PI = node("pi")
EACH = (MINUS, ZERO, PLUS)


def follows(given: Sequence[Prop], conclusion: Prop) -> bool:
    """Whether signs alone show the conclusion, wherever its parts are defined and what is given holds."""
    known = _Known(given)
    gap = known.difference(conclusion.left, conclusion.right)
    return not gap & ~ALLOWED[conclusion.relation]


def signs_known(given: Sequence[Prop], roots: Sequence[Term]) -> list[Prop]:
    """What signs alone show of the values of functions below some terms, outside of branches."""
    known, zero = _Known(given), lift(0)
    found: dict[int, Prop] = {}
    pending = list(roots)
    while pending:
        t = pending.pop()
        if t.op == "where" or id(t) in found:
            continue
        pending += t.args
        signs = known.of(t) if t.op in FUNCTIONS or t.op == "^" else ANY
        relation = next((word for word, allowed in ALLOWED.items() if signs == allowed), "")
        opposite = next((word for word, allowed in ALLOWED.items() if signs == _negative(allowed)), "")
        if relation or opposite:
            found[id(t)] = Prop(t, relation, zero) if relation else Prop(zero, opposite, t)
    return list(found.values())


class _Known:
    """What is known of the signs of terms, and of differences of two."""

    def __init__(self, given: Sequence[Prop]) -> None:
        self.apart: dict[tuple[int, int], int] = {}
        self.signs: dict[int, int] = {}
        for p in given:
            signs = ALLOWED[p.relation]
            self._tell(p.left, p.right, signs)
        sides = [side for p in given for side in (p.left, p.right)]
        for term in parts(sides):
            self.of(term)
        for p in given:  # 1 ≤ x and such, where one side's sign is known
            self._by_side(p)

    def _tell(self, a: Term, b: Term, signs: int) -> None:
        for key, told in (((id(a), id(b)), signs), ((id(b), id(a)), _negative(signs))):
            self.apart[key] = self.apart.get(key, ANY) & told

    def _by_side(self, p: Prop) -> None:
        signs, left, right = ALLOWED[p.relation], self.of(p.left), self.of(p.right)
        if not signs & PLUS and not left & MINUS:  # 0 ≤ left ≤ right
            strict = not left & ZERO or not signs & ZERO
            self.signs[id(p.right)] = right & (PLUS if strict else NONNEGATIVE)
        if not signs & PLUS and not right & PLUS:  # left ≤ right ≤ 0
            strict = not right & ZERO or not signs & ZERO
            self.signs[id(p.left)] = left & (MINUS if strict else NONPOSITIVE)

    def difference(self, a: Term, b: Term) -> int:
        """The signs that a − b may have."""
        told = self.apart.get((id(a), id(b)), ANY)
        if a is b:
            return told & ZERO
        if a.op == b.op == "number":
            return told & (PLUS if a.data > b.data else MINUS if a.data < b.data else ZERO)
        if a.op == "/" and a.args[0] is b:  # b/d − b has the sign of b·(1 − d)/d
            told &= _product(_product(self.of(b), self.difference(lift(1), a.args[1])), self.of(a.args[1]))
        return told & self._linear(a, b)

    def _linear(self, a: Term, b: Term) -> int:
        """The signs of a − b by those of what stays when equal summands cancel."""
        constant, atoms = Fraction(0), dict[int, tuple[Fraction, Term]]()
        pending = [(Fraction(1), a), (Fraction(-1), b)]
        while pending:
            share, t = pending.pop()
            if t.op == "number":
                constant += share * t.data
            elif t.op in ("+", "-"):
                pending += [(share, t.args[0]), (share if t.op == "+" else -share, t.args[1])]
            elif t.op == "negative":
                pending.append((-share, t.args[0]))
            elif t.op == "*" and t.args[0].op == "number":
                pending.append((share * t.args[0].data, t.args[1]))
            elif t.op == "*" and t.args[1].op == "number":
                pending.append((share * t.args[1].data, t.args[0]))
            else:
                atoms[id(t)] = (atoms.get(id(t), (Fraction(0), t))[0] + share, t)
        found = _of_number(constant)
        for share, t in atoms.values():
            found = _sum(found, _product(_of_number(share), self.of(t)))
        return found & self._told(constant, [pair for pair in atoms.values() if pair[0]])

    def _told(self, constant: Fraction, atoms: list[tuple[Fraction, Term]]) -> int:
        """What is told of a multiple of a difference of two terms, or of a term and a number."""
        if len(atoms) == 1:
            share, t = atoms[0]
            return _product(_of_number(share), self._against(t, -constant / share))
        if len(atoms) == 2 and not constant and atoms[0][0] == -atoms[1][0]:
            (share, t), (_, other) = atoms
            return _product(_of_number(share), self.apart.get((id(t), id(other)), ANY))
        return ANY

    def _against(self, t: Term, number: Fraction) -> int:
        """What is told of a term minus a number: e^x − 1 has the sign of x, and a power one by its base."""
        told = self.apart.get((id(t), id(lift(number))), ANY)
        if number == 1 and t.op == "exp":
            told &= self.of(t.args[0])
        if number == 1 and t.op == "^" and not self.of(t.args[0]) & ~PLUS:
            told &= _product(self.difference(t.args[0], lift(1)), self.of(t.args[1]))
        return told

    def of(self, term: Term) -> int:
        for part in parts([term]):
            if id(part) not in self.signs:
                told = self.apart.get((id(part), id(lift(0))), ANY)
                self.signs[id(part)] = told & self._node(part)
        return self.signs[id(term)]

    def _node(self, t: Term) -> int:
        inner = [self.signs[id(part)] for part in below(t)]
        match t.op:
            case "number":
                return _of_number(t.data)
            case "+":
                return self._linear(t, lift(0))
            case "-":
                return self.difference(*t.args)
            case "*":
                return (NONNEGATIVE if t.args[0] is t.args[1] else ANY) & _product(*inner)
            case "/":
                return _product(inner[0], inner[1] & ~ZERO)
            case "negative":
                return _negative(inner[0])
            case "exp" | "pi":
                return PLUS
            case "sin" if not inner[0] & ~PLUS and not self.difference(t.args[0], PI) & ~MINUS:
                return PLUS
            case "absolute":
                return PLUS | (inner[0] & ZERO) if inner[0] & ~ZERO else ZERO
            case "sqrt":
                return inner[0] & NONNEGATIVE
            case "sign" | "erf" | "erfinv":
                return inner[0]
            case "maximum":
                return _maximum(*inner)
            case "log":
                return self.difference(t.args[0], lift(1))
            case "where":
                return inner[2] | inner[3]
            case "^":
                return _power(t, *inner)
        return ANY


def _of_number(x: Fraction) -> int:
    return PLUS if x > 0 else MINUS if x < 0 else ZERO


def _power(t: Term, base: int, exponent: int) -> int:
    if not base & ~PLUS:
        return PLUS
    if t.args[1].op == "number" and whole(t.args[1]) and t.args[1].data % 2 == 0:
        return PLUS if t.args[1].data == 0 or not base & ZERO else NONNEGATIVE
    return NONNEGATIVE if not base & MINUS else ANY


def _negative(signs: int) -> int:
    return (PLUS if signs & MINUS else 0) | (signs & ZERO) | (MINUS if signs & PLUS else 0)


def _sum(a: int, b: int) -> int:
    found = 0
    for one in EACH:
        for two in EACH:
            if a & one and b & two:
                found |= one if two in (one, ZERO) else two if one == ZERO else ANY
    return found


def _product(a: int, b: int) -> int:
    found = 0
    for one in EACH:
        for two in EACH:
            if a & one and b & two:
                found |= ZERO if ZERO in (one, two) else PLUS if one == two else MINUS
    return found


def _maximum(a: int, b: int) -> int:
    return sum({max(one, two) for one in EACH for two in EACH if a & one and b & two})
