"""Guarantees between every two laws: what is stated, what refutes it, and what the rules refuse."""

from dataclasses import replace
from fractions import Fraction as F
from math import inf

import pytest

from establish import AtMost, EveryPair, Integer, Real, exact, guarantees, rules, solver
from establish.proofs_check.engine.rules.rule import RuleError
from establish.proofs_check.engine.rules.several_pairs import RULES_OF
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.statements.every_pair import over
from establish.proofs_check.engine.statements.finite_pairs import BITS, loudest_pairs
from establish.proofs_check.engine.statements.guarantees import kept
from establish.proofs_check.engine.statements.statement import StatementError
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.concentrated import moment
from establish.spec.indistinguishability import hockey_stick, likelihood_ratio_bound

pure, approximate, renyi = guarantees.pure, guarantees.approximate, guarantees.renyi
concentrated, events, mean_loss = guarantees.concentrated, guarantees.events, guarantees.mean_loss
E, RHO, R = Real("ε", above=0), Real("ρ", above=0), Real("r", least=0)
K, A, B = Integer("k", least=1), Real("a", above=1), Real("b", least=lambda c, a: a)
COIN, OTHER = (F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))


def e(c, e, *_):
    return e


def in_proportion(share):
    """k steps in a row are kρ/share-concentrated."""
    return EveryPair(
        RHO,
        K,
        laws="in a row",
        times=lambda c, rho, k: k,
        has=concentrated(lambda c, rho, k: rho),
        then=concentrated(lambda c, rho, k: k * rho * share),
    )


def at_orders(first, second):
    """A bound at one of the orders a ≤ b is the same bound at another of them."""
    return EveryPair(
        A, B, R, has=renyi(first, lambda c, a, b, r: r), then=renyi(second, lambda c, a, b, r: r)
    )


def at_a(c, a, b, r):
    return a


def at_b(c, a, b, r):
    return b


def at_order(c, a, *_):
    return a


def on_events(has, most, both=True):
    return EveryPair(A, R, has=has, then=events(most), both=both)


AT_ORDER = renyi(at_order, lambda c, a, r, *_: r)


def group(order, most, steps=lambda c, n, a, r: c.power(2, n)):
    """2^n steps in a row of one order."""
    return EveryPair(
        Integer("n", least=1),
        Real("a", least=lambda c, n: c.power(2, n + 1)),
        R,
        laws="in a row",
        times=steps,
        has=renyi(lambda c, n, a, r: a, lambda c, n, a, r: r),
        then=renyi(order, most),
    )


FAR = Real("a", least=lambda c, n: c.power(2, n + 1)), R


def shared_order(c, n, a, r):
    return a / c.power(2, n)


FALSE = {
    "ε²/3": lambda: EveryPair(E, has=pure(e), then=concentrated(lambda c, e: e * e / 3)),
    "ρ at every order": lambda: EveryPair(RHO, A, has=concentrated(e), then=renyi(lambda c, r, a: a, e)),
    "(a − 1)ρ": lambda: EveryPair(
        RHO, A, has=concentrated(e), then=renyi(lambda c, r, a: a, lambda c, r, a: (a - 1) * r)
    ),
    "half the mean loss": lambda: EveryPair(RHO, has=concentrated(e), then=mean_loss(lambda c, r: r / 2)),
    "total variation KL": lambda: EveryPair(R, has=mean_loss(e), then=approximate(0, e)),
    "two in turn cost the larger": lambda: EveryPair(
        RHO, laws="in turn", has=[concentrated(e)] * 2, then=concentrated(e)
    ),
    "a group in proportion": lambda: in_proportion(1),
    "a higher order for nothing": lambda: at_orders(at_a, at_b),
    "δ of a group adds up": lambda: EveryPair(
        E,
        Real("δ", above=0, below=1),
        laws="in a row",
        has=[approximate(e, lambda c, e, d: d)] * 2,
        then=approximate(lambda c, e, d: 2 * e, lambda c, e, d: 2 * d),
    ),
    "a map halves": lambda: EveryPair(R, laws="mapped", has=pure(e), then=pure(lambda c, r: r / 2)),
    "a mixture halves": lambda: EveryPair(R, laws="mixed", has=pure(e), then=pure(lambda c, r: r / 2)),
    "half of order ∞": lambda: EveryPair(E, has=renyi(inf, e), then=pure(lambda c, e: e / 2)),
    "order ∞ from less": lambda: EveryPair(A, R, has=AT_ORDER, then=renyi(inf, lambda c, a, r: r)),
    "order ∞ is half of pure": lambda: EveryPair(E, has=pure(e), then=renyi(inf, lambda c, e: e / 2)),
    "events without the order": lambda: on_events(AT_ORDER, lambda c, a, r, q: c.exp(r) * q),
    "events by the order turned over": lambda: on_events(
        AT_ORDER, lambda c, a, r, q: c.power(c.exp(r) * q, a / (a - 1))
    ),
    "events of pure by half": lambda: on_events(pure(lambda c, a, r: r), lambda c, a, r, q: c.exp(r / a) * q),
    "events of concentrated at half the order": lambda: on_events(
        concentrated(lambda c, a, r: r), lambda c, a, r, q: c.power(c.exp(a * r / 2) * q, 1 - 1 / a)
    ),
    "a group keeps its order": lambda: group(lambda c, n, a, r: a, lambda c, n, a, r: c.power(2, n) * r),
    "a group costs what one does": lambda: group(shared_order, lambda c, n, a, r: r),
    "pure from concentrated": lambda: EveryPair(RHO, has=concentrated(e), then=approximate(e, 0)),
}


@pytest.mark.parametrize("made", FALSE.values(), ids=FALSE)
def test_what_is_false_is_refuted_by_two_finite_laws(made):
    assert made().search().refuted


@pytest.mark.parametrize("made", FALSE.values(), ids=FALSE)
def test_no_rule_shows_what_is_false(made):
    stated = made()
    order = (lambda c, *v: 1 + v[0]) if stated.given[0].kind == "concentrated" else None
    doublings = (lambda c, *v: v[0]) if stated.then.kind == "renyi" else None
    for name in RULES_OF:
        try:
            found = rules.follows(stated, order=order, doublings=doublings, by=name)
        except RuleError:  # it speaks of other guarantees
            continue
        assert found.established is not True, name


def test_the_chord_needs_both_ways_round():
    one_way = EveryPair(E, has=pure(e), then=concentrated(lambda c, e: e * e / 2), both=False)
    with pytest.raises(RuleError, match="both ways round"):
        rules.follows(one_way)
    assert one_way.search().refuted  # a rare outcome of P may have any loss


def test_leaks_of_a_row_count_from_both_ends():
    # P(S) − e^2ε·Q(S) ≤ δ_1 + e^ε·δ_2 one way round, and δ_2 + e^ε·δ_1 the other
    def row(both):
        return EveryPair(
            E,
            laws="in a row",
            has=[approximate(e, "1/10"), approximate(e, 0)],
            then=approximate(lambda c, e: 2 * e, "1/10"),
            both=both,
        )

    assert rules.follows(row(False)).established
    assert rules.follows(row(True)).established is not True


def test_a_chain_wants_each_of_its_steps():
    whole = EveryPair(
        E,
        K,
        laws="in turn",
        times=lambda c, e, k: k,
        has=pure(e),
        then=concentrated(lambda c, e, k: k * e * e / 2),
    )
    between = [concentrated(lambda c, e, k: e * e / 2)], concentrated(lambda c, e, k: k * e * e / 2)
    owed = rules.steps_between(whole, *between)
    assert [one.laws for one in owed] == ["pair", "in turn"]
    shown = [rules.follows(one, lambda c, e, k: k * (e * e)) for one in owed]
    assert rules.through(whole, *between, *shown).established
    assert rules.through(whole, *between, shown[0]).established is None


@pytest.mark.parametrize(
    ("kind", "numbers"), [("pure", (F(1, 2),)), ("renyi", (F(3), F(1))), ("concentrated", (F(1),))]
)
def test_the_loudest_pairs_have_the_guarantee_as_the_specification_counts(kind, numbers):
    for p, q in loudest_pairs(kind, numbers, True):
        first, second = dict(enumerate(p)), dict(enumerate(q))
        with enclosing(BITS):
            order = 3
            divergence = ARB.log(ARB.number(moment(first, second, order))) / (order - 1)
            loss = ARB.log(ARB.number(likelihood_ratio_bound(first, second)))
            half = ARB.number(F(1, 2))
            most = {"pure": loss <= half, "renyi": divergence <= 1, "concentrated": divergence <= 3}
        assert most[kind]


@pytest.mark.parametrize("delta", [F(1, 10), F(1, 4), F(1, 2)])
def test_an_approximate_guarantee_is_the_hockey_stick(delta):
    least = hockey_stick(dict(enumerate(COIN)), dict(enumerate(OTHER)), F(2))
    with enclosing(BITS):
        level = ARB.log(ARB.number(2))
        assert kept("approximate", (level, ARB.number(delta)), COIN, OTHER) in (delta >= least, None)


def test_a_coin_is_concentrated_from_its_mean_loss_on():
    # By hand: D_a of coins 3/4 and 1/4 is ln(3)/2 at a = 1, ln(7/3) at a = 2 and ln(3) at most.
    with enclosing(BITS):
        less, more, far = (ARB.log(ARB.number(3)) / 2 * ARB.number(F(n, 100)) for n in (94, 101, 110))
        assert kept("mean loss", (more,), COIN, OTHER)
        assert kept("mean loss", (less,), COIN, OTHER) is False
        assert kept("concentrated", (less,), COIN, OTHER) is False
        assert kept("concentrated", (far,), COIN, OTHER)


BROKEN = {
    "sum": ((F(1, 2), F(1, 3)), COIN),
    "negative": ((F(3, 2), F(-1, 2)), COIN),
    "outcomes": (COIN, (F(1),)),
    "one law": (COIN,),
    "no law": 3,
    "none": None,
}


@pytest.mark.parametrize("laws", BROKEN.values(), ids=BROKEN)
def test_a_point_gives_laws(laws):
    with pytest.raises(StatementError, match="laws"):
        EveryPair(E, has=pure(e), then=pure(e)).at({"ε": 2, "laws": laws})


def test_a_point_gives_nothing_but_parameters_and_laws():
    stated = EveryPair(E, has=pure(e), then=pure(e))
    with pytest.raises(StatementError, match="gives laws and ε"):
        stated.at({"ε": 2})
    with pytest.raises(StatementError, match="a point gives ε"):
        stated.at({"ε": 2, "laws": (COIN, OTHER), "δ": 0})


def test_laws_that_differ_by_less_than_a_ball_are_not_taken_for_equal():
    near = (COIN[0] + F(1, 10**40), COIN[1] - F(1, 10**40))
    with enclosing(BITS):
        nothing = (ARB.number(0),)
        assert kept("concentrated", nothing, COIN, COIN)
        assert kept("concentrated", nothing, COIN, near) is None


def test_a_point_lies_outside_where_the_guarantee_is_not_certain():
    stated = EveryPair(E, has=pure(e), then=pure(lambda c, e: e / 2))
    with pytest.raises(StatementError, match="outside the domain"):
        stated.at({"ε": 1, "laws": (COIN, OTHER)})
    assert exact.refuted(stated, ε=2, laws=(COIN, OTHER)).established


def doubled(c, n, a, r):
    return c.log(2 * c.power(2, n))


def tripled(c, n, a, r):
    return c.power(3, n) * r


def test_doublings_reach_all_steps_at_an_order_of_at_least_3_halves():
    whole = group(shared_order, tripled)
    assert rules.follows(whole, doubled, doublings=lambda c, n, a, r: n).established
    assert rules.follows(whole, doubled, doublings=lambda c, n, a, r: 1).established is not True
    more = group(shared_order, tripled, lambda c, n, a, r: c.power(3, n))
    assert rules.follows(more, doubled, doublings=lambda c, n, a, r: n).established is not True
    low = group(lambda c, n, a, r: a / c.power(2, n + 1) + F(1, 3), tripled)
    assert rules.follows(low, doubled, doublings=lambda c, n, a, r: n).established is not True


def test_three_steps_of_their_own_bounds_are_two_doublings():
    def row(most):
        steps = [renyi(lambda c, a, r: 4 * a, lambda c, a, r, k=k: k * r) for k in (1, 3, 2)]
        return EveryPair(Real("a", least="3/2"), R, laws="in a row", has=steps, then=renyi(at_order, most))

    assert rules.follows(row(lambda c, a, r: 27 * r), doublings=lambda c, a, r: 2).established
    assert rules.follows(row(lambda c, a, r: 18 * r), doublings=lambda c, a, r: 2).established is not True


@pytest.mark.parametrize(
    "doublings", [lambda c, n, a, r: a, lambda c, n, a, r: n + F(1, 2), lambda c, *_: F(1, 2)]
)
def test_doublings_are_a_whole_number(doublings):
    with pytest.raises(RuleError, match="doublings must be a whole number"):
        rules.follows(group(shared_order, tripled), doublings=doublings)


def test_bounds_on_events_are_shown_up_to_an_event_that_is_sure():
    def power(c, a, r, q):
        return c.power(c.exp(r) * q, 1 - 1 / a)

    assert rules.follows(on_events(AT_ORDER, power)).established
    unsure = on_events(AT_ORDER, lambda c, a, r, q: power(c, a, r, q) if q < 1 else c.number(0))
    assert rules.follows(unsure).established is not True


def test_an_order_of_events_is_above_1_at_every_share():
    def stated(most):
        return on_events(concentrated(lambda c, a, r: r), most)

    power = stated(lambda c, a, r, q: c.power(c.exp(a * r) * q, 1 - 1 / a))
    assert rules.follows(power, order=lambda c, a, r, q: a).established
    assert rules.follows(power, order=lambda c, a, r, q: a * q).established is not True
    with pytest.raises(RuleError, match="by_event: give an order"):
        rules.follows(power)


def test_events_of_few_outcomes_are_all_looked_at():
    # By hand: P(S) ≤ √(2·Q(S)) is an equality for the first two of three outcomes of 1/2, 1/2, 0.
    P, Q = (F(1, 2), F(1, 2), F(0)), (F(1, 4), F(1, 4), F(1, 2))
    with enclosing(BITS):
        assert kept("events", (lambda q: ARB.number(2) * q,), P, Q)
        assert kept("events", (lambda q: ARB.number(F(19, 10)) * q,), P, Q) is False
        assert kept("events", (lambda q: q + ARB.number(F(1, 4)),), P, Q) is False  # only for both together


def test_no_pair_is_said_where_none_was_tried():
    far = EveryPair(
        Integer("k", least=100),
        RHO,
        laws="in turn",
        times=lambda c, k, rho: k,
        has=concentrated(lambda c, k, rho: rho),
        then=concentrated(lambda c, k, rho: k * rho),
    )
    assert far.search().tried.startswith("no pair of laws: none that was tried")
    assert not far.search().sees
    powers = replace(group(shared_order, tripled), domain=Domain((Integer("n", least=300), *FAR)))
    assert powers.search().tried == far.search().tried


def test_laws_that_cannot_have_what_is_given_are_not_called_tried():
    below_0 = EveryPair(Real("ε", above=0), has=renyi(inf, lambda c, e: -e), then=pure(lambda c, e: e))
    assert "none that was tried has what is given" in below_0.search().tried


def test_the_order_of_a_text_is_called_as_no_parameter_is():
    names = Real("a", least=0), Real("a′", least=0)
    stated = EveryPair(*names, has=concentrated(lambda c, a, b: a), then=concentrated(lambda c, a, b: a + b))
    assert "every order a″ > 1" in stated.text.replace("′′", "″")


@pytest.mark.parametrize("name", ["∞", "π", "Q(S)", "1", "a b"])
def test_a_parameter_has_a_name(name):
    with pytest.raises(StatementError, match=r"a name begins with a letter|reads as a number"):
        EveryPair(Real(name, above=0), has=pure(e), then=pure(e))


def test_two_to_the_n_steps_are_composed():
    stated = EveryPair(
        Integer("n", least=1),
        RHO,
        laws="in turn",
        times=lambda c, n, rho: c.power(2, n),
        has=concentrated(lambda c, n, rho: rho),
        then=concentrated(lambda c, n, rho: c.power(2, n) * rho),
    )
    assert rules.follows(stated).established
    less = replace(stated, then=over(stated.domain, concentrated(lambda c, n, rho: n * rho)))
    assert not rules.follows(less).established


@pytest.mark.parametrize(
    ("name", "laws"),
    [("t", "mixed"), ("f", "mapped"), ("P", "pair"), ("e", "pair"), ("i", "in a row"), ("R_1", "pair")],
)
def test_a_parameter_is_not_called_what_the_text_calls_something_else(name, laws):
    with pytest.raises(StatementError, match=f"a parameter is called '{name}', which means something else"):
        EveryPair(Real(name, above=0), laws=laws, has=pure(e), then=pure(e))


def test_the_text_of_events_and_of_order_infinity():
    stated = EveryPair(E, has=renyi(inf, e), then=events(lambda c, e, q: c.exp(e) * q), both=False)
    assert stated.text == (
        "for all 0 < ε and all laws P and Q for which the Rényi divergence of order ∞ of P from Q, the "
        "largest ln(P(S)/Q(S)), is at most ε: P(S) ≤ e^ε·Q(S) for every event S with Q(S) > 0"
    )


MISUSED = {
    "events are given": ({"has": events(lambda c, e, q: q)}, "has: a bound on events"),
    "a power that is no number of stages": (
        {"laws": "in turn", "times": lambda c, e: c.power(2, e)},
        "an Integer and at least 1",
    ),
    "not known": ({"laws": "twice"}, "laws = 'twice' is not known"),
    "two of a pair": ({"has": [pure(e), pure(e)]}, "2 guarantees"),
    "no guarantee": ({"has": 3}, "not iterable|guarantees"),
    "stages of a pair": ({"times": lambda c, e: 2}, "only laws"),
    "stages that are no whole number": ({"laws": "in turn", "times": e}, "an Integer"),
}


@pytest.mark.parametrize(("changed", "said"), MISUSED.values(), ids=MISUSED)
def test_what_cannot_be_stated_is_refused(changed, said):
    with pytest.raises((StatementError, TypeError), match=said):
        EveryPair(E, **{"has": pure(e), "then": pure(e), **changed})


def test_the_text_names_laws_and_guarantees():
    assert EveryPair(E, has=pure(e), then=mean_loss(e), both=False).text == (
        "for all 0 < ε and all laws P and Q for which P(S) ≤ e^(ε)·Q(S) for every event S: KL(P‖Q) ≤ ε"
    )


def test_evidence_of_another_statement_shows_nothing():
    stated = EveryPair(E, has=pure(e), then=concentrated(lambda c, e: e * e / 2))
    other = solver.owed(AtMost(E, left=0, right=e))
    assert rules.by_square(stated, other).established is None


def of_order(order):
    most = renyi(F(order), lambda c, x: -2 * c.log(1 - x))
    return EveryPair(Real("x", above=0, below=1), has=approximate(0, lambda c, x: x), then=most)


SAY_NOTHING = {
    "an empty domain": (lambda: EveryPair(Real("ε", above=2, below=1), has=pure(e), then=pure(e)), "empty"),
    "an unused variable": (lambda: EveryPair(E, RHO, has=pure(e), then=pure(e)), "never used"),
    "no stage": (
        lambda: EveryPair(
            *(Real("ρ", least=0), Integer("k")),
            laws="in turn",
            times=lambda c, rho, k: k,
            has=concentrated(lambda c, rho, k: rho),
            then=concentrated(lambda c, rho, k: k * rho),
        ),
        "at least 1",
    ),
    **{
        f"the order {order}": (lambda order=order: of_order(order), "the order must be above 1")
        for order in (0, "1/2", 1, -1)
    },
    "an order that may be 1": (
        lambda: EveryPair(Real("a", least=1), has=renyi(e, 1), then=renyi(e, 1)),
        "the order must be above 1",
    ),
}


@pytest.mark.parametrize(("made", "said"), SAY_NOTHING.values(), ids=SAY_NOTHING)
def test_what_says_nothing_is_refused(made, said):
    with pytest.raises(StatementError, match=said):
        made()


def test_an_order_above_1_is_allowed():
    assert rules.follows(EveryPair(A, has=renyi(e, 1), then=renyi(e, 1))).established
