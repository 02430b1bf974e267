"""Any threshold on a count, a size, a share: found wherever it lies, and told how it was looked for.

``python tests/proofs_check/audit/test_thresholds.py --runs 40`` audits mechanisms whose output changes where
a statistic of the true data passes a threshold that is drawn now, and tells what was found in which time;
``--correct`` audits correct ones instead.
"""

import argparse
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from establish import dp, edge, gedp, node, strong_er_ee, weak_er_ee
from establish.proofs_check.audit import AuditDefinition, audit
from establish.proofs_check.audit.gallery import ENTRIES
from establish.proofs_check.audit.grey.grey_box import replay_all
from establish.proofs_check.audit.question.mechanism import MAY_REFUSE, Mechanism
from establish.proofs_check.audit.scan.scan import scan


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
            + {"exact": np.zeros(size), "scale": 0.25 * noise, "step": noise + 20 * np.abs(noise).mean()}[
                self.change
            ]
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


OWN = np.random.default_rng(5)


class Below:
    """Counts below k are not shown."""

    def __init__(self, k, rng=None):
        self.k, self.rng = k, rng

    def sample(self, n, size, rng):
        return np.full(size, -1.0) if n < self.k else n + (self.rng or rng).laplace(0.0, 1.0, size)


def scanned(mechanism, definition, outputs=4_000_000):
    return scan(Mechanism(mechanism), definition, outputs, time.monotonic() + 300, seed=1)


def straddles(pair, statistic, at):
    low, high = sorted(map(STATISTICS_OF[statistic], pair))
    return low < at <= high


@pytest.mark.parametrize("k", [12, 17, 31, 613, 4567, 9999, 123_456])
def test_a_threshold_on_a_count_is_the_first_pair_that_a_scan_names(k):
    assert scanned(Below(k), dp(1)).pairs[0] == (k - 1, k)


def test_noise_that_is_added_alike_everywhere_names_nothing():
    assert scanned(Below(0), dp(1)).pairs == ()


@pytest.mark.few(2, 3)
@pytest.mark.parametrize(
    ("name", "statistic", "at", "change"),
    [
        ("strong", "the total", 61, "scale"),
        ("strong", "the share of the largest", 71.3, "below"),
        ("weak", "the share of the two largest", 83.7, "exact"),
        ("edge", "the share of the three largest", 77.7, "crash"),
        ("node", "the p% rule", 13.3, "below"),
        ("gedp", "the number of establishments", 7, "below"),
        ("gedp, close", "the largest", 2345, "step"),
        ("strong by attribute", "one attribute", 26, "cap"),
        ("records", "records a", 43, "crash"),
        ("substitution", "records a", 29, "below"),
    ],
)
def test_a_threshold_is_named_by_definition_and_statistic(name, statistic, at, change):
    pairs = scanned(Threshold(name, statistic, at, change), DEFINITIONS[name][0]).pairs
    assert any(straddles(pair, statistic, at) for pair in pairs)
    assert all(DEFINITIONS[name][0].related(*pair) for pair in pairs)


def test_a_mechanism_that_does_not_repeat_is_told_and_scanned_by_frequencies():
    seen = scanned(Below(2718, OWN), dp(1))
    assert seen.pairs[0] == (2717, 2718)
    assert "by frequencies, as equal generators give unequal outputs" in seen.words[0]


def test_a_scan_draws_no_more_than_it_may_and_says_how_far_it_came():
    mechanism = Mechanism(Below(5))
    seen = scan(mechanism, dp(1), 4000, time.monotonic() + 300, seed=1)
    assert 2000 < mechanism.drawn <= 4000
    assert "wider apart" in seen.words[0]
    assert seen.pairs[0] == (4, 5)


@dataclass(frozen=True)
class Refuses:
    """Below a threshold the count is not shown; more than so many workers are refused."""

    at: int
    most: int

    def sample(self, n: int, size: int, rng: np.random.Generator) -> Any:
        if n > self.most:
            raise ValueError("too many")
        return np.zeros(size) if n < self.at else n + rng.laplace(0, 1, size)


@pytest.mark.parametrize("most", [60_000, 10**6, 10**9])
def test_a_mechanism_that_refuses_large_counts_is_looked_along_below_them(most):
    mechanism = Mechanism(Refuses(4321, most))
    mechanism.refuses_from = MAY_REFUSE
    seen = scan(mechanism, dp(1), 400_000, math.inf, seed=1)
    assert (4320, 4321) in seen.pairs
    assert "raised ValueError" in seen.words[0]


def test_a_report_says_which_counts_were_tried_and_which_were_only_scanned():
    result = audit(Below(0), dp(1), samples=1_500_000, seconds=math.inf)
    assert result.tried[0].startswith("the count: from 0 to 3")
    assert "the count: from 0 to 10,000 one by one, wider apart up to 4,294,967,296" in result.scanned[0]
    assert not audit(Below(0), dp(1), samples=20_000, pairs=[(0, 1)]).scanned, "who lists pairs gets those"


def test_an_audit_finds_the_threshold_that_the_scan_names():
    result = audit(Below(2718), dp(1), samples=300_000, seconds=math.inf)
    assert result.violated
    assert set(result.pair) == {2717, 2718}


def test_a_replay_finds_it_too():
    done = replay_all(Below(1618), dp(1), seconds=30)
    assert any(set(pair) == {1617, 1618} for pair, _ in done.faults)
    assert done.scanned


def test_rounding_before_the_noise_is_named_at_an_edge():
    class Rounded:
        def sample(self, d, size, rng):
            return 5 * round(sum(d) / 5) + rng.laplace(0.0, 1.0, size)

    first = scanned(Rounded(), edge(1)).pairs[0]
    assert {round(sum(d) / 5) for d in first} == {0, 1} or abs(sum(first[0]) - sum(first[1])) == 1


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("seed", [20261136, *range(6)])
def test_some_thresholds_that_were_drawn_once_are_found(seed):
    mechanism, definition = drawn(seed)
    assert audit(mechanism, definition, samples=3_000_000, seconds=300, seed=seed).violated, mechanism


@pytest.mark.campaign
def test_thresholds_that_are_drawn_now_are_found():
    start = random.SystemRandom().randrange(10**9)
    missed = []
    for seed in range(start, start + 40):
        mechanism, definition = drawn(seed)
        if not audit(mechanism, definition, samples=3_000_000, seconds=300, seed=seed).violated:
            missed.append((seed, mechanism))
    assert not missed


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("number", range(0, 200, 25))
def test_some_correct_mechanisms_are_not_accused(number):
    # One audit raises a false alarm with probability at most 1e-9, by its own bound.
    mechanism, definition, name = correct(number)
    assert not audit(mechanism, definition, samples=200_000, seconds=20, seed=number).violated, name


@pytest.mark.campaign
def test_two_hundred_correct_mechanisms_are_not_accused():
    for number in range(200):
        mechanism, definition, name = correct(number)
        assert not audit(mechanism, definition, samples=1_000_000, seconds=300, seed=number).violated, name


def main() -> int:
    parser = argparse.ArgumentParser(description="Audit mechanisms with thresholds.")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**9))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--correct", action="store_true")
    asked = parser.parse_args()
    wrong = 0
    for number in range(asked.first, asked.first + asked.runs):
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
