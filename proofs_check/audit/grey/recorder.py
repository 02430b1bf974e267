"""A random generator that writes down what is drawn from it, or plays it back."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from establish.proofs_check.audit.question.level import Floats

PARAMETERS = {
    "laplace": ("loc", "scale"),
    "normal": ("loc", "scale"),
    "gumbel": ("loc", "scale"),
    "logistic": ("loc", "scale"),
    "exponential": ("scale",),
    "geometric": ("p",),
    "uniform": ("low", "high"),
    "standard_normal": (),
    "standard_exponential": (),
    "standard_cauchy": (),
    "random": (),
}
"""The methods of numpy's Generator whose parameters are told apart, by position; the last is the size."""

DEFAULTS = {"loc": 0.0, "scale": 1.0, "low": 0.0, "high": 1.0}
"""Parameters that are left out."""


class DivergedError(Exception):
    """The replayed mechanism drew something else than was recorded; the message says what."""


@dataclass(frozen=True)
class Drawn:
    """One call: the method, its parameters by name, the shape that was asked for, the outputs.

    whole: whether they are integers.
    """

    method: str
    parameters: dict[str, float]
    shape: tuple[int, ...]
    outputs: Floats
    whole: bool = False

    def __str__(self) -> str:
        shown = ", ".join(f"{name} = {value:g}" for name, value in self.parameters.items())
        return f"{self.method}({shown})"


class Recorder:
    """Stands in for a Generator: draws and records, or plays ``script`` back.

    moved: (draw, by how much) to add to one number of the script, counted through all draws.
    Raises DivergedError in a replay when a call has another method or shape than the script.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        script: tuple[Drawn, ...] | None = None,
        moved: tuple[int, float] | None = None,
    ) -> None:
        self._rng, self._script, self._moved = rng, script, moved
        self.draws: list[Drawn] = []
        self._numbers = 0

    def __getattr__(self, method: str) -> Any:
        if method.startswith("_") or not hasattr(np.random.Generator, method):
            raise AttributeError(f"Generator has no {method}")
        return lambda *args, **named: self._call(method, args, named)

    def _call(self, method: str, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        names = PARAMETERS.get(method)
        parameters, size = dict(named), named.get("size")
        parameters.pop("size", None)
        if names is not None:
            given = dict(zip((*names, "size"), args, strict=False))
            size = given.pop("size", size)
            parameters = {name: given.get(name, named.get(name, DEFAULTS.get(name))) for name in names}
        if self._script is None:
            raw = getattr(self._rng, method)(*args, **named)
            outputs = np.asarray(raw, dtype=np.float64)
        else:
            outputs = self._played(method, size, names is not None)
            whole = self._script[len(self.draws)].whole
            raw = outputs.astype(np.int64) if whole else outputs
            raw = raw if outputs.ndim else raw.item()
        scalars = {k: float(v) for k, v in parameters.items() if np.ndim(v) == 0 and _number(v)}
        kind = np.asarray(raw).dtype.kind
        self.draws.append(Drawn(method, scalars, outputs.shape, outputs, kind in "iub"))
        return raw

    @property
    def plays(self) -> bool:
        """Whether it plays back, rather than records."""
        return self._script is not None

    def take(self, method: str, parameters: dict[str, float], value: float | None) -> float:
        """One number of a sampler that is not numpy's: ``value``, or what was recorded in its place."""
        if self._script is not None:
            value = float(self._played(method, None, known=True))
        assert value is not None, "a number is drawn unless one is played"
        drawn = np.asarray(value, dtype=np.float64)
        self.draws.append(Drawn(method, dict(parameters), (), drawn))
        return value

    def _played(self, method: str, size: Any, known: bool) -> Floats:
        at = len(self.draws)
        assert self._script is not None, "only a replay is played"
        if at >= len(self._script):
            raise DivergedError(f"draw {at + 1}, {method}, was not made on the first dataset")
        was = self._script[at]
        shape = () if size is None else tuple(np.atleast_1d(size).astype(int).tolist())
        if was.method != method or (known and size is not None and shape != was.shape):
            raise DivergedError(
                f"draw {at + 1} is {method} of shape {shape}, and was {was.method} of shape {was.shape}"
            )
        outputs = was.outputs.copy()
        if self._moved is not None:
            place = self._moved[0] - self._numbers
            if 0 <= place < outputs.size:
                outputs.reshape(-1)[place] += self._moved[1]
        self._numbers += outputs.size
        return outputs


def _number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number))
