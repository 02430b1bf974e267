"""Regression tests for mechanisms: privacy, moments, and pairs of neighbors.

A test file of a mechanism may read::

    from hypothesis import given
    from establish.proofs_check.audit import strong_er_ee
    from establish.proofs_check.audit.testing import assert_private, assert_unbiased, neighbors
    from establish.spec.relations.universes import SizeUniverse

    CLAIM = strong_er_ee(alpha="1/10", epsilon=2)

    def release(sizes, rng):
        return sum(sizes) + 14.3 * max(0.1 * max(sizes, default=0), 1) * heavy_tailed_noise(rng)

    def test_release_is_private():
        assert_private(release, CLAIM, seconds=30)

    def test_release_is_unbiased():
        rng = np.random.default_rng(7)
        sample = [release((12, 3), rng) for _ in range(10_000)]
        assert_unbiased(sample, 15, variance=(14.3 * 1.2) ** 2)

    @given(neighbors(CLAIM, SizeUniverse(2, 30)))
    def test_the_count_moves_by_at_most_the_sensitivity(pair):
        first, second = pair
        largest = max(max(first), max(second))
        assert abs(sum(first) - sum(second)) <= max(largest / 10, 1)

Everything follows from seeds, so that a test that passes keeps passing; another seed raises a false
alarm with at most the stated probability.
"""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from establish.proofs_check.audit import audit
from establish.proofs_check.audit.black.black_box import SAMPLES, SECONDS
from establish.proofs_check.audit.black.power import STRONG
from establish.proofs_check.audit.law_tests import assert_density, assert_same_law
from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite
from establish.proofs_check.audit.question.mechanism import AuditError
from establish.proofs_check.audit.question.result import AuditResult, Pair
from establish.proofs_check.audit.question.strategy import neighbors
from establish.spec.parameters import ParameterError, probability

__all__ = [
    "assert_density",
    "assert_moments",
    "assert_private",
    "assert_same_law",
    "assert_unbiased",
    "neighbors",
    "readable",
    "threshold",
]

ERROR = 1e-9
"""The probability of a false alarm of one assertion, unless asked otherwise."""

FIRST_AGAIN, AGAIN_SECONDS = 10_000, 10.0
"""Outputs of the first attempt to find a violation again on its pair, and how long attempts are made."""

MOST_BLOCKS = 401
"""A sample is cut into at most so many blocks."""


def assert_private(
    mechanism: Any,
    definition: AuditDefinition,
    *,
    samples: int = SAMPLES,
    seconds: float = SECONDS,
    seed: int = 0,
    jobs: int | None = None,
    universe: Finite | None = None,
    pairs: Iterable[Pair] | None = None,
    weak_is_fine: str = "",
) -> AuditResult:
    """The result of the audit, when it found no violation or certified the mechanism: for all datasets, or
    where ``outcome`` is ``certified_in_range``, for those that ``range`` names.

    The arguments are those of :func:`establish.proofs_check.audit.audit`. weak_is_fine: why an audit
    that would have missed large violations is enough here; without a reason such an audit fails.
    Raises AssertionError with the two datasets, the event and both probabilities when the definition
    is broken, and with the number of outputs that would be enough when the audit was too weak;
    AuditError when the mechanism cannot be audited.
    """
    asked = {name: of for name, of in locals().items() if name != "weak_is_fine"}
    __tracebackhide__ = True
    try:
        result = audit(**asked)
    except AuditError as error:
        raise error.with_traceback(None)  # noqa: B904  # what the mechanism raised stays its cause
    if result.violated:
        again = _again(mechanism, definition, result, seed, jobs)
        raise AssertionError(f"{readable(result)}\n  again         {again}")
    if result.too_weak and not weak_is_fine.strip():
        raise AssertionError(readable(result))
    return result


def _again(
    mechanism: Any, definition: AuditDefinition, result: AuditResult, seed: int, jobs: int | None
) -> str:
    """A call that finds a violation on the pair in seconds; it was made before it is printed.

    Its seconds are infinite, so that it depends on seed and outputs, and not on the machine's speed.
    """
    called = f"assert_private(..., pairs=[{result.pair!r}], seed={seed}"
    if not result.samples or result.pair is None:
        return f"{called})"
    if jobs is not None:
        called += f", jobs={jobs}"
    rate, samples, start = result.samples / max(result.seconds, 1e-9), FIRST_AGAIN, time.monotonic()
    while time.monotonic() - start + samples / rate < AGAIN_SECONDS:
        limits: dict[str, Any] = {"samples": samples, "seconds": math.inf, "seed": seed, "jobs": jobs}
        found = audit(mechanism, definition, pairs=[result.pair], **limits)
        if found.violated:
            return f'{called}, samples={samples}, seconds=float("inf"))'
        samples *= 4
    return f"{called}) may find it; within {AGAIN_SECONDS:g} s no call did"


def readable(result: AuditResult) -> str:
    """The result in a few lines of text."""
    lines = [f"{result.headline}: {result.definition}"]
    if result.pair is not None and result.violated:
        lines += _sentence(result)
        lines.append(f"  datasets      {result.pair[0]} and {result.pair[1]}")
        lines.append(f"  event         {result.event}")
        for dataset, bounds in zip(result.pair, result.probabilities or (), strict=False):
            lines.append(f"  probability   between {bounds[0]:.6g} and {bounds[1]:.6g} on {dataset}")
        lines.append(f"  bound         {result.bound}")
    lines.append(f"  evidence      {result.evidence}, {result.samples} samples, {result.universe}")
    lines.append(f"  tried         {result.pairs_tried} of {result.pairs_listed} pairs")
    if result.too_weak:
        needed = "more than 10^15" if result.enough_samples is None else result.enough_samples
        lines.append(
            f"  too weak      {STRONG:g} times the claimed level would have been found with "
            f"probability {result.detection or 0:.2g} on a pair of the list"
        )
        lines.append(
            f"  enough        about samples={needed}, given the seconds; or say why this is enough: "
            "weak_is_fine='...'"
        )
    return "\n".join([*lines, *(f"  note          {note}" for note in result.notes)])


def _sentence(result: AuditResult) -> list[str]:
    """The violation as a sentence."""
    if result.pair is None or result.probabilities is None:
        return []
    (p, _), (_, q) = result.probabilities
    return [
        f"  the event '{result.event}' has probability at least {p:.6g} on {result.pair[0]!r}, and at "
        f"most {q:.6g} on its neighbor {result.pair[1]!r}"
    ]


def assert_unbiased(sample: ArrayLike, expected: float, *, variance: float, error: float = ERROR) -> None:
    """The mean of the law is ``expected``, as far as the sample can tell.

    variance: of the law, or an upper bound; it must be finite, and nothing else is assumed, so that
    heavy tails are welcome. The statistic is the median of means over blocks, compared with
    :func:`threshold`; a true statement fails with probability at most ``error``. A law whose mean is
    off by twice the threshold is rejected but with that probability.

    Raises AssertionError with the numbers, ParameterError for a sample that is not finite or too small.
    """
    __tracebackhide__ = True
    probability("error", error)
    if not (isfinite(variance) and variance >= 0):
        raise ParameterError(
            f"variance = {variance} is not allowed: without a finite variance use assert_moments "
            "with the absolute moments that are finite"
        )
    drawn = _checked(sample)
    blocks, limit = threshold(drawn.size, 2.0, variance, error)
    _compare(drawn, float(expected), blocks, limit, "the mean", error)


def assert_moments(
    sample: ArrayLike, moments: Mapping[float, float], *, center: float = 0.0, error: float = ERROR
) -> Sequence[float]:
    """The absolute moments E|X − center|^k are those stated, as far as the sample can tell.

    moments: stated values by order k > 0, finite ones only. Order k is tested when an order r with
    k < r ≤ 2k is stated too: with p = r/k and Y = |X − center|^k, the p-th moment E Y^p bounds how far
    a mean of Y strays (see :func:`threshold`). So for noise ∝ 1/(1+z⁴), whose fourth moment is
    infinite, {2: …, 2.9: …} tests the second. All tests together fail for a law with these moments
    with probability at most ``error``. Returns the orders that were tested.

    Raises AssertionError with the numbers, ParameterError when no order can be tested.
    """
    __tracebackhide__ = True
    probability("error", error)
    if not isinstance(moments, Mapping):
        raise ParameterError(f"moments = {moments!r} is not allowed: give values by order, {{2: 1.0}}")
    drawn = np.abs(_checked(sample) - center)
    if not all(order > 0 and isfinite(value) and value >= 0 for order, value in moments.items()):
        raise ParameterError(f"moments = {dict(moments)} must have orders > 0 and finite values")
    helpers = {k: max((r for r in moments if k < r <= 2 * k), default=None) for k in moments}
    tested = sorted(k for k, r in helpers.items() if r is not None)
    if not tested:
        raise ParameterError(
            f"moments of the orders {sorted(moments)} cannot be tested: order k needs another one "
            "above k and at most 2k, for example 2 and 4"
        )
    for k in tested:
        r = helpers[k] or 2 * k
        power = r / k
        spread = moments[r] - moments[k] ** 2 if power == 2 else 2**power * moments[r]
        blocks, limit = threshold(drawn.size, power, max(spread, 0.0), error / len(tested))
        _compare(drawn**k, moments[k], blocks, limit, f"the absolute moment of order {k:g}", error)
    return tested


def threshold(size: int, power: float, spread: float, error: float) -> tuple[int, float]:
    """Blocks and t such that the median of the block means strays by more than t at most so rarely.

    spread: a bound for E|Y − EY|^power, 1 < power ≤ 2. A mean of m values strays by more than t to one
    side with probability at most q = v/(v + t²), v = spread/m, for power 2 (Cantelli), and q =
    2·spread·m^(1−power)/t^power otherwise (Markov, von Bahr and Esseen 1965). The median of an odd
    number b of block means strays to that side only when (b+1)/2 of them do; q is the largest
    probability for which that binomial tail is error/2. The number of blocks with the least t is used.

    Raises ParameterError for a sample that is too small for the error.
    """
    best: tuple[float, int] | None = None
    for blocks in range(1, min(size, MOST_BLOCKS) + 1, 2):
        half, block = (blocks + 1) // 2, size // blocks
        q = float(betaincinv(half, blocks - half + 1, error / 2))
        if not 0 < q < 1:
            continue
        if power == 2:
            t = sqrt(spread / block * (1 / q - 1))
        else:
            t = (2 * spread * block ** (1 - power) / q) ** (1 / power)
        if best is None or t < best[0]:
            best = (t, blocks)
    if best is None:
        raise ParameterError(f"a sample of {size} is too small for the error {error:g}")
    return best[1], best[0]


def _checked(sample: ArrayLike) -> NDArray[np.float64]:
    drawn = np.asarray(sample, dtype=np.float64).ravel()
    if not drawn.size or not np.isfinite(drawn).all():
        raise ParameterError("the sample must hold finite numbers, at least one")
    return drawn


def _compare(
    drawn: NDArray[np.float64], stated: float, blocks: int, limit: float, what: str, error: float
) -> None:
    __tracebackhide__ = True
    block = drawn.size // blocks
    means = drawn[: block * blocks].reshape(blocks, block).mean(axis=1)
    found = float(np.median(means))
    if abs(found - stated) > limit + 1e-12 * abs(stated):
        raise AssertionError(
            f"{what} is stated as {stated:.6g}, and the median of {blocks} means of {block} draws is "
            f"{found:.6g}: the difference {found - stated:.3g} exceeds {limit:.3g}, which happens with "
            f"probability at most {error:g} when the statement is true"
        )
