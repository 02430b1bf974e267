"""Mechanisms whose output changes where a statistic of the true data passes a threshold, drawn at random.

``python tests/proofs_check/audit/drawn_thresholds.py --runs 40 --seed 7`` audits so many of them, and tells
what was found, in which time; ``--correct`` audits correct ones instead.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from establish.proofs_check.audit import (
    AuditDefinition,
    audit,
    dp,
    edge,
    gedp,
    node,
    strong_er_ee,
    weak_er_ee,
)
from establish.proofs_check.audit.gallery import ENTRIES


def total(d: Any) -> float:
    """What a dataset holds in all; a record counts 1."""
    if isinstance(d, str):
        return 1
    return sum(map(total, d)) if isinstance(d, tuple) else d


def sizes(d: Any) -> list[float]:
    return sorted(map(total, d))


def dominance(d: Any, largest: int) -> float:
    """What share the largest have, in percent, of a cell of three establishments or more."""
    ordered = [x for x in sizes(d) if x]
    return 100 * sum(ordered[-largest:]) / sum(ordered) if len(ordered) >= 3 else 0.0


def remainder(d: Any) -> float:
    """What all but the two largest have, in percent of the largest."""
    ordered = [x for x in sizes(d) if x]
    return 100 * sum(ordered[:-2]) / ordered[-1] if len(ordered) >= 3 else 0.0


def count(least: float = 2, most: float = 10_000) -> Callable[[random.Random], float]:
    return lambda r: round(np.exp(r.uniform(np.log(least), np.log(most))))


def percent(least: float, most: float) -> Callable[[random.Random], float]:
    return lambda r: r.uniform(least, most)


STATISTICS: dict[str, tuple[Callable[[Any], float], Callable[[random.Random], float]]] = {
    "the total": (total, count()),
    "the largest": (lambda d: max(map(total, d), default=0), count()),
    "the number of establishments": (lambda d: sum(total(x) > 0 for x in d), count()),
    "the share of the largest": (lambda d: dominance(d, 1), percent(40, 98)),
    "the share of the two largest": (lambda d: dominance(d, 2), percent(52, 98)),
    "the share of the three largest": (lambda d: dominance(d, 3), percent(62, 98)),
    "the p% rule": (remainder, percent(1, 45)),
}

ATTRIBUTE = {"one attribute": (lambda d: max((x[0] for x in d), default=0), count())}
KIND = {"records a": (lambda d: d.count("a"), count())}
TOTAL = {"the total": STATISTICS["the total"]}
BY_VALUE = {name: one for name, one in STATISTICS.items() if "number" not in name}

DEFINITIONS: dict[str, tuple[AuditDefinition, dict[str, Any]]] = {
    "dp": (dp(1), TOTAL),
    "records": (dp(1, records=("a", "b")), TOTAL | KIND),
    "substitution": (dp(1, 0, "substitution", ("a", "b")), KIND),
    "edge": (edge(1), STATISTICS),
    "edge with δ": (edge(1, "1/1000"), STATISTICS),
    "node": (node(1), STATISTICS),
    "strong": (strong_er_ee("1/10", 1), STATISTICS),
    "strong by attribute": (strong_er_ee("1/10", 1, attributes=2), STATISTICS | ATTRIBUTE),
    "weak": (weak_er_ee("1/10", 1), STATISTICS),
    "weak by attribute": (weak_er_ee("1/10", 1, attributes=3), STATISTICS | ATTRIBUTE),
    "gedp": (gedp(1), STATISTICS),
    "gedp, close": (gedp(1, "sqrt", "1/2"), BY_VALUE),
    "gedp, log": (gedp(1, "log", "1/10"), BY_VALUE),
}

CHANGES = ("below", "cap", "exact", "scale", "step", "crash")


@dataclass
class Threshold:
    """Noise of the claimed level below the threshold, and something else from there on, or before."""

    definition: str
    statistic: str
    at: float
    change: str

    def sample(self, d: Any, size: int, rng: np.random.Generator) -> Any:
        n, passed = total(d), STATISTICS_OF[self.statistic](d) >= self.at
        if self.definition.startswith("gedp"):
            center, noise = np.sqrt(n), rng.normal(0.0, 1.0, size)
        elif self.definition.startswith(("strong", "weak")):
            center, noise = np.log(n + 10), rng.laplace(0.0, 0.0954, size)
        else:
            center, noise = float(n), rng.laplace(0.0, 1.0, size)
        if self.change == "below":
            return np.full(size, -1.0) if not passed else center + noise
        if not passed:
            return center + noise
        if self.change == "crash":
            raise ValueError("beyond the threshold")
        if self.change == "cap":
            return np.full(size, 7.0)
        return (
            center
            + {"exact": 0.0, "scale": 0.25 * noise, "step": noise + 20 * np.abs(noise).mean()}[self.change]
        )


STATISTICS_OF = {name: one for name, (one, _) in (STATISTICS | ATTRIBUTE | KIND).items()}


def drawn(seed: int, definitions: tuple[str, ...] = tuple(DEFINITIONS)) -> tuple[Threshold, AuditDefinition]:
    """A mechanism with a threshold, and the definition that it breaks."""
    r = random.Random(seed)
    name = r.choice(definitions)
    definition, statistics = DEFINITIONS[name]
    statistic = r.choice(sorted(statistics))
    return Threshold(name, statistic, statistics[statistic][1](r), r.choice(CHANGES)), definition


class Varied:
    """A correct mechanism after a function of its outputs alone."""

    def __init__(self, mechanism: Any, seed: int) -> None:
        self.mechanism = mechanism
        r = random.Random(seed)
        self.digits, self.cut, self.factor = (
            r.choice((None, 0, 1, -1)),
            r.choice((None, 5.0, 50.0)),
            r.uniform(0.5, 9),
        )

    def sample(self, d: Any, size: int, rng: np.random.Generator) -> Any:
        outputs = np.asarray(self.mechanism.sample(d, size, rng), dtype=float) * self.factor
        if self.cut is not None:
            outputs = np.where(outputs < self.cut, -1.0, outputs)
        return outputs if self.digits is None else np.round(outputs, self.digits)


def correct(seed: int) -> tuple[Any, AuditDefinition, str]:
    """An entry of the gallery that keeps its claim, as it is or after a function of its outputs."""
    entries = [entry for entry in ENTRIES.values() if entry.correct]
    entry = entries[seed % len(entries)]
    varied = seed >= len(entries)
    return Varied(entry.mechanism, seed) if varied else entry.mechanism, entry.definition, entry.name


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--correct", action="store_true")
    asked = parser.parse_args()
    wrong = 0
    for number in range(asked.runs):
        start, busy = time.monotonic(), time.process_time()
        if asked.correct:
            mechanism, definition, words = correct(number)
        else:
            mechanism, definition = drawn(asked.seed + number)
            words = str(mechanism)
        result = audit(
            mechanism, definition, seconds=asked.seconds, samples=3_000_000, seed=asked.seed + number
        )
        bad = result.violated == asked.correct
        wrong += bad
        took = f"{time.monotonic() - start:.1f} s, {time.process_time() - busy:.1f} s of computation"
        print("WRONG" if bad else "fine", words, result.outcome, took, result.samples, flush=True)
    print(f"seed {asked.seed}: {wrong} of {asked.runs} came out wrong")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
