"""Section 7.1: Definitions 7.1 to 7.3, which of them allows more, and what they hide."""

from fractions import Fraction
from itertools import product
from typing import Any

import z3

from establish import ShapeUniverse, Verdict, aside, claim, exact, exhaustive, fails, holds, ill_posed, solver
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.statements import AtMost, Comparison, Condition, Every, Real, given
from establish.proofs_check.papers.haney2017.attacker import at, dataset, universe
from establish.proofs_check.papers.haney2017.growth import grows
from establish.proofs_check.papers.haney2017.semantics import CHAINS, chains_evidence
from establish.spec.arithmetic import Number, World
from establish.spec.indistinguishability import (
    Distribution,
    hockey_stick,
    holds_on_every_event,
    likelihood_ratio_bound,
)
from establish.spec.relations import growth
from establish.spec.relations.growth import may_grow
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.tables import Tables, Workplace
from establish.spec.universe import Universe

SMALL = "3 potential workers with one of 2 values, 2 workplaces"
"""The universe of the exhaustive checks here, in words."""


def all_pairs() -> list[tuple[Tables, Tables]]:
    space = universe(3, ("e", "f"), ("a", "b"))
    datasets = list(space.datasets())
    return [(d, e) for d in datasets for e in datasets]


def _largest(c: World, alpha: Number, x: Number) -> Number:
    """max((1+α)x, x+1), what a workforce of x may become."""
    return x + growth.growth_bound(x, alpha, c)


_SIZES = (Real("α", above=0), Real("x", least=0), Real("y", least=lambda c, alpha, x: x, most=_largest))
"""x = |E| and y = |E'| as Definition 7.1 allows them; the same for φ(E) and φ(E') in Definition 7.3."""

BY_SHARE = AtMost(*_SIZES, left=lambda c, alpha, x, y: y - x, right=lambda c, alpha, x, y: alpha * x)
"""The change is at most α times the whole."""

BY_FACTOR = AtMost(*_SIZES, left=lambda c, alpha, x, y: y, right=lambda c, alpha, x, y: (1 + alpha) * x)
"""The count grows by a factor of at most 1 + α."""

NEW_WORKERS = AtMost(
    *_SIZES,
    left=lambda c, alpha, x, y: y - x,
    right=lambda c, alpha, x, y: growth.growth_bound(c.number(0), alpha, c),
)
"""The growth bound for the property φ = 'is one of the new workers', which grows from 0 to y − x."""


def within_a_step(p: int, q: int) -> tuple[Condition, Condition]:
    """Two of the three answers are those of neighbors, in one direction, for 'yes' and for 'no'."""
    return (
        given(lambda c, level, *v: v[p], "<=", lambda c, level, *v: level * v[q]),
        given(lambda c, level, *v: 1 - v[p], "<=", lambda c, level, *v: level * (1 - v[q])),
    )


def across(first: str, middle: str, last: str, steps: int = 1) -> Comparison:
    """P(first) ≤ e^(steps·ε)·P(last) for any private answer 'yes' or 'no', with a neighbor between both."""
    return AtMost(
        Real("e^ε", above=1),
        *(Real(f"P({place})", least=0, most=1) for place in (first, middle, last)),
        left=lambda c, level, e, absent, f: e,
        right=lambda c, level, e, absent, f: (level if steps == 1 else level * level) * f,
        given=[*within_a_step(0, 1), *within_a_step(1, 0), *within_a_step(1, 2), *within_a_step(2, 1)],
    )


CHANGED_RECORD = across("e", "absent", "f")
"""One worker at e against f, with absence between them."""


def _pairs() -> list[tuple[Strong[Any, Any], Tables, Tables]]:
    """Neighbors at α = 1/2 and at α = 1, in a small universe."""
    places = (Workplace("e"), Workplace("f"))
    space = Universe(places, ("w1", "w2", "w3"), (("a",), ("b",)))
    relations = [Strong(space, alpha) for alpha in (Fraction(1, 2), 1)]
    return [(each, d, e) for each in relations for d in each.datasets() for e in each.neighbors(d)]


def _one_workforce_changes(case: tuple[Strong[Any, Any], Tables, Tables]) -> bool:
    """One establishment's workforce changes, into one that contains it or is contained in it."""
    _, d, e = case
    changed = [
        (d.workforce(place.id), e.workforce(place.id))
        for place in d.workplaces
        if d.workforce(place.id) != e.workforce(place.id)
    ]
    return len(changed) == 1 and all(old <= new or new <= old for old, new in changed)


ONE_WORKFORCE = Every("pair of neighbors", cases=_pairs, holds=_one_workforce_changes)
"""Neighbors differ in the record of one establishment, its workforce."""


@claim(
    "haney2017/def-7.1-record",
    where="Section 7.1, Definition 7.1",
    says="D and D' differ in the employment attribute of exactly one record (of establishment e), and one "
    "of its workforces contains the other.",
    states=ONE_WORKFORCE,
    origin="implied",
)
def record_is_the_establishments() -> Verdict:
    """The text says whose record it is: that of establishment e, with its workforce. (The tables of Section 3
    have one record per worker too. If exactly one such record differed, α would play no role.)
    """
    return holds(exhaustive.each(ONE_WORKFORCE, f"{SMALL}, α in {{1/2, 1}}"))


def _coins() -> list[tuple[Distribution, Distribution]]:
    """Pairs of coins with probabilities in eighths."""
    coins = [{"yes": Fraction(k, 8), "no": Fraction(8 - k, 8)} for k in range(9)]
    return [(p, q) for p in coins for q in coins]


def _asked_of_both(case: tuple[Distribution, Distribution]) -> bool:
    """The printed inequality on every event, for a pair and for the pair exchanged, bounds all ratios by
    e^ε = 2 up and down.
    """
    p, q = case
    return holds_on_every_event(p, q, 2) == (likelihood_ratio_bound(p, q) <= 2)


BOTH_ORDERS = Every("pair of laws", cases=_coins, holds=_asked_of_both)
"""The printed inequality in both orders, on every event, is the bound of all likelihood ratios."""


@claim(
    "haney2017/def-7.1-symmetry",
    where="Section 7.1, Definitions 7.1 and 7.2",
    says="P(M(D)∈S) ≤ e^ε·P(M(D')∈S) for every event S and all strong α-neighbors D, D'.",
    states=BOTH_ORDERS,
    origin="implied",
)
def privacy_is_asked_in_both_orders() -> Verdict:
    """Definition 7.1 prints neighbors with E ⊆ E', but a pair is a pair of neighbors in either order. If only
    D, with the smaller workforce, stood on the left, a mechanism that says 'someone works here' with
    probability 1/2 if so, and never otherwise, would meet the inequality at e^ε = 2, and its answer would
    prove that someone works there.
    """
    half = Fraction(1, 2)
    none, some = {"someone": Fraction(0), "nothing": Fraction(1)}, {"someone": half, "nothing": half}
    return holds(
        exhaustive.each(BOTH_ORDERS, "coins with probabilities in eighths, e^ε = 2"),
        aside(exact.compare(hockey_stick(none, some, 2), "==", 0, "0 against 1 worker, in one order")),
        aside(exact.compare(hockey_stick(some, none, 2), ">", 0, "in the other")),
        condition=by_convention("both orders", "haney2017"),
    )


def _a_worker_comes_or_goes(case: tuple[Strong[Any, Any], Tables, Tables]) -> bool:
    """Some worker is in one dataset only; the establishments and their public attributes are the same."""
    _, d, e = case
    return {w.id for w in d.workers} != {w.id for w in e.workers} and d.workplaces == e.workplaces


A_WORKER_MORE = Every("pair of neighbors", cases=_pairs, holds=_a_worker_comes_or_goes)


@claim(
    "haney2017/def-7.2-at-least-one-worker",
    states=A_WORKER_MORE,
    where="Section 7.1, after Definition 7.2",
    says="Neighbors differ in the presence of at least one worker, and not in the establishments or their "
    "public attributes.",
    origin="implied",
)
def neighbors_differ_in_a_worker() -> Verdict:
    """They differ in one establishment's workforce and E ⊆ E', so some worker is in E' and not in E. The
    inequality |E| ≤ |E'| alone would allow E = E', which 'differ' excludes. Nothing else may change.
    """
    return holds(exhaustive.each(A_WORKER_MORE, f"{SMALL}, α in {{1/2, 1}}"))


@claim(
    "haney2017/def-7.3-share",
    where="Section 7.1, after Definitions 7.2 and 7.3",
    says="Definition 7.1 bounds changes in a subset of an establishment's workforce by α times the total "
    "workforce, and Definition 7.3 those in every subset proportionally, by a factor of 1+α.",
    states=(BY_SHARE, BY_FACTOR),
)
def one_worker_may_be_more_than_the_share() -> Verdict:
    """The bound max((1+α)|E|, |E|+1) lets one worker join whatever α is, which is more than α|E| when
    α|E| < 1: at α = 1/10 in every establishment of less than 10 workers. One worker of a kind may always
    join too, so a kind with less than 1/α workers may grow by more than the factor, and from 0 to 1 there is
    no factor.
    """
    values = ShapeUniverse(1, 2, 3)
    tenth = Fraction(1, 10)
    x, y, alpha = z3.Reals("x y alpha")
    return fails(
        exact.refuted(BY_SHARE, α="1/10", x=1, y=2),
        solver.for_all(
            [alpha > 0, x >= 0, grows(x, y, alpha)],
            z3.Or(y - x <= alpha * x, y - x <= 1),
            "the change is at most max(α|E|, 1)",
        ),
        exact.refuted(BY_FACTOR, α="1/10", x=1, y=2),
        exact.compare(
            int(Weak(values, tenth).related(((1, 1),), ((2, 1),))),
            "==",
            1,
            "α = 1/10: (1, 1) and (2, 1) are weak neighbors",
        ),
        solver.for_all(
            [alpha > 0, alpha * x >= 1, grows(x, y, alpha)],
            y <= (1 + alpha) * x,
            "from φ(E) ≥ 1/α on the factor is at most 1 + α",
        ),
        counterexample="α = 1/10, |E| = 1, |E'| = 2: a change of 1, ten times α|E|; one worker of a kind "
        "becomes two, a factor of 2 > 11/10",
        value="max(α|E|, 1); max((1+α)φ(E), φ(E)+1)",
        condition="true when α|E| ≥ 1, and when α·φ(E) ≥ 1",
    )


WORKFORCES = ((), (0,), (1,), (0, 1))
"""Of two workers."""


def _is_counted(numbers: tuple[int, ...]) -> bool:
    """Whether some φ of records gives the workforces these numbers, φ(S) being its sum over S."""
    return any(
        numbers == tuple(sum(phi[worker] for worker in some) for some in WORKFORCES)
        for phi in product((0, 1), repeat=2)
    )


ANY_PROPERTY = Every(
    "property: a number for no worker, either of two, and both",
    lambda: product(range(3), repeat=4),
    _is_counted,
)


@claim(
    "haney2017/def-7.3-any-property",
    where="Section 7.1, after Definition 7.3",
    says="Any property of the workforce can be represented using the function φ.",
    states=ANY_PROPERTY,
)
def counts_of_yes_or_no_properties_alone() -> Verdict:
    """φ(S) adds up a yes or no of each record. Whether anybody works there is 1 for one worker and for two, a
    sum of 1 and 1; a payroll is no sum of zeros and ones.
    """
    return fails(
        exact.refuted(ANY_PROPERTY, case=(0, 1, 1, 1)),
        counterexample="'does anybody work there?' is 1 for either of two workers and for both: 1 + 1 = 2",
        value="counts of the workers with a property",
    )


@claim(
    "haney2017/def-7.3-unions",
    where="Section 7.1, Definition 7.3",
    says="Weak neighbors satisfy the growth bound for every property φ of a worker record, and so for 'is "
    "one of the new workers'.",
    states=NEW_WORKERS,
    origin="implied",
)
def properties_must_be_of_attributes() -> Verdict:
    """If φ may be any 0-1 function of the record, identifier included, let φ mark the new workers: it grows
    from 0, so at most one worker is new, for every α: weak neighbors are those of edge privacy. If φ may
    mark single attribute values only, one new worker of each of two rare values passes, although
    together they are 2 of none. So φ must speak of all sets of attribute values, and E ⊆ E' must be asked
    separately, because no such φ compares identities.
    """
    values = ShapeUniverse(1, 2, 3)
    rare = Weak(values, Fraction(1, 10)).related(((0, 0),), ((1, 1),))
    several = Weak(values, 1).related(((1, 1),), ((2, 2),))
    return ill_posed(
        exact.refuted(NEW_WORKERS, α=1, x=2, y=4),
        exact.compare(int(may_grow(0, 1, Fraction(1, 10))), "==", 1, "0 → 1 is allowed per value"),
        exact.compare(int(rare), "==", 0, "their union: 0 → 2 is not, at α = 1/10"),
        exact.compare(int(several), "==", 1, "(1, 1) → (2, 2) is a weak neighbor at α = 1"),
        condition="φ ranges over all sets of attribute values, and E ⊆ E'",
        counterexample="α = 1, two workers join two others: allowed for attributes, but φ = 'is one of the "
        "two new ones' grows from 0 to 2 > max(0, 1)",
    )


@claim(
    "haney2017/strong-implies-weak",
    where="Section 7.1, before Definition 7.4",
    says="Definition 7.3 gives a weaker privacy notion: strong privacy implies weak privacy.",
)
def weak_neighbors_are_strong() -> Verdict:
    """φ = 1 is the size, so weak neighbors satisfy the bound of Definition 7.1; with E ⊆ E' they are strong
    neighbors, and privacy for more pairs implies privacy for fewer. Without E ⊆ E' (which no φ of
    attributes gives) {w1} and {w2, w3} would be weak and not strong neighbors at α = 1.
    """
    alpha = Fraction(1)
    space = universe(3, ("e", "f"), ("a", "b"))
    weak, strong = Weak(space, alpha), Strong(space, alpha)
    one = dataset(universe(3, ("e",)), at("e"), None, None)
    others = dataset(universe(3, ("e",)), None, at("e"), at("e"))
    x, y, a = z3.Reals("x y alpha")
    return holds(
        solver.for_all(
            [a > 0, x >= 0, grows(x, y, a)],
            z3.And(y >= x, z3.Or(y <= (1 + a) * x, y <= x + 1)),
            "the bound for φ = 1 is the bound of Definition 7.1",
        ),
        aside(
            exhaustive.for_all(
                all_pairs(),
                lambda pair: strong.related(*pair) or not weak.related(*pair),
                "weak neighbors are strong neighbors",
                f"all pairs of datasets; {SMALL}, α = 1",
            )
        ),
        aside(exact.compare(int(Strong(universe(3, ("e",)), 1).related(one, others)), "==", 0, "not nested")),
        condition="E ⊆ E' is part of Definition 7.3",
    )


STRONG_STEP = AtMost(
    Real("α", above=0),
    Real("x", least=0),
    Real("Δ", least=0, most=lambda c, alpha, x: x),
    Real("Δ'", least=lambda c, alpha, x, d: d, most=lambda c, alpha, x, d: d + alpha * x),
    left=lambda c, alpha, x, d, more: x - d + more,
    right=lambda c, alpha, x, d, more: _largest(c, alpha, x),
)
"""With Δ' in place of Δ of the x workers, Δ ≤ Δ' ≤ Δ + αx, the workforce is one that x may become."""

WEAK_STEP = AtMost(
    Real("α", above=0),
    Real("Δ", least=0),
    Real("Δ'", least=lambda c, alpha, d: d, most=lambda c, alpha, d: (1 + alpha) * d),
    Real("u", least=0),
    left=lambda c, alpha, d, more, others: more + others,
    right=lambda c, alpha, d, more, others: _largest(c, alpha, d + others),
)
"""Where all 19-year-olds have a property or none, its count, with u others, is one that it may become."""

WEAK_PROPERTY = AtMost(
    Real("α", above=0),
    Real("Δ", least=0),
    Real("Δ'", least=lambda c, alpha, d: d, most=lambda c, alpha, d: (1 + alpha) * d),
    Real("a", least=0, most=lambda c, alpha, d, more: d),
    Real("k", least=0, most=lambda c, alpha, d, more, a: more - d),
    Real("u", least=0),
    left=lambda c, alpha, d, more, a, k, others: a + k + others,
    right=lambda c, alpha, d, more, a, k, others: _largest(c, alpha, a + others),
)
"""The count of every property that a of the Δ, k of the Δ' − Δ new 19-year-olds and u others have."""


@claim(
    "haney2017/sec7-19yo-strong",
    where="Section 7.1, after Theorem 7.2",
    says="With x workers of whom Δ are 19 years old, strong privacy hides Δ among all Δ' ≤ Δ + αx.",
    states=(STRONG_STEP, CHAINS),
    scope="the 19-year-olds in question are at this establishment or at none, whatever else is known of them",
)
def strong_privacy_hides_a_share_of_the_total() -> Verdict:
    """Only 19-year-olds are added, so E ⊆ E' and |E'| = x − Δ + Δ' ≤ (1+α)x: one step, a factor of at most
    e^ε.
    """
    return holds(solver.proves(STRONG_STEP), chains_evidence(), value="ε")


@claim(
    "haney2017/sec7-19yo-weak",
    where="Section 7.1, after Theorem 7.2",
    says="Weak privacy hides Δ among all Δ' ≤ (1+α)Δ.",
    states=(WEAK_PROPERTY, CHAINS),
    meant=(WEAK_STEP, CHAINS),
)
def weak_privacy_hides_a_share_of_the_property() -> Verdict:
    """If age is the only worker attribute, a property contains age 19 or not: with u others Δ' + u ≤
    (1+α)(Δ + u), or nothing changes. So one step. With a second attribute it is not: the new
    19-year-olds may all be women where the old ones are men, and weak neighbors bound the growth of
    'women of 19' too. At α = 2, one man against one man and two women takes two steps, and at α = 1/10,
    20 men against 20 men and two women: the factor is e^(2ε).
    """
    kinds = Weak(ShapeUniverse(1, 2, 2), 2)
    return ill_posed(
        exact.refuted(WEAK_PROPERTY, **{"α": 2, "Δ": 1, "Δ'": 3, "a": 0, "k": 2, "u": 0}),
        solver.proves(WEAK_STEP),
        chains_evidence(),
        exact.compare(
            int(kinds.distance(((1, 0),), ((1, 2),))),
            "==",
            2,
            "α = 2: steps from one man to one man and two women, all of 19",
        ),
        condition="age is the only worker attribute (or every property of the 19-year-olds grows within its "
        "own bound)",
        counterexample="α = 2, Δ = 1 man of 19, Δ' = 3: he and two women of 19. 'Women of 19' grow from 0 to "
        "2 > max((1+α)·0, 0+1): no weak neighbors, and two steps",
        value="ε",
    )
