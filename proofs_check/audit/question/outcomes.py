"""Outcomes that are no numbers: exceptions, NaN, None, texts. Each is a float of its own, a sign.

Signs lie between all numbers and infinity, so that outputs stay arrays of floats: the sign of some words is
one of the largest floats, chosen by a checksum of the words. A number among the signs counts as the largest
number below them, 1.79e308.
"""

import sys
from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LAST = int(np.float64(sys.float_info.max).view(np.int64))

FIRST_SIGN = float(np.int64(_LAST - 2**32).view(np.float64))
"""All floats from here up to infinity are signs."""

LARGEST_NUMBER = float(np.nextafter(FIRST_SIGN, 0.0))

TEXT, MOST_SAID = 40, 10_000
"""So much of a text is shown; so many different words are remembered."""

_said: dict[float, str] = {}
_failures: set[float] = set()


class Raised(NamedTuple):
    """The mechanism raised an exception of this type, whose message nobody reads."""

    kind: str


def sign(words: str, failure: bool = True) -> float:
    """The sign of an outcome that these words name; failure: a mechanism that gives nothing else is none."""
    value = float(np.int64(_LAST - 1 - crc32(words.encode())).view(np.float64))
    if len(_said) < MOST_SAID:
        _said[value] = words
        if failure:
            _failures.add(value)
    return value


def said(value: float) -> str | None:
    """The words of a sign, None for a number."""
    return _said.get(value, "another output") if FIRST_SIGN <= value <= sys.float_info.max else None


def signs(x: Floats) -> NDArray[np.bool_]:
    """Which entries are signs."""
    return np.asarray((x >= FIRST_SIGN) & (x <= sys.float_info.max), dtype=np.bool_)


def failures(rows: Floats) -> list[str]:
    """The failures among rows of outputs, in words."""
    return [_said[value] for value in np.unique(rows[signs(rows)]).tolist() if value in _failures]


def of_array(array: NDArray[Any]) -> Floats:
    """The floats of an array of numbers, NaN as its sign."""
    found = np.asarray(array, dtype=np.float64)
    if found.size and float(found.max()) < FIRST_SIGN:  # no NaN either
        return found
    strange = np.isnan(found) | signs(found)
    if strange.any():
        found = np.where(np.isnan(found), sign("NaN"), found)
        found = np.where(signs(found) & ~np.isnan(array.astype(np.float64)), LARGEST_NUMBER, found)
    return found


def of_leaf(leaf: Any) -> float:
    """The float of a number, the sign of anything else."""
    if isinstance(leaf, (Real, np.bool_)):
        try:
            return float(of_array(np.array(float(leaf))))
        except OverflowError:
            return sign("a number beyond the largest float, 1.8e308")
    if leaf is None:
        return sign("None")
    if isinstance(leaf, Raised):
        return sign(f"the exception {leaf.kind}")
    if isinstance(leaf, (str, bytes)):
        text = repr(leaf)
        return sign(text if len(text) <= TEXT else f"{text[:TEXT]}…", failure=False)
    return sign(f"an object of type {type(leaf).__name__}")


def kind(of: type) -> str | None:
    """What an output of this type is in words; None for what is one sign."""
    if issubclass(of, (str, bytes, Raised)):
        return None
    if issubclass(of, (Real, np.bool_)):
        return "a number"
    if issubclass(of, np.ndarray):
        return "an array"
    return "a tuple" if issubclass(of, Sequence) else None


def of_outputs(outputs: Any) -> Floats:
    """Outputs of one shape, one after the other. Raises ValueError for parts of different lengths."""
    try:
        array = np.asarray(outputs)
    except ValueError:  # parts of several kinds
        array = np.empty(0, dtype=object)
    if array.dtype.kind in "biuf":
        return of_array(array)
    return np.array([of_leaf(leaf) for leaf in _leaves(outputs)]).reshape(_shape(outputs))


def _leaves(output: Any) -> Any:
    if isinstance(output, np.ndarray) and output.ndim:
        yield from output.reshape(-1).tolist() if output.dtype.kind != "O" else output.reshape(-1)
    elif kind(type(output)) == "a tuple":
        for part in output:
            yield from _leaves(part)
    else:
        yield output


def _shape(output: Any) -> tuple[int, ...]:
    if isinstance(output, np.ndarray):
        return tuple(output.shape)
    if kind(type(output)) != "a tuple":
        return ()
    shapes = {_shape(part) for part in output}
    if len(shapes) > 1:
        raise ValueError("parts have different lengths")
    return (len(output), *next(iter(shapes), ()))


def stacked(parts: Sequence[Floats]) -> Floats:
    """Parts of outputs, one below the other; a row of signs is as wide as the others."""
    width = max(part.shape[1] for part in parts)
    return np.concatenate([widened(part, width) for part in parts])


def widened(part: Floats, width: int) -> Floats:
    """Rows of one sign each, repeated to this width; all else as it is."""
    if part.shape[1] == width or not signs(part).all():
        return part
    return np.repeat(part[:, :1], width, axis=1)
