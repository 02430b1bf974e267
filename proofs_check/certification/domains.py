"""Which parameters and counts the mechanisms on counts take, and which mechanism is taken without a name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

import mpmath
import numpy as np

from establish.impl.cards import of_counts
from establish.impl.counts import largest_within, whole_counts
from establish.impl.mechanisms import mechanism
from establish.impl.mechanisms.defaults import settled
from establish.impl.mechanisms.growth_laplace import SIZES, GrowthLaplace
from establish.impl.mechanisms.growth_staircase import GrowthStaircase
from establish.impl.mechanisms.laplace import Laplace
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_gamma import SmoothGamma
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.mechanisms.smooth_lomax import SmoothLomax
from establish.impl.mechanisms.smooth_path import SmoothPath
from establish.impl.mechanisms.smooth_staircase import SmoothStaircase, UnbiasedSmoothStaircase
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.mechanisms.whole_staircase import WholeStaircase
from establish.proofs_check.certification.subject import refused
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP, Number
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.log_laplace import mean_absolute_error as log_laplace_error
from establish.spec.mechanisms import growth_laplace, smooth_laplace
from establish.spec.mechanisms.growth_staircase import GrowthStaircaseMechanism
from establish.spec.mechanisms.growth_staircase import mean_errors as of_staircase
from establish.spec.mechanisms.log_laplace import TightLogLaplaceMechanism
from establish.spec.mechanisms.smooth_gamma import TightSmoothGammaMechanism
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import (
    SmoothStaircaseMechanism,
    UnbiasedSmoothStaircaseMechanism,
)
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism
from establish.spec.mechanisms.whole_staircase import mean_errors as of_whole
from establish.spec.parameters import ParameterError

SHARES = tuple(map(Fraction, ("1/100", "1/10", "1/2", "2")))
FACTORS = tuple(map(Fraction, ("1/2", "9/10", "999/1000", "1001/1000", "11/10", "2")))
"""How far from the least ε, or the least δ, parameters lie that are asked for."""

TIMES: dict[Any, int] = {
    SmoothLomax: 1,
    GrowthStaircase: 1,
    WholeStaircase: 1,
    SmoothStaircase: 3,
    UnbiasedSmoothStaircase: 3,
    SmoothPath: 3,
}
"""The multiple of ln(1 + α) that ε must exceed."""

FEW_STEPS = Fraction(1, 1000)
"""The least ε of staircases."""

FEW_BLOCKS = Fraction(1, 1000)
"""The least α of whole-staircase."""


def _near(value: Number, factor: Fraction) -> Fraction:
    """A rational close to a number, times a factor."""
    return Fraction(mpmath.nstr(value, 20)) * factor


Domain = tuple[Callable[[], object], bool]
"""What makes a mechanism, and whether its parameters are in its domain."""


def _smooth() -> Iterator[Domain]:
    for alpha, factor in product(SHARES, FACTORS):
        growth = MP.log(1 + MP.number(alpha))
        for calibration, times in (("published", 5), ("tight", 3)):
            level = _near(times * growth, factor)
            yield partial(SmoothGamma, alpha, level, calibration), factor > 1
        for kind, times in TIMES.items():
            level = _near(times * growth, factor)
            yield partial(kind, alpha, level), factor > 1 and _is_specified(kind, alpha, level)
        for level in (*map(Fraction, ("1/10", "1", "4")), _near(growth, factor)):
            yield from _smooth_laplace(alpha, level, factor)


def _is_specified(kind: object, alpha: Fraction, epsilon: Fraction) -> bool:
    """Whether growth-staircase noise is specified: its error must lie below 1/α as well. whole-staircase has
    the same domain.
    """
    specified = partial(GrowthStaircaseMechanism, alpha, epsilon)
    return kind not in (GrowthStaircase, WholeStaircase) or not refused(specified)


def _smooth_laplace(alpha: Fraction, epsilon: Fraction, factor: Fraction) -> Iterator[Domain]:
    share, level = MP.number(alpha), MP.number(epsilon)
    growth = MP.log(1 + share)
    least, printed = smooth_laplace.exact_delta(share, level, MP), MP.exp(-level / (2 * growth))
    for delta in (_near(least, factor), _near(printed, factor), Fraction(99, 100)):
        if not 0 < delta < 1:
            continue
        proved = level / (2 * (1 + share)) + growth < level and least < MP.number(delta)
        as_printed = proved and smooth_laplace.least_epsilon(share, MP.number(delta), MP) < level
        for calibration, good in (("published", as_printed), ("tight", proved)):
            yield partial(SmoothLaplace, alpha, epsilon, delta, calibration), bool(good)


def _ends() -> Iterator[Domain]:
    """Every parameter at the ends of its domain, for every mechanism; staircases at their least ε."""
    small = Fraction(1, 10**6)
    every: tuple[Any, ...] = (GrowthLaplace, LogLaplace, SmoothGamma, *TIMES)
    for kind in every:
        for alpha, epsilon in ((0, 1), (-1, 1), (small, 0), (small, -1)):
            yield partial(kind, alpha, epsilon), False
        yield partial(kind, small, 1, "exact"), False
        yield partial(kind, small, 1, "tight"), kind is not WholeStaircase
        yield partial(kind, small, 1, "published"), kind in (LogLaplace, SmoothGamma)
        yield partial(kind, Fraction(1, 10**301), 1), False
    for kind in every[:2]:
        yield partial(kind, 10**6, small, "tight"), True
        yield partial(kind, 1, Fraction(1, 10**301), "tight"), False
    for kind in (GrowthStaircase, SmoothStaircase, UnbiasedSmoothStaircase, SmoothPath):
        yield partial(kind, small, FEW_STEPS), True
        yield partial(kind, small, FEW_STEPS * Fraction(999, 1000)), False
    for share, good in ((FEW_BLOCKS, True), (FEW_BLOCKS * Fraction(999, 1000), False)):
        yield partial(WholeStaircase, share, 1), good
    for delta, good in ((0, False), (1, False), (Fraction(1, 2), True)):
        yield partial(SmoothLaplace, small, 1, delta), good
    for level, good in ((small, True), (Fraction(0), False), (Fraction(-1), False)):
        yield partial(Laplace, level), good
        yield partial(TruncatedLaplace, level, 5), good
    most = 2**53 - 1
    for theta, good in ((1, False), (2, True), (most, True), (most + 1, False), (True, False)):
        yield partial(TruncatedLaplace, 1, theta), good
    for theta, good in ((0, False), (1, True)):
        yield partial(TruncatedLaplace, 1, theta, "at-most"), good
    yield partial(TruncatedLaplace, 1, 5, "above"), False
    yield partial(TruncatedLaplace, 1, 5, "below", "exact"), False


def _named() -> Iterator[Domain]:
    """What a name needs, and what it does not take."""
    given: dict[str, Any] = {"epsilon": 2, "alpha": "1/10", "delta": "1/9"}
    for name, card in of_counts().items():
        taken = {each: given[each] for each in card.takes}
        yield partial(mechanism, name, **taken), True
        for each in card.takes:
            if each != "epsilon":
                yield partial(mechanism, name, **{key: taken[key] for key in taken if key != each}), False
        if "delta" not in taken:
            yield partial(mechanism, name, **taken, delta="1/2"), False
        yield partial(mechanism, name, **{**taken, "alpha": 0}), False
    yield partial(mechanism, "noise", epsilon=2, alpha="1/10"), False


def _counts() -> Iterator[Domain]:
    """Counts at the ends, and largest establishments that a cell can and cannot have."""
    most = 2**53 - 1
    for value, good in ((0, True), (most, True), (-1, False), (most + 1, False), (0.5, False)):
        yield partial(whole_counts, "n", np.array([3, value])), good
    for other in (float("nan"), float("inf")):
        yield partial(whole_counts, "n", np.array([3.0, other])), False
    yield partial(whole_counts, "n", np.array(["1"])), False
    yield partial(whole_counts, "n", np.array([[1]])), False
    counts = np.array([5.0, 0.0])
    for largest, good in (
        ((5, 0), True),
        ((1, 0), True),
        ((0, 0), False),
        ((6, 0), False),
        ((5, 1), False),
        ((5,), False),
    ):
        yield partial(largest_within, "largest", np.array(largest), counts), good


@cache
def domains() -> Evidence:
    """Evidence that the mechanisms take the parameters for which they are private, and no others."""
    return exhaustive.for_all(
        (*_smooth(), *_ends(), *_named(), *_counts()),
        lambda case: refused(case[0]) != case[1],
        "mechanisms on counts take exactly the parameters and the counts that their conditions allow",
        "four α, ε and δ from half to twice their least values, 1 in 1000 off them and farther; the ends "
        "of every domain",
    )


ADVICE = re.compile(r"raise ε above (\S+?)(?:, raise δ)? or lower α(?: below (\S+?))?(?:;|$)")


def _refusals() -> Iterator[tuple[type[Any], Fraction, Fraction, tuple[Any, ...]]]:
    """Mechanisms with α, ε and more, outside of the domain."""
    for alpha in SHARES[:3]:
        growth = MP.log(1 + MP.number(alpha))
        for kind, times in TIMES.items():
            yield kind, alpha, _near(times * growth, Fraction(1, 2)), ()
        for calibration, times in (("published", 5), ("tight", 3)):
            yield SmoothGamma, alpha, _near(times * growth, Fraction(1, 2)), (calibration,)
        printed = _near(2 * growth * MP.log(100), Fraction(1, 2))
        yield SmoothLaplace, alpha, printed, (Fraction(1, 100), "published")


def _both_sides(text: str) -> tuple[float, float]:
    """The two numbers of "but … = left and … = right (α"."""
    told = text.partition(", but ")[2].partition(" (α")[0]
    left, right = re.findall(r" = ([0-9.]+)", told)
    return float(left), float(right)


def _is_told(case: tuple[type[Any], Fraction, Fraction, tuple[Any, ...]]) -> bool:
    """Whether a refusal tells two sides of which the left is not less, and advice that is in the domain."""
    kind, alpha, epsilon, more = case
    try:
        kind(alpha, epsilon, *more)
    except ParameterError as error:
        text = str(error)
    else:
        return False
    left, right = _both_sides(text)
    printed = "1 + α" in text.partition("needs")[2][:8]
    share = 1 + MP.number(alpha) if printed else MP.log(1 + MP.number(alpha)) * TIMES.get(kind, 1)
    found = ADVICE.search(text)
    if found is None or left < right or abs(left - share) > share * 1e-4:
        return False
    if kind in (GrowthStaircase, WholeStaircase):  # it has another condition, which the advice is not about
        return True
    above, below = found.groups()
    raised, lowered = Fraction(above) * Fraction(1001, 1000), Fraction(below or 1)
    lower = below is None or not refused(lambda: kind(lowered * Fraction(999, 1000), epsilon, *more))
    return lower and not refused(lambda: kind(alpha, raised, *more))


@cache
def advice() -> Evidence:
    """Evidence that what a refusal tells is so, and that its advice leads into the domain."""
    return exhaustive.for_all(
        _refusals(),
        _is_told,
        "a refusal of parameters tells both sides of its inequality, and what would be allowed",
        "ε at half its least value, three α, every mechanism whose domain is an inequality",
    )


GIVEN = (("1/10", "2"), ("1/20", "1/2"), ("1/5", "1"), ("1/10", "1/20"))
"""α and ε; at the last only mechanisms on a logarithmic scale are defined."""


def _rated(alpha: Fraction, epsilon: Fraction) -> dict[str, tuple[Number, bool]]:
    """By mechanism, its mean error in units of max(α·n, 1) over SIZES, and whether it is S·Z."""
    share, counts = MP.number(alpha), [Fraction(n) for n in SIZES]
    units = [max(share * n, MP.number(1)) for n in SIZES]

    def mean(errors: Any) -> Number:
        return sum(e / unit for e, unit in zip(errors, units, strict=True)) / len(SIZES)

    spread = TightLogLaplaceMechanism(alpha, epsilon).output((0,)).scale
    found: dict[str, tuple[Number, bool]] = {}
    laplace = [sum(growth_laplace.mean_errors(n, alpha, epsilon)) for n in counts]
    found["growth-laplace"] = mean(laplace), False
    errors = [log_laplace_error(MP.number(n), 1 / share, spread) for n in SIZES]
    found["log-laplace"] = mean(errors) if spread < 1 else mpmath.inf, False
    if not refused(lambda: GrowthStaircaseMechanism(alpha, epsilon)):
        own = GrowthStaircaseMechanism(alpha, epsilon)
        steps = [sum(of_staircase(n, alpha, epsilon, own.down, own.up)) for n in counts]
        found["growth-staircase"] = mean(steps), False
        whole = WholeStaircaseMechanism(alpha, epsilon)
        found["whole-staircase"] = mean(sum(of_whole(whole, n)) for n in SIZES), False
    growth = MP.log(1 + share)
    if 3 * growth < MP.number(epsilon):
        gamma = TightSmoothGammaMechanism(alpha, epsilon).output((1,))
        assert isinstance(gamma, HeavyTailed)
        found["smooth-gamma"] = gamma.scale / MP.sqrt(MP.number(2)), True
        for name, kind in (
            ("smooth-staircase", SmoothStaircaseMechanism),
            ("smooth-staircase-unbiased", UnbiasedSmoothStaircaseMechanism),
            ("smooth-path", SmoothPathMechanism),
        ):
            found[name] = kind(alpha, epsilon).mean_absolute_error(0), True
    if growth < MP.number(epsilon):
        found["smooth-lomax"] = SmoothLomaxMechanism(alpha, epsilon).mean_absolute_error(0), True
    return found


def _is_least(case: tuple[str, str, bool, bool]) -> bool:
    """Whether the mechanism that is taken has the least mean error among those for such cells."""
    alpha, epsilon, largest, one = case
    every = _rated(Fraction(alpha), Fraction(epsilon))
    fitting = {name: error for name, (error, follows) in every.items() if follows}
    if one or not largest or not fitting:
        fitting = {name: error for name, (error, _) in every.items()}
    least = min(fitting, key=lambda name: fitting[name])
    found = settled(None, None, alpha=alpha, epsilon=epsilon, largest=largest, one=one)
    told = float(re.findall(r"expected error is ([0-9.e+-]+|inf)·", found.why[0])[0])
    meant = float(fitting[least])
    return found.name == least and (told == meant or abs(told - meant) <= 1e-3 * meant)


def _is_settled(case: tuple[str, str | None, str]) -> bool:
    name, calibration, meant = case
    found = settled(name, calibration, alpha="1/10", epsilon=2, largest=True)
    named = calibration is not None or name in ("laplace", *(kind.name for kind in TIMES))
    return (found.name, found.calibration, found.why == ()) == (name, meant, named)


@cache
def defaults() -> Evidence:
    """Evidence that what is taken where nothing is named is the least noise that is proved."""
    named = (
        ("log-laplace", None, "tight"),
        ("log-laplace", "published", "published"),
        ("smooth-gamma", "tight", "tight"),
        ("laplace", None, "published"),
        ("smooth-lomax", None, "tight"),
    )
    unknown = (("log-laplace", "exact"), (None, "exact"))
    cases = [
        *((_is_least, (*given, largest, one)) for given in GIVEN for largest, one in KINDS),
        *((_is_settled, case) for case in named),
        *((_is_no_calibration, case) for case in unknown),
    ]
    return exhaustive.for_all(
        cases,
        lambda case: case[0](case[1]),  # type: ignore[operator]
        "where no mechanism is named the one with the least mean error by the specification is taken",
        f"{len(GIVEN)} α and ε, cells of one and of many establishments, with and without their largest",
    )


KINDS = ((True, False), (True, True), (False, False))
"""Whether the largest establishment of a cell is given, and whether it holds one at most."""


def _is_no_calibration(case: tuple[str | None, str]) -> bool:
    name, calibration = case
    return refused(lambda: settled(name, calibration, alpha="1/10", epsilon=2, largest=True))
