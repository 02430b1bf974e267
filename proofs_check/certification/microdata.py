"""The mechanisms on establishment microdata, drawn many times, against the specification's laws.

What runs returns multiples of a public grid: the ideal output rounded, so P(output ≤ x) is the ideal
distribution function at half a step above x.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from establish.impl.budget.queries import SumQuery
from establish.impl.microdata.establishments import Establishments
from establish.impl.microdata.estimates import Estimates, from_psi, from_sums
from establish.impl.microdata.group_by import Codes, Groups
from establish.impl.microdata.neighbor_functions import NeighborFunction, neighbor_function
from establish.impl.microdata.probably_no_clipping import Clipped, ProbablyNoClipping
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.impl.microdata.remainder import LARGEST
from establish.impl.publish.establishment_answers import Answers, answer, fitted
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.proofs_check.certification.compared import close
from establish.proofs_check.certification.fits import fits_conform
from establish.proofs_check.certification.subject import DRAWS, SEED, Case
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.methods.statistical import follows_discrete_law
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec import least_squares
from establish.spec.arithmetic import MP, Number
from establish.spec.composition import Attribute, Gedp
from establish.spec.distributions import gaussian
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms import probably_no_clipping, psi_estimators, psi_mechanism, remainder
from establish.spec.neighbor_functions.named import neighbor_function as specified

VALUES, BOUNDS = (40, 3, 900), (60, 4, 850)
"""A group of three establishments, and upper bounds of their values, one of which fails."""


@dataclass(frozen=True)
class OneGroup:
    """ψ as the implementation and as the specification name it, with γ and μ."""

    kind: str
    shift: str
    gamma: str
    mu: str

    @property
    def runs(self) -> NeighborFunction:
        return neighbor_function(self.kind, Fraction(self.shift))

    @property
    def words(self) -> str:
        return f"(ψ = {self.runs.name}, γ = {self.gamma}, μ = {self.mu})"

    def _specified(self) -> str:
        if Fraction(self.shift) == 0:
            return self.kind
        return f"{self.kind}(x+{self.shift})"

    def psi_conforms(self) -> Evidence:
        """Evidence that the ψ-mechanism answers with its ideal law, rounded."""
        mechanism = PsiMechanism(self.runs, self.gamma, self.mu)
        law = psi_mechanism.PsiMechanism(specified(self._specified()), self.gamma, self.mu)
        drawn = mechanism.release(np.full(DRAWS, sum(VALUES)), Bits.seeded(SEED))
        return _follows(drawn, law.output(VALUES), mechanism.grid, f"psi {self.words}")

    def pnc_conforms(self) -> Evidence:
        """Evidence that pnc answers with its ideal law, rounded, given the bounds."""
        mechanism = ProbablyNoClipping(self.runs, self.gamma, self.mu)
        psi = specified(self._specified())
        law = probably_no_clipping.ProbablyNoClipping(psi, self.gamma, self.mu)
        formed = Groups(np.repeat(np.arange(DRAWS), len(VALUES)), DRAWS, ())
        values, bounds = np.tile(VALUES, DRAWS), np.tile(BOUNDS, DRAWS)
        drawn = mechanism.release(formed, values, bounds, Bits.seeded(SEED)).answers
        return _follows(drawn, law.output(VALUES, BOUNDS), mechanism.grid, f"pnc {self.words}")

    def remainder_conforms(self) -> Evidence:
        """Evidence that second answers by establishment have their ideal law, rounded, given the bounds."""
        mechanism = ProbablyNoClipping(self.runs, self.gamma, self.mu, remainder=True)
        formed = Groups(np.repeat(np.arange(DRAWS), 2), DRAWS, ())
        values, bounds = (np.tile((side[0], side[2]), DRAWS) for side in (VALUES, BOUNDS))
        left = mechanism.release(formed, values, bounds, Bits.seeded(SEED)).left
        assert left is not None
        psi, gamma, mu = (
            specified(self._specified()),
            MP.number(Fraction(self.gamma)),
            MP.number(Fraction(self.mu)),
        )
        own, most = (
            probably_no_clipping.sensitivity(psi, MP.number(u), gamma, MP) for u in bounds[:2].tolist()
        )
        budget = mu * MP.sqrt(remainder.left(own, most, MP))
        law = Gaussian(psi.value(MP.number(VALUES[0]), MP), gamma / budget, MP)
        grid = PsiMechanism(self.runs, self.gamma, Fraction(self.mu) / LARGEST).grid
        return _follows(left.answers[::2], law, grid, f"the second answer {self.words}")

    def specified_estimate(self, answer: float, sd: float) -> tuple[Number, ...]:
        """Estimate, its variance, and both ends of the interval, from one ω; the variance at a sum ≥ 0."""
        omega, s, a = (MP.number(Fraction(answer)), MP.number(Fraction(sd)), MP.number(Fraction(self.shift)))
        if self.kind == "sqrt":
            x = psi_estimators.unbiased_from_root(omega, s, MP) - a
            variance = psi_estimators.variance_from_root(max(x, MP.number(0)) + a, s, MP)
        elif self.kind == "log":
            x = psi_estimators.unbiased_from_logarithm(omega, s, MP) - a
            variance = psi_estimators.unbiased_variance_from_logarithm(x + a, s, MP)
        else:
            x, variance = omega, s**2
        z = gaussian.quantile(MP.number(Fraction(39, 40)), MP)
        psi = specified(self._specified())
        return x, variance, *psi_estimators.confidence_interval(psi, omega, s, z, MP)

    def _estimated(self) -> Iterator[tuple[float, Number]]:
        mechanism = PsiMechanism(self.runs, self.gamma, self.mu)
        center = self.runs.transformed(np.array([sum(VALUES)]))[0][0]
        answers = np.array([-1.0, 0.0, 0.25, center - mechanism.sd, center, center + mechanism.sd])
        for k, found in enumerate(_rows(from_psi(mechanism, answers))):
            expected = self.specified_estimate(float(answers[k]), mechanism.sd)
            yield from zip(found, expected, strict=True)
        clipped = Clipped(answers, np.full(answers.size, 0.5))
        half = gaussian.quantile(MP.number(Fraction(39, 40)), MP) / 2
        for value, found in zip(answers.tolist(), _rows(from_sums(clipped)), strict=True):
            ends = (max(value + sign * half, MP.number(0)) for sign in (-1, 1))
            yield from zip(found, (value, 0.25, *ends), strict=True)

    def estimates_conform(self) -> Evidence:
        """Evidence that estimates, their variances and intervals are those of the specification."""
        return exhaustive.for_all(
            self._estimated(),
            _is_close,
            f"estimates from psi and pnc {self.words} are those of the specification, and their variances",
            "answers around ψ(0) and ψ of the sum, to 9 digits",
        )

    def _errors(self) -> Iterator[tuple[str, str]]:
        mechanism = PsiMechanism(self.runs, self.gamma, self.mu)
        s, own = MP.number(Fraction(mechanism.sd)), f"{mechanism.sd:.4g}"
        if self.kind == "sqrt":
            at_zero, at_one = (psi_estimators.variance_from_root(x, s, MP) for x in (0, 1))
            inside = f"x + {self.shift}" if self.shift != "0" else "x"
            error = f"√({float(at_one - at_zero):.4g}·({inside}) + {float(at_zero):.4g})"
        elif self.kind == "log":
            deviation = MP.sqrt(psi_estimators.variance_from_logarithm(1, s, MP))
            error = f"{float(deviation):.4g}·(x + {self.shift})"
        else:
            error = own
        said = mechanism.expected_error["standard deviation"]
        yield said, f"{own} for the answer; {error} for the estimate"

    def stated(self) -> Evidence:
        """Evidence that the deviation which the record states is that of the specification."""
        return exhaustive.for_all(
            self._errors(),
            lambda pair: pair[0] == pair[1],
            f"psi {self.words} states the deviations of the specification",
            "to 4 digits",
        )


def _rows(estimates: Estimates) -> Iterator[tuple[float, ...]]:
    columns = (estimates.values, estimates.variances, estimates.low, estimates.high)
    yield from zip(*(column.tolist() for column in columns), strict=True)


def _is_close(pair: tuple[float, Number]) -> bool:
    return close(*pair, slack=1e-12)


JOBS = (3, 50, 7, 120, 0)
COUNTY = (0, 1, 1, 0, 1)
"""Five establishments, by two counties."""


def _answers(mu: Fraction) -> list[Answers]:
    """Jobs by establishment, by county, and in all; the total by pnc."""
    labels = np.array(["north", "south"], dtype=object)
    data = Establishments(
        "id", np.arange(len(JOBS)), {"county": Codes(np.array(COUNTY), labels)}, {"jobs": np.array(JOBS)}
    )
    queries = [
        SumQuery(name, by, kind, {"jobs": mu}, by == ("id",), zeta)
        for name, by, kind, zeta in (
            ("each", ("id",), "psi", None),
            ("counties", ("county",), "psi", None),
            ("total", (), "pnc", Fraction(1, 1000)),
        )
    ]
    definition = Gedp.of([Attribute.of("jobs", "sqrt", "1/2", "3/8")])
    return answer(data, queries, definition, Bits.seeded(SEED))


def _fitted() -> Iterator[tuple[float, Number]]:
    """Sums that come out where there is next to no noise, and the least-squares fit where there is."""
    of_all = [
        [float(jobs) for jobs in JOBS],
        [float(sum(j for j, c in zip(JOBS, COUNTY, strict=True) if c == k)) for k in (0, 1)],
        [float(sum(JOBS))],
    ]
    for one, sums in zip(_answers(Fraction(10**12)), of_all, strict=True):
        yield from zip(np.round(one.estimates().values, 6).tolist(), sums, strict=True)
    for mu in (Fraction(1, 3), Fraction(1, 50)):
        yield from _fits(_answers(mu))


def _fits(answered: list[Answers]) -> Iterator[tuple[float, Number]]:
    """The fit to answers, and what the specification makes of the same answers."""
    root = OneGroup("sqrt", "3/8", "1/2", "1")
    rows, values, variances = [], [], []
    for one in answered:
        for k, noisy in enumerate(one.answers.tolist()):
            rows.append([int(group == k) for group in one.formed.index.tolist()])
            if isinstance(one.released, Clipped):
                deviation = MP.number(Fraction(float(one.released.sds[k])))
                estimate = MP.number(Fraction(noisy)), deviation**2
            else:
                estimate = root.specified_estimate(noisy, one.mechanism.sd)[:2]  # type: ignore[union-attr]
            values.append(estimate[0])
            variances.append(estimate[1])
    exact = least_squares.estimate(rows, values, variances, MP)
    yield from zip(fitted(answered)["jobs"].tolist(), exact, strict=True)


@cache
def answers_conform() -> Evidence:
    """Evidence that what is published about every query is what its establishments and answers say."""
    return exhaustive.for_all(
        _fitted(),
        _is_close,
        "the sums of every query are about its own establishments, and the fit takes every answer with its "
        "variance",
        "five establishments in two counties, jobs by establishment, by county and in all",
    )


def _follows(drawn: np.ndarray, law: Gaussian, grid: Grid, words: str) -> Evidence:
    half = Fraction(grid.unit) / 2
    return follows_discrete_law(
        drawn,
        lambda x: float(law.cdf(MP.number(Fraction(x) + half))),
        grid.unit,
        f"{words} draws the ideal law, rounded, for establishments of {', '.join(map(str, VALUES))}",
    )


_RUNS = (
    OneGroup("sqrt", "0", "1/2", "7/10"),
    OneGroup("sqrt", "1/2", "50", "3/20"),
    OneGroup("log", "1", "1/10", "2"),
    OneGroup("identity", "0", "5", "1"),
)

CASES = tuple(
    Case(
        name,
        (
            f"establish.impl.microdata.{stem}",
            f"establish.spec.mechanisms.{stem}",
            "establish.impl.publish.establishment_answers",
        ),
        rests_on,
        conforms,
        conforms if conforms == run.stated else None,
    )
    for run in _RUNS
    for name, stem, rests_on, conforms in (
        (PsiMechanism.name, "psi_mechanism", PsiMechanism.rests_on, run.psi_conforms),
        (PsiMechanism.name, "psi_mechanism", PsiMechanism.rests_on, run.estimates_conform),
        (PsiMechanism.name, "psi_mechanism", PsiMechanism.rests_on, run.stated),
        (PsiMechanism.name, "psi_mechanism", PsiMechanism.rests_on, answers_conform),
        (PsiMechanism.name, "psi_mechanism", PsiMechanism.rests_on, fits_conform),
        (ProbablyNoClipping.name, "probably_no_clipping", ProbablyNoClipping.rests_on, run.pnc_conforms),
        (
            ProbablyNoClipping.name,
            "remainder",
            (*ProbablyNoClipping.rests_on, "establish/remainder-cost"),
            run.remainder_conforms,
        ),
        (ProbablyNoClipping.name, "probably_no_clipping", ProbablyNoClipping.rests_on, answers_conform),
        (ProbablyNoClipping.name, "probably_no_clipping", ProbablyNoClipping.rests_on, fits_conform),
    )
)
