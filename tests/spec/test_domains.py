"""Where the domains of the specification end: what is accepted at an end, and what is refused."""

from collections.abc import Callable, Iterator
from copy import copy
from fractions import Fraction
from typing import Any

import pytest

from establish.proofs_check.engine.statements import Rational, within
from establish.spec.arithmetic import EXACT, MP
from establish.spec.cells import Cell
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.domains import Domain
from establish.spec.earnings.bins import Bins
from establish.spec.earnings.chosen_by_size import SizeRule, cut_off
from establish.spec.earnings.equal_gaps import EqualGaps
from establish.spec.earnings.histogram import ProtectedHistogram
from establish.spec.earnings.quantile_tree import QuantileTree
from establish.spec.earnings.rank_sensitivity import smooth_by_change, smooth_by_presence
from establish.spec.gaussian import delta, group, trade_off
from establish.spec.indistinguishability import failure, level
from establish.spec.mechanisms.growth_staircase import UnbiasedGrowthStaircaseMechanism
from establish.spec.mechanisms.identity_then_sum import IdentityThenSum
from establish.spec.mechanisms.laplace import LaplaceMechanism
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism, TightLogLaplaceMechanism
from establish.spec.mechanisms.probably_no_clipping import (
    ProbablyNoClipping,
    PublishedProbablyNoClipping,
    margin,
)
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.mechanisms.smooth_gamma import SmoothGammaMechanism, TightSmoothGammaMechanism
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.truncated_laplace import require_threshold
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism
from establish.spec.neighbor_functions.functions import root
from establish.spec.parameters import ParameterError, exact, nonnegative, positive, probability
from establish.spec.relations.history import PresenceOfHistory
from establish.spec.relations.psi import Psi
from establish.spec.relations.universes import ShapeUniverse, SizeUniverse
from establish.spec.sensitivity import counting_smooth_sensitivity

Call = tuple[Callable[..., Any], tuple[Any, ...], bool]
"""A function, its arguments, and whether they are in its domain."""

_ENDS = (25, 75)
_HALF = Fraction(1, 2)
PARAMETERS = Rational("α", above=0), Rational("ε", above=0)


def _tree(candidates: tuple[int, ...], weights: tuple[int, ...], half: Fraction) -> QuantileTree:
    return QuantileTree(candidates, weights, [_HALF], half, EXACT)


def _gaps(candidates: tuple[int, ...], weights: tuple[int, ...], half: Fraction) -> EqualGaps:
    return EqualGaps(candidates, weights, [_HALF], (0, 1), half, EXACT)


def _smooth(largest: int, alpha: str, growth: str) -> Any:
    return counting_smooth_sensitivity(largest, alpha, growth)


def _calls() -> Iterator[Call]:
    def at(function: Callable[..., Any], inside: Any, outside: Any) -> Iterator[Call]:
        for arguments, allowed in ((inside, True), (outside, False)):
            for each in arguments:
                given = each if isinstance(each, tuple) else (each,)
                yield function, given, allowed

    yield from at(exact, [("x", "-1/3"), ("x", "1e999")], [("x", "1e1000"), ("x", True), ("x", "1_0")])
    yield from at(positive, [("x", "1/1000")], [("x", 0), ("x", -1), ("x", "nan"), ("x", "x")])
    yield from at(probability, [("x", "1/1000"), ("x", "999/1000")], [("x", 0), ("x", 1), ("x", 2)])
    yield from at(level, [1, "1001/1000"], ["999/1000", 0])
    yield from at(failure, [0, "999/1000"], [1, "-1/1000"])
    yield from at(nonnegative, [("x", 0), ("x", 1)], [("x", -1)])
    yield from at(Cell, [((0, 3),), ((),)], [((-1, 3),)])
    yield from at(SizeUniverse, [(1, 0)], [(0, 0), (1, -1)])
    yield from at(ShapeUniverse, [(1, 1, 0)], [(0, 1, 0), (1, 0, 0), (1, 1, -1)])
    yield from at(LaplaceMechanism, ["1/1000"], [0, -1])
    yield from at(LogLaplaceMechanism, [("1/1000", "1/1000")], [(0, 1), (1, 0)])
    yield from at(SmoothGammaMechanism, [("1/10", "1/2")], [(0, 1), ("1/10", "4/10"), (1, 0)])
    yield from at(SmoothLaplaceMechanism, [("1/10", 2, "1/100")], [("1/10", 2, 0), ("1/10", 2, 1)])
    yield from at(HeavyTailed, [(0, 1, Fraction(1001, 1000))], [(0, 1, 1), (0, 1, 0)])
    yield from at(trade_off, [(0, 0), (1, 0), (_HALF, 0)], [(-1, 0), (2, 0), (_HALF, -1)])
    yield from at(delta, [(0, 1)], [(-1, 1), (0, 0), (1, -2)])
    yield from at(group, [(0, 0), (1, 3)], [(1, -1), (-1, 1)])
    yield from at(require_threshold, [1, 2], [0, -1, True])
    yield from at(margin, [("1/2", 1, MP)], [("1/2", 0, MP), (0, 1, MP), (1, 1, MP)])
    yield from at(_smooth, [(0, "1/1000", "1")], [(-1, "1/2", "2"), (1, "0", "2"), (1, "1/2", "999/1000")])
    yield from at(Psi, [("sqrt", 1, (0, 1), 1)], [("sqrt", 1, (0, 1), 0), ("sqrt", 1, (-1, 1), 1)])
    rows = ((("2019",),),)
    yield from at(
        PresenceOfHistory,
        [(("p",), rows)],
        [((), rows), (("p", "p"), rows), (("p",), ()), (("p",), rows * 2), (("p",), ((),))],
    )
    yield from at(cut_off, [(0, _HALF, 0, 1)], [(0, _HALF, 1, 1), (0, _HALF, 2, 1)])
    yield from at(SizeRule, [((1, 2), "abc"), ((), "a")], [((1, 1), "abc"), ((2, 1), "abc"), ((1,), "a")])
    for drawn in (_tree, _gaps):
        yield from at(
            drawn,
            [((1, 2), (1, 1), _HALF)],
            [
                ((1, 1), (1, 1), _HALF),
                ((2, 1), (1, 1), _HALF),
                ((), (), _HALF),
                ((1, 2), (1,), _HALF),
                ((1, 2), (1, 0), _HALF),
                ((1, 2), (1, 1), Fraction(0)),
                ((1, 2), (1, 1), Fraction(1)),
            ],
        )
    yield from at(
        lambda *totals: EqualGaps((1, 2), (1, 1), [_HALF], totals, _HALF, EXACT),
        [(0, 1), (3,)],
        [(), (1, 1), (-1, 0)],
    )
    for smooth in (smooth_by_change, smooth_by_presence):
        given = ((30, 40, 50), "1/2", _ENDS)
        yield from at(smooth, [(*given, 1), (*given, "1/2")], [(*given, "1001/1000"), (*given, 0)])


@pytest.mark.parametrize(("function", "arguments", "allowed"), list(_calls()))
def test_an_end_that_belongs_to_a_domain_is_accepted_and_others_are_refused(function, arguments, allowed):
    if allowed:
        function(*arguments)
    else:
        with pytest.raises(ParameterError):
            function(*arguments)


@pytest.mark.parametrize(
    "kind",
    [
        SmoothGammaMechanism,
        SmoothLomaxMechanism,
        SmoothPathMechanism,
        UnbiasedGrowthStaircaseMechanism,
        WholeStaircaseMechanism,
    ],
)
def test_a_specification_refuses_by_its_domain_with_both_sides(kind: Any):
    at = {"alpha": Fraction(1, 2), "epsilon": Fraction(1, 3)}
    assert not kind.domain.includes(at)
    with pytest.raises(ParameterError, match=r"needs (.+) <=? (.+), but .+ = .+ and .+ = .+: raise ε above"):
        kind(**at)


_ALPHA_EPSILON = {"alpha": Fraction(1, 100), "epsilon": 100}
_GAMMA_MU = {"psi": root(), "gamma": 1, "mu": 1}
TAKES: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (LaplaceMechanism, {"epsilon": 1, "sensitivity": 1}),
    *((kind, _ALPHA_EPSILON) for kind in (LogLaplaceMechanism, TightLogLaplaceMechanism)),
    *((kind, _ALPHA_EPSILON) for kind in (SmoothGammaMechanism, TightSmoothGammaMechanism)),
    (SmoothLaplaceMechanism, {"alpha": Fraction(1, 10), "epsilon": 2, "delta": _HALF}),
    *((kind, _GAMMA_MU) for kind in (PsiMechanism, ProbablyNoClipping, PublishedProbablyNoClipping)),
    (IdentityThenSum, {"psi": root(), "gamma": 1, "mu_identity": 1, "mu_sum": 1, "margin": 1}),
    (ProtectedHistogram, {"bins": Bins((0, 10)), "epsilon": 1}),
]
"""Mechanisms, and parameters that they take; each of those but ψ, bins and a margin is above 0."""


@pytest.mark.parametrize("wrong", [0, -1, "-1/2", float("nan"), float("inf"), "x", None, True])
@pytest.mark.parametrize(
    ("kind", "given", "name"),
    [(kind, given, name) for kind, given in TAKES for name in given if name not in ("psi", "bins", "margin")],
)
def test_a_parameter_outside_its_domain_is_refused_by_name(kind, given, name, wrong):
    kind(**given)
    with pytest.raises(ParameterError, match=name):
        kind(**{**given, name: wrong})


def test_a_refusal_says_the_same_in_another_process():
    with pytest.raises(ParameterError) as refused:
        SmoothLomaxMechanism(1, "1/2")
    assert str(copy(refused.value)) == str(refused.value)
    refused.value.args = ("in other words",)
    assert str(refused.value) == "in other words"


def test_claims_are_about_the_domain_of_the_mechanism():
    assert [each.said(PARAMETERS) for each in within(SmoothLomaxMechanism.domain)] == ["ln(1 + α) < ε"]
    assert within(LogLaplaceMechanism.domain) == []  # its parameters are above 0, as variables say
    domain = SmoothLomaxMechanism.domain & Domain("1/1000 <= ε")
    assert [each.said(PARAMETERS) for each in within(domain)] == ["ln(1 + α) < ε", "1/1000 ≤ ε"]


def test_where_both_are_defined_the_named_conditions_of_both_hold():
    both = Domain("α > 0", besides=("a scale",)) & Domain("ε > 0", besides=("a grid",))
    assert str(both) == "α > 0, ε > 0, a scale, a grid"
