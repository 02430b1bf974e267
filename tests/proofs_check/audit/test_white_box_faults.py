"""Laws on which a certificate or a violation would be wrong: the truth of each is a short sum."""

import math
from fractions import Fraction

import pytest

from establish.proofs_check.audit import custom
from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.made_laws import clipped, mixture
from establish.proofs_check.audit.white.white_box import certify
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import ParameterError

HALF = Fraction(1, 2)
LEVELS = ({"epsilon": 1}, {"epsilon": 1, "delta": Fraction(1, 100)}, {"mu": 1})


class Lawful:
    """A mechanism that is its law."""

    def __init__(self, law):
        self.law = law


def shown(law, epsilon=None, delta=0, mu=None):
    """What the white box says of the laws of 0 and 1."""
    return certify(Lawful(law), custom([(0, 1)], epsilon, delta, mu=mu))


def test_a_mixture_of_mixtures_whose_tails_differ_keeps_no_epsilon():
    # Law 0 has a part of scale 2 inside of a part, so that its loss against scale 1 alone grows far out.
    def law(n, c):
        one, two = (Laplace(c.number(0), c.number(scale), c) for scale in (1, 2))
        inner = mixture([(HALF, one), (HALF, one if n else two)], c)
        return mixture([(HALF, inner), (HALF, one)], c)

    assert shown(law, 20).outcome == "no_violation_found"
    assert shown(law, mu=20).violated


@pytest.mark.parametrize("level", LEVELS)
def test_a_law_with_ends_is_not_clipped_as_if_it_had_none(level):
    # Uniform on [0, 1] against [1/4, 5/4]: an output below 1/4 tells them apart.
    def law(n, c):
        at = c.number(Fraction(n, 4))
        read = Reading(lambda x, k: c.number(0), lambda x: x - at, (at + HALF,), at, at + 1)
        return clipped(read, 0, 1, c)

    with pytest.raises(ParameterError, match="whole line"):
        shown(law, **level)
