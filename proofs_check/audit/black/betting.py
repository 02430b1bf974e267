"""Sequential evidence against P ≤ c·Q + δ for the probabilities P, Q of one event under two laws.

Pairs of fresh outputs come in batches, and a bettor who stakes the share λ of a fortune of 1 on
Z = X − c·Y − δ, X and Y being whether the event occurred, holds ∏(1 + λZ) after them. While P ≤ c·Q + δ,
EZ ≤ 0 and the fortune is a nonnegative supermartingale when each λ is fixed before its batch, so that it
ever passes 1/error with probability at most ``error`` (Ville 1939): the bettor may look after every batch
and stop at any time.
"""

from dataclasses import dataclass, field

import numpy as np

from establish.proofs_check.audit.question.level import Floats, Level, Line

Batch = tuple[int, int, int, int]
"""Pairs of outputs with the event in both, in the first only, in the second only, in neither."""

BOLDEST = 0.999
"""The share of the largest stake that cannot ruin the bettor which is staked at most."""

HALVINGS = 20
"""Steps of the bisection for the stake, to a millionth of the largest: a bet is fair at any stake, and near
the best one it grows as fast but for the square of that."""

FEWEST_RARE = 4
"""An event that was seen less often promises nothing."""

FINE, COARSE = (0.001, 400), (0.01, 600)
"""The grid of levels on which a bound is looked for: relative steps, and how many of them."""

AT_ONCE = 50
"""So many levels of the grid are looked at together."""


def stakes(p: Floats, q: Floats, c: Floats, delta: Floats) -> Floats:
    """The share that makes the fortune grow fastest when P = p and Q = q; 0 where it would shrink."""
    p, q, c, delta = np.broadcast_arrays(p, q, c, delta)
    chances = np.stack([p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)])
    gains = np.stack([1 - c - delta, 1 - delta, -c - delta, -delta])
    expected = chances * gains
    stake, step = np.zeros(p.shape), BOLDEST / (c + delta)
    for _ in range(HALVINGS):
        step = step / 2
        larger = stake + step
        stake = np.where((expected / (1 + larger * gains)).sum(axis=0) > 0, larger, stake)
    return stake


def growth(p: Floats, q: Floats, c: Floats, delta: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of the logarithm of the fortune's factor for one pair, at the best stake."""
    stake = stakes(p, q, c, delta)
    chances = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    logs = [np.log1p(stake * z) for z in (1 - c - delta, 1 - delta, -c - delta, -delta)]
    mean = sum(w * x for w, x in zip(chances, logs, strict=True))
    square = sum(w * x * x for w, x in zip(chances, logs, strict=True))
    return np.asarray(mean), np.asarray(square - mean * mean)


def rough_growth(p: Floats, q: Floats, c: Floats, delta: Floats) -> Floats:
    """The mean alone, at the stake EZ/EZ² that is best for small ones: quick, and never too large."""
    chances = [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]
    gains = [1 - c - delta, 1 - delta, -c - delta, -delta]
    mean = sum(w * z for w, z in zip(chances, gains, strict=True))
    square = sum(w * z * z for w, z in zip(chances, gains, strict=True))
    stake = np.clip(mean / np.maximum(square, 1e-300), 0.0, BOLDEST / (c + delta))
    logs = sum(w * np.log1p(stake * z) for w, z in zip(chances, gains, strict=True))
    return np.maximum(logs, 0.0)


def promises(p: Floats, q: Floats, size: Floats | float, level: Level) -> Floats:
    """By how much a bet would grow in logarithms if these shares of ``size`` outputs were probabilities.

    What was not seen counts as half an output, and what was seen less than FEWEST_RARE times as nothing.
    """
    lines = np.array([level.line(level.bound, (float(a), float(b))) for a, b in zip(p, q, strict=True)])
    smooth = [(size * share + 0.5) / (size + 1) for share in (p, q)]
    mean = rough_growth(*smooth, *lines.reshape(-1, 2).T)
    return np.where(size * p >= FEWEST_RARE - 0.5, mean, 0.0)


@dataclass
class Wager:
    """All batches of one event, and the guess of P and Q that the first stake rests on.

    expected: (p, q), known before the first batch; weight: how many pairs it counts for. Levels beyond
    the one that is audited are bet against with the same batches: each level's fortune is a function of
    them that was fixed beforehand.
    """

    level: Level
    expected: tuple[float, float]
    weight: float
    batches: list[Batch] = field(default_factory=list)

    def add(self, batch: Batch) -> None:
        """One more batch of pairs."""
        self.batches.append(batch)

    def fortune(self, leasts: Floats) -> Floats:
        """The logarithm of the largest fortune so far, for each least ε or μ that is bet against."""
        if not self.batches:
            return np.zeros(leasts.shape)
        seen = np.array(self.batches, dtype=np.float64)
        before = np.cumsum(seen, axis=0) - seen
        total = before.sum(axis=1) + self.weight + 1
        p, q = (
            (before[:, 0] + before[:, other] + self.weight * guess + 0.5) / total
            for other, guess in zip((1, 2), self.expected, strict=True)
        )
        lines: list[Line] = [self.level.line(float(one), self.expected) for one in leasts]
        c, delta = (np.array([line[i] for line in lines])[:, None] for i in (0, 1))
        stake = stakes(p[None, :], q[None, :], c, delta)
        gains = [1 - c - delta, 1 - delta, -c - delta, -delta]
        logs = sum(seen[None, :, i] * np.log1p(stake * gains[i]) for i in range(4))
        return np.asarray(np.maximum.accumulate(np.cumsum(logs, axis=1), axis=1)[:, -1])

    def least(self, error: float) -> float:
        """A lower bound of the least ε or μ, wrong with probability at most ``error``; 0 for none.

        The levels of a fixed grid are gone through upwards to the first whose fortune stays below
        1/error, and the one before is the bound. It is too large only when the first level of the grid
        at which the laws comply was bet against with success.
        """
        bound, grid = 0.0, _grid(self.level.bound)
        for start in range(0, grid.size, AT_ONCE):
            levels = grid[start : start + AT_ONCE]
            refuted = self.fortune(levels) >= -np.log(error)
            if not refuted.all():
                first = int(np.argmin(refuted))
                return float(levels[first - 1]) if first else bound
            bound = float(levels[-1])
        return bound


def _grid(start: float) -> Floats:
    """Levels from ``start`` upwards, close together at first."""
    near = start * (1 + FINE[0]) ** np.arange(FINE[1])
    return np.concatenate([near, near[-1] * (1 + COARSE[0]) ** np.arange(1, COARSE[1])])
