"""Section 7.1: Definitions 7.1 to 7.3, which of them allows more, and what they hide."""

from __future__ import annotations

from fractions import Fraction

import z3

from establish.proofs_check.engine.methods import exact, exhaustive, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import at_whole_numbers, whole_number
from establish.proofs_check.engine.statements import AtMost, Condition, Integer, Real, given
from establish.proofs_check.engine.verdicts import Verdict, aside, fails, holds, ill_posed
from establish.proofs_check.papers.haney2017.attacker import at, dataset, universe
from establish.proofs_check.papers.haney2017.growth import grows
from establish.spec.arithmetic import Number, World
from establish.spec.indistinguishability import Distribution, hockey_stick
from establish.spec.relations import growth
from establish.spec.relations.growth import may_grow
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import ShapeUniverse
from establish.spec.relations.weak import Weak
from establish.spec.tables import Tables

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

ONE_RECORD = AtMost(*_SIZES, left=lambda c, alpha, x, y: y - x, right=1)
"""The records of at most one worker differ."""

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

ONE_DIRECTION = AtMost(
    Real("e^ε", above=1),
    Real("p", least=0, most=1),
    Real("q", least=0, most=1),
    left=lambda c, level, p, q: q,
    right=lambda c, level, p, q: level * p,
    given=[
        given(lambda c, level, p, q: p, "<=", lambda c, level, p, q: level * q),
        given(lambda c, level, p, q: 1 - p, "<=", lambda c, level, p, q: level * (1 - q)),
    ],
)
"""A coin that meets the printed inequality on every event, P on the left, meets it with Q on the left."""


def _within(p: int, q: int) -> tuple[Condition, Condition]:
    """Two of the three answers are those of neighbors, in one direction, for 'yes' and for 'no'."""
    return (
        given(lambda c, level, *v: v[p], "<=", lambda c, level, *v: level * v[q]),
        given(lambda c, level, *v: 1 - v[p], "<=", lambda c, level, *v: level * (1 - v[q])),
    )


CHANGED_RECORD = AtMost(
    Real("e^ε", above=1),
    *(Real(f"P({place})", least=0, most=1) for place in ("e", "absent", "f")),
    left=lambda c, level, e, absent, f: e,
    right=lambda c, level, e, absent, f: level * f,
    given=[*_within(0, 1), *_within(1, 0), *_within(1, 2), *_within(2, 1)],
)
"""One worker at e against f, with absence between them, and any private answer 'yes' or 'no'."""


@claim(
    "haney2017/def-7.1-record",
    where="Section 7.1, Definition 7.1",
    says="D and D' differ in the employment attribute of exactly one record, and |E'| may be (1+α)|E|.",
    states=ONE_RECORD,
)
def record_is_the_establishments() -> Verdict:
    """The tables of Section 3 have one record per worker, and employment is the workplace in that
    record. If exactly one such record differs, at most one worker is new and α plays no role. Meant is
    one record of WorkplaceFull: the workforce of one establishment.
    """
    space = universe(4, ("e",))
    two, four = dataset(space, at("e"), at("e"), None, None), dataset(space, *[at("e")] * 4)
    changed = len(set(two.worker_full()) ^ set(four.worker_full()))
    return ill_posed(
        exact.refuted(ONE_RECORD, α=1, x=2, y=4),
        exact.compare(changed, ">", 1, "worker records in which they differ"),
        exact.compare(
            int(Strong(space, 1).related(two, four)), "==", 1, "one establishment's record differs"
        ),
        condition="'record' is the establishment's: its whole workforce",
        counterexample="α = 1, E = {w1, w2}, E' = {w1, w2, w3, w4}: allowed sizes, two worker records differ",
    )


@claim(
    "haney2017/def-7.1-symmetry",
    where="Section 7.1, Definitions 7.1 and 7.2",
    says="Neighbors are ordered pairs with E ⊆ E', and privacy asks P(M(D)∈S) ≤ e^ε·P(M(D')∈S) for them.",
    states=ONE_DIRECTION,
)
def one_direction_does_not_protect() -> Verdict:
    """Only D, with the smaller workforce, stands on the left. A mechanism that says 'someone works
    here' with probability 1/2 if so, and never otherwise, meets the printed inequality at e^ε = 2, and
    its answer proves that someone works there: the individual requirement fails at every level.
    """

    def says(workers: int) -> Distribution:
        half = Fraction(1, 2) if workers else Fraction(0)
        return {"someone": half, "nothing": 1 - half}

    return ill_posed(
        exact.refuted(ONE_DIRECTION, **{"e^ε": 2, "p": 0, "q": "1/2"}),
        exact.compare(hockey_stick(says(0), says(1), 2), "==", 0, "0 against 1 worker at e^ε = 2"),
        exact.compare(hockey_stick(says(1), says(2), 2), "==", 0, "1 against 2 workers"),
        exact.compare(says(0)["someone"], "==", 0, "P('someone') without workers"),
        exact.compare(says(1)["someone"], ">", 10**6 * says(0)["someone"], "with one worker"),
        condition="the inequality is asked for both orders of a pair",
        counterexample="P('someone' | 0 workers) = 0, P('someone' | ≥ 1) = 1/2: 0 ≤ 2·(1/2) and "
        "1 ≤ 2·(1/2), but 1/2 > e^ε·0 for every ε",
    )


A_WORKER_MORE = AtMost(
    Integer("|E|", least=0),
    Integer("|E'|", above=lambda c, size: size),
    left=lambda c, size, larger: size + 1,
    right=lambda c, size, larger: larger,
)
"""A workforce that contains another one has at least one worker more."""


def _added(c: World, size: Number, larger: Number) -> Number:
    return larger - size


@claim(
    "haney2017/def-7.2-at-least-one-worker",
    states=A_WORKER_MORE,
    scope="E ⊂ E' at one establishment; Definition 7.1 lets nothing else differ",
    where="Section 7.1, after Definition 7.2",
    says="Neighbors differ in the presence of at least one worker, and not in the establishments or their "
    "public attributes.",
)
def neighbors_differ_in_a_worker() -> Verdict:
    """They differ in one establishment's workforce and E ⊆ E', so some worker is in E' and not in E. The
    inequality |E| ≤ |E'| alone would allow E = E', which 'differ' excludes. Nothing else may change.
    """
    relations = [Strong(universe(3, ("e", "f"), ("a", "b")), alpha) for alpha in (Fraction(1, 2), 1)]
    related = [(d, e) for relation in relations for d in relation.datasets() for e in relation.neighbors(d)]
    return holds(
        whole_number(A_WORKER_MORE, _added, *map(solver.owed, at_whole_numbers(A_WORKER_MORE, _added))),
        aside(
            exhaustive.for_all(
                related,
                lambda pair: (
                    len({w.id for w in pair[0].workers} ^ {w.id for w in pair[1].workers}) >= 1
                    and pair[0].workplaces == pair[1].workplaces
                ),
                "neighbors differ in the presence of a worker, at the same establishments",
                f"{SMALL}, α in {{1/2, 1}}",
            )
        ),
        condition="neighbors are different datasets",
    )


@claim(
    "haney2017/def-7.1-share",
    where="Section 7.1, after Definition 7.2",
    says="Definition 7.1 bounds changes in a subset of an establishment's workforce by α times the total "
    "workforce.",
    states=BY_SHARE,
)
def one_worker_may_be_more_than_the_share() -> Verdict:
    """The bound max((1+α)|E|, |E|+1) lets one worker join whatever α is, which is more than α|E| when
    α|E| < 1: at α = 1/10 in every establishment of less than 10 workers.
    """
    x, y, alpha = z3.Reals("x y alpha")
    return fails(
        exact.refuted(BY_SHARE, α="1/10", x=1, y=2),
        solver.for_all(
            [alpha > 0, x >= 0, grows(x, y, alpha)],
            z3.Or(y - x <= alpha * x, y - x <= 1),
            "the change is at most max(α|E|, 1)",
        ),
        counterexample="α = 1/10, |E| = 1, |E'| = 2: a change of 1, ten times α|E|",
        value="max(α|E|, 1)",
        condition="true when α|E| ≥ 1",
    )


@claim(
    "haney2017/def-7.3-share",
    where="Section 7.1, after Definition 7.3",
    says="Definition 7.3 bounds changes in every subset of the workforce proportionally, by a factor of 1+α.",
    states=BY_FACTOR,
)
def one_worker_of_a_kind_may_be_more_than_the_factor() -> Verdict:
    """As for the whole workforce: one worker of a kind may always join, so a kind with less than 1/α
    workers may grow by more than the factor, and from 0 to 1 there is no factor.
    """
    values = ShapeUniverse(1, 2, 3)
    tenth = Fraction(1, 10)
    x, y, alpha = z3.Reals("x y alpha")
    return fails(
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
        counterexample="α = 1/10: one worker of a kind becomes two, a factor of 2 > 11/10",
        value="max((1+α)φ(E), φ(E)+1)",
        condition="true when α·φ(E) ≥ 1",
    )


@claim(
    "haney2017/def-7.3-unions",
    where="Section 7.1, Definition 7.3",
    says="Weak neighbors satisfy the growth bound for every property φ of a worker record.",
    states=NEW_WORKERS,
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
    states=STRONG_STEP,
    scope="the 19-year-olds in question are at this establishment or at none, whatever else is known of them",
)
def strong_privacy_hides_a_share_of_the_total() -> Verdict:
    """Only 19-year-olds are added, so E ⊆ E' and |E'| = x − Δ + Δ' ≤ (1+α)x: one step, a factor of at most
    e^ε.
    """
    return holds(solver.proves(STRONG_STEP), value="ε")


@claim(
    "haney2017/sec7-19yo-weak",
    where="Section 7.1, after Theorem 7.2",
    says="Weak privacy hides Δ among all Δ' ≤ (1+α)Δ.",
    states=WEAK_PROPERTY,
    meant=WEAK_STEP,
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
