"""A user's mechanism, called with care."""

from __future__ import annotations

import copy
import random
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from numbers import Real
from typing import Any

import numpy as np

from establish.proofs_check.audit.question.level import Floats
from establish.proofs_check.audit.question.result import Dataset, total
from establish.proofs_check.audit.question.timer import TooSlowError, memory_limit, time_limit
from establish.spec.parameters import ParameterError

CALL_SECONDS = 10.0
"""One call may take so long."""

LARGE, LARGE_SECONDS, LARGE_BYTES = 20_000, 2.0, 2 << 30
"""Beyond so many workers in a dataset one call may take so long, and so many bytes: records may be made
of them one by one."""

CHUNK_SECONDS = 0.2
"""So much work is done between two looks at the clock."""

MOST_AT_ONCE = 1 << 17
"""A vectorized mechanism is asked for at most so many outputs in one call."""

PROBES = 32
"""Calls that tell a constant output from a random one."""


class AuditError(ParameterError):
    """The mechanism cannot be audited; the message says what it did, and on which dataset."""


class OutOfTimeError(Exception):
    """The audit as a whole has used its time."""


class OutOfOutputsError(OutOfTimeError):
    """The audit as a whole has drawn its outputs."""


class Mechanism:
    """``mechanism(dataset, rng)``, or the vectorized ``mechanism.sample(dataset, size, rng)``.

    An output is a number, or a tuple, list or array of numbers, always of the same kind and shape for
    the same dataset. call_seconds: limit on one call; deadline: when the audit must stop, by
    ``time.monotonic()``; allowed: outputs that are drawn at most. Raises AuditError when something that
    is neither is given.
    """

    def __init__(
        self,
        target: Any,
        call_seconds: float = CALL_SECONDS,
        deadline: float = float("inf"),
        allowed: int = sys.maxsize,
    ) -> None:
        self.target, self.call_seconds, self.deadline = target, call_seconds, deadline
        self.allowed = allowed
        self.vectorized = callable(getattr(target, "sample", None))
        if not (callable(target) or self.vectorized):
            raise AuditError(
                f"mechanism = {target!r} is not callable: it is called as mechanism(dataset, rng)"
            )
        self.drawn = 0
        self.varies = False
        """Whether any two outputs on one dataset differed."""
        self.rate = float("inf")
        """Outputs per second in the last large part, infinite before the first."""
        self._at_once = PROBES
        self._kinds: dict[str, tuple[str, tuple[int, ...]]] = {}

    def draw(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        """``size`` outputs, one per row, flattened.

        Raises AuditError when the mechanism raises, is too slow, changes its dataset, or returns
        NaN, something that is not a number, or another kind or shape than before; OutOfTimeError
        after the deadline, OutOfOutputsError, before any is drawn, beyond what is allowed.
        """
        if size > self.left:
            raise OutOfOutputsError
        parts: list[Floats] = []
        have = 0
        while have < size:
            if time.monotonic() > self.deadline:
                raise OutOfTimeError
            part = self._chunk(dataset, min(size - have, self._at_once), rng)
            parts.append(part)
            have += len(part)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    @property
    def left(self) -> int:
        """Outputs that may still be drawn."""
        return self.allowed - self.drawn

    def _adapt(self, size: int, took: float) -> None:
        """Larger parts while they are quick. Timing alone never changes the parts of a fast mechanism,
        so that one that draws ahead, such as a rejection sampler, gives the same outputs again."""
        if size >= self._at_once:
            self.rate = size / max(took, 1e-9)
            if took < CHUNK_SECONDS:
                self._at_once = min(4 * self._at_once, MOST_AT_ONCE)
            elif took > 4 * CHUNK_SECONDS:
                self._at_once = max(1, self._at_once // 4)

    def _chunk(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        start = time.perf_counter()
        large = total(dataset) > LARGE
        patience = min(self.call_seconds, LARGE_SECONDS) if large else self.call_seconds
        try:
            with (
                time_limit(patience + CHUNK_SECONDS),
                memory_limit(LARGE_BYTES) if large else nullcontext(),
            ):
                raw = self._vector(dataset, size, rng) if self.vectorized else None
                outputs = raw if raw is not None else self._loop(dataset, size, rng)
        except TooSlowError:
            raise AuditError(
                f"the mechanism ran longer than {patience:g} s on {dataset!r}"
            ) from None
        self.drawn += size
        self.varies = self.varies or bool((outputs != outputs[0]).any())
        self._adapt(size, time.perf_counter() - start)
        if np.isnan(outputs).any():
            raise AuditError(f"the mechanism returned NaN on {dataset!r}")
        return outputs

    def _call(self, dataset: Dataset, method: Any, *rest: Any) -> Any:
        __tracebackhide__ = True
        given = dataset if _immutable(dataset) else copy.deepcopy(dataset)
        try:
            output = method(given, *rest)
        except (TooSlowError, OutOfTimeError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise AuditError(
                f"the mechanism raised {type(error).__name__} on {dataset!r}: {error}"
            ) from error
        if given is not dataset and given != dataset:
            raise AuditError(f"the mechanism changed its dataset {dataset!r} into {given!r}")
        return output

    def _loop(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        outputs = [self._call(dataset, self.target, rng) for _ in range(size)]
        kinds = {_kind(kind) for kind in set(map(type, outputs))}
        if None in kinds:
            strange = next(output for output in outputs if _kind(type(output)) is None)
            raise AuditError(
                f"the mechanism returned {strange!r} on {dataset!r}: an output must be a number, "
                "or a tuple or array of numbers"
            )
        shapes = {()} if kinds == {"a number"} else {_shape(output, dataset) for output in outputs}
        for kind in sorted(kinds, key=str):
            for shape in sorted(shapes):
                self._remember(dataset, str(kind), shape)
        return _numbers(outputs, dataset).reshape(size, -1)

    def _vector(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        raw = self._call(dataset, self.target.sample, size, rng)
        shape = _shape(raw, dataset)
        if not shape or shape[0] != size:
            raise AuditError(
                f"sample(dataset, {size}, rng) returned the shape {shape} on {dataset!r}: "
                f"the first axis must have {size} entries"
            )
        self._remember(dataset, "an array", shape[1:])
        return _numbers(raw, dataset).reshape(size, -1)

    def _remember(self, dataset: Dataset, kind: str, shape: tuple[int, ...]) -> None:
        before = self._kinds.setdefault(repr(dataset), (kind, shape))
        if before != (kind, shape):
            raise AuditError(
                f"the mechanism changes what it returns on {dataset!r}: "
                f"first {_words(*before)}, then {_words(kind, shape)}"
            )


def remarks(mechanism: Mechanism, datasets: Sequence[Dataset], seed: int) -> tuple[str, ...]:
    """What the user should know about where the mechanism's randomness comes from.

    It is looked at on the first of the datasets on which the output varies.
    """
    for dataset in datasets:
        numpy_before, python_before = _state(), random.getstate()
        rng = np.random.default_rng(seed)
        fresh = rng.bit_generator.state
        first = mechanism.draw(dataset, PROBES, rng)
        untouched = rng.bit_generator.state == fresh
        uses_global = numpy_before != _state() or python_before != random.getstate()
        if (first != first[0]).any() or uses_global:
            break
    else:
        return ()
    again = mechanism.draw(dataset, PROBES, np.random.default_rng(seed))
    other = mechanism.draw(dataset, PROBES, np.random.default_rng(seed + 1))
    notes = []
    if untouched:
        notes.append("the mechanism ignores rng: its randomness comes from elsewhere")
    elif not np.array_equal(first, again):
        notes.append(
            "the same rng gave other outputs: some randomness comes from elsewhere, "
            "and this audit cannot be repeated by its seed"
        )
    elif np.array_equal(first, other):
        notes.append("the outputs are the same for every state of rng")
    if uses_global:
        notes.append("the mechanism uses a global random generator, which other code can seed")
    return tuple(notes)


def _state() -> str:
    return repr(np.random.get_state())  # noqa: NPY002  # looked at, not drawn from


def _immutable(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_immutable, value))
    return value is None or isinstance(value, (Real, str, bytes))


def _kind(kind: type) -> str | None:
    if issubclass(kind, (Real, np.bool_)):
        return "a number"
    if issubclass(kind, np.ndarray):
        return "an array"
    if issubclass(kind, Sequence) and not issubclass(kind, (str, bytes)):
        return "a tuple"
    return None


def _shape(output: Any, dataset: Dataset) -> tuple[int, ...]:
    try:
        return np.shape(output)
    except ValueError:
        raise AuditError(
            f"the mechanism returned {output!r} on {dataset!r}, whose parts have different lengths"
        ) from None


def _numbers(outputs: Any, dataset: Dataset) -> Floats:
    try:
        return np.asarray(outputs, dtype=np.float64)
    except (ValueError, TypeError):
        raise AuditError(
            f"the mechanism returned something that is not a number on {dataset!r}"
        ) from None


def _words(kind: str, shape: tuple[int, ...]) -> str:
    return f"{kind} of shape {shape}" if shape else kind
