"""The law of a mechanism at names, read as a tree, is its law at numbers; what it chooses is in no tree."""

from fractions import Fraction
from inspect import signature

import pytest

from establish.proofs_check.engine.rules.cells import output_of
from establish.proofs_check.terms.formula import tree_of
from establish.proofs_check.terms.trees import variable
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism
from establish.spec.mechanisms.laplace import EdgeLaplaceMechanism, LaplaceMechanism
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism, TightLogLaplaceMechanism
from establish.spec.mechanisms.smooth_gamma import (
    SmoothGammaMechanism,
    TalkSmoothGammaMechanism,
    TightSmoothGammaMechanism,
)
from establish.spec.mechanisms.smooth_laplace import PublishedSmoothLaplaceMechanism, SmoothLaplaceMechanism
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism
from establish.spec.mechanisms.transformation import FourthRootMechanism, LogarithmMechanism, RootMechanism
from establish.spec.parameters import exact, nonnegative, positive, probability

TREES = (
    EdgeLaplaceMechanism,
    LogLaplaceMechanism,
    TightLogLaplaceMechanism,
    SmoothGammaMechanism,
    TightSmoothGammaMechanism,
    TalkSmoothGammaMechanism,
    PublishedSmoothLaplaceMechanism,
    SmoothLaplaceMechanism,
    SmoothLomaxMechanism,
    RootMechanism,
    FourthRootMechanism,
    LogarithmMechanism,
)
CHOOSING = SmoothStaircaseMechanism, SmoothPathMechanism, GrowthStaircaseMechanism
AT = dict(zip(("alpha", "epsilon", "delta", "rho"), map(Fraction, ("1/10", "3", "1/3", "1/8")), strict=True))
COUNT, OUTPUT = Fraction(20), Fraction(33, 2)


def density(kind):
    """The log-density of a cell of one establishment, by the parameters, its count and the output."""

    def formula(c, *v):
        *parameters, count, output = v
        return output_of(kind(*parameters), count, c, count).log_density(output)

    return formula


def names(kind):
    return [variable(name) for name in (*signature(kind).parameters, "n", "o")]


@pytest.mark.parametrize("kind", TREES)
def test_the_law_at_names_is_the_law_at_numbers(kind):
    tree = tree_of(density(kind), names(kind))
    values = [AT[name] for name in signature(kind).parameters]
    with enclosing():
        output = ARB.number(OUTPUT)
        direct = density(kind)(ARB, *values, COUNT, output)
        assert direct.rad() < 1e-20
        assert direct.overlaps(tree(ARB, *values, COUNT, output))
        assert not direct.overlaps(tree(ARB, 3 * values[0], *values[1:], COUNT, output))


@pytest.mark.parametrize("kind", CHOOSING)
def test_no_formula_reads_what_is_chosen_at_numbers(kind):
    with pytest.raises(TypeError, match="'Name'"):
        tree_of(lambda c, alpha, epsilon: kind(alpha, epsilon).down + 1, names(kind)[:2])


class Doubling(GrowthStaircaseMechanism):
    """It chooses another ε than it was given."""

    def choose(self):
        super().choose()
        self.epsilon = 2 * self.epsilon


def test_a_mechanism_keeps_its_parameters():
    with pytest.raises(AttributeError, match="epsilon of Doubling is set once"):
        Doubling("1/10", 2)


@pytest.mark.parametrize("guard", [exact, nonnegative, positive, probability])
def test_a_guard_decides_nothing_about_a_name(guard):
    name = variable("x")
    assert guard("x", name) is name


def test_a_property_of_a_mechanism_is_a_formula_too():
    epsilon, delta = variable("ε"), variable("Δ")
    assert LaplaceMechanism(epsilon, delta).noise_scale is delta / epsilon
