"""The least error under Gaussian establishment privacy, on the scale of ψ, at four μ."""

from fractions import Fraction
from functools import partial

from establish import AtMost, Evidence, Verdict, claim, exact, holds, rules, solver, symbolic
from establish.proofs_check.engine.rules.calculus import slope_obligations
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison, NoSmallerStepError, NoStepErrorBelow
from establish.proofs_check.limits.step_errors import StepError, enclosed
from establish.spec.gaussian import normal_error

POINTS = ("1/4", "1/2", "1", "2")
"""The μ at which the limit is a claim."""


@shared
def two_tails() -> Evidence:
    """The slope in b is φ(b − d) − φ(b + d), and that is 0 at d = 0 and rises."""
    end, slope = slope_obligations(rules.TWO_TAILS, "b")
    return rules.slope_and_end(rules.TWO_TAILS, "b", symbolic.signed(end), solver.proves(slope))


Stated = tuple[NoStepErrorBelow, Comparison]


def _stated(mu: Fraction, ends: StepError) -> Stated:
    return (NoSmallerStepError(mu, ends.lower), AtMost(left=lambda c: normal_error(mu, c), right=ends.upper))


def _at(about: Stated, value: str) -> Verdict:
    """That an output is at least a number is an event, which moves by at most μ from step to step: see the
    rule half_lines. The ψ-mechanism adds normal noise of standard deviation γ/μ to ψ.
    """
    no_less, enough = about
    _, terms = rules.half_line_terms(no_less)
    return holds(
        rules.half_lines(no_less, two_tails(), exact.decided(terms)),
        exact.decided(enough),
        value=value,
        condition="one establishment; the error of an estimate of ψ(x), in units of γ",
    )


for _mu in POINTS:
    _ends = enclosed(Fraction(_mu))
    _about = _stated(Fraction(_mu), _ends)
    _shown = " and ".join(f"{float(end):.9g}" for end in _ends)
    claim(
        f"establish/gaussian-limit/mu{_mu.replace('/', 'over')}",
        where="The limit of the error",
        says=f"Under Gaussian establishment privacy with μ = {_mu}, the mean of E|X − ψ(x)| over real values "
        "x that lie γ apart in ψ is at least the lower number times γ for every mechanism and every estimate "
        "X of ψ(x), as there are more of them; the ψ-mechanism has the upper one.",
        states=_about,
        tight=_about,
    )(partial(_at, _about, f"between {_shown}"))
