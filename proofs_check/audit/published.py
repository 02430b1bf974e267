"""The published suite: what we prove of it beside what others published, and the true losses.

``python -m establish.proofs_check.audit.published`` runs all of it. Each row searches the pairs of the suite
for the event with the best bound, and then tests that event on fresh outputs, whose number is fixed before:
Clopper–Pearson bounds of the two probabilities share the error equally, so that a bound on ε is too large
with at most that probability.
"""

import argparse
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import numpy as np
from scipy.stats import norm

from establish.proofs_check.audit.black.confidence import ERROR, lower, upper
from establish.proofs_check.audit.black.confirm import Candidate
from establish.proofs_check.audit.black.samples import AT_ONCE, Samples
from establish.proofs_check.audit.black.sharpen import CHECKED, expected, sharpest
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.gallery.published_losses import TRUE
from establish.proofs_check.audit.question.level import Approximate
from establish.proofs_check.audit.question.mechanism import Mechanism
from establish.proofs_check.audit.question.result import Pair
from establish.proofs_check.engine import processes
from establish.spec.arithmetic import ARB, enclosing

THEIR_ERROR = 0.05
"""The error of the published bounds."""

OUTPUTS = 200_000_000
"""Fresh outputs of each dataset in the published runs, and here unless asked otherwise."""

SCANNED = (0.02, 0.04)
"""The shares of that number that each pair is learned from, and compared on; at most MOST."""

CLOSER = (0.05, 0.3)
"""The same for the best pair."""

MOST = 4_000_000

COMPARED = 0.2
"""The share on which the best events of both looks at a pair are compared: the best of many flatters."""

TRUSTED = 256
"""Bits in which true losses are enclosed."""


@dataclass(frozen=True)
class Peers:
    """Lower bounds on ε at 5% that were published: DP-Sniper's (logistic regression), from 2·10^8 outputs of
    each dataset, and those that its authors obtained from StatDP's events; None where there is none."""

    sniper: float
    statdp: float | None


PEERS = {
    "report noisy max 1": Peers(0.0923, 0.0920),
    "report noisy max 2": Peers(0.0975, 0.0996),
    "report noisy max 3": Peers(0.2478, 0.1991),
    "report noisy max 4": Peers(0.3463, 0.1960),
    "noisy histogram 1": Peers(0.0978, 0.0828),
    "noisy histogram 2": Peers(4.6020, 9.7169),
    "prefix sums": Peers(0.5040, 0.3516),
    "noisy sums": Peers(0.0350, 0.0126),
    "RAPPOR": Peers(0.2930, 0.2416),
    "one-time RAPPOR": Peers(0.5978, 0.4706),
    "truncated geometric": Peers(0.1156, 0.1159),
    "SVT1": Peers(0.0858, 0.0298),
    "SVT2": Peers(0.0859, 0.0316),
    "SVT3": Peers(0.1716, 0.0231),
    "SVT4": Peers(0.1687, 0.1709),
    "SVT5": Peers(1.7612, 14.3143),
    "SVT6": Peers(0.2720, 0.3220),
    "numerical SVT": Peers(0.0343, None),
}
"""From the logs published with Bichsel et al. 2021, first run of StatDP, to four digits."""


@dataclass(frozen=True)
class Row:
    """One mechanism: bounds on ε at 5% and at 1e-9 from the same outputs, each for an event of its own.

    outputs: fresh ones of each dataset; enough: how many would about show DP-Sniper's bound at 1e-9, None
    where the event shows less however many are drawn. pair, event, shares: of the first bound.
    """

    name: str
    at_five: float
    at_ours: float
    outputs: int
    enough: int | None
    seconds: float
    pair: Pair
    event: str
    shares: tuple[float, float]


def row(name: str, outputs: int = OUTPUTS, seed: int = 0) -> Row:
    """Search and test one mechanism of the suite."""
    start = time.perf_counter()
    entry = ENTRIES[name]
    level = entry.definition.level
    assert isinstance(level, Approximate), "the suite claims a pure ε"
    samples = Samples(Mechanism(entry.mechanism), np.random.default_rng(seed), low_bits=False)
    errors = THEIR_ERROR, ERROR
    chosen = _chosen(entry.definition.listed(), level, samples, outputs, errors)
    bounds = []
    for error, (p, q) in zip(errors, _counts(chosen, samples, outputs), strict=True):
        sure = lower(p, outputs, error / 2), upper(q, outputs, error / 2)
        bounds.append((level.least(*sure), p / outputs, q / outputs))
    five, ours = bounds
    return Row(
        name,
        five[0],
        ours[0],
        outputs,
        enough(ours[1], ours[2], PEERS[name].sniper),
        time.perf_counter() - start,
        chosen[0].pair,
        str(chosen[0].event),
        (five[1], five[2]),
    )


def enough(p: float, q: float, least: float) -> int | None:
    """About how many outputs of each law show ``least`` at our error, by the delta method on ln(P/Q)."""
    if not p or not q:
        return None
    gap, z = math.log(p / q) - least, float(norm.isf(ERROR / 2))
    return math.ceil(((1 - p) / p + (1 - q) / q) * (z / gap) ** 2) if gap > 0 else None


def _chosen(
    pairs: Sequence[Pair], level: Approximate, samples: Samples, outputs: int, errors: tuple[float, float]
) -> tuple[Candidate, ...]:
    """For each error the best event of two looks at the pair that the first of them finds best."""
    deviations = [float(norm.isf(error / 2)) for error in errors]

    def best(pair: Pair, sizes: tuple[float, float]) -> tuple[Candidate, ...]:
        learned, scored = (min(int(share * outputs), MOST) for share in sizes)
        return sharpest(pair, level, samples, outputs, deviations, learned, scored)

    first = max((best(pair, SCANNED) for pair in pairs), key=lambda found: found[0].least)
    found = (*first, *best(first[0].pair, CLOSER))
    size = max(1, int(COMPARED * outputs))
    p, q = np.array(_counts(found, samples, size)).T / size
    bounds = [expected(level, p, q, size, outputs, z, CHECKED) for z in deviations]
    return tuple(found[int(np.argmax(each))] for each in bounds)


def _counts(chosen: Sequence[Candidate], samples: Samples, outputs: int) -> list[tuple[int, int]]:
    """How often each event occurs among the same fresh outputs of its two datasets."""
    counts = np.zeros((len(chosen), 2), dtype=np.int64)
    first = chosen[0]
    for start in range(0, outputs, AT_ONCE):
        part = min(AT_ONCE, outputs - start)
        drawn = samples.fresh(first.pair, first.grid, part)
        for at, one in enumerate(chosen):
            sides = drawn if one.pair == first.pair else drawn[::-1]
            counts[at] += [int(one.event.holds(side).sum()) for side in sides]
    return [(int(p), int(q)) for p, q in counts]


def true_loss(name: str) -> float:
    """The true loss on the suite's pairs, to the last digit of a float; infinite where it is."""
    exact = TRUE[name]
    if exact is None:
        return math.inf
    with enclosing(TRUSTED):
        return float(exact(ARB))


def table(rows: Sequence[Row]) -> str:
    """The rows as text."""
    lines = [
        f"{'':20}{'true':>9}{'ours, 5%':>10}{'Sniper':>9}{'StatDP':>9}{'ours, 1e-9':>12}"
        f"{'outputs':>10}{'enough':>10}{'seconds':>9}"
    ]
    for one in rows:
        peers = PEERS[one.name]
        statdp = "" if peers.statdp is None else f"{peers.statdp:.4f}"
        needed = "" if one.enough is None else f"{one.enough:.2g}"
        lines.append(
            f"{one.name:20}{true_loss(one.name):>9.4f}{one.at_five:>10.4f}{peers.sniper:>9.4f}{statdp:>9}"
            f"{one.at_ours:>12.4f}{one.outputs:>10.2g}{needed:>10}{one.seconds:>9.0f}"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the published suite.")
    parser.add_argument("names", nargs="*", help="only these rows")
    parser.add_argument("--outputs", type=float, default=OUTPUTS, help="fresh ones per dataset")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    work = partial(row, outputs=int(asked.outputs), seed=asked.seed)
    names = asked.names or list(PEERS)
    rows = []
    with processes.pool(asked.jobs, get_context("spawn")) as pool:
        for done in processes.submitted(pool, work, zip(names)):
            one = done.result()
            rows.append(one)
            print(f"{one.name}: {one.pair}: {one.event}, {one.shares}", flush=True)
    print(table(rows))


if __name__ == "__main__":
    main()
