"""What a reader could slip in about per-record privacy and transformed totals is refuted by its adversary."""

import pytest

from establish import AtMost, Concentrated, Equal, EveryPair, Integer, Moment, PerRecord, Real, guarantees
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms.psi_estimators import unbiased_from_logarithm
from establish.spec.mechanisms.transformation import (
    fourth_root,
    identity,
    logarithm,
    loss,
    policy,
    root,
    unbiased_from_fourth_root,
)
from establish.spec.privacy_conversions import laplace_log_moment, laplace_to_concentrated

S, SD = Real("s", above=0), Real("σ", above=0)
TOTAL, RECORD, OFFSET = Real("q", least=0), Real("x", above=0), Real("o", above=0)


def at_total(c, s, q):
    return DiscreteGaussian(q, s, c)


def gaussian(c, s, *v):
    return DiscreteGaussian(v[-1], s, c)


def on_records(statement, left, right, *others):
    """Of every size of a record, and every standard deviation of the noise."""
    return lambda: statement(RECORD, SD, *others, left=left, right=right)


def on_orders(right):
    """A bound on the moment of the loss of Laplace noise, of every order."""
    return lambda: AtMost(
        Real("a", above=1), Real("ε", above=0), left=lambda c, a, e: laplace_log_moment(a, e, c), right=right
    )


def whole(policy_of):
    return lambda: PerRecord(S, law=at_total, policy=policy_of)


def mean(f, of, closed):
    return lambda: Moment(
        RECORD,
        SD,
        law=lambda c, x, s: Gaussian(f(x, c), s, c),
        of=of,
        depends=True,
        closed=closed,
        breaks=(lambda c, x, s: f(x, c),),
    )


def of_records(laws, cost):
    """Two releases, or two records, with ρ and τ have a cost together."""
    both = [guarantees.concentrated(lambda c, r, t: r), guarantees.concentrated(lambda c, r, t: t)]
    return lambda: EveryPair(
        Real("ρ", above=0), Real("τ", above=0), laws=laws, has=both, then=guarantees.concentrated(cost)
    )


FALSE = {
    "two records cost the sum of their policies": of_records("in a row", lambda c, r, t: r + t),
    "two records cost the root of the squares": of_records(
        "in a row", lambda c, r, t: 2 * c.sqrt(r * r + t * t)
    ),
    "two releases cost the larger policy": of_records("in turn", lambda c, r, t: c.maximum(r, t)),
    "two releases cost the mean of the policies": of_records("in turn", lambda c, r, t: (r + t) / 2),
    "a record costs in proportion to its size": whole(lambda c, s, r: r / (2 * s)),
    "a record costs r²/(4σ²)": whole(lambda c, s, r: r * r / (4 * s)),
    "no record costs more than 1/(2σ²)": whole(lambda c, s, r: 1 / (2 * s)),
    "a large record costs no more than one of 10": whole(
        lambda c, s, r: r * r / (2 * s) if r <= 10 else 50 / s
    ),
    "m pieces cost m times one": lambda: Concentrated(
        S, Integer("m", least=1), law=gaussian, sensitivity=lambda c, s, m: m, rho=lambda c, s, m: m / (2 * s)
    ),
    "a record has at most x/L pieces": lambda: AtMost(
        Real("x", above=0),
        Real("L", above=0),
        Integer("m", least=0, below=lambda c, x, most: x / most + 1),
        left=lambda c, x, most, m: m,
        right=lambda c, x, most, m: x / most,
    ),
    "the roots of two policies add up": on_records(
        Equal,
        lambda c, x, s: 2 * policy(identity, x, 0, s, c),
        lambda c, x, s: policy(identity, 2 * x, 0, s, c),
    ),
    "the root costs less by an offset of 1 than of 2": on_records(
        AtMost, lambda c, x, s: policy(root, x, 1, s, c), lambda c, x, s: policy(root, x, 2, s, c)
    ),
    "the root costs the square root of the size": on_records(
        AtMost, lambda c, x, s: policy(root, x, 0, s, c), lambda c, x, s: c.sqrt(x) / (2 * s * s)
    ),
    "a record costs as much at every total by the root": on_records(
        Equal,
        lambda c, x, s, q: loss(root, q, x, 0, s, c),
        lambda c, x, s, q: policy(root, x, 0, s, c),
        TOTAL,
    ),
    "the logarithm costs less than the fourth root": on_records(
        AtMost, lambda c, x, s: policy(logarithm, x, 1, s, c), lambda c, x, s: policy(fourth_root, x, 1, s, c)
    ),
    "growth by a share costs the same at every size by the root": lambda: AtMost(
        Real("n", above=0),
        SD,
        left=lambda c, n, s: loss(root, n, n, 0, s, c),
        right=lambda c, n, s: loss(root, 1, 1, 0, s, c),
    ),
    "the square of the noisy root is unbiased": mean(root, lambda c, x, s, w: w * w, lambda c, x, s: x),
    "the fourth power has the bias 3σ⁴": mean(
        fourth_root, lambda c, x, s, w: c.power(w, 4), lambda c, x, s: x + 3 * c.power(s, 4)
    ),
    "the exponential is unbiased": mean(logarithm, lambda c, x, s, w: c.exp(w), lambda c, x, s: x),
    "the unbiased logarithm subtracts σ²": mean(
        logarithm, lambda c, x, s, w: unbiased_from_logarithm(w, c.sqrt(2) * s, c), lambda c, x, s: x
    ),
    "the variance of the fourth root ends at its first term": mean(
        fourth_root,
        lambda c, x, s, w: c.power(unbiased_from_fourth_root(w, s, c) - x, 2),
        lambda c, x, s: 16 * s * s * c.power(c.sqrt(x), 3),
    ),
    "Laplace noise has ρ = ε²/4": on_orders(lambda c, a, e: a * (a - 1) * e * e / 4),
    "Laplace noise has 99% of its ρ": on_orders(
        lambda c, a, e: a * (a - 1) * laplace_to_concentrated(e, c) * 99 / 100
    ),
    "a record costs most at a large total": on_records(
        AtMost,
        lambda c, x, s, q, o: policy(root, x, o, s, c),
        lambda c, x, s, q, o: loss(root, q, x, o, s, c),
        *(TOTAL, OFFSET),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_planted_falsehood_is_refuted_by_its_adversary(name):
    assert FALSE[name]().search().refuted
