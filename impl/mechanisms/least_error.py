"""Which mechanism for counts has the least expected error, by what is public."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

from establish.impl.cards import cards
from establish.impl.mechanisms.growth_laplace import SIZES
from establish.impl.mechanisms.on_counts import OnCounts
from establish.impl.mechanisms.smooth_scale import SmoothNoise
from establish.spec.parameters import ParameterError, Rational, positive, probability


@dataclass(frozen=True)
class Rated:
    """A mechanism and its expected errors in units of S = max(α·n, 1), before any rounding.

    errors: for cells of one establishment of each of SIZES. by_largest: whether S follows the largest
    establishment where that is given, and not the count.
    """

    mechanism: OnCounts
    errors: tuple[float, ...]
    by_largest: bool

    @property
    def mean(self) -> float:
        """Over SIZES, each with the same weight."""
        return sum(self.errors) / len(self.errors)


def errors(mechanism: OnCounts) -> tuple[float, ...]:
    """E|out − n| for cells of one establishment of each of SIZES, before any rounding."""
    return tuple(mechanism.mean_error(Fraction(n)) for n in SIZES)


def _rated(mechanism: OnCounts) -> Rated:
    alpha = Fraction(mechanism.parameters["alpha"])
    found = tuple(
        error / _unit(alpha, Fraction(n)) for n, error in zip(SIZES, errors(mechanism), strict=True)
    )
    return Rated(mechanism, found, isinstance(mechanism, SmoothNoise))


def _unit(alpha: Fraction, n: Fraction) -> float:
    """max(α·n, 1)."""
    return float(max(alpha * n, Fraction(1)))


def rated(
    alpha: Rational, epsilon: Rational, delta: Rational | None = None, calibration: str = "tight"
) -> list[Rated]:
    """The mechanisms that are defined at these parameters, the least mean error first.

    delta: with it, Smooth Laplace too. calibration: ``published`` for those that a paper has. Raises
    ParameterError for parameters that no mechanism takes.
    """
    return _by_error(_defined(alpha, epsilon, delta, calibration))


def _by_error(made: Sequence[OnCounts]) -> list[Rated]:
    return sorted(map(_rated, made), key=lambda r: r.mean)


def _defined(alpha: Rational, epsilon: Rational, delta: Rational | None, calibration: str) -> list[OnCounts]:
    """Those to choose from that take these parameters, in the order in which they came among them."""
    given = {"alpha": positive("α", alpha), "epsilon": positive("ε", epsilon)}
    if delta is not None:
        given["delta"] = probability("δ", delta)
    made: list[OnCounts] = []
    for card in sorted(cards().values(), key=lambda card: card.since):
        if card.since and given.keys() >= {*card.takes} and calibration in (kind := card.load()).specified:
            with suppress(ParameterError):
                made.append(kind(**{name: given[name] for name in card.takes}, calibration=calibration))
    if not made:
        raise ParameterError(f"no mechanism is defined at α = {alpha}, ε = {epsilon}")
    return made


@dataclass(frozen=True)
class Choice:
    """What was chosen, and why, in words."""

    mechanism: OnCounts
    why: str


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
    fitting: Sequence[OnCounts] = [m for m in made if isinstance(m, SmoothNoise)] if many else made
    first, *others = _by_error(fitting or made)
    unit = "max(α·largest, 1)" if many and first.by_largest else "max(α·n, 1)"
    sizes = ", ".join(f"{n:,}" for n in SIZES)
    told = "; ".join(f"{r.mechanism.name} {r.mean:.4g}" for r in others[:2])
    kind = (
        "no cell has more than one establishment"
        if one
        else f"each cell's largest establishment is {'' if largest else 'not '}given"
    )
    why = (
        f"{first.mechanism.name} ({calibration}) is the default for these α, ε and δ when {kind}: "
        f"its expected error is {first.mean:.4g}·{unit} on average over cells of {sizes}"
    )
    return Choice(first.mechanism, f"{why} (next best: {told})" if told else why)
