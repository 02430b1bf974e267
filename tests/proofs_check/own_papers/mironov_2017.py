"""Statements on Rényi differential privacy (Mironov 2017) from memory, and five that are false."""

from fractions import Fraction
from functools import partial
from math import inf

from establish import (
    EveryPair,
    Integer,
    OfFiniteLaws,
    Real,
    claim,
    exact,
    fails,
    guarantees,
    holds,
    rules,
    solver,
)

concentrated, events, mean_loss = guarantees.concentrated, guarantees.events, guarantees.mean_loss
pure, renyi = guarantees.pure, guarantees.renyi
E, A, R, N = Real("ε", above=0), Real("a", above=1), Real("r", least=0), Integer("n", least=1)
P = Real("p", above=0, below=1)
AT_ORDER, INFINITE = renyi(lambda c, a, r: a, lambda c, a, r: r), renyi(inf, lambda c, e: e)
entered = partial(claim, where="from memory", origin="unread")


def settled(label, says, *statements, shown=rules.follows, **how):
    @entered(f"mironov/{label}", says=says, states=statements)
    def check():
        """Each object in one way."""
        return holds(*(shown(statement, **how) for statement in statements))


def false(label, says, statement, **point):
    @entered(f"false/{label}", says=says, states=statement)
    def check():
        """At a point of the object."""
        return fails(exact.refuted(statement, **point), counterexample="the point")


pair_to_pure = EveryPair(E, has=INFINITE, then=pure(lambda c, e: e))
pure_to_pair = EveryPair(E, has=pure(lambda c, e: e), then=INFINITE)
settled("infinite", "(∞, ε)-RDP is ε-differential privacy.", pair_to_pure, pure_to_pair)
below_all = EveryPair(A, R, has=AT_ORDER, then=mean_loss(lambda c, a, r: r), both=False)
above_all = EveryPair(A, R, has=renyi(inf, lambda c, a, r: r), then=AT_ORDER, both=False)
settled("ends", "D_a lies between D_1 and D_∞ at every order a > 1.", below_all, above_all)


def on_events(power):
    return EveryPair(A, R, has=AT_ORDER, then=events(lambda c, a, r, q: c.power(c.exp(r) * q, power(a))))


settled("events", "P(S) ≤ (e^r·Q(S))^((a − 1)/a) under (a, r)-RDP.", on_events(lambda a: (a - 1) / a))


def group(order, most):
    return EveryPair(
        N,
        Real("a", least=lambda c, n: c.power(2, n + 1)),
        R,
        laws="in a row",
        times=lambda c, n, a, r: c.power(2, n),
        has=renyi(lambda c, n, a, r: a, lambda c, n, a, r: r),
        then=renyi(order, most),
    )


@entered(
    "mironov/group",
    says="(a, r)-RDP is (a/2^n, 3^n·r)-RDP for 2^n persons where a ≥ 2^(n + 1).",
    states=group(lambda c, n, a, r: a / c.power(2, n), lambda c, n, a, r: c.power(3, n) * r),
)
def of_group():
    """By n doublings; 2^(n + 1) is 2·2^n."""
    stated = group(lambda c, n, a, r: a / c.power(2, n), lambda c, n, a, r: c.power(3, n) * r)
    doubled = {"doublings": lambda c, n, a, r: n}
    return holds(rules.follows(stated, lambda c, n, a, r: c.log(2 * c.power(2, n)), **doubled))


def root(c, e, n, q):
    return c.sqrt(n * c.log(1 / q))


IN_TURN = {"laws": "in turn", "times": lambda c, e, n: n, "has": pure(lambda c, e, n: e)}
ADVANCED = EveryPair(E, N, **IN_TURN, then=events(lambda c, e, n, q: c.exp(2 * e * root(c, e, n, q)) * q))


@entered("mironov/advanced", says="n ε-DP releases: P(S) ≤ e^(2ε·√(n·ln(1/Q(S))))·Q(S).", states=ADVANCED)
def advanced():
    """All are nε²/2-zCDP, at the order 1 + √(n·ln(1/Q(S)))/(nε)."""
    each, total = (concentrated(f) for f in (lambda c, e, n: e * e / 2, lambda c, e, n: n * (e * e / 2)))
    first, middle, last = rules.steps_between(ADVANCED, [each], total)
    order = lambda c, e, n, q: 1 + root(c, e, n, q) / (n * e)  # noqa: E731
    shown = rules.follows(last, lambda c, e, n, q: c.log(1 / q), order=order)
    return holds(rules.through(ADVANCED, [each], total, rules.follows(first), rules.follows(middle), shown))


COINS = {"first": lambda c, p, *_: (p, 1 - p), "second": lambda c, p, *_: (1 - p, p)}


def by_outcome(statement):
    return rules.outcome_by_outcome(statement, *map(solver.shows, rules.of_outcomes(statement)))


def response(c, p, a):
    return c.log(c.power(p, a) * c.power(1 - p, 1 - a) + c.power(1 - p, a) * c.power(p, 1 - a)) / (a - 1)


AT_A = OfFiniteLaws(P, A, **COINS, has=renyi(lambda c, p, a: a, response))
AT_1 = OfFiniteLaws(P, **COINS, has=mean_loss(lambda c, p: (2 * p - 1) * c.log(p / (1 - p))))
GREATEST = renyi(inf, lambda c, p: c.log(p) - c.log(1 - p))
AT_INFINITY = OfFiniteLaws(Real("p", above="1/2", below=1), **COINS, has=GREATEST)
settled("response", "D_a, D_1 and D_∞ of randomized response.", AT_A, AT_1, AT_INFINITY, shown=by_outcome)

same_order, sum_of_bounds = lambda c, n, a, r: a, lambda c, n, a, r: c.power(2, n) * r
coins = tuple((Fraction(x), 1 - Fraction(x)) for x in ("0.7", "0.5", "0.3"))
false(
    "group",
    "(a, r)-RDP is (a, 2^n·r)-RDP for 2^n.",
    group(same_order, sum_of_bounds),
    n=1,
    a=4,
    r="31/100",
    laws=coins,
)
false("events", "P(S) ≤ e^r·Q(S) under (a, r)-RDP.", on_events(lambda a: 1), a=2, r="3/5", laws=coins[::2])
to_pure = EveryPair(A, R, has=AT_ORDER, then=renyi(inf, lambda c, a, r: r))
false("pure", "(a, r)-RDP is r-DP.", to_pure, a="11/10", r="1/2", laws=coins[::2])
false("infinity", "D_∞ of it is ln(p/(1 − p)) at every p.", OfFiniteLaws(P, **COINS, has=GREATEST), p="1/4")
no_less = OfFiniteLaws(P, A, **COINS, has=renyi(lambda c, p, a: a, lambda c, p, a: a / 2), relation=">=")
false("at-least", "D_a of randomized response is at least a/2.", no_less, p="1/2", a=2)
