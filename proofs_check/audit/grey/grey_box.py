"""The grey box: one pair of neighbors, a few runs, the draws of the mechanism frozen.

The mechanism runs on D and its draws are recorded; it runs on D' with the same draws. What differs then
differs for reasons other than chance: control flow, parameters of the noise, and the released values.
Each number that was drawn is also moved, which tells what it protects. Nothing here is evidence of
privacy.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import ndtri

from establish.proofs_check.audit.grey.recorder import DivergedError, Drawn, Recorder
from establish.proofs_check.audit.grey.samplers import recorded
from establish.proofs_check.audit.question import outcomes
from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.level import Floats, Gaussian, Level
from establish.proofs_check.audit.question.mechanism import MAY_REFUSE, AuditError, Mechanism
from establish.proofs_check.audit.question.result import Dataset, Pair
from establish.proofs_check.audit.scan.scan import Scan, limits, scan
from establish.spec import gaussian
from establish.spec.arithmetic import ARB, enclosing

STEP = 1.0
"""By how much a number is moved; whole, so that noise on the integers stays there."""

EXACT = 1e-6
"""Relative differences below are rounding."""

RECORDINGS = 3
"""A loss is said only when so many recordings show the same."""

ERROR = 1e-10
"""The probability of a false alarm of one comparison of always and never."""

MOST_RUNS = 2000
"""Where more runs would be needed, always and never are not compared."""

FARTHEST = 50.0
"""Normal laws farther apart than so many standard deviations cost what these do, at least."""

SCANNED, SCANNING = 4_000_000, 0.3
"""So many outputs a scan draws at most, and the share of the time that it takes."""

MOST_NUMBERS = 400
"""A mechanism that draws more numbers is not looked at one number at a time."""


@dataclass(frozen=True)
class GreyResult:
    """What a replay shows on one pair.

    faults: sentences, each a reason why the definition is broken on this pair or why no bound holds.
    remarks: what a proof must account for. loss: the ε, or for GEDP the μ, that the pair costs where all
    noise is added (Laplace, geometric or normal), else None. draws: how many calls were recorded.
    """

    pair: Pair
    faults: tuple[str, ...]
    remarks: tuple[str, ...]
    loss: float | None
    draws: int

    @property
    def passed(self) -> bool:
        """Whether no fault was seen; that is no evidence of privacy."""
        return not self.faults


def replay(
    mechanism: Any, definition: AuditDefinition, pair: Pair, seed: int = 0, declared: float | None = None
) -> GreyResult:
    """Record the mechanism on the first dataset and replay it on the second.

    mechanism: mechanism(dataset, rng) or sample(dataset, size, rng), of which one output is taken; only
    draws through the methods of ``rng`` and through the samplers of ``establish.impl.sampling`` are seen.
    declared: by how much neighbors may move the values before the noise, in all. A fault is one of three
    things: values that move farther than was declared, where noise is simply added; added noise whose
    scale is too small for what the pair moves, the same in RECORDINGS recordings; or a value that one
    dataset always gives and the other never, in as many runs as make that rarer than ERROR for one that
    keeps its promise. An exception is a value like any other. Raises ParameterError when the datasets are no
    neighbors, AuditError when the mechanism gives no output on either.
    """
    first, second = definition.listed(pairs=[pair])[0]
    _require_some(Mechanism(mechanism), (first, second), seed)
    return _replayed(mechanism, definition, (first, second), seed, declared)


def _require_some(called: Mechanism, datasets: Sequence[Dataset], seed: int) -> None:
    """Raise AuditError for a mechanism that fails on all of these datasets."""
    called.draw(datasets[0], 1, np.random.default_rng(seed))
    called.require_some(datasets[1:], np.random.default_rng(seed))


def _replayed(
    mechanism: Any, definition: AuditDefinition, pair: Pair, seed: int, declared: float | None
) -> GreyResult:
    first, second = pair
    faults = _always_and_never(mechanism, definition, (first, second), seed)
    remarks: list[str] = []
    losses: list[float | None] = []
    moves: list[float] = []
    draws = 0
    for number in range(RECORDINGS):
        loss, said, draws, moved = _recorded(mechanism, definition, (first, second), seed + number)
        losses.append(loss)
        moves.append(moved)
        remarks += said
    if declared is not None and min(moves) > declared * (1 + EXACT):
        faults.append(
            f"the values move by {min(moves):.6g} while the draws stay, and {declared:.6g} is declared"
        )
    loss = losses[0]
    if loss is None or any(x is None or abs(x - loss) > EXACT * (1 + loss) for x in losses):
        loss = None
    level = definition.level
    if loss is not None and loss > level.bound * (1 + EXACT):
        faults.append(
            f"the pair costs {level.parameter} = {loss:.6g} by the scale of its noise, and {level} is claimed"
        )
    return GreyResult((first, second), tuple(faults), tuple(dict.fromkeys(remarks)), loss, draws)


@dataclass(frozen=True)
class Replays:
    """The pairs that were replayed before time ended, of those that are listed; scanned: see AuditResult."""

    results: tuple[GreyResult, ...]
    listed: int
    scanned: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[tuple[Pair, str], ...]:
        """Every fault with its pair."""
        return tuple((one.pair, fault) for one in self.results for fault in one.faults)


def replay_all(
    mechanism: Any,
    definition: AuditDefinition,
    *,
    pairs: Iterable[Pair] | None = None,
    seconds: float = math.inf,
    seed: int = 0,
    declared: float | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> Replays:
    """:func:`replay` on these pairs, or on those of the definition, in order, as long as time allows."""
    if not (callable(mechanism) or callable(getattr(mechanism, "sample", None))):
        raise AuditError(f"mechanism = {mechanism!r} is not callable: a replay runs it")
    listed = definition.listed(pairs=pairs)
    until, results = time.monotonic() + seconds, []
    called = Mechanism(mechanism, deadline=until)
    _require_some(called, [listed[0][0], *(second for _, second in listed)], seed)
    seen = Scan() if pairs is not None or definition.given else _scanned(called, definition, seconds, seed)
    listed = list(dict.fromkeys((*seen.pairs, *listed)))
    for number, pair in enumerate(listed):
        results.append(_replayed(mechanism, definition, pair, seed, declared))
        progress((number + 1) / len(listed))
        if time.monotonic() > until:
            break
    return Replays(tuple(results), len(listed), seen.words)


def _scanned(called: Mechanism, definition: AuditDefinition, seconds: float, seed: int) -> Scan:
    """Pairs at which the output jumps. What it does beyond MAY_REFUSE workers may be a refusal."""
    called.refuses_from = MAY_REFUSE
    _, until = limits(SCANNED, seconds, (1.0, SCANNING))
    return scan(called, definition, SCANNED, until, seed)


def _recorded(
    mechanism: Any, definition: AuditDefinition, pair: Pair, seed: int
) -> tuple[float | None, list[str], int, float]:
    """The loss by the scale of the noise, remarks, the number of draws, and by how much values move."""
    first, second = pair
    rng = np.random.default_rng(seed)
    recorder = Recorder(rng)
    on_first = _output(mechanism, first, recorder)
    script = tuple(recorder.draws)
    player = Recorder(rng, script)
    try:
        on_second = _output(mechanism, second, player)
    except DivergedError as error:
        said = f"the control flow depends on the data: on {second!r} {error}"
        return None, [said], len(script), 0.0
    if len(player.draws) < len(script):
        said = f"{len(script)} draws on {first!r}, {len(player.draws)} on {second!r}"
        return None, [f"the control flow depends on the data: {said}"], len(script), 0.0
    for dataset, output in zip(pair, (on_first, on_second), strict=True):
        if strange := [*map(outcomes.said, output[outcomes.signs(output)].tolist())]:
            return None, [f"on {dataset!r} the output is {strange[0]}"], len(script), 0.0
    if on_first.shape != on_second.shape:
        said = f"{on_first.shape} and {on_second.shape}"
        return None, [f"the shape of the output depends on the data: {said}"], len(script), 0.0
    remarks = []
    for number, (one, other) in enumerate(zip(script, player.draws, strict=True), 1):
        for name in one.parameters:
            if name != "loc" and one.parameters[name] != other.parameters.get(name):
                remarks.append(f"draw {number} is {one} on {first!r} and {other} on {second!r}")
    slopes = _slopes(mechanism, first, script, on_first)
    if slopes is None:
        said = f"more than {MOST_NUMBERS} numbers are drawn: what each protects is not looked at"
        return None, [*remarks, said], len(script), 0.0
    remarks += _shared(slopes)
    if remarks:
        return None, remarks, len(script), 0.0
    shift, replayed = on_second - on_first, tuple(player.draws)
    centers = (
        abs(again.parameters.get("loc", 0.0) - one.parameters.get("loc", 0.0)) * one.outputs.size
        for one, again in zip(script, replayed, strict=True)
    )
    moved = float(np.abs(shift).sum()) + math.fsum(centers)
    loss = _loss(script, replayed, slopes, shift, definition.level)
    return loss, [], len(script), 0.0 if loss is None else moved


def _always_and_never(mechanism: Any, definition: AuditDefinition, pair: Pair, seed: int) -> list[str]:
    """Outputs that one dataset always gives, and its neighbor never.

    The value is fixed by a run of its own. With P its probability on the one dataset and Q on the other,
    n runs show it always there and never here with probability (P(1 − Q))^n, which for a mechanism that
    keeps its promise is at most the n-th power of the largest P(1 − Q) that the level allows.
    """
    runs = runs_for(definition.level)
    if runs > MOST_RUNS:
        return []
    rng = np.random.default_rng([seed, 1])
    one = {d: _output(mechanism, d, Recorder(rng)) for d in pair}
    many = {d: [_output(mechanism, d, Recorder(rng)) for _ in range(runs)] for d in pair}
    found = []
    for here, there in (pair, pair[::-1]):
        for j, value in enumerate(one[here]):
            always = all(run.size > j and run[j] == value for run in many[here])
            if always and not any(run.size > j and run[j] == value for run in many[there]):
                shown = outcomes.said(value) or f"{value:.9g}"
                found.append(
                    f"output[{j}] is {shown} on {here!r} in all of {runs} runs, and on {there!r} in none"
                )
    return found


def runs_for(level: Level) -> int:
    """The runs after which always here and never there is rarer than ERROR while ``level`` holds."""
    p = np.linspace(0.0, 1.0, 10_001)
    largest = (
        float((p * (1 - level.fewest(p))).max()) + 1e-4
    )  # the grid's step bounds what lies between its points
    return math.ceil(math.log(ERROR) / math.log(largest)) if largest < 1 else MOST_RUNS + 1


def _output(mechanism: Any, dataset: Dataset, rng: Recorder) -> Floats:
    sample = getattr(mechanism, "sample", None)
    try:
        with np.errstate(all="ignore"), recorded(rng):
            raw = sample(dataset, 1, rng)[0] if callable(sample) else mechanism(dataset, rng)
    except DivergedError:
        raise
    except Exception as error:
        raw = outcomes.Raised(type(error).__name__)
    return outcomes.of_outputs([raw]).reshape(-1)


def _slopes(mechanism: Any, dataset: Dataset, script: tuple[Drawn, ...], output: Floats) -> Floats | None:
    """By how much each output moves with each number that was drawn; NaN where the run diverges."""
    numbers = sum(drawn.outputs.size for drawn in script)
    if numbers > MOST_NUMBERS:
        return None
    slopes = np.zeros((numbers, output.size))
    for number in range(numbers):
        player = Recorder(np.random.default_rng(0), script, (number, STEP))
        try:
            moved = _output(mechanism, dataset, player)
            comparable = moved.shape == output.shape and not outcomes.signs(moved).any()
            slopes[number] = (moved - output) / STEP if comparable else math.nan
        except (DivergedError, AuditError):  # a number beyond what the method gives
            slopes[number] = math.nan
    return slopes


def _shared(slopes: Floats) -> list[str]:
    found = []
    for number, row in enumerate(slopes):
        moved = np.flatnonzero(np.abs(np.nan_to_num(row, nan=0.0)) > EXACT)
        if moved.size > 1:
            names = ", ".join(f"output[{j}]" for j in moved)
            found.append(f"number {number + 1} that is drawn moves {names}: they share its protection")
    return found


def _loss(
    script: tuple[Drawn, ...], replayed: tuple[Drawn, ...], slopes: Floats, shift: Floats, level: Level
) -> float | None:
    """What the pair costs when every output is a value plus noise of its own; None for other forms.

    With δ it is the least ε: for normal laws μ apart where δ(ε, μ) is δ, and for two Laplace laws with loss
    t where 1 − e^((ε − t)/2) is, the excess of the half-line that ends ε/2 scales beyond the middle.
    """
    moved = (script, replayed, slopes, shift)
    if isinstance(level, Gaussian):
        prices = _prices(*moved, NORMAL)
        return None if prices is None else math.hypot(*prices)
    if not level.delta:
        prices = _prices(*moved, PURE)
        return None if prices is None else math.fsum(prices)
    if (prices := _prices(*moved, NORMAL, alone=True)) is not None:
        return _least_epsilon(math.hypot(*prices), float(level.delta))
    prices = _prices(*moved, LAPLACE, alone=True)
    if prices is None or sum(price > 0 for price in prices) > 1:
        return None
    return max(math.fsum(prices) + 2 * math.log1p(-float(level.delta)), 0.0)


def _least_epsilon(mu: float, delta: float) -> float:
    """The least ε ≥ 0 at which normal laws μ standard deviations apart need no more than δ; from μ = FARTHEST
    on, that of FARTHEST.

    δ(ε, μ) ≤ Φ(μ/2 − ε/μ), so that it is at most μ²/2 + μ·Φ⁻¹(1 − δ).
    """
    apart = Fraction(min(mu, FARTHEST))
    low, high = 0.0, max(float(apart * apart / 2) - float(apart) * float(ndtri(delta)), 0.0)
    with enclosing(200 + int(4 * high)):
        while high - low > EXACT**2 * (1 + high):
            middle = (low + high) / 2
            enough = float(gaussian.delta(Fraction(middle), apart, ARB)) <= delta
            low, high = (low, middle) if enough else (middle, high)
    return high


def _prices(
    script: tuple[Drawn, ...],
    replayed: tuple[Drawn, ...],
    slopes: Floats,
    shift: Floats,
    priced: Prices,
    alone: bool = False,
) -> list[float] | None:
    """What each number that moves costs, where noise is simply added; None for other forms.

    Their sum, or for normal noise their root of squares, is attained: a half-line far out has this loss,
    for a sum of several Laplace laws that of the widest one. So it must not be said where a number is drawn
    that no output shows, where two draws of moving centers meet in one output, or where an output does not
    simply add its noise. alone: nothing may be rounded either, and each output has one noise.
    """
    if not np.isfinite(slopes).all():
        return None
    shown = np.abs(slopes) > EXACT
    prices: list[float] = []
    total: list[float] = []
    for drawn, again in zip(script, replayed, strict=True):
        here = range(len(prices), len(prices) + drawn.outputs.size)
        if drawn.method in priced:
            price = priced[drawn.method](drawn.parameters)
        elif shown[here].any() or drawn.parameters != again.parameters:
            return None
        else:
            price = 0.0  # such as a seed, whose draws are recorded themselves
        prices += [price] * drawn.outputs.size
        gap = again.parameters.get("loc", 0.0) - drawn.parameters.get("loc", 0.0)
        grid = drawn.parameters.get("grid", 0.0)
        if grid and (alone or gap % grid):  # rounding hides a part of what moves
            return None
        if gap and not all(shown[n].sum() == 1 and shown[:, shown[n]].sum() == 1 for n in here):
            return None
        total += [price * abs(gap)] * drawn.outputs.size
    for j in np.flatnonzero(np.abs(shift) > EXACT):
        added = np.flatnonzero(shown[:, j])
        if not added.size or (np.abs(np.abs(slopes[added, j]) - 1) > EXACT).any():
            return None
        if alone and added.size > 1:
            return None
        each = [prices[number] for number in added]
        price = 1 / math.hypot(*(1 / one for one in each)) if priced is NORMAL else min(each)
        total.append(price * abs(float(shift[j])))
    return total


Prices = Mapping[str, Callable[[Mapping[str, float]], float]]
"""By method, the loss for moving a draw by 1, from its parameters."""

NORMAL: Prices = {"normal": lambda drawn: 1 / drawn["scale"]}

LAPLACE: Prices = {"laplace": lambda drawn: 1 / drawn["scale"]}

PURE: Prices = {
    **LAPLACE,
    "geometric": lambda drawn: -math.log1p(-drawn["p"]),
    "two_sided_geometric": lambda drawn: drawn["epsilon"],
}
