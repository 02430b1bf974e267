"""The least error of noise S·Z for cells of many establishments, at five α and ε."""

from fractions import Fraction
from functools import partial

from establish import Every, Verdict, claim, exhaustive, holds
from establish.proofs_check.engine.rules import by_moved_amounts
from establish.proofs_check.engine.statements import EveryCase, NoAdditiveErrorBelow, NoSmallerAdditiveError
from establish.proofs_check.limits.additive_errors import built
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism

PLACE = "The least error of noise S·Z"

POINTS = (
    ("1/10", "2", "0.44037", "0.452554", "0.448690"),
    ("1/10", "1", "1.01674", "1.100158", "1.059156"),
    ("1/20", "1", "0.98902", "1.025910", "1.014740"),
    ("1/100", "1/4", "4.07441", "4.233749", "4.175152"),
    ("1/5", "4", "0.14039", "0.147088", "0.145485"),
)
"""α and ε at which the least error is a claim, what it is at least, and what Smooth Staircase and Smooth Path
have.
"""


def _no_less(about: NoAdditiveErrorBelow) -> Verdict:
    """A dual solution of the linear program in the law of Z, rounded and checked anew.

    Between cells whose largest establishment has 1 worker a neighbor moves Z by one unit; where the only
    establishment of r workers, α = p/r, grows by p, Z is moved by one unit and multiplied by 1 + α; where a
    smaller one grows and stays smaller, Z is moved by a part of a unit.
    """
    return holds(
        by_moved_amounts(about, built(about.alpha, about.epsilon)),
        value=f"at least {float(about.value)}",
        condition="noise S·Z, Z of one law for all cells, S = max(α·largest, 1)",
    )


for _alpha, _epsilon, _lower, *_ in POINTS:
    _about = NoSmallerAdditiveError(_alpha, _epsilon, _lower)
    claim(
        f"establish/additive-error/a{_alpha.replace('/', 'over')}-e{_epsilon.replace('/', 'over')}",
        where=PLACE,
        says=f"At α = {_alpha}, ε = {_epsilon} no noise S·Z that makes sums over many establishments "
        "(α, ε)-ER-EE private has an E|Z| below the value given.",
        states=_about,
        tight=_about,
    )(partial(_no_less, _about))


Case = tuple[str, str, str, str, str]
"""One of POINTS."""


def _error(mechanism: type[SmoothStaircaseMechanism], case: Case) -> Fraction:
    """E|Z|, to 20 digits."""
    alpha = Fraction(case[0])
    error = mechanism(alpha, case[1]).mean_absolute_error(1 / alpha)
    return Fraction(MP.mp.nstr(error, 20))


def _has(mechanism: type[SmoothStaircaseMechanism], column: int) -> EveryCase:
    return Every(
        "α and ε",
        lambda: iter(POINTS),
        lambda case: _error(mechanism, case) <= Fraction(case[column]),
        wrong=lambda case: _error(mechanism, case) <= Fraction(case[2]),
    )


OF_STAIRCASE, OF_PATH = _has(SmoothStaircaseMechanism, 3), _has(SmoothPathMechanism, 4)
THERE = "the five α and ε at which the least error is a claim"


@claim(
    "establish/additive-error/smooth-staircase",
    where=PLACE,
    says="Smooth Staircase has an E|Z| of at most .452554, 1.100158, 1.02591, 4.233749 and .147088 there: "
    "less than 1.028, 1.083, 1.038, 1.04 and 1.048 times what is necessary.",
    states=OF_STAIRCASE,
)
def error_of_smooth_staircase() -> Verdict:
    """Its moments are those that establish/smooth-staircase-error is about, to 20 digits."""
    return holds(exhaustive.each(OF_STAIRCASE, THERE))


@claim(
    "establish/additive-error/smooth-path",
    where=PLACE,
    says="Smooth Path has an E|Z| of at most .44869, 1.059156, 1.01474, 4.175152 and .145485 there: less "
    "than 1.019, 1.042, 1.027, 1.025 and 1.037 times what is necessary.",
    states=OF_PATH,
)
def error_of_smooth_path() -> Verdict:
    """Its moments are those that establish/smooth-path-error is about, to 20 digits."""
    return holds(exhaustive.each(OF_PATH, THERE))
