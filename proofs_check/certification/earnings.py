"""The mechanisms for percentiles of earnings: what runs, drawn many times, against the specification.

Counts get two-sided geometric noise. Percentiles are functions of protected counts, or candidates that are
drawn. Laws are read at 50 digits; they share no code with the fast path of the samplers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, inf

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.earnings.bins import Bins, percentages
from establish.impl.earnings.chosen_by_size import BOUNDS, CHOICES, ChosenBySize, spending
from establish.impl.earnings.histogram_percentiles import HistogramPercentiles
from establish.impl.earnings.quantile_tree import Candidates, quantile_tree
from establish.impl.sampling.bits import Bits
from establish.proofs_check.certification.readings import (
    earnings_stated,
    public_laws_conform,
    readings_conform,
)
from establish.proofs_check.certification.subject import DRAWS, SEED, Case
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.methods.statistical import follows_discrete_law
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP, Number
from establish.spec.distributions import geometric
from establish.spec.earnings.chosen_by_size import SizeRule
from establish.spec.earnings.histogram import total_noise_mass
from establish.spec.earnings.quantile_tree import QuantileTree, levels

SHARES = percentages((25, 50, 75))

Law = Callable[[float], float]


def law_of(least: int, masses: list[float]) -> Law:
    """The distribution function of a law on the integers from ``least`` on."""
    through = [0.0, *accumulate(masses)]
    return lambda x: through[min(max(int(x) - least + 1, 0), len(masses))]


def ratio(epsilon: Fraction) -> Number:
    """ρ = e^(−ε)."""
    return MP.exp(-MP.number(epsilon))


def total_masses(counts: int, epsilon: Fraction, reach: int) -> list[float]:
    """The masses at −reach, …, reach of so many two-sided geometric noises together."""
    half = [float(total_noise_mass(k, counts, ratio(epsilon), MP)) for k in range(reach + 1)]
    return [*half[:0:-1], *half]


def histogram_conforms(epsilon: str, bins: int, post_process: str) -> Evidence:
    """Evidence that the released counts of cells of one person have the noise of all their bins."""
    edges = Bins(tuple(float(10_000 * k) for k in range(1, bins + 2)))
    mechanism = HistogramPercentiles(epsilon, edges, SHARES, post_process=post_process)
    cells = DRAWS // bins
    earned = np.full(cells, 15_000.0)
    released = mechanism.release(np.arange(cells), earned, cells, Bits.seeded(SEED))
    reach = ceil(60 / mechanism.epsilon)
    return follows_discrete_law(
        released.count - 1,
        law_of(-reach, total_masses(bins, mechanism.epsilon, reach)),
        1.0,
        f"{mechanism.name} (ε = {epsilon}, {post_process}) releases counts with {bins} two-sided geometric "
        "noises",
    )


def chances_of_classes(size: int, epsilon: Fraction) -> list[float]:
    """How likely each class of chosen-by-size is for cells of ``size`` records."""
    starts = [-inf, *(ceil(bound / epsilon) - size for bound in BOUNDS), inf]
    noise = ratio(epsilon * spending(0)[0])

    def below(start: float) -> Number:
        if start in (-inf, inf):
            return MP.number(int(start > 0))
        return geometric.cdf(int(start) - 1, noise, MP)

    return [float(below(end) - below(start)) for start, end in pairwise(starts)]


def chosen_counts_conform() -> Evidence:
    """Evidence that counts released by chosen-by-size have the law of its classes, mixed."""
    mechanism, reach = ChosenBySize(2, SHARES), 150
    released = mechanism.release(np.arange(DRAWS), np.full(DRAWS, 40_000.0), DRAWS, Bits.seeded(SEED))
    mixed = np.zeros(2 * reach + 1)
    for place, chance in enumerate(chances_of_classes(1, mechanism.epsilon)):
        choice = CHOICES[place]
        counts = 1 if choice is None else len(choice[0])
        budget = mechanism.epsilon * spending(place)[1]
        mixed += chance * np.array(total_masses(counts, budget, reach))
    return follows_discrete_law(
        released.count - 1,
        law_of(-reach, mixed.tolist()),
        1.0,
        f"{mechanism.name} (ε = 2) releases counts with the noise of the class that the noisy total picks",
    )


CELL = 600
"""Records of a cell that the last class releases at ε = 2 but with probability below 1e-12: its noisy total
would have to be 300 off."""

BATCH, BATCHES = 2_000, 10
"""Such cells at once, and how often."""


def last_class() -> tuple[Integers, Integers]:
    """The counts and the places of the drawn medians of many such cells."""
    mechanism, bits, values = ChosenBySize(2, SHARES), Bits.seeded(SEED), Candidates.log_normal()
    cells = np.repeat(np.arange(BATCH), CELL)
    earned = np.tile(_records(), BATCH)
    counts, places = [], []
    for _ in range(BATCHES):
        released = mechanism.release(cells, earned, BATCH, bits)
        counts.append(released.count)
        medians = released.percentiles.filled(0.0)[:, 1]
        places.append(np.searchsorted(values.values, medians).astype(np.int64))
    return np.concatenate(counts), np.concatenate(places)


def _records() -> Floats:
    """CELL whole dollars from 30,000 on, each 0.2% above the one before."""
    return np.round(30_000 * 1.002 ** np.arange(CELL))


def last_class_counts_conform() -> Evidence:
    """Evidence that the counts of the last class have noise with its share of ε."""
    budget = 2 * spending(len(CHOICES) - 1)[1]
    return follows_discrete_law(
        last_class()[0] - CELL,
        lambda k: float(geometric.cdf(int(k), ratio(budget), MP)),
        1.0,
        "chosen-by-size (ε = 2) releases the counts of its last class with their share of ε",
    )


def last_class_medians_conform() -> Evidence:
    """Evidence that the first percentile that is drawn in the last class has the law of the specification."""
    candidates = Candidates.log_normal()
    budget = 2 * spending(len(CHOICES) - 1)[2] / levels(len(SHARES))
    tree = _tree(candidates, budget)
    law = tree.draw([Fraction(e) for e in _records()], Fraction(1, 2), (0, len(tree.weights) - 1))
    return follows_discrete_law(
        last_class()[1],
        law_of(0, [float(law[place]) for place in range(len(law))]),
        1.0,
        "chosen-by-size (ε = 2) draws medians in its last class with their share of ε",
    )


def _tree(candidates: Candidates, epsilon: Fraction) -> QuantileTree:
    """The specification of the draws; epsilon: of one level."""
    return QuantileTree(
        [Fraction(value) for value in candidates.values.tolist()],
        [MP.number(Fraction(weight)) for weight in candidates.weights.tolist()],
        [Fraction(a, b) for a, b in SHARES],
        MP.exp(-MP.number(epsilon) / 2),
        MP,
    )


def picks_conform() -> Evidence:
    """Evidence that the class of every noisy total is the one that the rule of the specification picks."""
    rule = SizeRule(tuple(map(Fraction, BOUNDS)), tuple(range(len(BOUNDS) + 1)))
    totals = np.arange(-5, 2_000)

    def same(epsilon: str) -> bool:
        found = ChosenBySize(epsilon, SHARES).pick(totals).tolist()
        return bool(found == [rule.pick(total, epsilon) for total in totals.tolist()])

    return exhaustive.for_all(
        ("1/3", "7/10", "1", "2", "13/4"),
        same,
        "chosen-by-size picks the class of the specification",
        "noisy totals from −5 to 1999, five ε",
    )


def tree_conforms() -> Evidence:
    """Evidence that three percentiles drawn together have the law of the specification."""
    epsilon, earned = Fraction(2), [1, 3, 3, 5]
    candidates = Candidates(np.array([0.0, 2, 4, 6]), np.array([1.0, 2, 1, 3]))
    width = candidates.values.size
    below = np.tile(candidates.below(np.zeros(4, np.int64), np.array(earned, float), 1), (DRAWS, 1))
    drawn = quantile_tree(below, np.full(DRAWS, 4), candidates, SHARES, epsilon, Bits.seeded(SEED))
    digits = width ** np.arange(len(SHARES))[::-1]
    places = np.searchsorted(candidates.values, drawn) @ digits
    masses = [0.0] * width ** len(SHARES)
    for values, chance in _tree(candidates, epsilon / levels(len(SHARES))).output(earned).items():
        place = np.searchsorted(candidates.values, np.array(values, float)) @ digits
        masses[int(place)] = float(chance)
    return follows_discrete_law(
        places,
        law_of(0, masses),
        1.0,
        "the recursive exponential mechanism draws three percentiles of four records together (ε = 2)",
    )


_SPECIFIED = ("bins", "histogram", "percentiles", "post_processing")


def _modules(implementation: str, *specified: str) -> tuple[str, ...]:
    return (
        f"establish.impl.earnings.{implementation}",
        *(f"establish.spec.earnings.{name}" for name in (*_SPECIFIED, *specified)),
    )


def _of_histogram(epsilon: str, bins: int, post_process: str) -> Case:
    mechanism = HistogramPercentiles(epsilon, Bins((0.0, 1.0)), SHARES, post_process=post_process)
    return Case(
        mechanism.name,
        _modules("histogram_percentiles"),
        mechanism.rests_on,
        lambda: histogram_conforms(epsilon, bins, post_process),
    )


def _read(mechanism: str, modules: tuple[str, ...], *checks: Callable[[], Evidence]) -> list[Case]:
    return [Case(mechanism, modules, (), conforms) for conforms in checks]


CASES = (
    _of_histogram("1/3", 1, "none"),
    _of_histogram("1", 4, "clamp"),
    _of_histogram("2", 21, "isotonic"),
    *_read(HistogramPercentiles.name, _modules("histogram_percentiles"), readings_conform, earnings_stated),
    *_read(
        ChosenBySize.name,
        _modules("chosen_by_size", "chosen_by_size", "quantile_tree"),
        readings_conform,
        public_laws_conform,
        earnings_stated,
    ),
    *(
        Case(
            ChosenBySize.name,
            _modules("chosen_by_size", "chosen_by_size", "quantile_tree"),
            ChosenBySize(1, SHARES).rests_on,
            conforms,
        )
        for conforms in (
            picks_conform,
            chosen_counts_conform,
            last_class_counts_conform,
            last_class_medians_conform,
            tree_conforms,
        )
    ),
)
