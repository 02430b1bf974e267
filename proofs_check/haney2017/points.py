"""The parameter points at which reviewers ask for exact numbers."""

from __future__ import annotations

from fractions import Fraction

POINTS: tuple[tuple[Fraction, Fraction], ...] = (
    (Fraction(1, 10), Fraction(2)),
    (Fraction(1, 20), Fraction(1)),
    (Fraction(1, 100), Fraction(1, 4)),
    (Fraction(1, 5), Fraction(4)),
)
"""Pairs (α, ε): Section 10's baseline (.1, 2) and three more of its grid."""


def label(alpha: Fraction, epsilon: Fraction) -> str:
    """The part of a claim id that names a point: ``a.1-e2``."""
    return f"a{float(alpha):g}-e{float(epsilon):g}".replace("0.", ".")
