"""A user's mechanism, called with care."""

import copy
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from numbers import Real
from typing import Any, NoReturn

import numpy as np

from establish.proofs_check.audit.question import outcomes
from establish.proofs_check.audit.question.level import Floats
from establish.proofs_check.audit.question.outcomes import Raised
from establish.proofs_check.audit.question.result import Dataset, total
from establish.proofs_check.audit.question.timer import TooSlowError, memory_limit, time_limit
from establish.proofs_check.audit.question.workers import FEWEST, Workers
from establish.spec.parameters import ParameterError

CALL_SECONDS = 10.0
"""One call may take so long."""

LARGE, LARGE_SECONDS, LARGE_BYTES = 20_000, 2.0, 2 << 30
"""Beyond so many workers in a dataset one call may take so long, and so many bytes: records may be made
of them one by one."""

MAY_REFUSE = 50_000
"""A mechanism may fail on datasets of our own that have more workers, values or records."""

CHUNK_SECONDS = 0.2
"""So much work is done between two looks at the clock."""

MOST_AT_ONCE = 1 << 17
"""A vectorized mechanism is asked for at most so many outputs in one call."""

AT_FIRST = 32
"""Outputs of the first call."""

ONE_BY_ONE = 256
"""Where a call for many outputs fails, they are drawn one by one, so many between two looks at the clock."""

MOST_REMEMBERED = 1000
"""What is returned on datasets with more parts is not compared from call to call."""


class AuditError(ParameterError):
    """The mechanism cannot be audited; the message says what it did, and on which dataset."""


class OutOfTimeError(Exception):
    """The audit as a whole has used its time."""


class OutOfOutputsError(OutOfTimeError):
    """The audit as a whole has drawn its outputs."""


class Mechanism:
    """``mechanism(dataset, rng)``, or the vectorized ``mechanism.sample(dataset, size, rng)``.

    An output is a number, or a tuple, list or array of numbers, always of the same kind and shape for
    the same dataset; an exception, NaN, None, a text and any other object is an output, too (see
    ``outcomes``). call_seconds: limit on one call; deadline: when the audit must stop, by
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
        self._at_once = AT_FIRST
        self._kinds: dict[Dataset, tuple[str, tuple[int, ...]]] = {}
        self.failures: dict[str, Dataset] = {}
        """What was no number and no text, in words, and the first dataset on which it was seen."""
        self.works = False
        """Whether any output was a number or a text."""
        self.refuses_from = float("inf")
        """An exception on datasets with more workers is no output: the mechanism may refuse them."""
        self.alone: set[int] = set()
        """Datasets, by their hash, on which outputs are drawn one by one, as a call for many failed."""
        self._error: BaseException | None = None
        self._width = 1

    def draw(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        """``size`` outputs, one per row, flattened.

        Raises AuditError when the mechanism is too slow, changes its dataset, or returns another kind or
        shape than before, or fails on a dataset that it may refuse; OutOfTimeError after the deadline,
        OutOfOutputsError, before any is drawn, beyond what is allowed.
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
        return parts[0] if len(parts) == 1 else outcomes.stacked(parts)

    @property
    def left(self) -> int:
        """Outputs that may still be drawn."""
        return self.allowed - self.drawn

    def close(self) -> None:
        """End the processes, if there are any; what follows is drawn in this one."""
        if self.workers:
            self.workers.close()
            self.workers = None

    def glance(self, datasets: Sequence[Dataset], size: int, rng: np.random.Generator) -> list[Floats]:
        """``size`` outputs on each of few datasets, every time from the state in which ``rng`` is.

        Raises AuditError as ``draw`` does, and for calls that take longer than one may.
        """
        if size * len(datasets) > self.left:
            raise OutOfOutputsError
        state, found = rng.bit_generator.state, []
        try:
            with time_limit(self.call_seconds + CHUNK_SECONDS):
                for dataset in datasets:
                    rng.bit_generator.state = state
                    call = self._vector if self.vectorized else self._loop
                    found.append(self._seen(dataset, call(dataset, size, rng)))
        except TooSlowError:
            raise self._too_slow(datasets[len(found)], self.call_seconds, size) from None
        return found

    def require_some(self, datasets: Sequence[Dataset], rng: np.random.Generator) -> None:
        """Raise AuditError when no output is a number or a text: neither so far nor on these datasets."""
        asked = iter([one for one in datasets if total(one) <= self.refuses_from])
        while not self.works and self.drawn and (dataset := next(asked, None)) is not None:
            self.draw(dataset, 1, rng)
        if not self.works and self.failures:
            self.refuse("on every dataset that was tried, the first of them ")

    def refuse(self, where: str = "on ") -> NoReturn:
        """Raise AuditError for the first failure."""
        words, dataset = next(iter(self.failures.items()))
        if "exception" not in words:
            raise AuditError(f"the mechanism returned {words} {where}{dataset!r}") from self._error
        reason = " ".join(str(self._error).split())[:200] if self._error else ""
        did = words.replace("the exception", "raised", 1)
        told = f": {reason}" if reason else ""
        raise AuditError(f"the mechanism {did} {where}{dataset!r}{told}") from self._error

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
        if float(outputs.max()) < outcomes.FIRST_SIGN:
            self.works = True
            return outputs
        failed = outcomes.signs(outputs).any(axis=1)
        words = outcomes.failures(outputs[failed])
        self.works = self.works or not failed.all() or not words
        for one in words:
            self.failures.setdefault(one, dataset)
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
        self._adapt(len(outputs), time.perf_counter() - start, time.process_time() - busy)
        return self._seen(dataset, outputs)

    def _call(self, dataset: Dataset, method: Any, *rest: Any) -> Any:
        __tracebackhide__ = True
        given = dataset if _immutable(dataset) else copy.deepcopy(dataset)
        try:
            output = method(given, *rest)
        except (TooSlowError, OutOfTimeError, KeyboardInterrupt):
            raise
        except BaseException as error:
            refused = total(dataset) > (LARGE if isinstance(error, MemoryError) else self.refuses_from)
            if refused:
                raise AuditError(f"the mechanism raised {type(error).__name__} on {dataset!r}") from error
            self._error = self._error or error
            return Raised(type(error).__name__)
        if given is not dataset and given != dataset:
            raise AuditError(f"the mechanism changed its dataset {dataset!r} into {given!r}")
        return output

    def _loop(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        return self._rows(dataset, [self._call(dataset, self.target, rng) for _ in range(size)])

    def _rows(self, dataset: Dataset, outputs: list[Any]) -> Floats:
        """An output that is one sign gets a row as wide as the others."""
        kinds = {outcomes.kind(kind) for kind in set(map(type, outputs))}
        plain = [one for one in outputs if outcomes.kind(type(one))] if None in kinds else outputs
        kinds.discard(None)
        shapes = {()} if kinds == {"a number"} else {_shape(output, dataset) for output in plain}
        for kind in sorted(kinds, key=str):
            for shape in sorted(shapes):
                self._remember(dataset, str(kind), shape)
        if plain:
            rows = _numbers(plain, dataset).reshape(len(plain), -1)
            self._width = rows.shape[1]
            if len(plain) == len(outputs):
                return rows
        found = np.empty((len(outputs), self._width))
        usual = np.array([outcomes.kind(type(one)) is not None for one in outputs])
        if plain:
            found[usual] = rows
        strange = [outcomes.of_leaf(one) for one in outputs if outcomes.kind(type(one)) is None]
        found[~usual] = np.array(strange)[:, None]
        return found

    def _vector(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        if hash(_key(dataset)) in self.alone:
            return self._singly(dataset, size, rng)
        raw = self._call(dataset, self.target.sample, size, rng)
        if isinstance(raw, Raised):
            self.alone.add(hash(_key(dataset)))
            return self._singly(dataset, size, rng)
        return self._several(dataset, size, raw)

    def _singly(self, dataset: Dataset, size: int, rng: np.random.Generator) -> Floats:
        """Outputs of calls for one each: which of many failed nobody knows."""
        calls = (self._call(dataset, self.target.sample, 1, rng) for _ in range(min(size, ONE_BY_ONE)))
        parts = [
            self._rows(dataset, [raw]) if isinstance(raw, Raised) else self._several(dataset, 1, raw)
            for raw in calls
        ]
        return outcomes.stacked(parts)

    def _several(self, dataset: Dataset, size: int, raw: Any) -> Floats:
        shape = _shape(raw, dataset)
        if not shape or shape[0] != size:
            raise AuditError(
                f"sample(dataset, {size}, rng) returned the shape {shape} on {dataset!r}: "
                f"the first axis must have {size} entries"
            )
        self._remember(dataset, "an array", shape[1:])
        rows = _numbers(raw, dataset).reshape(size, -1)
        self._width = rows.shape[1]
        return rows

    def _remember(self, dataset: Dataset, kind: str, shape: tuple[int, ...]) -> None:
        if isinstance(dataset, tuple) and len(dataset) > MOST_REMEMBERED:
            return
        before = self._kinds.setdefault(_key(dataset), (kind, shape))
        if before != (kind, shape):
            raise AuditError(
                f"the mechanism changes what it returns on {dataset!r}: "
                f"first {_words(*before)}, then {_words(kind, shape)}"
            )


def _key(dataset: Dataset) -> Any:
    """The dataset, or its text where it may have no hash."""
    return dataset if isinstance(dataset, (int, tuple)) else repr(dataset)


def _immutable(value: Any) -> bool:
    if isinstance(value, tuple):
        return set(map(type, value)) <= PLAIN or all(map(_immutable, value))
    return value is None or isinstance(value, (int, float, str, bytes, Real))  # quick ones first


PLAIN = frozenset({int, float, str, bytes})


def _shape(output: Any, dataset: Dataset) -> tuple[int, ...]:
    try:
        return np.shape(output)
    except ValueError:
        raise AuditError(
            f"the mechanism returned {output!r} on {dataset!r}, whose parts have different lengths"
        ) from None


def _numbers(outputs: Any, dataset: Dataset) -> Floats:
    try:
        return outcomes.of_outputs(outputs)
    except ValueError:
        raise AuditError(f"the mechanism returned parts of different lengths on {dataset!r}") from None


def _words(kind: str, shape: tuple[int, ...]) -> str:
    return f"{kind} of shape {shape}" if shape else kind
