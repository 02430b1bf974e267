"""An ideal mechanism at parameters of any world, without the guards that validate rationals."""

from __future__ import annotations

from typing import TypeVar

from establish.spec.arithmetic import Number

M = TypeVar("M")


def unguarded(mechanism: type[M], **parameters: Number) -> M:
    """The mechanism with its parameters set and nothing checked, so that a solver or sympy can read its
    law as it stands. Whoever reads it must state the domain of the parameters beside it.
    """
    made = object.__new__(mechanism)
    for name, value in parameters.items():
        setattr(made, name, value)
    return made
