"""Which mechanism for counts has the least expected error, by what is public."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from establish.impl.mechanisms.growth_laplace import SIZES, GrowthLaplace
from establish.impl.mechanisms.growth_staircase import GrowthStaircase, UnbiasedGrowthStaircase
from establish.impl.mechanisms.laplace import Laplace
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_gamma import SmoothGamma
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.mechanisms.smooth_lomax import SmoothLomax
from establish.impl.mechanisms.smooth_path import SmoothPath
from establish.impl.mechanisms.smooth_staircase import SmoothStaircase, UnbiasedSmoothStaircase
from establish.impl.mechanisms.whole_staircase import WholeStaircase
from establish.spec.mechanisms import growth_laplace
from establish.spec.parameters import ParameterError, Rational, positive, probability

Private = (
    GrowthLaplace
    | GrowthStaircase
    | LogLaplace
    | SmoothGamma
    | SmoothLaplace
    | SmoothLomax
    | SmoothStaircase
    | WholeStaircase
)

FOLLOWS_LARGEST = (SmoothGamma, SmoothLaplace, SmoothLomax, SmoothStaircase)
"""Those whose noise is S·Z: it follows the largest establishment where that is given."""


@dataclass(frozen=True)
class Rated:
    """A mechanism and its expected errors in units of S = max(α·n, 1), before any rounding.

    errors: for cells of one establishment of each of SIZES. by_largest: whether S follows the largest
    establishment where that is given, and not the count.
    """

    mechanism: Private
    errors: tuple[float, ...]
    by_largest: bool

    @property
    def mean(self) -> float:
        """Over SIZES, each with the same weight."""
        return sum(self.errors) / len(self.errors)


def errors(mechanism: Private | Laplace) -> tuple[float, ...]:
    """E|out − n| for cells of one establishment of each of SIZES, before any rounding."""
    if isinstance(mechanism, Laplace):
        return (mechanism.noise_scale,) * len(SIZES)
    return tuple(_error(mechanism, Fraction(n)) for n in SIZES)


def _error(mechanism: Private, n: Fraction) -> float:
    """At one count; of noise S·Z by its mean E|Z|."""
    α, ε = mechanism.alpha, mechanism.epsilon
    if isinstance(mechanism, FOLLOWS_LARGEST):
        return _unit(mechanism, n) * mechanism.mean_absolute_noise
    if isinstance(mechanism, LogLaplace):
        λ = mechanism.noise_scale
        return float(n + 1 / α) * λ / (1 - λ * λ) if λ < 1 else inf
    if isinstance(mechanism, GrowthLaplace):
        return float(sum(growth_laplace.mean_errors(n, α, ε)))
    return float(sum(mechanism.errors(int(n))))


def _unit(mechanism: Private, n: Fraction) -> float:
    """max(α·n, 1)."""
    return float(max(mechanism.alpha * n, Fraction(1)))


def _rated(mechanism: Private) -> Rated:
    found = tuple(
        error / _unit(mechanism, Fraction(n)) for n, error in zip(SIZES, errors(mechanism), strict=True)
    )
    return Rated(mechanism, found, isinstance(mechanism, FOLLOWS_LARGEST))


def rated(
    alpha: Rational, epsilon: Rational, delta: Rational | None = None, calibration: str = "tight"
) -> list[Rated]:
    """The mechanisms that are defined at these parameters, the least mean error first.

    delta: with it, Smooth Laplace too. calibration: ``published`` for those that a paper has. Raises
    ParameterError for parameters that no mechanism takes.
    """
    return _by_error(_defined(alpha, epsilon, delta, calibration))


def _by_error(made: list[Private]) -> list[Rated]:
    return sorted(map(_rated, made), key=lambda r: r.mean)


def _defined(alpha: Rational, epsilon: Rational, delta: Rational | None, calibration: str) -> list[Private]:
    positive("α", alpha)
    positive("ε", epsilon)
    if delta is not None:
        probability("δ", delta)
    kinds: list[type[Private]] = [LogLaplace, SmoothGamma]
    if calibration == "tight":
        kinds[:0] = [
            WholeStaircase,
            GrowthStaircase,
            UnbiasedGrowthStaircase,
            GrowthLaplace,
            SmoothStaircase,
            SmoothPath,
            UnbiasedSmoothStaircase,
            SmoothLomax,
        ]
    made: list[Private] = []
    for kind in kinds:
        with suppress(ParameterError):
            made.append(kind(alpha, epsilon, calibration))
    if delta is not None:
        with suppress(ParameterError):
            made.append(SmoothLaplace(alpha, epsilon, delta, calibration))
    if not made:
        raise ParameterError(f"no mechanism is defined at α = {alpha}, ε = {epsilon}")
    return made


LAST_WITHOUT = {SmoothPath.name: 3, WholeStaircase.name: 2}
"""The last rule of these defaults by which a mechanism was not among those to choose from."""


@dataclass(frozen=True)
class Choice:
    """What was chosen, and why, in words. before: by the last rule that did not know it, what was."""

    mechanism: Private
    why: str
    before: tuple[int, str] | None = None


def chosen(
    alpha: Rational,
    epsilon: Rational,
    delta: Rational | None = None,
    *,
    largest: bool,
    one: bool = False,
    calibration: str = "tight",
) -> Choice:
    """The mechanism with the least mean error among those for this kind of cell. No count is looked at.

    largest: whether each cell's largest establishment is given. Then cells hold many, and the noise must
    follow the largest; otherwise it follows the count. one: whether it is public that no cell holds more than
    one establishment; the largest then is the count. Raises ParameterError as :func:`rated` does.
    """
    made = _defined(alpha, epsilon, delta, calibration)
    many = largest and not one
    fitting: list[Private] = [m for m in made if isinstance(m, FOLLOWS_LARGEST)] if many else made
    first, *others = _by_error(fitting or made)
    unit = "max(α·largest, 1)" if many and first.by_largest else "max(α·n, 1)"
    sizes = ", ".join(f"{n:,}" for n in SIZES)
    told = "; ".join(f"{r.mechanism.name} {r.mean:.4g}" for r in others[:2])
    kind = (
        "that cells hold one establishment at most"
        if one
        else f"that the largest establishment of a cell is {'' if largest else 'not '}given"
    )
    why = (
        f"{first.mechanism.name} ({calibration}) was chosen by α, ε, δ and {kind}: its expected error is "
        f"{first.mean:.4g}·{unit} on average over cells of {sizes}"
    )
    before = None
    if (rule := LAST_WITHOUT.get(first.mechanism.name)) is not None:
        names = [r.mechanism.name for r in others]
        before = rule, next(n for n in names if LAST_WITHOUT.get(n, 0) < rule)
    return Choice(first.mechanism, f"{why} (next: {told})" if told else why, before)
