"""The constants and the scale of noise that stand in records, against those of the specification.

A constant has one meaning under its symbol, whichever mechanism tells it. A symbol that is not known here is
refused, as nothing says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import nan
from typing import Any

from establish.proofs_check.certification.subject import told as described
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP, Number
from establish.spec.domains import Unreadable, formula
from establish.spec.mechanisms.truncated_laplace import TruncatedLaplaceMechanism

MEANT: Mapping[str, Callable[[Any, Any], Any]] = {
    "b": lambda specified, law: law.scale,
    "c": lambda specified, law: law.scale,
    "σ²": lambda specified, law: law.square,
    "s²": lambda specified, law: law.sd**2,
    "λ": lambda specified, law: law.scale,
    "γ": lambda specified, law: law.shift,
    "p": lambda specified, law: law.power,
    "θ": lambda specified, law: law.width,
    "r1": lambda specified, law: specified.down,
    "r2": lambda specified, law: specified.up,
    "fine steps": lambda specified, law: specified.fine,
    "ln(1 + α)": lambda specified, law: MP.log(1 + MP.number(specified.alpha)),
    "turn": lambda specified, law: specified.ladder.turn,
    "step": lambda specified, law: specified.ladder.rungs(MP)[1],
    "density": lambda specified, law: specified.ladder.rungs(MP)[2],
    "last": lambda specified, law: specified.scale.last,
}
"""By symbol, from the ideal mechanism and its law for an establishment of one worker; α is at most 1."""

CLOSE = 1e-12

Told = tuple[str, float, Number | None]
"""A symbol, the number that is told, and the number of the specification; None where it has none."""


def _told(runs: Any, specified: Any) -> Iterator[Told]:
    truncated = isinstance(specified, TruncatedLaplaceMechanism)
    law = specified.output([(1,)] if truncated else (1,))
    for symbol, value in runs.constants.items():
        meant = MEANT.get(symbol)
        yield symbol, value, None if meant is None else MP.number(meant(specified, law))
    if scale := re.search(r"~ Laplace\((.+?)\)", runs.noise):
        yield scale[0], _scale(scale[1], runs), MP.number(getattr(law, "noisy", law).scale)


def _scale(text: str, runs: Any) -> float:
    """The scale that the words tell, a constant or a formula, times c where the noise is multiplied by it.

    Not a number where they are read as neither.
    """
    given = {name: Fraction(value) for name, value in runs.parameters.items() if name != "boundary"}
    try:
        own = runs.constants[text] if text in runs.constants else formula(text)(given, MP)
    except (Unreadable, KeyError):
        return nan
    return float(own * runs.constants.get("c", 1))


def _is_close(case: Told) -> bool:
    _, told, meant = case
    return meant is not None and abs(told - meant) <= CLOSE * abs(meant)


def told(runs: Any, specified: Any) -> Evidence:
    """Evidence that constants, and the scale in the words on Laplace noise, are the specification's."""
    return exhaustive.for_all(
        _told(runs, specified),
        _is_close,
        f"{described(runs)} tells the constants and the Laplace noise that the specification has, to 12 "
        "digits",
        "its constants, and the scale in the words on its noise",
    )
