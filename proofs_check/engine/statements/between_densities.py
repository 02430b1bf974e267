"""How far apart two laws with densities are: hockey-stick and Rényi divergences, of orders 1 and ∞ too."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import WORDS, Domain, as_tree, number_or, printed, read
from establish.proofs_check.engine.statements.mass import is_other
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.quadrature import closely, with_peaks
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Side,
    Statement,
    StatementError,
    Truth,
    where,
)
from establish.proofs_check.engine.statements.terms import Term as Text
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.terms.content import digest_of
from establish.proofs_check.terms.formula import Tree
from establish.proofs_check.terms.trees import variable
from establish.spec.arithmetic import MP

CLOSE, DOUBT = Fraction(1, 10**8), 1000
"""A divergence by quadrature that is farther from the bound, and so many times its error, is another."""

FAR = tuple(map(Fraction, ("1/1000", "1/10", "1", "3", "10", "40", "100")))
"""How far from a break outcomes lie at which a loss is looked at."""

SYMBOLS = {
    "renyi": "D_a(P‖Q) {} {} at the order a = {}",
    "hockey-stick": "∫ max(0, p − e^ε·q) {} {} at the level ε = {}",
    "max": "sup ln(p/q) {} {}",
    "mean": "KL(P‖Q) = ∫ p·ln(p/q) {} {}",
}


@dataclass(frozen=True)
class BetweenDensities(Statement):
    """A divergence of P from Q has the relation to a closed form, at every point of a domain of parameters.

    measure: one of SYMBOLS. first, second: functions of a world and the parameters, whose results have
    ``log_density``, P and Q. place: the order a > 1, or the level ε ≥ 0. breaks: outcomes at which a
    density has a kink, or where it lies, as functions of a world and the parameters.
    """

    domain: Domain
    measure: str
    first: Formula
    second: Formula
    place: Formula
    relation: str
    closed: Formula
    breaks: tuple[Formula, ...]

    @cached_property
    def trees(self) -> tuple[Tree, ...]:
        """Both log-densities over the parameters and an outcome, then what is of the parameters alone."""
        with_x = (*self.domain.terms, variable("#x"))
        densities = (
            as_tree(lambda c, *v, law=law: law(c, *v[:-1]).log_density(v[-1]), with_x)
            for law in (self.first, self.second)
        )
        alone = (self.place, self.closed, *self.breaks)
        return (*densities, *(as_tree(formula, self.domain.terms) for formula in alone))

    @cached_property
    def identity(self) -> str:
        return digest_of((self.domain, self.measure, self.relation, self.trees))

    @property
    def text(self) -> str:
        variables = self.domain.variables
        closed, place = (printed(formula, variables) for formula in (self.closed, self.place))
        outcome = Text("x" if "x" not in self.domain.names else "t")
        first, second = (
            printed(lambda c, *v, law=law: law(c, *v).log_density(outcome), variables)
            for law in (self.first, self.second)
        )
        words = SYMBOLS[self.measure].format(WORDS[self.relation], closed, place)
        return self.domain.before(f"{words}, for P and Q with the log-densities {first} and {second}")

    def at(self, point: Point) -> Truth:
        """Raises StatementError outside the domain, and where quadrature does not see all of P and Q."""
        values = self.domain.values(point)
        with MP.mp.workdps(30):
            cuts = self._cuts(values)
            for name, density in zip("PQ", self._densities(values), strict=True):
                mass, error = closely(density, with_peaks(cuts, density))
                if is_other(mass, error):
                    raise self.refused(
                        f"{self.domain.told(values)}: {name} has the mass {MP.mp.nstr(mass, 6)} as far as is "
                        f"seen: name a break near to where it lies: {self.text}"
                    )
        return self._at(values)

    def _cuts(self, values: Sequence[Fraction]) -> list[Any]:
        """The breaks between both ends of the line."""
        cuts = {MP.number(read(cut, MP, self.domain.variables, values)) for cut in self.breaks}
        return [-MP.mp.inf, *sorted(cuts), MP.mp.inf]

    def _densities(self, values: Sequence[Fraction]) -> list[Callable[[Any], Any]]:
        laws = (read(law, MP, self.domain.variables, values) for law in (self.first, self.second))
        return [partial(_density, law) for law in laws]

    def _at(self, values: tuple[Fraction, ...], sure: bool = True) -> Truth:
        """False where a quick integral breaks it and, to be sure, a close one does too; else open."""
        alone = replace(self, closed=_none, relation="==")
        closed = MP.number(read(self.closed, MP, self.domain.variables, values))
        found, error = _quick(alone, values)
        false = self._breaks(found, error, closed)
        if false and sure:
            found, error = _closely(alone, values)
            false = self._breaks(found, error, closed)
        shown = f"{MP.mp.nstr(found, 12)} against {MP.mp.nstr(closed, 12)}"
        return Truth(False if false else None, f"{self.domain.told(values)}: {shown}", exact=False)

    def _breaks(self, found: Any, error: Any, closed: Any) -> bool:
        """Whether a divergence, but for its error, does not have the relation to the closed form."""
        doubt = MP.number(CLOSE) * (1 + abs(closed)) + DOUBT * error
        above, below = bool(found > closed + doubt), bool(found < closed - doubt)
        if self.measure == "max":  # a larger loss may lie elsewhere
            below = False
        return {"<=": above, ">=": below, "==": above or below}[self.relation]

    def quick(self, values: tuple[Fraction, ...]) -> tuple[Any, Any]:
        """The divergence by quadrature between the breaks, and no error."""
        with MP.mp.workdps(25):
            return self._value(values, lambda f, cuts: (MP.mp.quad(f, cuts), MP.number(0)))

    def closely(self, values: tuple[Fraction, ...]) -> tuple[Any, Any]:
        """The same with the peaks found first, and an estimate of its error."""
        with MP.mp.workdps(30):
            found = self._densities(values)
            return self._value(values, lambda f, cuts: closely(f, with_peaks(cuts, *found)))

    def _value(self, values: Sequence[Fraction], integral: Callable[..., Any]) -> tuple[Any, Any]:
        """The divergence and its error; the greatest loss among some outcomes with error 0."""
        first, second, place = (
            read(formula, MP, self.domain.variables, values)
            for formula in (self.first, self.second, self.place)
        )
        cuts = self._cuts(values)
        if self.measure == "max":
            ends = cuts[1:-1]
            looked = [
                *ends,
                *(end + sign * MP.number(far) for end in ends for far in FAR for sign in (1, -1)),
            ]
            return max(first.log_density(x) - second.log_density(x) for x in looked), MP.number(0)
        at = MP.number(place)

        def joint(x: Any) -> Any:
            p, q = first.log_density(x), second.log_density(x)
            if self.measure == "mean":
                return MP.exp(p) * (p - q)
            if self.measure == "renyi":
                return MP.exp(at * p + (1 - at) * q)
            return MP.maximum(MP.number(0), MP.exp(p) - MP.exp(at + q))

        total, error = integral(joint, cuts)
        if self.measure != "renyi":
            return total, error
        return MP.log(total) / (at - 1), error / total / (at - 1)

    def counterexample(self, effort: int) -> tuple[str, str]:
        return self._search(effort, sure=True)

    def simple_counterexample(self, effort: int) -> tuple[str, str]:
        """By quick integrals, which is enough to see a planted neighbor."""
        return self._search(effort, sure=False)

    def _search(self, effort: int, sure: bool) -> tuple[str, str]:
        points = self.domain.simple_points(max(4, effort // 12))
        return self.first_of((self._at(values, sure).refutes for values in points), "quadrature at {} points")

    def planted(self) -> Iterator[tuple[str, Statement]]:
        less = self.relation == "<=" or (self.measure, self.relation) == ("max", "==")
        shares = ("999/1000", "9/10", "1/2") if less else ("1001/1000", "11/10", "2")
        yield from scaled(self, "closed", shares, "closed form")

    def placed(self, relation: str) -> Comparison:
        """That the order is above 1, or the level at least 0."""
        least = 1 if self.measure == "renyi" else 0
        return Comparison(self.domain, least, relation, self.place)


def _density(law: Any, x: Any) -> Any:
    return MP.exp(law.log_density(x))


def _none(c: Any, *_: Any) -> Any:
    """In place of a closed form, of which quadrature has no need."""
    return c.number(0)


_quick = shared(BetweenDensities.quick, most=64)
_closely = shared(BetweenDensities.closely, most=64)
"""The planted neighbors of a statement have its integrals."""


def _made(
    measure: str,
    variables: Sequence[Variable],
    first: Formula,
    second: Formula,
    place: Side,
    relation: str,
    most: Side,
    breaks: Sequence[Formula],
    given: Sequence[Any],
) -> BetweenDensities:
    """Raises StatementError for formulas that read more than the specification or cannot be evaluated."""
    if relation not in ("<=", "==", ">="):
        raise StatementError(f"{where(first)}: relation = {relation!r} must be one of <=, ==, >=")
    if not breaks:
        raise StatementError(f"{where(first)}: breaks is empty: name an outcome near which the laws lie")
    made = BetweenDensities(
        Domain(tuple(variables), tuple(given)),
        measure,
        first,
        second,
        number_or(place, "place"),  # type: ignore[arg-type]
        relation,
        number_or(most, "most"),  # type: ignore[arg-type]
        tuple(breaks),
    )
    return made.of_spec(_evaluate)


def _evaluate(made: BetweenDensities) -> None:
    """Reads its formulas as trees, and evaluates them at one point."""
    made.identity  # noqa: B018
    made._at(next(iter(made.domain.simple_points(1))), sure=False)


def RenyiOfDensities(
    *variables: Variable,
    first: Formula,
    second: Formula,
    order: Side,
    most: Side,
    relation: str = "<=",
    breaks: Sequence[Formula],
    given: Sequence[Any] = (),
) -> BetweenDensities:
    """D_a(P‖Q) = ln ∫ p^a·q^(1−a)/(a − 1) has the relation to ``most``, at the order a > 1. With the order
    among the variables and most = a·ρ it says that P is within ρ-zCDP of Q. See :class:`BetweenDensities`.
    """
    return _made("renyi", variables, first, second, order, relation, most, breaks, given)


def HockeyStick(
    *variables: Variable,
    first: Formula,
    second: Formula,
    level: Side,
    most: Side,
    relation: str = "<=",
    breaks: Sequence[Formula],
    given: Sequence[Any] = (),
) -> BetweenDensities:
    """∫ max(0, p − e^ε·q), the least δ at the level ε ≥ 0, has the relation to ``most``."""
    return _made("hockey-stick", variables, first, second, level, relation, most, breaks, given)


def MaxDivergence(
    *variables: Variable,
    first: Formula,
    second: Formula,
    most: Side,
    relation: str = "<=",
    breaks: Sequence[Formula],
    given: Sequence[Any] = (),
) -> BetweenDensities:
    """sup ln(p/q) has the relation to ``most``, one way round: with ``<=`` it is pure privacy at that level,
    the divergence of order ∞. With ``>=`` and a variable that ``most`` alone reads, no bound holds.
    """
    return _made("max", variables, first, second, 0, relation, most, breaks, given)


def MeanLossOfDensities(
    *variables: Variable,
    first: Formula,
    second: Formula,
    most: Side,
    relation: str = "<=",
    breaks: Sequence[Formula],
    given: Sequence[Any] = (),
) -> BetweenDensities:
    """KL(P‖Q) = ∫ p·ln(p/q), the divergence of order 1, has the relation to ``most``."""
    return _made("mean", variables, first, second, 0, relation, most, breaks, given)
