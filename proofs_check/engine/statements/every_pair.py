"""What one guarantee between two laws implies, for every pair of laws: bridges, composition, groups, maps."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import prod
from typing import Any

from establish.proofs_check.engine.statements.domain import (
    Condition,
    Domain,
    as_tree,
    number_or,
    printed,
    read,
)
from establish.proofs_check.engine.statements.finite_pairs import (
    BITS,
    MADE,
    STARTS,
    below,
    both_kept,
    loudest_pairs,
    loudest_row,
    shown,
)
from establish.proofs_check.engine.statements.guarantees import SAID, Guarantee, Law
from establish.proofs_check.engine.statements.planted import times as share_of
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Side,
    Statement,
    StatementError,
    Truth,
    require_spec_only,
    unused,
    where,
)
from establish.proofs_check.engine.statements.variables import Real, Variable
from establish.proofs_check.terms.trees import variable
from establish.spec.arithmetic import ARB, enclosing

SHARES = tuple(map(Fraction, ("99/100", "9/10", "1/2", "1/10", "1/1000")))
BASES = range(2, 11)
"""Of which the number of stages may be a power."""

ORDERS = 40
"""At how many points the order of a Rényi divergence must be above 1."""

MOST_STAGES, MOST_OUTCOMES = 8, 400
"""So many stages, and outcomes of all stages in turn together, are tried at most."""

LAWS = {
    "pair": "",
    "in turn": "laws of several outcomes, each of which may depend on those before",
    "in a row": "several laws, each beside the next",
    "mapped": "the laws of what a randomized map makes of an outcome",
    "mixed": "two pairs, of which one coin picks the first or the second",
}
"""How the pair of the conclusion is made from those that have the guarantees."""

NAME = re.compile(r"[^\W\d_]\w*[′']*")
TAKEN = re.compile(r"D|KL|S|e|ln|[PQ](_[12])?|R_\w+|i|f|t")
"""What the text of a statement on pairs calls laws, events, maps, shares and functions: no parameter may be
called that.
"""


@dataclass(frozen=True)
class PairsOfLaws(Statement):
    """For all parameters of a domain, every pair of laws on one set of outcomes that is made, as ``laws``
    says, from laws with the guarantees ``given`` has the guarantee ``then``.

    laws: one of LAWS. given: one guarantee, or those of the stages in their order. times: how many stages
    have the only one given, a formula of a world and the parameters, or None. both: whether every
    guarantee is meant both ways round, of P beside Q and of Q beside P.
    """

    domain: Domain
    laws: str
    given: tuple[Guarantee, ...]
    then: Guarantee
    times: Any
    both: bool

    @property
    def formulas(self) -> tuple[Formula, ...]:
        stages = [] if self.times is None else [self.times]
        return *(n for one in (*self.given, self.then) for n in one.numbers), *stages, *self.domain.formulas

    @property
    def text(self) -> str:
        said, given = self._said, [partial(self._said, one) for one in self.given]
        count = "" if self.times is None else printed(self.times, self.domain.variables)
        if self.laws == "in turn":
            first, *later = (one("P", "Q") for one in given)
            each = f"{count} outcomes in turn, for each of which, whatever those before are, {first}"
            next_ = [f"for the next, whatever those before are, {one}" for one in later]
            some = f"{len(given)} outcomes in turn; for the first {'; '.join([first, *next_])}"
            pairs = f"all laws P and Q of {each if count else some}"
        elif self.laws == "in a row":
            names = ["P", *(f"R_{i + 1}" for i in range(len(given) - 1)), "Q"]
            rows = [one(*two) for one, two in zip(given, pairwise(names), strict=True)]
            pairs = f"all laws {', '.join(names)} for which {', and '.join(rows)}"
            if count:
                each = given[0]("R_i", "R_(i + 1)")
                pairs = f"all laws P = R_0, R_1, …, R_({count}) = Q for which, for each i, {each}"
        elif self.laws == "mixed":
            one = given[0]("P_1", "Q_1")
            pairs = f"all laws P_1, Q_1 for which {one}, all such laws P_2, Q_2, and all 0 ≤ t ≤ 1"
            return self._after(pairs, said(self.then, "(tP_1 + (1 − t)P_2)", "(tQ_1 + (1 − t)Q_2)"))
        else:
            pairs = f"all laws P and Q for which {given[0]('P', 'Q')}"
        if self.laws == "mapped":
            return self._after(f"{pairs}, and every randomized map f", said(self.then, "f(P)", "f(Q)"))
        return self._after(pairs, said(self.then, "P", "Q"))

    def _after(self, pairs: str, then: str) -> str:
        said = self.domain.said()
        return f"{said} and {pairs}: {then}" if said else f"for {pairs}: {then}"

    def _said(self, one: Guarantee, first: str, second: str) -> str:
        variables = (*self.domain.variables, *([Real(f"{second}(S)")] if one.kind == "events" else []))
        numbers = [printed(number, variables) for number in one.numbers]
        letter = "a"
        while letter in self.domain.names:
            letter += "′"
        told = SAID[one.kind].format(*numbers, P=first, Q=second, a=letter)
        return told + (", both ways round" if self.both else "")

    def numbers(self, one: Guarantee, values: Sequence[Fraction]) -> tuple[Any, ...]:
        """What a guarantee says at values of the parameters, as balls; of events as a function of Q(S)."""
        at = [
            (ARB.number(x) if v.field == "ℝ" else x)
            for v, x in zip(self.domain.variables, values, strict=True)
        ]
        if one.kind == "events":
            return (lambda share: ARB.number(one.numbers[0](ARB, *at, share)),)
        found = (read(number, ARB, self.domain.variables, values) for number in one.numbers)
        return tuple(map(ARB.number, found))

    def count(self, values: Sequence[Fraction]) -> int:
        """How many stages there are at values of the parameters; of pairs that are mixed, two."""
        if self.times is None:
            return 2 if self.laws == "mixed" else len(self.given)
        count = ARB.number(read(self.times, ARB, self.domain.variables, values)).unique_fmpz()
        return 0 if count is None else int(count)

    def _stages(self, count: int) -> tuple[Guarantee, ...]:
        return self.given * (count // len(self.given))

    def at(self, point: Point) -> Truth:
        """At parameters and ``laws``: the pair (P, Q); in turn one such pair for each stage; in a row all
        laws; mapped (P, Q, map), where the i-th outcome becomes map[i]; mixed (pair, pair, t). Raises
        StatementError for what is no law, and where the guarantees given are not certain.
        """
        if "laws" not in point:
            raise self.refused(f"a point gives laws and {', '.join(self.domain.names) or 'nothing else'}")
        values = self.domain.values({name: value for name, value in point.items() if name != "laws"})
        return self._at(values, point["laws"])

    def _at(self, values: tuple[Fraction, ...], laws: Any) -> Truth:
        try:
            pairs, made = MADE[self.laws](laws)
        except (TypeError, ValueError, IndexError, ZeroDivisionError) as error:
            raise self.refused(f"laws = {laws!r} are not given as for {self.laws!r}: {error}") from error
        with enclosing(BITS):
            count = self.count(values)
            if count != len(pairs):
                raise self.refused(f"laws: {len(pairs)} pairs are given for {count} stages")
            for one, pair in zip(self._stages(count), pairs, strict=True):
                if (kept := self._kept(one, values, pair)) is not True:
                    sure = "are not certain to have" if kept is None else "do not have"
                    raise self.refused(f"outside the domain: {shown(pair)} {sure} what is given")
            told = self._kept(self.then, values, made)
        at = self.domain.told(values)
        return Truth(told, f"{at and f'{at}, '}P and Q = {shown(made)}", exact=False)

    def _kept(self, one: Guarantee, values: Sequence[Fraction], pair: tuple[Law, Law]) -> bool | None:
        return both_kept(one.kind, self.numbers(one, values), pair, self.both)

    def counterexample(self, effort: int) -> tuple[str, str]:
        tried = 0
        for values in self.domain.simple_points(max(4, effort // 12)):
            for laws in self._loudest(values):
                try:
                    truth = self._at(values, laws)
                except StatementError:  # not certain to have the guarantees
                    continue
                tried += 1
                if truth.value is False:
                    return f"{tried} pairs of finite laws", truth.shown
        if not tried:
            return ("no pair of laws: none that was tried has what is given, or stages are too many", "")
        return f"{tried} pairs of finite laws, as far apart as their guarantees let them, in Arb", ""

    def _loudest(self, values: tuple[Fraction, ...]) -> Iterator[Any]:
        """Laws as far apart as the guarantees let them."""
        with enclosing(BITS):
            count = self.count(values)
            if not 1 <= count <= MOST_STAGES:
                return
            stages = [
                (one.kind, tuple(below(n) for n in self.numbers(one, values))) for one in self._stages(count)
            ]
        if self.laws == "in a row":
            yield from (loudest_row(tuple(stages), self.both, start) for start in STARTS)
            return
        for several in zip(*(loudest_pairs(*one, self.both) for one in stages), strict=True):
            first, second = several[0]
            if self.laws == "in turn":
                if prod(len(one) for one, _ in several) <= MOST_OUTCOMES:
                    yield several
            elif self.laws == "mixed":
                yield (*several, Fraction(1, 2))
            else:
                yield (first, second, tuple(range(len(first)))) if self.laws == "mapped" else (first, second)

    def planted(self) -> Iterator[tuple[str, Statement]]:
        last = len(self.then.numbers) - 1
        for share, place in product(SHARES, range(len(self.then.numbers))):
            if place == last or self.then.kind == "approximate":
                numbers = list(self.then.numbers)
                numbers[place] = share_of(numbers[place], share)
                then = replace(self.then, numbers=tuple(numbers))
                yield f"{'level' if place < last else 'bound'} times {share}", replace(self, then=then)


def require_names(domain: Domain) -> None:
    """Raises StatementError for a parameter whose name is none, or means something else in the text."""
    for name in domain.names:
        if TAKEN.fullmatch(name):
            raise StatementError(
                f"a parameter is called {name!r}, which means something else in the text: give another name"
            )
        if not NAME.fullmatch(name):
            raise StatementError(
                f"a parameter is called {name!r}: a name begins with a letter and has letters, digits and _"
            )


def over(domain: Domain, one: Guarantee) -> Guarantee:
    """A guarantee whose numbers are trees over the parameters of a domain, and over Q(S) for events."""
    terms = (*domain.terms, variable("#Q(S)")) if one.kind == "events" else domain.terms
    return replace(one, numbers=tuple(as_tree(number, terms) for number in one.numbers))


def _whole_number(domain: Domain, times: Side) -> Any:
    """Raises StatementError for anything but a variable of the kind Integer that is at least 1, or a power of
    a whole number whose exponent is such a variable.
    """
    count = as_tree(number_or(times, "times"), domain.terms)
    base, exponent = count.term.args if count.term.op == "^" else (None, count.term)
    if not any(
        exponent is term and v.field == "ℤ" and isinstance(v.low, int | Fraction) and v.low + v.low_open >= 1
        for term, v in zip(domain.terms, domain.variables, strict=True)
    ) or (base is not None and not (base.op == "number" and base.data in BASES)):
        raise StatementError(
            'times must be a variable that is an Integer and at least 1, such as Integer("k", least=1) and '
            "lambda c, rho, k: k, or a power such as lambda c, rho, k: c.power(2, k)"
        )
    return count


def _require_above_1(domain: Domain, one: Guarantee) -> None:
    """Raises StatementError for a Rényi divergence of an order that is not above 1 at simple points."""
    order = over(domain, one).numbers[0]
    for values in domain.simple_points(ORDERS):
        with enclosing(BITS):
            found = ARB.number(read(order, ARB, domain.variables, values))
        if not found > 1:
            raise StatementError(
                f"renyi: the order must be above 1, and it is {found.str(6, radius=False)} at "
                f"{domain.told(values) or 'every point'}"
            )


def EveryPair(
    *variables: Variable,
    has: Guarantee | Sequence[Guarantee],
    then: Guarantee,
    laws: str = "pair",
    times: Side | None = None,
    both: bool = True,
    given: Sequence[Condition] = (),
) -> PairsOfLaws:
    """Every pair of laws with a guarantee has another, at all parameters: the outputs of any mechanism on
    any two data sets are such laws. See :class:`PairsOfLaws`.

    has, then: made by the functions of ``guarantees``. given: conditions on the parameters. Raises
    StatementError for formulas that read more than ``establish.spec`` or cannot be evaluated, and for
    guarantees that ``laws`` does not take.
    """
    stages = (has,) if isinstance(has, Guarantee) else tuple(has)
    several = laws in ("in turn", "in a row")
    if laws not in LAWS:
        raise StatementError(f"laws = {laws!r} is not known: use one of {', '.join(LAWS)}")
    if not stages or not all(isinstance(one, Guarantee) for one in (*stages, then)):
        raise StatementError(
            "has and then are guarantees: write guarantees.pure(1), guarantees.concentrated(rho)"
        )
    if len(stages) > 1 and (not several or times is not None):
        raise StatementError(f"has: {len(stages)} guarantees, and laws = {laws!r} takes one here")
    if times is not None and not several:
        raise StatementError("times: only laws 'in turn' or 'in a row' have stages")
    if any(one.kind == "events" for one in stages):
        raise StatementError("has: a bound on events is what follows, and not what is given")
    domain = Domain(tuple(variables), tuple(given))
    require_names(domain)
    count = None if times is None else _whole_number(domain, times)
    for one in (*stages, then):
        if one.kind == "renyi":
            _require_above_1(domain, one)
    made = PairsOfLaws(
        domain, laws, tuple(over(domain, one) for one in stages), over(domain, then), count, both
    )
    for formula in made.formulas:
        require_spec_only(formula)
    place = where(then.numbers[0])
    ignored = set(domain.names).intersection(*(unused(f, domain.names) for f in made.formulas))
    if ignored:
        raise StatementError(f"{place}: {', '.join(sorted(ignored))} is never used")
    if next(iter(domain.simple_points(1)), None) is None:
        raise StatementError(f"{place}: the domain is empty: {domain.said()}")
    try:
        made.text  # noqa: B018 - its formulas are printed when it is written
        made.simple_counterexample(1)
    except Exception as error:
        raise StatementError(f"{place}: cannot be stated: {error}") from error
    return made
