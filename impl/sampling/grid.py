"""The public grid on which outputs are rounded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from establish.spec.parameters import ParameterError

REACH = 2**52
"""Outputs lie within ± this many grid units: every multiple up to there, and every half, is a float."""

LARGEST_EXPONENT = 512
"""Grids from 2^−512 to 2^512: neither a grid unit nor an output overflows or loses bits."""


@dataclass(frozen=True)
class Grid:
    """The multiples of 2^exponent, |exponent| ≤ 512; ParameterError otherwise.

    The grid must be chosen without looking at the data. An output beyond ±2^52 grid units is moved to
    ±2^52 grid units: post-processing by a public rule, so no guarantee changes.
    """

    exponent: int
    INTEGERS: ClassVar[Grid]

    def __post_init__(self) -> None:
        if not isinstance(self.exponent, int) or abs(self.exponent) > LARGEST_EXPONENT:
            raise ParameterError(
                f"exponent = {self.exponent} is not allowed: it must be an integer from "
                f"-{LARGEST_EXPONENT} to {LARGEST_EXPONENT}"
            )

    @property
    def unit(self) -> float:
        """2^exponent, exactly."""
        return 2.0**self.exponent


Grid.INTEGERS = Grid(0)
