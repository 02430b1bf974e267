"""The mechanisms on counts: what runs, drawn many times, against the ideal law of the specification.

What runs returns whole numbers: the ideal output rounded, so P(output ≤ k) is the ideal distribution
function at k + 1/2. Laws share no code with the fast path of the samplers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from itertools import pairwise
from math import ceil, inf
from typing import Any

import mpmath
import numpy as np

from establish.impl.cards import cards
from establish.impl.certificate import CertificateError
from establish.impl.mechanisms import Mechanism
from establish.impl.publish.sidecar import CUT
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import REACH
from establish.proofs_check.certification import (
    constants,
    costs,
    decided,
    defaults,
    domains,
    readings,
    tabulation,
)
from establish.proofs_check.certification.subject import DRAWS, SEED, Case, told
from establish.proofs_check.certification.theorems import Runs, tried
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.methods.statistical import follows_discrete_law
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import ARB, MP, Number, World, enclosing
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.distributions.lomax import Lomax
from establish.spec.distributions.staircase import Staircase
from establish.spec.distributions.two_sided import TwoSided
from establish.spec.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from establish.spec.mechanisms.on_growth_scale import OnGrowthScaleMechanism
from establish.spec.mechanisms.transformation import TransformationMechanism
from establish.spec.mechanisms.truncated_laplace import Boundary, TruncatedLaplaceMechanism
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism
from establish.spec.parameters import ParameterError

GROWTH_SIZES = (1, 10)
"""The counts at which the stated errors of noise on the growth scale are compared."""


ESTIMATES = 3_000
"""So many answers are estimated from in one check."""

QUICK = 50
"""So many cells of random magnitude are decided where an answer is wanted in seconds."""


def modules(runs: Any) -> tuple[str, ...]:
    """The class that runs, and the ideal mechanism that it draws."""
    kinds = (type(runs), runs.specified[runs.calibration])
    return tuple(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds)


def specification(runs: Any) -> Any:
    """The ideal mechanism that ``runs`` draws, at the parameters that it tells; theorems are about that one.

    Raises CertificateError where there is none at them.
    """
    found = dict(runs.parameters)
    if "theta" in found:
        found |= {"theta": int(found["theta"]), "boundary": Boundary(found["boundary"])}
    try:
        return runs.specified[runs.calibration](**found)
    except ParameterError as error:
        raise CertificateError(
            f"{runs.name} cannot be certified: it tells parameters that its specification refuses: {error}"
        ) from None


Stated = tuple[str, str, str]
"""What a mechanism calls its error: of which kind, in words, and as the density has it."""


def moments(law: Any, count: int) -> tuple[Number, Number, Number]:
    """E|X − n|, E X − n and the standard deviation of X by quadrature; the third may be infinite.

    Of noise that follows the largest establishment, between breaks as far as 4 digits reach, by the midpoint
    and both ends (Simpson), which is exact on steps; its third is not told.
    """
    low = getattr(law, "low", -mpmath.inf)
    places = [low, count, count + 1000, mpmath.inf]
    if isinstance(law, TwoSided):
        return *_first_moments(law, count), mpmath.inf

    def expected(of: Callable[[Number], Number]) -> Number:
        return mpmath.quad(lambda x: of(x - count) * mpmath.exp(law.log_density(x)), places)

    first, second = expected(lambda x: x), expected(lambda x: x * x)
    return expected(abs), first, mpmath.sqrt(second - first**2)


def _first_moments(law: TwoSided, count: int) -> tuple[Number, Number]:
    """E|X − n| and E X − n."""
    parts = []
    with MP.mp.workdps(15):
        for a, b in pairwise(sorted([*law.breaks(45), MP.number(count)])):
            shares = (a + (b - a) / 2**20, 1), ((a + b) / 2, 4), (b - (b - a) / 2**20, 1)
            mean = sum(w * (x - count) * MP.exp(law.log_density(x)) for x, w in shares)
            parts.append(mean * (b - a) / 6)
        return sum(map(abs, parts)), sum(parts)


def _parameters(runs: Mechanism) -> str:
    return ", ".join(f"{key} = {value}" for key, value in runs.parameters.items())


def same(stated: Stated) -> bool:
    return stated[1] == stated[2]


@dataclass(frozen=True)
class Drawn:
    """A mechanism that runs, and the establishments of one cell."""

    runs: Any
    sizes: Sequence[int]

    @property
    def specified(self) -> Any:
        return specification(self.runs)

    @property
    def law(self) -> Any:
        """The ideal law of its output."""
        return self.law_in(MP)

    def law_in(self, c: World) -> Any:
        """The same in the world ``c``."""
        return self.specified.output(self.sizes, c)

    def decided(self, number: int = decided.CELLS) -> Evidence:
        """Evidence that every cell that is drawn, of any magnitude, is the specification's quantile at its
        word.
        """
        return decided.decided(self.runs, self.specified, number)

    def quick(self) -> Evidence:
        """The same of a few cells."""
        return self.decided(QUICK)

    def told(self) -> Evidence:
        """Evidence that its constants and the scale of its noise are those of the specification."""
        return constants.told(self.runs, self.specified)

    def conforms(self, draws: int = DRAWS) -> Evidence:
        """Evidence that what runs follows the ideal law, rounded to whole numbers."""
        runs, decider = self.runs, decided.Decider.of(self.runs, self.specified)
        says = f"{told(runs)} draws the law of the specification, in whole numbers, for {self._cell}"
        with enclosing(decided.PRECISIONS[0]):
            law = self.law_in(ARB)
            sample = self._sample(draws, Bits.seeded(SEED))
            return follows_discrete_law(sample, lambda x: float(decider.at_most(law, int(x))), 1.0, says)

    def _sample(self, draws: int, bits: Bits) -> Any:
        count, largest = sum(self.sizes), max(self.sizes)
        return self.runs.release(np.full(draws, count), bits, np.full(draws, largest))

    def stated(self) -> Evidence:
        """Evidence that the errors which the record states are those of the ideal law."""
        return exhaustive.for_all(
            self._stated(),
            same,
            f"{self.runs.name} ({self.runs.calibration}) states the errors that the law of the specification "
            "has, to 4 digits",
            self._scope,
        )

    @property
    def _cell(self) -> str:
        return f"establishments of {', '.join(map(str, self.sizes))}"

    @property
    def _scope(self) -> str:
        return self._cell

    def _stated(self) -> Iterator[Stated]:
        raise NotImplementedError


class OneCell(Drawn):
    """One whose errors follow the cell, by quadrature of the density."""

    def _unit(self) -> tuple[str, Fraction]:
        """What the error is a multiple of, in words and for these establishments."""
        given = {name: Fraction(value) for name, value in self.runs.parameters.items()}
        if "alpha" not in given:
            return "", Fraction(1)
        if isinstance(self.law, LogLaplace):
            shift = 1 / given["alpha"]
            return f"·(n + {shift})", sum(self.sizes) + shift
        return f"·max({given['alpha']}·largest, 1)", max(given["alpha"] * max(self.sizes), Fraction(1))

    def _moments(self) -> tuple[Number, Number, Number]:
        """Those of the density; of Lomax noise, whose tails no quadrature reaches, the specification's."""
        if not isinstance(self.law, Lomax):
            return moments(self.law, sum(self.sizes))
        specified, largest = self.specified, max(self.sizes)
        second = specified.mean_squared_error(largest) if self.law.power > 3 else mpmath.inf
        return specified.mean_absolute_error(largest), MP.number(0), mpmath.sqrt(second)

    def _stated(self) -> Iterator[Stated]:
        words, unit = self._unit()
        found = self._moments()
        size, bias, deviation = (float(number / MP.number(unit)) for number in found)
        said = self.runs.expected_error
        yield "mean", said["mean absolute error"], f"E|noisy − n| = {size:.4g}{words}"
        unbiased = abs(bias) < 1e-9
        yield "bias", said["bias"], f"E[noisy] − n = {'0' if unbiased else f'{bias:.4g}{words}'}"
        if "standard deviation" in said:
            infinite = "infinity, because p <= 3"
            expected = infinite if deviation == inf else f"{deviation:.4g}{words}"
            yield "deviation", said["standard deviation"], expected


class Atoms(OneCell):
    """A law on all whole numbers, summed over them."""

    def _moments(self) -> tuple[Number, Number, Number]:
        law, n = self.law, sum(self.sizes)
        first, second = (law.mean(lambda k, p=p: MP.number(k - n) ** p, p, (1 + n) ** p) for p in (1, 2))
        return law.mean(lambda k: abs(k - n), 1, 1 + n), first, mpmath.sqrt(second - first**2)


class BySize(Drawn):
    """One that states its errors by the size of cells; they are compared at small counts."""

    @property
    def _scope(self) -> str:
        return f"counts of {', '.join(map(str, GROWTH_SIZES))}"

    def _stated(self) -> Iterator[Stated]:
        told = {kind: text.split("; ") for kind, text in self.runs.expected_error.items()}
        for place, n in enumerate(GROWTH_SIZES):
            more, less = self._beyond(n)
            for kind, sign in (("mean absolute error", 1), ("bias", -1)):
                found = float(more + sign * less)
                if kind == "bias" and CUT not in self.runs.noise and abs(found) < 1e-7 * float(more):
                    found = 0.0  # as far as the quadrature tells
                yield kind, told[kind][place], f"{found:.4g} at n = {n}"

    def _beyond(self, n: int) -> tuple[Number, Number]:
        """E(out − n)⁺ and E(n − out)⁺."""
        raise NotImplementedError


class GrowthCell(BySize):
    """Noise on the growth scale, by quadrature of the distribution function between its kinks."""

    def _beyond(self, n: int) -> tuple[Number, Number]:
        law, α = self.specified.output((n,)), self.specified.alpha
        kinks = {1 / α - j for j in range(ceil(1 / α) + 1)} | {Fraction(n), Fraction(0)}
        noisy = law.noisy
        ends = (-noisy.down, noisy.up) if isinstance(noisy, Staircase) else (Fraction(0),)
        steps = [noisy.center + end + k for k in range(-12, 13) for end in ends]
        lowest = MP.number(0) if CUT in self.runs.noise else -MP.mp.inf
        places = sorted({MP.number(kink) for kink in kinks} | {law.outputs.value(y) for y in steps})
        below = [lowest, *(x for x in places if lowest < x < n), MP.number(n)]
        above = [MP.number(n), *(x for x in places if x > n), MP.mp.inf]
        with MP.mp.workdps(15):
            return MP.mp.quad(lambda x: 1 - law.cdf(x), above), MP.mp.quad(law.cdf, below)


class WholeCell(BySize):
    """A law on whole numbers, output by output."""

    def _beyond(self, n: int) -> tuple[Number, Number]:
        law = self.specified.output((n,))
        less = sum(law.tails(o)[0] for o in range(n))
        more, o, tail = MP.number(0), n, MP.number(1)
        while not more or tail * (o + 1) > abs(more - less) * MP.number(10) ** -6:
            tail = law.tails(o)[1]
            more, o = more + tail, o + 1
        return more, less


class OnScaleCell(BySize):
    """A normal answer on the scale of f, and the estimate of the count from it."""

    def conforms(self, draws: int = DRAWS) -> Evidence:
        """Evidence that answers follow the ideal law, rounded to their grid."""
        runs, unit = self.runs, self.runs.grid.unit
        law, half = self.law, Fraction(unit) / 2
        says = f"{told(runs)} draws the answer of the specification, on its grid, for {self._cell}"
        answers = runs.answers(np.full(draws, float(sum(self.sizes))), Bits.seeded(SEED))
        return follows_discrete_law(
            answers, lambda x: float(law.cdf(MP.number(Fraction(x) + half))), unit, says
        )

    def estimated(self, number: int = ESTIMATES) -> Evidence:
        """Evidence that what is released is the estimate of the specification from the answer, rounded."""
        runs, specified = self.runs, self.specified
        counts, _ = decided.magnitudes(number, SEED)
        answers = runs.answers(counts.astype(np.float64), Bits.seeded(SEED)).tolist()
        released = runs.release(counts, Bits.seeded(SEED)).tolist()

        def is_nearest(pair: tuple[float, int]) -> bool:
            with enclosing(decided.PRECISIONS[1]):
                value = specified.estimate(ARB.number(Fraction(pair[0])), ARB)
                off = abs(ARB.number(pair[1]) - value)
                return bool(off < ARB.number(Fraction(500001, 10**6))) or (
                    abs(pair[1]) == REACH and bool(value * pair[1] > pair[1] ** 2)
                )

        return exhaustive.for_all(
            zip(answers, released, strict=True),
            is_nearest,
            f"{runs.name} ({_parameters(runs)}) releases the whole number next to the estimate from its "
            "answer",
            f"{number} cells of random magnitude up to 2^52, and small counts, powers of 2 and 10",
        )

    def _stated(self) -> Iterator[Stated]:
        """By quadrature of the estimate over the density of the answer, between its zeros."""
        told = {kind: text.split("; ") for kind, text in self.runs.expected_error.items()}
        for place, n in enumerate(GROWTH_SIZES):
            law = self.specified.output((n,))
            with MP.mp.workdps(15):
                size, bias, square = self._moments(n, law)
            spread = MP.sqrt(square)
            yield "mean", told["mean absolute error"][place], f"{float(size):.4g} at n = {n}"
            yield "spread", told["standard deviation"][place], f"{float(spread):.4g} at n = {n}"
            unbiased = abs(bias) < 1e-9 * spread
            yield "bias", self.runs.expected_error["bias"], f"E[noisy] − n = {0 if unbiased else bias}"

    def _moments(self, n: int, law: Any) -> tuple[Number, Number, Number]:
        """E|X|, E X and E X² for what the estimate is off."""

        def off(w: Number) -> Number:
            return self.specified.estimate(w, MP) - n

        ends = [law.mean + k * law.sd for k in range(-12, 21)]
        zeros = [_zero(off, a, b) for a, b in pairwise(ends) if off(a) * off(b) < 0]
        parts = []
        for a, b in pairwise(sorted([*ends, *zeros])):
            found = (
                MP.mp.quad(
                    lambda w, power=power: off(w) ** power * MP.exp(law.log_density(w)),
                    [a, b],
                    method="gauss-legendre",
                )
                for power in (1, 2)
            )
            parts.append(tuple(found))
        return sum(abs(one) for one, _ in parts), sum(one for one, _ in parts), sum(two for _, two in parts)


def _zero(of: Callable[[Number], Number], low: Number, high: Number) -> Number:
    """Where a function changes its sign between two places."""
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if of(low) * of(middle) > 0 else (low, middle)
    return low


class Truncated(Drawn):
    """Truncated Laplace noise, and establishments of which some are removed."""

    def law_in(self, c: World) -> Any:
        return self.specified.output([(size,) for size in self.sizes], c)

    def _sample(self, draws: int, bits: Bits) -> Any:
        sizes = np.tile(self.sizes, draws)
        return self.runs.release(sizes, np.arange(draws).repeat(len(self.sizes)), bits)

    def _stated(self) -> Iterator[Stated]:
        kept = sum(size for size in self.sizes if size <= self.runs.largest_kept)
        size, _, _ = moments(self.law, kept)
        said = self.runs.expected_error["mean absolute error"]
        yield "mean", said, f"E|noisy − truncated n| = {float(size):.4g}"


def anywhere(runs: Runs) -> Evidence:
    """Evidence that a mechanism draws its specification where it was asked whether it runs."""
    return decided.decided_anywhere([made for _, made in tried(runs) if made is not None], specification)


COMPARED: Mapping[type, type[Drawn]] = {
    TruncatedLaplaceMechanism: Truncated,
    WholeStaircaseMechanism: WholeCell,
    DiscreteGaussianMechanism: Atoms,
    TransformationMechanism: OnScaleCell,
    OnGrowthScaleMechanism: GrowthCell,
}
"""How mechanisms of a kind are compared; others as OneCell is."""


def _drawn() -> Iterator[Drawn]:
    """The cells of the cards, each with what is to be compared for such a law."""
    for card in cards().values():
        for cell in card.cells:
            made = card.load()(**cell.given)
            specified = specification(made)
            compared = (kind for of, kind in COMPARED.items() if isinstance(specified, of))
            yield next(compared, OneCell)(made, cell.sizes)


RUNS: Sequence[Drawn] = tuple(_drawn())
"""What is drawn of every mechanism on counts."""


def _loaded(module: str, check: str) -> Callable[[], Evidence]:
    """A check in another module, which loads SQL engines."""

    def conforms() -> Evidence:
        found: Evidence = getattr(import_module(f"{__package__}.{module}"), check)()
        return found

    conforms.__name__ = check
    return conforms


OF_ALL = (
    domains.domains,
    domains.advice,
    defaults.defaults,
    tabulation.tabulated,
    costs.costed,
    readings.earnings_stated,
    _loaded("datasets", "refused_data"),
    _loaded("releases", "released"),
    _loaded("ledgers", "kept"),
)
"""What is checked once for all mechanisms; the accountant makes those for earnings by name, too."""

CASES = (
    *(Case(r.runs.name, modules(r.runs), r.runs.rests_on, r.conforms) for r in RUNS),
    *(
        Case(r.runs.name, modules(r.runs), (), check, quick)
        for r in RUNS
        for check, quick in ((r.stated, r.stated), (r.told, r.told), (r.decided, r.quick))
    ),
    *(
        Case(r.runs.name, modules(r.runs), (), r.estimated, partial(r.estimated, QUICK))
        for r in RUNS
        if isinstance(r, OnScaleCell)
    ),
    *(
        Case(name, tabulation.MODULES, (), check)
        for name in dict.fromkeys(r.runs.name for r in RUNS)
        for check in OF_ALL
    ),
)
"""The draws of every mechanism, its stated error, the parameters that it takes, releases of job tables."""
