"""The law by its weights, and what follows where the exponent of a mean moves the center."""

from typing import Any

from establish import Evidence, Real, solver
from establish.proofs_check.engine.rules import gaussian_shift, shifted
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian

SQUARE = Real("s", above=0)


def around_zero(c: Any, s: Any, *_: Any) -> DiscreteGaussian:
    """N_ℤ(0, s)."""
    return DiscreteGaussian(0, s, c)


def square(c: Any, s: Any, *_: Any) -> Any:
    """The parameter σ² = s, the first variable of every statement."""
    return s


def moved(statement: Any, center: Any, height: Any, *bases: Any, of: Any = square) -> Evidence:
    """A mean, or a divergence, whose terms are Gaussian weights around ``center`` times e^height; bases: the
    whole centers of its law or laws, 0 by default; of: the parameter of the law.
    """
    bases = bases or (0,)
    owed = shifted(statement, of, center, height, *bases)
    return gaussian_shift(statement, of, center, height, bases, *map(solver.owed, owed))
