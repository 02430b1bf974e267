"""An entry of the gallery: a mechanism that keeps what it claims, or breaks it in one way."""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc
from typing import Any

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.audit.question.definitions import AuditDefinition, dp, edge, gedp, strong_er_ee
from establish.proofs_check.audit.question.result import Dataset, Pair

Floats = NDArray[np.float64]

Draw = Callable[[Any, int, np.random.Generator], Any]
"""draw(dataset, size, rng): ``size`` outputs, one per row."""

SIZES = ("5%", "10%", "50%", "large")
"""By how much the claimed level is exceeded; ``large``: more, or an output that gives a dataset away."""


class Drawn:
    """A mechanism made of a vectorized draw."""

    def __init__(self, draw: Draw) -> None:
        self.sample = draw

    def __call__(self, dataset: Dataset, rng: np.random.Generator) -> Any:
        output = np.asarray(self.sample(dataset, 1, rng))[0]
        return float(output) if output.ndim == 0 else tuple(map(float, output))


@dataclass(frozen=True)
class Entry:
    """name: unique. kind: of fault, or of mechanism. definition: what is claimed.

    size: of SIZES, empty for a correct mechanism. at: neighbors at which a fault shows, None for a
    correct one. why: the one-line proof, or why it breaks.
    """

    name: str
    kind: str
    definition: AuditDefinition
    mechanism: Drawn
    why: str
    size: str = ""
    at: Pair | None = None

    @property
    def correct(self) -> bool:
        """Whether the mechanism keeps what it claims."""
        return not self.size


RECORD = dp(1), (0, 1)
KIND_A = dp(1, records=("a", "b")), ((), ("a",))
JOB = edge(1), ((0,), (1,))
HIRE = strong_er_ee("1/10", 1), ((0,), (1,))
GROWTH = strong_er_ee("1/10", 1), ((10,), (11,))
ROOT = gedp(1), ((0.0,), (1.0,))
"""Claims, and neighbors at which many faults break them."""

ENTRIES: dict[str, Entry] = {}
"""Every entry by name, in the order of registration."""


def _enter(entry: Entry) -> None:
    if entry.name in ENTRIES:
        raise ValueError(f"the gallery has two entries named {entry.name}")
    ENTRIES[entry.name] = entry


def fault(
    name: str, kind: str, claims: AuditDefinition, at: Pair, why: str = "", size: str = "large"
) -> Callable[[Draw], Draw]:
    """Enter a mechanism that breaks ``claims`` at the neighbors ``at``; its docstring says why."""
    if size not in SIZES:
        raise ValueError(f"the size {size} of the fault {name} is none of {', '.join(SIZES)}")

    def enter(draw: Draw) -> Draw:
        _enter(Entry(name, kind, claims, Drawn(draw), why or getdoc(draw) or "", size, at))
        return draw

    return enter


def correct(name: str, kind: str, claims: AuditDefinition, why: str = "") -> Callable[[Draw], Draw]:
    """Enter a mechanism that keeps ``claims``; its docstring is the proof."""

    def enter(draw: Draw) -> Draw:
        _enter(Entry(name, kind, claims, Drawn(draw), why or getdoc(draw) or ""))
        return draw

    return enter
