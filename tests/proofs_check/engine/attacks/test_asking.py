"""A formula is read once, at names: what its code asks otherwise than by comparing is not in it."""

import math

import pytest

from establish import (
    AtMost,
    Integer,
    MaxDivergence,
    OfFiniteLaws,
    PrivatePerRecord,
    Rational,
    Real,
    RenyiOfDensities,
    StatementError,
    SumOnIntegers,
    computed,
    guarantees,
    solver,
)
from establish.proofs_check.engine.statements.divergence import Diverges
from establish.spec.arithmetic import MP
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms.transformation import RootMechanism

N, Q, X, Y = Integer("n", least=0), Rational("q", least=0), Real("x", least=0), Real("y", least=0)
SPECIAL = {17: 5, 4242: 7}


def _whole(n):
    return isinstance(n, int)


def _by_kind(c, n):
    match n:
        case int():
            return n
    return 0 * n


def _by_mapping(c, n):
    match n:
        case {"size": size}:
            return size
    return 0 * n


def _bare(c, x):
    try:
        if x > 5:
            return 100 + 0 * x
    except:  # noqa: E722
        pass
    return 0 * x


def _finally(c, x):
    y = 0 * x
    try:
        if x > 5:
            y = 100 + 0 * x
    finally:
        return y  # noqa: B012


def _float(c, x):
    try:
        return math.sqrt(x)
    except (TypeError, ValueError):
        return 0 * x


def _attribute(c, q):
    try:
        return q.denominator
    except AttributeError:
        return 0 * q


def _kept(c, n, found={}):  # noqa: B006
    return found.get(n, 0 * n)


ASKED = {
    "a set": (N, lambda c, n: 5 if n in {17, 4242} else 0 * n),
    "a set that is made": (N, lambda c, n: 0 * n + len({n, n + 0, 2 * n - n})),
    "not in a set": (N, lambda c, n: 0 * n if n not in frozenset((17,)) else n),
    "a table with a default": (N, lambda c, n: SPECIAL.get(n, 0 * n)),
    "a table in the formula": (N, lambda c, n: {17: 5}.get(n, 0 * n)),
    "a table by its branches": (X, lambda c, x: {True: 100}.get(x > 3, 0 * x)),
    "a table of the default arguments": (N, _kept),
    "digits by str": (N, lambda c, n: len(str(n)) - 30),
    "digits in a text": (N, lambda c, n: len(f"{n}") - 30),
    "digits by repr": (N, lambda c, n: len(repr(n)) - 30),
    "a kind in a helper": (N, lambda c, n: n if _whole(n) else 0 * n),
    "a kind in a function within": (N, lambda c, n: (lambda k: k if isinstance(k, int) else 0 * k)(n)),
    "a kind by matching": (N, _by_kind),
    "a mapping by matching": (N, _by_mapping),
    "an attribute with a default": (Q, lambda c, q: getattr(q, "denominator", 1) + 0 * q),
    "is True": (X, lambda c, x: 100 if (x > 3) is True else 0 * x),
    "is not False": (X, lambda c, x: 0 * x if (x < 3) is not False else 100),
    "is a value": (N, lambda c, n, special=17: 100 if n is special else 0 * n),
    "== True": (X, lambda c, x: 100 if (x > 3) == True else 0 * x),  # noqa: E712
    "!= False": (X, lambda c, x: 100 if (x > 3) != False else 0 * x),  # noqa: E712
    "the size of a comparison": (X, lambda c, x: len(x > 3) + 0 * x),
    "a bare except": (X, _bare),
    "finally": (X, _finally),
    "an except around a float": (X, _float),
    "an except around an attribute": (Q, _attribute),
    "an address": (X, lambda c, x: id(x) % 2 + 0 * x),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_formula_that_asks_is_refused_with_a_reason(name):
    variable, formula = ASKED[name]
    with pytest.raises(StatementError, match=r"cannot be evaluated|says the same"):
        AtMost(variable, left=formula, right=3)


def test_truth_values_are_not_compared():
    with pytest.raises(StatementError, match="truth values are not compared"):
        AtMost(X, Y, left=lambda c, x, y: 9 if (x > 3) == (y > 3) and x != y else 0 * x * y, right=3)


TRUE = {
    "a tuple": AtMost(N, left=lambda c, n: 2 if n in (17, 4242) else 1, right=2),
    "a branch with and": AtMost(X, left=lambda c, x: 2 if x > 3 and x < 5 else 1, right=2),
    "an argument that is left out": AtMost(
        X, left=lambda c, x, more=None: -x if more is None else x, right=0
    ),
    "a table by a name": AtMost(X, left=lambda c, x, by={"a": 1}: -by["a"] * x, right=0),
    "a sum over a list": AtMost(X, left=lambda c, x: sum(-k * x for k in [1, 2]), right=0),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_only_compares_is_shown(name):
    assert solver.proves(TRUE[name]).established


def test_a_program_may_ask_what_it_likes():
    sized = AtMost(Integer("n", least=0, most=99), left=computed(lambda c, n: len(str(n))), right=2)
    assert sized.at({"n": 99}).value


def _fifth(c, m):
    """5m, but where it is printed or read as a tree."""
    return m if c is MP or hasattr(c.number(2), "op") else 5 * m


M = Real("m", above=0)
ASKED_IN_A_LAW = {
    "max-divergence": lambda: MaxDivergence(
        M,
        first=lambda c, m: Laplace(_fifth(c, m), c.number(1), c),
        second=lambda c, m: Laplace(c.number(0), c.number(1), c),
        most=lambda c, m: m,
        breaks=(lambda c, m: c.number(0),),
    ),
    "finite laws": lambda: OfFiniteLaws(
        M,
        first=lambda c, m: (1 / (1 + _fifth(c, m)), _fifth(c, m) / (1 + _fifth(c, m))),
        second=lambda c, m: (m / (1 + m), 1 / (1 + m)),
        has=guarantees.mean_loss(1),
    ),
    "Rényi": lambda: RenyiOfDensities(
        M,
        first=lambda c, m: Gaussian(_fifth(c, m), c.number(1), c),
        second=lambda c, m: Gaussian(c.number(0), c.number(1), c),
        order=lambda c, m: 2,
        most=lambda c, m: m * m,
        breaks=(lambda c, m: m,),
    ),
    "per record": lambda: PrivatePerRecord(
        Rational("ρ", above=0),
        mechanism=lambda rho: RootMechanism(rho),
        policy=lambda c, rho, x: rho * _fifth(c, x),
    ),
    "law on the integers": lambda: SumOnIntegers(
        M, law=lambda c, m, k: c.exp(-_fifth(c, m) * abs(k)), closed=lambda c, m: 1
    ),
    "divergence": lambda: Diverges(
        M, law=lambda c, m: Laplace(c.number(0), _fifth(c, m), c), of=lambda c, m, x: c.exp(x)
    ),
}


@pytest.mark.parametrize("made", ASKED_IN_A_LAW.values(), ids=ASKED_IN_A_LAW.keys())
def test_a_law_or_a_policy_asks_nothing_either(made):
    with pytest.raises(StatementError, match="says the same wherever it is read"):
        made()
