"""MOSE, as the Opportunity Atlas uses it (Schmutte 2020), on made-up groups: errors, and what is given away.

MOSE publishes for every group g a prediction of its regression line with Laplace noise of scale χ/(N_g·ε),
χ = max N_g·LS_g, and the scale with it. For each person the attacker knows all others, and asks whether the
person is in the data: where the exported scales differ with and without the person, the answer is certain, a
gain of ∞. Where they do not, the gain is the largest log-ratio of the two Laplace laws, |θ − θ'|/scale.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.proofs_check.experiments.schmutte2020.exported_scales import same, summary
from establish.spec.regression.local import change_by_adding, change_by_removing
from establish.spec.regression.ols import Moments, line

EPSILON = Fraction(8)
"""The privacy loss of the Opportunity Atlas."""

RANKS = np.arange(101) / 100
"""Legal ranks and outcomes: hundredths."""

AT = 0.25
"""The rank at which lines are read: children of low-income parents."""

MOMENTS = 5
"""Count, Σx, Σy, Σx², Σxy: one person moves each by 1 at most."""


@dataclass(frozen=True)
class PredictionRow:
    """One way to publish the predictions. error: the median over groups of the mean size of the error.

    told: the share of persons of whom an attacker learns for certain that they are there. gain: the largest
    over all persons; rest: over those who are not told. promise: what bounds the gain for every dataset, ∞
    for nothing.
    """

    way: str
    groups: int
    persons: int
    error: float
    told: float
    gain: float
    rest: float
    promise: float


@dataclass(frozen=True)
class GroupRow:
    """One group: its size, its local sensitivity, and the mean size of the error of each way."""

    size: int
    local_sensitivity: float
    prediction: float
    mose: float
    clamped: float
    moments: float


@dataclass(frozen=True, eq=False)
class Group:
    """Persons of one group: ranks and outcomes."""

    ranks: Floats
    outcomes: Floats

    @property
    def moments(self) -> Moments:
        x, y = self.ranks, self.outcomes
        sums = (float(x.size), x.sum(), y.sum(), (x * x).sum(), (x * y).sum())
        return Moments(*map(float, sums))

    def without(self) -> Moments:
        """The sums with each person left out in turn, as arrays."""
        x, y = self.ranks, self.outcomes
        one = (np.ones(x.size), x, y, x * x, x * y)
        return Moments(*(total - part for total, part in zip(self.moments, one, strict=True)))


def predicted(of: Moments) -> Floats:
    """θ at the rank AT, one or many; where all ranks are equal not a number."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(line(of).at(AT))


def local_sensitivity(of: Moments, ranks: Floats, outcomes: Floats) -> float:
    """The largest change by one person more, at a legal point, or one less (spec/regression/local)."""
    added = max(float(np.abs(np.asarray(change_by_adding(of, AT, RANKS, y))).max()) for y in (0.0, 1.0))
    removed = np.abs(np.asarray(change_by_removing(of, AT, ranks, outcomes)))
    return max(added, float(removed.max()))


def groups(number: int, seed: int) -> list[Group]:
    """Groups of 20 to some hundreds, as tracts by race and gender: outcomes rise with the parents' rank."""
    rng = np.random.default_rng([seed, 12])
    sizes = 20 + np.floor(np.exp(rng.normal(3.5, 0.9, number))).astype(np.int64)
    found = []
    for size in sizes:
        ranks = np.rint(100 * rng.beta(1.2, 1.2 + 2 * rng.random(), size)) / 100
        level, slope = 0.3 + 0.1 * rng.standard_normal(), 0.35 + 0.1 * rng.standard_normal()
        outcomes = level + slope * ranks + 0.25 * rng.standard_normal(size)
        found.append(Group(ranks, np.rint(100 * outcomes.clip(0, 1)) / 100))
    return found


def mose(
    data: list[Group], *, seed: int, trials: int, progress: Callable[[], None] = lambda: None
) -> tuple[list[PredictionRow], list[GroupRow]]:
    """MOSE as published, and with public sizes; then the repairs: clamped predictions, and noisy moments."""
    rng = np.random.default_rng([seed, 13])
    ε = float(EPSILON)
    sizes = np.array([g.ranks.size for g in data])
    local = np.array([local_sensitivity(g.moments, g.ranks, g.outcomes) for g in data])
    chi = float((sizes * local).max())
    center = np.array([float(predicted(g.moments)) for g in data])
    scale = chi / (sizes * ε)
    noise = rng.laplace(size=(trials, len(data)))
    clipped = center.clip(0, 1)
    moments = np.array([g.moments for g in data])
    noisy = moments + rng.laplace(scale=MOMENTS / ε, size=(trials, *moments.shape))
    errors = {
        "mose": np.abs(noise * scale).mean(axis=0),
        "clamped": np.abs(clipped + noise / ε - center).mean(axis=0),
        "moments": np.abs(_from_moments(noisy) - center).mean(axis=0),
    }
    exported = _exported(data, sizes, local, chi, scale, progress)
    persons = int(sizes.sum())

    def row(way: str, error: str, gains: Floats, promise: float) -> PredictionRow:
        median = float(np.median(errors[error]))
        return PredictionRow(way, len(data), persons, median, *summary(gains), promise)

    rows = [
        row("MOSE as published, own sizes", "mose", exported[0], inf),
        row("MOSE, sizes public", "mose", exported[1], inf),
        row("clamped prediction, scale 1/ε", "clamped", exported[2], ε),
        row("noisy moments, scale 5/ε each", "moments", exported[3], ε),
    ]
    by_group = [
        GroupRow(*values)
        for values in zip(
            sizes.tolist(), local.tolist(), center.tolist(), *(e.tolist() for e in errors.values()),
            strict=True,
        )
    ]  # fmt: skip
    return rows, by_group


def _from_moments(noisy: Floats) -> Floats:
    """The line through noisy sums at AT, moved into [0, 1]; 1/2 where it has none."""
    found = predicted(Moments(*np.moveaxis(noisy, -1, 0)))
    return np.where(np.isfinite(found), found, 0.5).clip(0, 1)


def _exported(
    data: list[Group], sizes: Integers, local: Floats, chi: float, scale: Floats, progress: Callable[[], None]
) -> Floats:
    """By way and person: what the attacker gains, ∞ where the exported scales differ without the person.

    The ways: own sizes, public sizes, clamped predictions, noisy moments. Own sizes change χ/N_g unless χ
    changes in proportion.
    """
    ε = float(EPSILON)
    found = []
    for g, group in enumerate(data):
        n = int(sizes[g])
        rest = float(np.delete(sizes * local, g).max(initial=0.0))
        left = group.without()
        here, there = predicted(group.moments), predicted(left)
        for i in range(n):
            own = Moments(*(float(part[i]) for part in left))
            ranks, outcomes = np.delete(group.ranks, i), np.delete(group.outcomes, i)
            other = max(rest, (n - 1) * local_sensitivity(own, ranks, outcomes))
            moved = float(abs(there[i] - here)) / scale[g]
            clipped = float(abs(there[i].clip(0, 1) - here.clip(0, 1))) * ε
            x, y = group.ranks[i], group.outcomes[i]
            moments = float(1 + x + y + x * x + x * y) * ε / MOMENTS
            found.append(
                (
                    moved if same(other / (n - 1), chi / n) else inf,
                    moved if same(other, chi) else inf,
                    clipped,
                    moments,
                )
            )
        progress()
    return np.array(found).T
