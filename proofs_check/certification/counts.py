"""The mechanisms on counts: what runs, drawn many times, against the ideal law of the specification.

What runs returns whole numbers: the ideal output rounded, so P(output ≤ k) is the ideal distribution
function at k + 1/2. Laws are read at 50 digits; they share no code with the fast path of the samplers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from math import ceil, inf
from typing import Any, Protocol

import mpmath
import numpy as np

from establish.impl.cards import cards
from establish.impl.certificate import CertificateError
from establish.impl.mechanisms import Mechanism
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.publish.sidecar import CUT
from establish.impl.sampling.bits import Bits
from establish.proofs_check.certification import (
    constants,
    costs,
    decided,
    defaults,
    domains,
    readings,
    tabulation,
)
from establish.proofs_check.certification.subject import DRAWS, SEED, Case
from establish.proofs_check.certification.theorems import Runs, tried
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.methods.statistical import follows_discrete_law
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP, Number
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.distributions.lomax import Lomax
from establish.spec.distributions.staircase import Staircase
from establish.spec.distributions.two_sided import TwoSided
from establish.spec.mechanisms.on_growth_scale import OnGrowthScaleMechanism
from establish.spec.mechanisms.truncated_laplace import Boundary, TruncatedLaplaceMechanism
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism
from establish.spec.parameters import ParameterError

HALF = Fraction(1, 2)

GROWTH_SIZES = (1, 10)
"""The counts at which the stated errors of noise on the growth scale are compared."""


QUICK = 50
"""So many cells of random magnitude are decided where an answer is wanted in seconds."""


class Law(Protocol):
    """A law of the specification."""

    def cdf(self, x: Number) -> Number: ...


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


class Drawn:
    """A mechanism that runs, with cells of every magnitude."""

    runs: Any

    def decided(self, number: int = decided.CELLS) -> Evidence:
        """Evidence that every cell that is drawn is the specification's quantile at its word."""
        return decided.decided(self.runs, specification(self.runs), number)

    def told(self) -> Evidence:
        """Evidence that its constants and the scale of its noise are those of the specification."""
        return constants.told(self.runs, specification(self.runs))

    def quick(self) -> Evidence:
        """The same of a few cells."""
        return self.decided(QUICK)


@dataclass(frozen=True)
class OneCell(Drawn):
    """A mechanism that runs, and the ideal law of its output for one cell of these establishments."""

    runs: Mechanism
    sizes: Sequence[int]

    @property
    def law(self) -> Law:
        found: Law = specification(self.runs).output(self.sizes)
        return found

    def conforms(self, draws: int = DRAWS) -> Evidence:
        """Evidence that what runs follows the ideal law, rounded to whole numbers."""
        runs, count, largest = self.runs, sum(self.sizes), max(self.sizes)
        sample = runs.release(np.full(draws, count), Bits.seeded(SEED), np.full(draws, largest))
        return follows_discrete_law(
            sample,
            lambda x: float(self.law.cdf(MP.number(Fraction(x) + HALF))),
            1.0,
            f"{runs.name} ({runs.calibration}, {_parameters(runs)}) draws the ideal law, rounded, for "
            f"establishments of {', '.join(map(str, self.sizes))}",
        )

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
        specified, largest = specification(self.runs), max(self.sizes)
        finite = specified.output(self.sizes).power > 3
        second = specified.mean_squared_error(largest) if finite else mpmath.inf
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

    def stated(self) -> Evidence:
        """Evidence that the error which the record states is that of the ideal law."""
        return exhaustive.for_all(
            self._stated(),
            same,
            f"{self.runs.name} ({self.runs.calibration}) states the mean, the bias and the deviation "
            "that the law of the specification has, to 4 digits",
            f"establishments of {', '.join(map(str, self.sizes))}",
        )


@dataclass(frozen=True)
class GrowthCell(Drawn):
    """The same for noise on the growth scale.

    least: what smaller outputs become, where there is such a number.
    """

    runs: Mechanism
    sizes: Sequence[int]
    least: int | None = 0

    @property
    def specified(self) -> Any:
        return specification(self.runs)

    def conforms(self, draws: int = DRAWS) -> Evidence:
        """Evidence that what runs follows the ideal law, rounded to whole numbers."""
        runs, law, count = self.runs, self.specified.output(self.sizes), sum(self.sizes)
        sample = runs.release(np.full(draws, count), Bits.seeded(SEED))
        return follows_discrete_law(
            sample,
            lambda x: (
                float(law.cdf(MP.number(Fraction(x) + HALF)))
                if self.least is None or x >= self.least
                else 0.0
            ),
            1.0,
            f"{runs.name} ({_parameters(runs)}) draws the ideal law, rounded"
            f"{'' if self.least is None else f' and at least {self.least}'}, for establishments of "
            f"{', '.join(map(str, self.sizes))}",
        )

    def _stated(self) -> Iterator[Stated]:
        """At small counts, by quadrature of the distribution function between its kinks."""
        said = self.runs.expected_error
        told = {kind: text.split("; ") for kind, text in said.items()}
        for place, n in enumerate(GROWTH_SIZES):
            law, α = self.specified.output((n,)), self.specified.alpha
            kinks = {1 / α - j for j in range(ceil(1 / α) + 1)} | {Fraction(n), Fraction(0)}
            noisy = law.noisy
            ends = (-noisy.down, noisy.up) if isinstance(noisy, Staircase) else (Fraction(0),)
            steps = [noisy.center + end + k for k in range(-12, 13) for end in ends]
            lowest = MP.number(0) if self.least == 0 else -MP.mp.inf
            places = sorted({MP.number(kink) for kink in kinks} | {law.outputs.value(y) for y in steps})
            below = [lowest, *(x for x in places if lowest < x < n), MP.number(n)]
            above = [MP.number(n), *(x for x in places if x > n), MP.mp.inf]
            with MP.mp.workdps(15):
                less = MP.mp.quad(law.cdf, below)
                more = MP.mp.quad(lambda x, law=law: 1 - law.cdf(x), above)
            for kind, sign in (("mean absolute error", 1), ("bias", -1)):
                found = float(more + sign * less)
                if self.least is None and kind == "bias" and abs(found) < 1e-7 * float(more):
                    found = 0.0  # as far as the quadrature tells
                yield kind, told[kind][place], f"{found:.4g} at n = {n}"

    def stated(self) -> Evidence:
        """Evidence that the errors which the record states are those of the ideal law."""
        return exhaustive.for_all(
            self._stated(),
            same,
            f"{self.runs.name} states the mean and the bias that the distribution function of the "
            "specification has, to 4 digits",
            f"counts of {', '.join(map(str, GROWTH_SIZES))}, by quadrature",
        )


@dataclass(frozen=True)
class WholeCell(Drawn):
    """The same for a law on whole numbers, of which negative ones become 0."""

    runs: Mechanism
    sizes: Sequence[int]

    @property
    def specified(self) -> Any:
        return specification(self.runs)

    def conforms(self, draws: int = DRAWS) -> Evidence:
        """Evidence that what runs follows the law of the specification."""
        runs, law = self.runs, self.specified.output(self.sizes)
        sample = runs.release(np.full(draws, sum(self.sizes)), Bits.seeded(SEED))
        return follows_discrete_law(
            sample,
            lambda x: float(law.cdf(x)) if x >= 0 else 0.0,
            1.0,
            f"{runs.name} ({_parameters(runs)}) draws the law of the specification, "
            f"negative outputs set to 0, for establishments of {', '.join(map(str, self.sizes))}",
        )

    def _stated(self) -> Iterator[Stated]:
        """At small counts, output by output."""
        said = self.runs.expected_error
        for place, n in enumerate(GROWTH_SIZES):
            law = self.specified.output((n,))
            less = sum(law.tails(o)[0] for o in range(n))
            more, o, tail = MP.number(0), n, MP.number(1)
            while not more or tail * (o + 1) > abs(more - less) * MP.number(10) ** -6:
                tail = law.tails(o)[1]
                more, o = more + tail, o + 1
            for kind, sign in (("mean absolute error", 1), ("bias", -1)):
                told = said[kind].split("; ")[place]
                yield kind, told, f"{float(more + sign * less):.4g} at n = {n}"

    def stated(self) -> Evidence:
        """Evidence that the errors which the record states are those of the law."""
        return exhaustive.for_all(
            self._stated(),
            same,
            f"{self.runs.name} states the mean and the bias that the distribution function of the "
            "specification has, to 4 digits",
            f"counts of {', '.join(map(str, GROWTH_SIZES))}, output by output",
        )


@dataclass(frozen=True)
class Truncated(Drawn):
    """The same for truncated Laplace noise, and establishments of which some are removed."""

    runs: TruncatedLaplace
    sizes: Sequence[int]

    @property
    def specified(self) -> Any:
        return specification(self.runs)

    def conforms(self, draws: int = DRAWS) -> Evidence:
        """Evidence that what runs follows the ideal law, rounded to whole numbers."""
        runs, law = self.runs, self.specified.output([(size,) for size in self.sizes])
        sizes = np.tile(self.sizes, draws)
        sample = runs.release(sizes, np.arange(draws).repeat(len(self.sizes)), Bits.seeded(SEED))
        return follows_discrete_law(
            sample,
            lambda x: float(law.cdf(MP.number(Fraction(x) + HALF))),
            1.0,
            f"{runs.name} ({runs.calibration}, {runs.boundary}, ε = {runs.epsilon}, θ = {runs.theta}) draws "
            f"the ideal law, rounded, for establishments of {', '.join(map(str, self.sizes))}",
        )

    def _stated(self) -> Iterator[Stated]:
        kept = sum(size for size in self.sizes if size <= self.runs.largest_kept)
        size, _, _ = moments(self.specified.output([(size,) for size in self.sizes]), kept)
        said = self.runs.expected_error["mean absolute error"]
        yield "mean", said, f"E|noisy − truncated n| = {float(size):.4g}"

    def stated(self) -> Evidence:
        """Evidence that the error which the record states is that of the ideal law."""
        return exhaustive.for_all(
            self._stated(),
            same,
            f"{self.runs.name} ({self.runs.calibration}) states the mean error that the density of the "
            "specification has, to 4 digits",
            f"establishments of {', '.join(map(str, self.sizes))}, by quadrature",
        )


def anywhere(runs: Runs) -> Evidence:
    """Evidence that a mechanism draws its specification where it was asked whether it runs."""
    return decided.decided_anywhere([made for _, made in tried(runs) if made is not None], specification)


Compared = OneCell | GrowthCell | WholeCell | Truncated


def _drawn() -> Iterator[Compared]:
    """The cells of the cards, each with what is to be compared for such a law."""
    for card in cards().values():
        for cell in card.cells:
            made = card.load()(**cell.given)
            specified = specification(made)
            if isinstance(specified, TruncatedLaplaceMechanism):
                yield Truncated(made, cell.sizes)
            elif isinstance(specified, WholeStaircaseMechanism):
                yield WholeCell(made, cell.sizes)
            elif isinstance(specified, OnGrowthScaleMechanism):
                yield GrowthCell(made, cell.sizes, 0 if CUT in made.noise else None)
            else:
                yield OneCell(made, cell.sizes)


RUNS: Sequence[Compared] = tuple(_drawn())
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
        Case(name, tabulation.MODULES, (), check)
        for name in dict.fromkeys(r.runs.name for r in RUNS)
        for check in OF_ALL
    ),
)
"""The draws of every mechanism, its stated error, the parameters that it takes, releases of job tables."""
