"""What is looked at in an output: coordinates, what two of them have in common, and learned scores."""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from scipy.spatial import cKDTree

from establish.proofs_check.audit.black.events import Feature, number
from establish.proofs_check.audit.black.lattice import Lattice, found_in
from establish.proofs_check.audit.black.tables import table_score
from establish.proofs_check.audit.question.level import Floats
from establish.proofs_check.audit.question.outcomes import signs

MOST_COORDINATES = 64
"""So many coordinates are looked at one by one."""

MOST_JOINT = 256
"""Among so many coordinates directions take account of what they have in common, and outputs have distances;
the work grows with the cube of their number, or with all of them.
"""

MOST_TOLD = 16
"""So many terms of a learned direction are written out, the heaviest."""

MOST_PAIRED = 4
"""Sums, differences and ratios are taken among the first coordinates, this many."""

LANDMARKS = 256
"""So many outputs of each law serve as landmarks of the nearest-neighbor score."""

SLOW_ROWS = 2000
"""Outputs of each law that this score is learned from, and scored on: it is slow."""

FEWEST_SCORED = 100
"""From fewer outputs no score of several numbers is learned: it would be noise."""

FEWEST_COMBINED = 2000
"""From fewer outputs no score of combinations is learned: the noise of more features costs power."""

FAR = 1e100
"""Values beyond are read as this where a feature needs arithmetic."""

MEASURED = 1 << 15
"""From so many outputs of each law spreads and quantiles are taken: more make no difference."""

BINS = 24
"""Bins per coordinate of the likelihood-ratio score."""


def features(p: Floats, q: Floats) -> list[Feature]:
    """Features for telling outputs like the rows of p from outputs like the rows of q."""
    found = list(_plain(p.shape[1]))
    found += [_to_lattice(column, p.shape[1], lattice) for column, lattice in _lattices(p, q)]
    if p.shape[1] > 1:
        found.append(_linear(p, q))
    if p.shape[1] > 1 and len(p) >= FEWEST_SCORED:
        found.append(_likelihood_score(p, q))
        if p.shape[1] <= MOST_JOINT:
            found.append(_nearest(p, q))
    if p.shape[1] > 1 and len(p) >= FEWEST_COMBINED:
        found += filter(None, (table_score(p, q), _increments(p, q)))
    return found


def coordinate(column: int, width: int) -> Feature:
    """The output itself, or one of its coordinates."""
    words = "output" if width == 1 else f"output[{column}]"
    return Feature(words, lambda x: x[:, column])


def _plain(width: int) -> Iterator[Feature]:
    for column in range(min(width, MOST_COORDINATES)):
        yield coordinate(column, width)
    for i, j in combinations(range(min(width, MOST_PAIRED)), 2):
        a, b = f"output[{i}]", f"output[{j}]"
        yield Feature(f"{a} − {b}", _calm(lambda x, i=i, j=j: x[:, i] - x[:, j]), 1)
        yield Feature(f"{a} + {b}", _calm(lambda x, i=i, j=j: x[:, i] + x[:, j]), 1)
        yield Feature(f"{a} / {b}", _calm(lambda x, i=i, j=j: x[:, i] / x[:, j]), 1)
    if width > MOST_PAIRED:
        yield Feature("the sum of the output", _calm(lambda x: x.sum(axis=1)), 1)


def granularity(column: int, width: int) -> Feature:
    """The exponent of the largest power of 2 that divides the output, 1100 for 0: its low bits."""

    def exponent(x: Floats) -> Floats:
        mantissa, power = np.frexp(x[:, column])
        bits = np.abs(np.ldexp(np.nan_to_num(mantissa, posinf=0.0, neginf=0.0), 53)).astype(np.int64)
        lowest = np.where(bits == 0, 1, bits & -bits)
        return np.where(bits == 0, 1100.0, power - 53.0 + np.log2(lowest))

    words = coordinate(column, width).words
    return Feature(f"log2 of the largest power of 2 that divides {words}", exponent, 1)


def _calm(value: Callable[..., Floats]) -> Callable[[Floats], Floats]:
    """``value`` with 0 for what is not defined, such as ∞ − ∞ or a sum with what is no number."""

    def calm(x: Floats) -> Floats:
        strange = signs(x)
        x = np.where(strange, np.nan, x) if strange.any() else x
        with np.errstate(all="ignore"):
            return np.nan_to_num(value(x), nan=0.0, posinf=np.inf, neginf=-np.inf)

    return calm


def _lattices(p: Floats, q: Floats) -> Iterator[tuple[int, Lattice]]:
    for column in range(min(p.shape[1], MOST_PAIRED)):
        known = {lattice for side in (p, q) if (lattice := found_in(side[:, column]))}
        yield from ((column, lattice) for lattice in sorted(known))


def _to_lattice(column: int, width: int, lattice: Lattice) -> Feature:
    name = coordinate(column, width).words
    sides = f"{name} lies on {lattice}", f"{name} does not lie on {lattice}"
    return Feature(name, lambda x: lattice.missed(x[:, column]), 1, sides=sides)


def _linear(p: Floats, q: Floats) -> Feature:
    """Fisher's discriminant direction, on clipped values so that heavy tails do not decide it."""
    both = np.concatenate([p[:MEASURED], q[:MEASURED]])
    low, high = np.quantile(both, [0.02, 0.98], axis=0, method="nearest")
    clipped = [np.clip(side, np.maximum(low, -FAR), np.minimum(high, FAR)) for side in (p, q)]
    gap = clipped[0].mean(axis=0) - clipped[1].mean(axis=0)
    if p.shape[1] > MOST_JOINT:
        alone = sum(side.var(axis=0) for side in clipped)
        weights = gap / np.where(alone > 0, alone, 1.0)
    else:
        within = sum(np.cov(side, rowvar=False) for side in clipped)
        spread = np.where(np.diag(within) > 0, np.diag(within), 1.0)
        weights = np.linalg.lstsq(within + np.diag(spread) * 1e-9, gap, rcond=None)[0]
    largest = np.abs(weights).max()
    weights = np.round(weights / largest, 4) if largest > 0 else weights
    return Feature(_told(weights) or "0", _calm(lambda x: np.asarray(x @ weights)), 2)


def _told(weights: Floats) -> str:
    heaviest = sorted(np.argsort(-np.abs(weights), kind="stable")[:MOST_TOLD])
    left = np.count_nonzero(weights) - np.count_nonzero(weights[heaviest])
    terms = [f"{number(float(weights[i]))}·output[{i}]" for i in heaviest if weights[i]]
    return " + ".join([*terms, *([f"{left} smaller terms"] if left else [])])


def _increments(p: Floats, q: Floats) -> Feature:
    """The same for what each coordinate adds to the one before, as in running totals."""
    steps = _calm(lambda x: np.diff(x, axis=1, prepend=0.0))
    score = _likelihood_score(steps(p), steps(q))
    return Feature(
        "the learned log likelihood ratio, difference by difference,", lambda x: score.of(steps(x)), 3
    )


def _likelihood_score(p: Floats, q: Floats) -> Feature:
    """The sum over the coordinates of the logarithm of the ratio of two histograms."""
    tables = []
    for column in range(min(p.shape[1], MOST_COORDINATES)):
        edges = np.unique(
            np.quantile(
                np.concatenate([p[:MEASURED, column], q[:MEASURED, column]]),
                np.linspace(0, 1, BINS + 1),
                method="nearest",
            )
        )[1:]
        shares = []
        for side in (p, q):
            held = np.bincount(np.searchsorted(edges, side[:, column]), minlength=edges.size + 1)
            shares.append((held + 0.5) / (len(side) + 0.5 * held.size))
        tables.append((edges, np.log(shares[0] / shares[1])))

    def score(x: Floats) -> Floats:
        total = np.zeros(len(x))
        for j, (edges, logs) in enumerate(tables):
            total += logs[np.searchsorted(edges, x[:, j])]
        return total

    return Feature("the learned log likelihood ratio, coordinate by coordinate,", score, 3)


def _nearest(p: Floats, q: Floats) -> Feature:
    """How much closer an output lies to earlier outputs of the second law than to the first's."""
    both = np.concatenate([p, q])
    low, high = np.quantile(both, [0.1, 0.9], axis=0, method="nearest")
    low, high = np.clip(low, -FAR, FAR), np.clip(high, -FAR, FAR)
    center, width = (low + high) / 2, np.where(high > low, high - low, 1.0)

    def flat(x: Floats) -> Floats:
        scaled = (np.clip(x, -FAR, FAR) - center) / width
        return np.asarray(np.arcsinh(2 * scaled))

    marks = min(LANDMARKS, len(p) // 3)
    trees = [cKDTree(flat(side[:marks])) for side in (p, q)]

    def score(x: Floats) -> Floats:
        near = [tree.query(flat(x))[0] + 1e-12 for tree in trees]
        return np.asarray(np.log(near[1] / near[0]))

    words = "log(distance to outputs of the second law / of the first)"
    return Feature(words, score, 3, skip=marks, rows=SLOW_ROWS)


def resolution(p: Floats, q: Floats) -> Floats:
    """Per coordinate the power of 2 to which outputs are rounded: 2^-32 of their usual spread."""
    both = np.concatenate([p[:MEASURED], q[:MEASURED]])
    if (strange := signs(both)).any():
        columns = (x[~out, None] for x, out in zip(both.T, strange.T, strict=True))
        return np.concatenate([_resolution(x) for x in columns])
    return _resolution(both)


def _resolution(both: Floats) -> Floats:
    if not len(both):
        return np.ones(1)
    center = np.quantile(both, 0.5, axis=0, method="nearest")
    with np.errstate(all="ignore"):
        away = np.nan_to_num(np.abs(both - center), nan=0.0, posinf=np.inf)
    spread = np.quantile(away, 0.5, axis=0, method="nearest")
    spread = np.where(np.isfinite(spread) & (spread > 0), spread, np.abs(center) * 2.0**-8)
    spread = np.where(np.isfinite(spread) & (spread > 0), spread, 1.0)
    return np.asarray(2.0 ** (np.floor(np.log2(spread)) - 32))


def rounded(x: Floats, grid: Floats) -> Floats:
    """Every coordinate rounded to a multiple of its grid; infinities and what is no number stay."""
    with np.errstate(all="ignore"):
        near = np.round(x / grid) * grid
    return np.where(np.isfinite(near) & ~signs(x), near, x) + 0.0
