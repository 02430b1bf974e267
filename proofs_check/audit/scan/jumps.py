"""Between which datasets of a line do the outputs jump?

Outputs of all datasets come from generators in the same state. Where noise is simply added, equal draws give
differences that hardly change from step to step, so that a jump stands out whatever the noise. What needs no
equal draws is compared, too: how often the most frequent value comes, whole numbers, outcomes that are no
numbers, and middle and spread of several datasets before and after.
"""

from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from establish.proofs_check.audit.question.outcomes import FIRST_SIGN, Floats, signs

COLUMNS = 8
"""So many numbers of an output are looked at one by one, and the sum of all."""

AROUND = 4
"""A difference is compared with so many before and after it."""

WINDOW = 8
"""Middle and spread are compared over so many datasets before and after."""

SHARES = 0.3
"""A share of the outputs that changes by so much at once is a jump."""

LEAST, TIMES = 0.02, 4.0
"""A difference, in spreads of the noise, is a jump from LEAST on that is so many times the usual one."""

WIDENING = 0.2
"""Where steps widen, a difference may change by this share."""

FURTHER, SURE = 1.5, 5.0
"""A step is a long one that is so many times those around it, and beyond doubt from so many spreads on."""

CLEAR = 8.0
"""Deviations from which a change of the middle or the spread over WINDOW is a jump."""

EACH = 4
"""So many jumps of each kind are named, the largest."""

NOTHING = 1e-12


def columns(rows: Floats) -> Floats:
    """Outputs as few numbers each: the first ones, and the sum of all."""
    if rows.shape[1] <= COLUMNS:
        return rows
    with np.errstate(all="ignore"):
        total = np.where(signs(rows).any(axis=1), FIRST_SIGN, rows.sum(axis=1))
    return np.column_stack([rows[:, :COLUMNS], np.nan_to_num(total)])


def finite(outputs: Floats) -> Floats:
    """Infinity as the largest sign."""
    return np.clip(outputs, -FIRST_SIGN, np.finfo(np.float64).max)


def jumps(outputs: Floats, lengths: Floats, gaps: Floats, paired: bool) -> list[tuple[int, bool]]:
    """The steps that stand out, i for the one from dataset i to the next, and whether one is beyond doubt.

    outputs: by dataset, draw and column. lengths: numbers in an output of each dataset. gaps: how wide the
    steps are, close ones first. paired: whether draws are equal, so that differences tell something.
    """
    found: dict[int, bool] = dict.fromkeys(np.flatnonzero(np.diff(lengths)).tolist()[:EACH], True)
    near = int(np.argmax(gaps > 1)) if (gaps > 1).any() else len(gaps)
    with np.errstate(all="ignore"):
        for column in range(outputs.shape[2]):
            of_column = outputs[:, :, column]
            for start, part, wide in ((0, of_column[: near + 1], False), (near, of_column[near:], True)):
                for at, sure in _of_column(part, paired, wide) if len(part) > 1 else ():
                    found[start + at] = found.get(start + at, False) or sure
    return sorted(found.items(), key=lambda one: (not one[1], one[0]))


def larger(low: Floats, middle: Floats, high: Floats) -> bool:
    """Whether more changes between the first two datasets than between the last two; each by draw, column."""
    return _change(low, middle) >= _change(middle, high)


def _change(first: Floats, second: Floats) -> tuple[float, float]:
    if first.shape != second.shape:
        return np.inf, np.inf
    with np.errstate(all="ignore"):
        both = np.stack([first, second])
        shares = sum(np.abs(np.diff(share, axis=0)).max() for share in _shares(both))
        spread = np.minimum(*_spread(both)) + NOTHING
        return round(float(shares), 1), float(np.median(np.abs(second - first) / spread, axis=0).max())


def _shares(outputs: Floats) -> Iterator[Floats]:
    """Of each dataset, by axis 1, what share comes most often, is whole, and is no number."""
    ordered = np.sort(outputs, axis=1)
    size = outputs.shape[1]
    most, run = np.ones(ordered[:, 0].shape), np.ones(ordered[:, 0].shape)
    for i in range(1, size):
        run = np.where(ordered[:, i] == ordered[:, i - 1], run + 1, 1)
        most = np.maximum(most, run)
    yield np.where(most > 1, most, 0.0) / size
    yield (outputs == np.round(outputs)).mean(axis=1)
    yield signs(outputs).mean(axis=1)


def _spread(outputs: Floats) -> Floats:
    """The mean distance from the median, by dataset."""
    middle = np.median(outputs, axis=1, keepdims=True)
    return np.asarray(np.minimum(np.abs(outputs - middle), FIRST_SIGN / 1e6).mean(axis=1))


def _of_column(outputs: Floats, paired: bool, wide: bool) -> Iterator[tuple[int, bool]]:
    """The jumps of one number; outputs: by dataset and draw. wide: the steps widen from one to the next."""
    for share in _shares(outputs):
        yield from ((at, True) for at in _largest(np.abs(np.diff(share)), SHARES))
    spread, middle = _spread(outputs), np.median(outputs, axis=1)
    levels = [(np.log(spread + NOTHING), LEAST)]
    levels += [(np.log(np.abs(middle) + 1), LEAST) if wide else (middle, LEAST * float(np.median(spread)))]
    for level, least in levels:
        yield from ((at, False) for at in _largest(_over_windows(level, least), CLEAR))
    if not paired:
        return
    differences = np.diff(outputs, axis=0)
    noise = np.minimum(spread[1:], spread[:-1])[:, None] + NOTHING
    if not wide:
        far = np.median(np.abs(differences) / noise, axis=1)
        around = np.median(sliding_window_view(np.pad(far, AROUND, mode="edge"), 2 * AROUND + 1), axis=1)
        for at in _largest(np.where(far >= FURTHER * around, far, 0.0), LEAST):
            yield at, bool(far[at] >= SURE)
    if len(differences) > 2 * AROUND:
        padded = np.pad(differences, ((AROUND, AROUND), (0, 0)), mode="edge")
        local = np.median(sliding_window_view(padded, 2 * AROUND + 1, axis=0), axis=2)
        noise = noise + WIDENING * np.abs(local) if wide else noise
        odd = np.median(np.abs(differences - local) / noise, axis=1)
        yield from ((at, False) for at in _largest(odd, max(TIMES * float(np.median(odd)), LEAST)))


def _largest(scores: Floats, least: float) -> list[int]:
    """The places of the EACH largest scores of at least so much; of equal ones the first."""
    scores = np.nan_to_num(scores, nan=0.0, posinf=np.finfo(np.float64).max)
    order = np.argsort(-scores, kind="stable")[:EACH]
    return [int(at) for at in order if scores[at] >= least]


def _over_windows(level: Floats, least: float) -> Floats:
    """By step, how far the mean of what follows lies from that of what comes before, in usual deviations, or
    in parts of what is the least jump.
    """
    if len(level) < 4 * WINDOW:
        return np.zeros(0)
    sums = np.concatenate([[0.0], np.cumsum(np.nan_to_num(level, posinf=0.0, neginf=0.0))])
    means = (sums[WINDOW:] - sums[:-WINDOW]) / WINDOW
    change = np.zeros(len(level) - 1)
    change[WINDOW - 1 : len(level) - WINDOW] = means[WINDOW:] - means[:-WINDOW]
    inner = change[WINDOW - 1 : len(level) - WINDOW]
    usual = np.median(inner)
    deviation = max(1.4826 * np.median(np.abs(inner - usual)), least / CLEAR, NOTHING)
    change[WINDOW - 1 : len(level) - WINDOW] = np.abs(inner - usual) / deviation
    return change
