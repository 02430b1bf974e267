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
from establish.proofs_check.audit.question.workers import FEWEST, Workers
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
    ``time.monotonic()``; allowed: outputs that are drawn at most; jobs: so many processes call a mechanism
    that is not vectorized, with the same outputs for any number of them. Raises AuditError when something
    that is neither is given, or ``jobs`` for a vectorized one.
    """

    def __init__(
        self,
        target: Any,
        call_seconds: float = CALL_SECONDS,
        deadline: float = float("inf"),
        allowed: int = sys.maxsize,
        jobs: int | None = None,
    ) -> None:
        self.target, self.call_seconds, self.deadline = target, call_seconds, deadline
        self.allowed = allowed
        self.vectorized = callable(getattr(target, "sample", None))
        if not (callable(target) or self.vectorized):
            raise AuditError(
                f"mechanism = {target!r} is not callable: it is called as mechanism(dataset, rng)"
            )
        if jobs is not None and self.vectorized:
            raise AuditError(
                f"jobs = {jobs} is not used: the mechanism gives many outputs at once by sample()"
            )
        self.workers = None if jobs is None else Workers(self._one, jobs)
        self.drawn = 0
        self.varies = False
        """Whether any two outputs on one dataset differed."""
        self.alike = True
        """Whether all outputs so far were the same, whatever the dataset."""
        self._first: Floats | None = None
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
        if self.workers and size >= FEWEST:
            return self._in_processes(self.workers, dataset, size, rng)
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

    def close(self) -> None:
        """End the processes, if there are any; what follows is drawn in this one."""
        if self.workers:
            self.workers.close()
            self.workers = None

    def _in_processes(
        self, workers: Workers, dataset: Dataset, size: int, rng: np.random.Generator
    ) -> Floats:
        start = time.monotonic()
        try:
            outputs = self._rows(dataset, workers.draw(dataset, size, rng, self.deadline))
        except TimeoutError:
            raise OutOfTimeError from None
        self.rate = size / max(time.monotonic() - start, 1e-9)
        return self._seen(dataset, outputs)

    def _one(self, dataset: Dataset, rng: np.random.Generator) -> Any:
        """One output, with a limit of its own."""
        try:
            with time_limit(self.call_seconds):
                return self._call(dataset, self.target, rng)
        except TooSlowError:
            raise self._too_slow(dataset, self.call_seconds) from None

    def _seen(self, dataset: Dataset, outputs: Floats) -> Floats:
        self.drawn += len(outputs)
        self.varies = self.varies or bool((outputs != outputs[0]).any())
        self._first = outputs[0] if self._first is None else self._first
        self.alike = not self.varies and self.alike and np.array_equal(outputs[0], self._first)
        if np.isnan(outputs).any():
            raise AuditError(f"the mechanism returned NaN on {dataset!r}")
        return outputs

    def _too_slow(self, dataset: Dataset, patience: float, size: int = 1) -> AuditError:
        several = f" for {size} outputs" if size > 1 else ""
        short = patience == self.call_seconds < CALL_SECONDS
        more = f": give it up to {CALL_SECONDS:g} s by more seconds" if short else ""
        return AuditError(f"the mechanism ran longer than {patience:g} s on {dataset!r}{several}{more}")

    def _adapt(self, size: int, took: float, busy: float) -> None:
        """Larger parts while they are quick: by the processor's time, so that the load of the machine does
        not change the parts of a fast mechanism, and one that draws ahead gives the same outputs again."""
        if size >= self._at_once:
            self.rate = size / max(took, 1e-9)
            waits = took > self.call_seconds / 4
            if busy < CHUNK_SECONDS and not waits:
                self._at_once = min(4 * self._at_once, MOST_AT_ONCE)
            elif busy > 4 * CHUNK_SECONDS or waits:
                self._at_once = max(1, self._at_once // 4)

    def _chunk(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        start, busy = time.perf_counter(), time.process_time()
        large = total(dataset) > LARGE
        patience = min(self.call_seconds, LARGE_SECONDS) if large else self.call_seconds
        try:
            with time_limit(patience + CHUNK_SECONDS), memory_limit(LARGE_BYTES) if large else nullcontext():
                raw = self._vector(dataset, size, rng) if self.vectorized else None
                outputs = raw if raw is not None else self._loop(dataset, size, rng)
        except TooSlowError:
            raise self._too_slow(dataset, patience, size) from None
        self._adapt(size, time.perf_counter() - start, time.process_time() - busy)
        return self._seen(dataset, outputs)

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
        return self._rows(dataset, [self._call(dataset, self.target, rng) for _ in range(size)])

    def _rows(self, dataset: Dataset, outputs: list[Any]) -> Floats:
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
        return _numbers(outputs, dataset).reshape(len(outputs), -1)

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
    if mechanism.workers and (untouched or not np.array_equal(first, again)):
        mechanism.close()
        notes.append("one process drew all outputs: copies in several could draw the same ones")
    if uses_global:
        notes.append("the mechanism uses a global random generator, which other code can seed")
    return tuple(notes)


def _state() -> str:
    return repr(np.random.get_state())  # noqa: NPY002  # looked at, not drawn from


def _immutable(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_immutable, value))
    return value is None or isinstance(value, (int, float, str, bytes, Real))  # quick ones first


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
        raise AuditError(f"the mechanism returned something that is not a number on {dataset!r}") from None
    except OverflowError:
        raise AuditError(
            f"the mechanism returned a number beyond the largest float, 1.8e308, on {dataset!r}"
        ) from None


def _words(kind: str, shape: tuple[int, ...]) -> str:
    return f"{kind} of shape {shape}" if shape else kind
