"""The parameter points at which reviewers ask for exact numbers."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from establish.proofs_check.engine.register import Objects, claim
from establish.proofs_check.engine.verdicts import Verdict

POINTS: tuple[tuple[Fraction, Fraction], ...] = (
    (Fraction(1, 10), Fraction(2)),
    (Fraction(1, 20), Fraction(1)),
    (Fraction(1, 100), Fraction(1, 4)),
    (Fraction(1, 5), Fraction(4)),
)
"""Pairs (α, ε): Section 10's baseline (.1, 2) and three more of its grid."""


def at_points(
    label: str,
    *,
    where: str,
    says: str,
    check: Callable[[Fraction, Fraction], Verdict],
    states: Callable[[Fraction, Fraction], Objects] = lambda alpha, epsilon: (),
    tight: Callable[[Fraction, Fraction], Objects] = lambda alpha, epsilon: (),
    origin: str = "",
) -> None:
    """Register ``haney2017/<label>/a<α>-e<ε>`` for every point; ``says`` follows 'At α = …, ε = …, '.

    states, tight: the statement objects at a point.
    """
    for alpha, epsilon in POINTS:
        point = f"a{float(alpha):g}-e{float(epsilon):g}".replace("0.", ".")
        claim(
            f"haney2017/{label}/{point}",
            where=where,
            says=f"At α = {alpha}, ε = {epsilon}, {says}",
            states=states(alpha, epsilon),
            tight=tight(alpha, epsilon),
            origin=origin,
        )(partial(check, alpha, epsilon))
