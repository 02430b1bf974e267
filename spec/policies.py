"""What a record may cost by its size x ≥ 0, up to a factor ρ: policies of per-record privacy (Seeman, Sexton,
Pujol and Machanavajjhala 2024; Finley et al. 2024).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # names that records use are read without the libraries that compute
    from establish.spec.arithmetic import Number, World

POLICIES: Mapping[str, Callable[[Number, World], Number]] = {
    "x²": lambda x, c: x * x,
    "x": lambda x, c: x,
    "√x": lambda x, c: c.sqrt(x),
    "ln²(1 + x)": lambda x, c: c.power(c.log(1 + x), 2),
}
"""By its formula; each is 0 at 0 and rises."""
