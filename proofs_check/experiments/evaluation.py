"""What is asked of an experiment, and what it hands back to be written and printed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from establish.proofs_check.experiments.findings import Finding

Start = Callable[[str, int], Callable[[], None]]
"""What is begun and in how many steps → what is called after each step."""


def unseen(description: str, steps: int) -> Callable[[], None]:
    """No progress bar."""
    return lambda: None


@dataclass(frozen=True)
class Request:
    """seed: a whole number ≥ 0. size: one of the experiment's own. trials: None for its own number.

    data: public files to use instead of made-up data, where the experiment takes any. distortion: s and t of
    input noise infusion, where it is run; None for the experiment's own.
    """

    seed: int
    size: str
    trials: int | None = None
    data: tuple[Path, ...] = ()
    distortion: tuple[Fraction, Fraction] | None = None
    start: Start = unseen


@dataclass(frozen=True)
class Table:
    """Numbers for the terminal, as text."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Evaluation:
    """What ran. results: the rows of each file of numbers, by its name.

    about: sentences on what was run, and what is assumed. draw: writes the figures into a folder, and
    returns the files.
    """

    about: Sequence[str]
    results: Mapping[str, Sequence[Any]]
    tables: Sequence[Table]
    draw: Callable[[Path], list[Path]]
    findings: Sequence[Finding] = field(default_factory=tuple)
