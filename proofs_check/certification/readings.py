"""What is read off protected counts, which law is public, and what mechanisms for earnings say of themselves.

No noise is drawn here: everything is a function of counts and public numbers, computed a second time with
exact rationals, or with mpmath and the formulas of the specification.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate, chain, pairwise, product
from typing import Any

import mpmath
import numpy as np

from establish.impl.earnings import bins_or_gaps, chosen_by_size
from establish.impl.earnings.bins import (
    BOTTOM,
    RECOVERED_MEAN,
    RECOVERED_SD,
    TOP,
    Bins,
    bins_of,
    even,
    log_normal,
    percentages,
)
from establish.impl.earnings.described import EarningsMechanism
from establish.impl.earnings.fitted import fitted_percentiles
from establish.impl.earnings.histogram import histogram
from establish.impl.earnings.histogram_percentiles import POST_PROCESS, HistogramPercentiles
from establish.impl.earnings.mechanisms import NAMES, earnings_mechanism
from establish.impl.earnings.percentiles import require_increasing
from establish.impl.earnings.public_law import PER_DOLLAR, PIECES, PLACES, PublicLaw, dollars
from establish.impl.earnings.quantile_tree import GRID, Candidates
from establish.proofs_check.certification.compared import Triple, agree, close
from establish.proofs_check.certification.subject import refused
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP, Number
from establish.spec.distributions import geometric
from establish.spec.earnings import chosen_by_size as size_rule
from establish.spec.earnings import histogram as counted
from establish.spec.earnings.bins import TABLE_1, log_normal_quantile, log_normal_share
from establish.spec.earnings.bins import Bins as SpecifiedBins
from establish.spec.earnings.percentiles import NoPercentile, at_least_zero
from establish.spec.earnings.post_processing import monotone_cumulative, percentile_of

SHARES = percentages((10, 25, 50, 90))
EXACT = [Fraction(a, b) for a, b in SHARES]

EDGES = (1_000, 2_000, 5_000, 5_500, 20_000)


READ: dict[str, Callable[[Sequence[int]], Sequence[int | Fraction]]] = {
    "none": lambda counts: tuple(accumulate(counts)),
    "clamp": lambda counts: tuple(accumulate(at_least_zero(counts))),
    "isotonic": monotone_cumulative,
}
"""The cumulative counts from which percentiles are read, by what is done to counts before."""


def _read() -> Iterator[Triple]:
    """Percentiles of all lists of four small counts."""
    lists = list(product((-2, 0, 1, 3), repeat=4))
    bins = Bins(tuple(map(float, EDGES)))
    for name, cumulative in READ.items():
        found = POST_PROCESS[name](np.array(lists), bins, SHARES)
        values = found.filled(-1.0).tolist()
        for counts, row, defined in zip(lists, values, found.defined.tolist(), strict=True):
            through = cumulative(counts)
            meant = [percentile_of(EDGES, through, share) for share in EXACT]
            none = isinstance(meant[0], NoPercentile)
            own = [-1.0] * len(meant) if none else [float(v) for v in meant]  # type: ignore[arg-type]
            yield f"{name} {counts}", [defined, *row], [not none, *own]
        yield "status", len(set(found.status)), 2


def _binned() -> Iterator[Triple]:
    """Which bin earnings are in, at all ends; those below and above in the first and the last."""
    bins, specified = Bins(tuple(map(float, EDGES))), SpecifiedBins(EDGES)
    earned = [*EDGES, *(edge - 1 for edge in EDGES), 0, 3_000, 10**6]
    cells = [k % 3 for k in range(len(earned))]
    found = histogram(np.array(cells), np.array(earned, dtype=float), 3, bins).tolist()
    for cell, row in enumerate(found):
        own = [
            min(max(e, EDGES[0]), EDGES[-1] - 1) for e, at in zip(earned, cells, strict=True) if at == cell
        ]
        yield f"cell {cell}", row, list(counted.histogram(own, specified))
    yield "Table 1", log_normal().edges, tuple(map(float, TABLE_1))
    mean, sd = Fraction(RECOVERED_MEAN), Fraction(RECOVERED_SD)
    shares = [*(Fraction(k, 6) for k in range(1, 6)), Fraction(999, 1000)]
    quantiles = [log_normal_quantile(s, MP.number(mean), MP.number(sd), MP) for s in shares]
    yield "six bins", log_normal(6).edges, (float(BOTTOM), *(float(round(q)) for q in quantiles))
    yield "even bins", even(4, 0, 10).edges, (0.0, 2.5, 5.0, 7.5, 10.0)
    yield "given bins", bins_of("1, 2.5,7").edges, (1.0, 2.5, 7.0)
    yield "by name", (bins_of("log-normal"), bins_of("even")), (log_normal(), even())
    yield "21 of them", (len(even()), even().edges[0], even().edges[-1]), (21, BOTTOM, TOP)
    for text in ("5", "5,5", "6,5", "-1,5", f"1,{2**53}", "a,b"):
        yield f"bins {text}", refused(bins_of, text), True
    yield "the ends", refused(bins_of, f"0,{2**53 - 1}"), False
    yield "no bin", (refused(log_normal, 0), refused(even, 0)), (True, True)
    for given, good in (
        ((0,), False), ((100,), False), (("0.001", "99.999"), True), (("0.0001",), False),
        ((25, 25), False), ((), False), ((25, 50), True),
    ):  # fmt: skip
        yield f"percentages {given}", refused(percentages, given), not good
    yield "in lowest terms", percentages((25, "97.5")), ((1, 4), (39, 40))
    yield "they decrease", refused(require_increasing, percentages((50, 25))), True
    yield "they increase", refused(require_increasing, SHARES), False


def _public() -> Iterator[Triple]:
    """The laws of earnings that draws begin with, by the specification's log-normal law."""
    mean, sd = (MP.number(Fraction(value)) for value in (RECOVERED_MEAN, RECOVERED_SD))

    def below(amount: Number) -> Number:
        return log_normal_share(amount, mean, sd, MP)

    law = PublicLaw.log_normal()
    growth = (Fraction(TOP, BOTTOM), PIECES)
    amounts = [BOTTOM * mpmath.power(mpmath.mpf(growth[0].numerator) / growth[0].denominator,
                                     mpmath.mpf(k) / PIECES) for k in range(PIECES + 1)]  # fmt: skip
    knots = [round(amount * 100) * PLACES for amount in amounts]
    yield "knots", law.knots.tolist(), knots
    shares = [below(MP.number(Fraction(knot, PER_DOLLAR))) for knot in knots]
    densities = [(b - a) / (y - x) for (a, b), (x, y) in zip(pairwise(shares), pairwise(knots), strict=True)]
    most = max(densities)
    meant = [max(1, round(density / most * 2**15)) for density in densities]
    yield "weights", law.weights.tolist(), meant
    yield ("whole", law.whole, sum(w * (y - x) for w, (x, y) in zip(meant, pairwise(knots), strict=True)))
    yield "cents", [dollars(PER_DOLLAR * 5 + shift) for shift in (-1, 0, PLACES)], [4.99, 5.0, 5.01]
    candidates = Candidates.log_normal()
    step = mpmath.log(mpmath.mpf(TOP) / BOTTOM) / (GRID - 1)
    values = [BOTTOM * mpmath.exp(step * k) for k in range(GRID)]
    yield "candidates", candidates.values.tolist(), [float(value) for value in values]
    ends = [values[0], *(mpmath.sqrt(a * b) for a, b in pairwise(values)), values[-1]]
    masses = [float(b - a) for a, b in pairwise(map(below, ends))]
    yield "their weights", candidates.weights.tolist(), masses
    earned = np.array([1.0, 10_000.0, 20_000.0, 20_000.0, 10**7])
    less = candidates.below(np.array([0, 1, 1, 1, 1]), earned, 2)
    for cell, own in enumerate(([1.0], [10_000.0, 20_000.0, 20_000.0, 10.0**7])):
        meant_below = [sum(e < y for e in own) for y in candidates.values.tolist()]
        yield f"below in cell {cell}", less[cell].tolist(), meant_below


def _fit(counts: Sequence[int], bins: Bins, epsilon: float, pull: float) -> list[float]:
    """The percentiles of counts with the fitted law added, by the sentences of its module."""
    laws = [(9.9 + 0.1 * k, 0.35 + 0.1 * j) for j in range(7) for k in range(25)]
    cuts = [low * (high / low) ** (part / 16) for low, high in pairwise(bins.edges) for part in range(16)]
    edges, number, n = [*cuts, bins.edges[-1]], len(bins), max(sum(counts), 1)
    parts, weights = [], []
    for m, s in laws:
        inner = [0.5 * math.erfc(-(math.log(e) - m) / s / math.sqrt(2)) for e in edges[1:-1]]
        own = [b - a for a, b in pairwise([0.0, *inner, 1.0])]
        of_bins = [sum(own[16 * b : 16 * b + 16]) for b in range(number)]
        misses = sum(abs(c - n * share) for c, share in zip(counts, of_bins, strict=True))
        parts.append(own)
        weights.append(-0.5 * (((m - 10.9) / 0.45) ** 2 + ((s - 0.65) / 0.15) ** 2) - epsilon * misses)
    most = max(weights)
    chances = [math.exp(weight - most) for weight in weights]
    law = [
        sum(w * own[k] for w, own in zip(chances, parts, strict=True)) / sum(chances)
        for k in range(16 * number)
    ]
    fitted = [sum(law[16 * b : 16 * b + 16]) for b in range(number)]
    together = [max(c + pull * number / epsilon * f, 0) for c, f in zip(counts, fitted, strict=True)]
    if not any(together):
        together = fitted
    spread = [
        t / f * law[16 * b + k]
        for b, (t, f) in enumerate(zip(together, fitted, strict=True))
        for k in range(16)
    ]
    through = list(accumulate(spread))
    return [_reached(through, edges, float(share) * through[-1]) for share in EXACT]


def _reached(through: Sequence[float], edges: Sequence[float], level: float) -> float:
    at = next(k for k, value in enumerate(through) if value >= level)
    before = through[at - 1] if at else 0.0
    return edges[at] + (edges[at + 1] - edges[at]) * (level - before) / (through[at] - before)


def _fitted() -> Iterator[Triple]:
    lists = ((5, 0, -1, 2), (0, 0, 0, 0), (-9, -3, -2, -40), (200, 300, 100, 4))
    for bins, pull in (
        (log_normal(4), 2.0),
        (Bins((20_000.0, 30_000.0, 45_000.0, 60_000.0, 90_000.0)), 0.25),
    ):
        found = fitted_percentiles(np.array(lists), bins, SHARES, 0.75, pull)
        for counts, row in zip(lists, found.filled(0.0).tolist(), strict=True):
            yield f"fitted to {counts}", row, _fit(counts, bins, 0.75, pull)


def _deviations(epsilon: Fraction, counts: int) -> tuple[Number, Number]:
    """E|K| of one two-sided geometric noise, and the standard deviation of so many together."""
    rho = MP.exp(-MP.number(epsilon))
    return geometric.mean_absolute(rho), MP.sqrt(geometric.variance(rho) * counts)


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?(?:e[+-]\d+)?", text)


def _gap_errors(epsilon: Fraction, shares: Sequence[Fraction]) -> tuple[Number, list[Number]]:
    """Deviations of the total and of ranks for independent Laplace noise of scale 2/ε in every gap.

    The rank of share p is the sum of the misses before it less p times the sum of all.
    """
    scale, gaps = 2 / MP.number(epsilon), len(shares) + 1
    ranks = []
    for place, share in enumerate(shares, start=1):
        p = MP.number(share)
        squares = sum(((1 - p) if gap < place else -p) ** 2 for gap in range(gaps))
        ranks.append(scale * MP.sqrt(2 * squares))
    return scale * MP.sqrt(MP.number(2 * gaps)), ranks


def _four(*numbers: Number) -> list[str]:
    return [f"{float(number):.4g}" for number in numbers]


def _stated() -> Iterator[Triple]:
    """Errors, deviations and shares of ε that mechanisms state."""
    shares = percentages((25, 50, 75))
    aims, epsilon = [Fraction(a, b) for a, b in shares], Fraction(3, 2)
    by_name: dict[str, Any] = {n: earnings_mechanism(n, epsilon, shares) for n in NAMES}
    said = {name: law.expected_error for name, law in by_name.items()}
    one, many = _deviations(epsilon, 21)
    own = said["histogram-percentiles"]
    yield "histogram", _numbers(own["mean absolute error"])[0], f"{float(one):.4g}"
    yield "its counts", _numbers(own["standard deviation"]), _four(many)
    yield "its cells", by_name["histogram-percentiles"].count_deviation(9), float(many)
    spent = [epsilon * share[1] for share in size_rule.BY_SIZE]
    sizes = [6, 10, 14, 21, 1]
    deviations = [_deviations(e, n)[1] for e, n in zip(spent, sizes, strict=True)]
    own = said["chosen-by-size"]
    yield "by size", _numbers(own["standard deviation"]), _four(*deviations)
    one = float(_deviations(spent[0], 1)[0])
    yield "one bin", _numbers(own["mean absolute error"])[0], f"{one:.4g}"
    totals = [-4, 20, 60, 200, 10**4]
    found = [by_name["chosen-by-size"].count_deviation(total) for total in totals]
    yield "by total", found, [float(deviation) for deviation in deviations]
    total, ranks = _gap_errors(epsilon, aims)
    own, gaps = said["equal-gaps"], by_name["equal-gaps"]
    yield "gaps", _numbers(own["standard deviation"]), _four(total, *ranks)
    yield "their mean", _numbers(own["mean absolute error"]), _four(total)
    yield (
        "of cells",
        [gaps.count_deviation(3), *gaps.rank_deviations(3)],
        [float(x) for x in (total, *ranks)],
    )
    left = epsilon * size_rule.BINS_OR_GAPS[0][1]
    few = [_deviations(left, n)[1] for n in (6, 10, 14, 21, 30)]
    total, ranks = _gap_errors(left, aims)
    own, either = said["bins-or-gaps"], by_name["bins-or-gaps"]
    yield "few bins", _numbers(own["standard deviation"]), _four(*few)
    yield "or gaps", _numbers(own["mean absolute error"]), _four(total, *ranks)
    yield ("in small cells", (either.count_deviation(-9), either.rank_deviations(-9)), (float(few[0]), None))
    big = [either.count_deviation(10**6), *either.rank_deviations(10**6)]
    yield "in large ones", big, [float(x) for x in (total, *ranks)]
    yield "shares by size", [chosen_by_size.spending(k) for k in range(5)], list(size_rule.BY_SIZE)
    yield "shares", [bins_or_gaps.spending(k) for k in range(6)], list(size_rule.BINS_OR_GAPS)
    for law in by_name.values():
        yield from _said(law)


def _said(law: EarningsMechanism) -> Iterator[Triple]:
    """Scope and parameters in the words of the record."""
    yield f"scope of {law.name}", f"{law.public} are taken as public" in law.scope, True
    own = law.parameters["epsilon"], law.parameters["percentiles"], law.labels
    yield f"parameters of {law.name}", own, ("3/2", ["25", "50", "75"], ("p25", "p50", "p75"))


def _made() -> Iterator[Triple]:
    """Mechanisms by name, with what belongs to them, and ε at the ends of their domains."""
    shares = percentages((25, 50))
    for name in NAMES:
        bins = name == HistogramPercentiles.name
        make = partial(earnings_mechanism, name, 1, shares)
        yield f"the name of {name}", make().name, name
        for option in ("bins", "post_process"):
            own = {option: {"bins": "even", "post_process": "clamp"}[option]}
            yield f"{option} of {name}", refused(make, **own), not bins
        for epsilon, good in ((0, False), (1000, True), (1001, False), (Fraction(1, 10**7), False)):
            yield f"ε = {epsilon} of {name}", refused(earnings_mechanism, name, epsilon, shares), not good
        least, total = Fraction(1, 10**6), name in ("chosen-by-size", "bins-or-gaps")
        is_too_little = refused(earnings_mechanism, name, least, shares)
        yield f"the least ε of {name}", is_too_little, total  # of which the total gets a part
        unordered = percentages((50, 25))
        yield f"the order of {name}", refused(earnings_mechanism, name, 1, unordered), not bins
    yield "no name", refused(earnings_mechanism, "none", 1, shares), True
    clamped = earnings_mechanism(HistogramPercentiles.name, 1, shares, bins="1,2,3", post_process="clamp")
    assert isinstance(clamped, HistogramPercentiles)
    options = clamped.bins.edges, clamped.post_process
    yield "its options", options, ((1.0, 2.0, 3.0), "clamp")
    other = refused(earnings_mechanism, HistogramPercentiles.name, 1, shares, post_process="other")
    yield "another reading", other, True


@cache
def readings_conform() -> Evidence:
    """Evidence that percentiles are read off counts as the specification reads them."""
    return agree(
        chain(_read(), _binned()),
        "bins, counts in them and percentiles read off counts are those of the specification",
        "all lists of four counts among −2, 0, 1 and 3, four shares, three readings; bins at all their ends",
        close,
    )


@cache
def public_laws_conform() -> Evidence:
    """Evidence that the laws which draws begin with are the log-normal one."""
    return agree(
        _public(),
        "the public laws of earnings are the log-normal law of the specification, rounded",
        f"{PIECES} pieces and {GRID} candidates",
        close,
    )


@cache
def fitted_law_conforms() -> Evidence:
    """Evidence that percentiles of fitted counts are those of the mean law by its weights."""
    return agree(
        _fitted(),
        "percentiles of fitted counts are those of the mean law by its weights, to 9 digits",
        "four lists of counts in two lists of bins",
        close,
    )


@cache
def earnings_stated() -> Evidence:
    """Evidence that mechanisms for earnings say of themselves what the specification does."""
    return agree(
        chain(_stated(), _made()),
        "mechanisms for earnings state the deviations and shares of ε of the specification",
        "ε = 3/2, three percentiles, cells of every class; ends of the domains",
        close,
    )
