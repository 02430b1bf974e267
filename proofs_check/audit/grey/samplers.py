"""Record what is drawn through the samplers of ``establish.impl.sampling``, or play it back."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from establish.impl.earnings import quantile_tree
from establish.impl.sampling import ideal_laws
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.rounding import Draws
from establish.proofs_check.audit.grey.recorder import Recorder

NAMES = {"_laplace": "laplace", "_gaussian": "normal", "_heavy_tailed": "heavy_tailed"}
"""The laws under the names that the recorder gives to those of numpy; others go by their samplers."""


@contextmanager
def recorded(recorder: Recorder) -> Iterator[None]:
    """Inside the block every draw of the samplers goes through ``recorder``, cell by cell."""

    def draw(sampler: Any, *rest: Any, **named: Any) -> Draws:
        cells = [_cell(sampler, i) for i in range(int(np.prod(sampler.shape)))]
        return _through(recorder, original[0], sampler, rest, named, cells)

    def choose(choice: Any, *rest: Any, **named: Any) -> Draws:
        cells = [("choice", {"rate": float(choice.rate)})] * int(choice.first.size)
        return _through(recorder, original[1], choice, rest, named, cells)

    places: tuple[tuple[Any, str, Any], ...] = ((sampling, "draw", draw), (quantile_tree, "choose", choose))
    original = [getattr(module, name) for module, name, _ in places]
    for module, name, stand_in in places:
        setattr(module, name, stand_in)
    try:
        yield
    finally:
        for (module, name, _), before in zip(places, original, strict=True):
            setattr(module, name, before)


def _through(
    recorder: Recorder,
    original: Any,
    asked: Any,
    rest: tuple[Any, ...],
    named: dict[str, Any],
    cells: list[tuple[str, dict[str, float]]],
) -> Draws:
    values = None if recorder.plays else original(asked, *rest, **named).values
    shape = np.shape(values) if values is not None else getattr(asked, "shape", (len(cells),))
    flat = [None] * len(cells) if values is None else np.reshape(values, -1).tolist()
    taken = [
        recorder.take(name, parameters, value) for (name, parameters), value in zip(cells, flat, strict=True)
    ]
    return Draws(np.array(taken, dtype=np.float64).reshape(shape), 0)


def _cell(sampler: Any, i: int) -> tuple[str, dict[str, float]]:
    """The law of one cell in grid units, which is what the sampler returns."""
    law = sampler.law
    if isinstance(law, ideal_laws.TwoSidedGeometric):
        return "two_sided_geometric", {"epsilon": float(law.epsilon)}
    if isinstance(law, ideal_laws.RoundedLogLaplace):
        start, gamma, scale = (_at(x, i) for x in (sampler.start, sampler.gamma, sampler.scale))
        return "log_laplace", {"loc": start - gamma, "shift": gamma, "scale": scale}
    name = type(sampler).__name__.lower()
    if isinstance(law, ideal_laws.RoundedGrowth | ideal_laws.OnWholeNumbers):
        counts = law.counts.reshape(-1)
        found = {"loc": float(counts[min(i, counts.size - 1)])}
        return name, found | (
            {"width": _at(law.width, i)} if isinstance(law, ideal_laws.RoundedGrowth) else {}
        )
    assert isinstance(law, ideal_laws.Rounded), "there are five kinds of sampled laws"
    found = {"loc": _at(sampler.center, i), "scale": _at(sampler.scale, i), "grid": 1.0}
    if hasattr(sampler, "spread"):
        found["spread"] = _at(sampler.spread, i)
    return NAMES.get(law.cdf.__name__, name), found


def _at(reals: Any, i: int) -> float:
    return float(reals.approximate.reshape(-1)[i if reals.approximate.ndim else 0])
