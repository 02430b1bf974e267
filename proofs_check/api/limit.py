"""How much noise privacy makes necessary: an interval, and how each end is proved."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from math import inf, nextafter
from typing import TYPE_CHECKING

from establish.proofs_check.api.progress import share_bar
from establish.proofs_check.api.told import Told
from establish.proofs_check.engine.misuse import Misuse
from establish.proofs_check.outputs.questions import GaussianLimit
from establish.proofs_check.outputs.questions import Limit as Row
from establish.spec.parameters import ParameterError, Rational, exact, positive, probability

if TYPE_CHECKING:
    from establish.proofs_check.limits.limit import Limit as Enclosed


@dataclass(frozen=True, repr=False)
class Limit(Told):
    """The least error that privacy allows. row: both ends and how each is proved, as ``--json`` writes it."""

    row: Row | GaussianLimit

    @property
    def lower(self) -> Fraction:
        """No mechanism has less, exactly as it was proved."""
        return Fraction(self.row["lower_exact"])

    @property
    def upper(self) -> Fraction:
        """Some mechanism has no more, exactly as it was proved."""
        return Fraction(self.row["upper_exact"])

    def lines(self) -> Iterator[str]:
        """What ``establish limit`` prints."""
        row = self.row
        if "mu" in row:
            return _gaussian_lines(row)
        return _lines(row)


def limit(
    *,
    alpha: Rational | None = None,
    epsilon: Rational | None = None,
    delta: Rational | None = None,
    n: int | str | None = None,
    mu: Rational | None = None,
) -> Limit:
    """The least E|out − n| in units of α·n, for one establishment of n workers as n grows.

    alpha, epsilon > 0 and 0 < delta < 1, exact. n: a whole number at which errors of mechanisms are told,
    too. mu: for Gaussian establishment privacy, in place of the others; then the error is that of an
    estimate of ψ(x), in units of γ. It takes a few seconds. Raises ParameterError for other values, and
    Misuse where one is missing or does not go with mu.
    """
    if mu is not None:
        given = {"--alpha": alpha, "--epsilon": epsilon, "--delta": delta, "--n": n}
        for option, value in given.items():
            if value is not None:
                raise Misuse(f"{option} does not go with --mu, which is another privacy definition")
        return Limit(_gaussian_row(mu))
    if alpha is None or epsilon is None:
        missing = "--alpha" if alpha is None else "--epsilon"
        raise Misuse(f"{missing} is missing: give --alpha and --epsilon, or --mu")
    α, ε = positive("alpha", alpha), positive("epsilon", epsilon)
    require_small_certificate(α, ε)
    count = None if n is None else _count(n)

    δ = None if delta is None else probability("delta", delta)

    from establish.proofs_check.limits.limit import enclosed
    from establish.proofs_check.limits.limit_with_delta import enclosed_with_delta

    with share_bar("building and checking certificates") as progress:
        found = enclosed(α, ε, progress=progress) if δ is None else enclosed_with_delta(α, ε, δ)
    row = _row(α, ε, δ, found)
    if count is not None:
        _tell_at_count(row, α, ε, count)
    if count is not None and δ is None:
        _tell_up_to_count(row, α, ε, count)
    return Limit(row)


def require_small_certificate(alpha: Fraction, epsilon: Fraction) -> None:
    """Raise ParameterError where the certificate of the limit would be large."""
    if not Fraction(1, 1000) <= epsilon <= 20 or not Fraction(1, 1000) <= alpha <= 10:
        raise ParameterError(
            f"alpha = {alpha}, epsilon = {epsilon} is not allowed: 1/1000 ≤ alpha ≤ 10 and "
            "1/1000 ≤ epsilon ≤ 20, so that certificates stay small"
        )


def _gaussian_row(text: Rational) -> GaussianLimit:
    μ = positive("mu", text)
    if not Fraction(1, 1000) <= μ <= 20:
        raise ParameterError(f"mu = {text} is not allowed: 1/1000 ≤ mu ≤ 20")

    from establish.proofs_check.limits.step_errors import enclosed as enclosed_step_error

    ends = enclosed_step_error(μ)
    return {
        "mu": str(μ),
        "lower": float(ends.lower),
        "lower_exact": str(ends.lower),
        "lower_by": "events that an output is at least a number, enclosed in Arb; the argument is in "
        "establish.proofs_check.engine.rules.half_lines",
        "upper": float(ends.upper),
        "upper_exact": str(ends.upper),
        "upper_by": "the ψ-mechanism, private by webb2025/thm-6.5: √(2/π)/μ",
    }


def _gaussian_lines(row: GaussianLimit) -> Iterator[str]:
    from establish.proofs_check.limits.limit import outward

    lower = outward(Fraction(row["lower_exact"]), ROUND_FLOOR)
    upper = outward(Fraction(row["upper_exact"]), ROUND_CEILING)
    yield (f"Least error of an estimate of ψ(x) at μ = {row['mu']}, in units of γ")
    yield (f"  one establishment, values γ apart in ψ: at least {lower}, at most {upper}")
    yield (f"    lower end: {row['lower_by']}")
    yield (f"    upper end: {row['upper_by']}")


def _count(text: int | str) -> int:
    wrong = ParameterError(f"n = {text} is not allowed: it must be a whole number from 1 to 10^12")
    try:
        number = exact("n", text)
    except ParameterError:
        raise wrong from None
    if number.denominator != 1 or not 1 <= number <= 10**12:
        raise wrong
    return int(number)


def _row(alpha: Fraction, epsilon: Fraction, delta: Fraction | None, found: Enclosed) -> Row:
    proof = found.certificate
    lower = (
        f"a certificate of {len(proof.amounts)} amounts on cells of 1/{proof.per_step} of a step, checked in "
        "whole numbers just now; its argument is in establish.proofs_check.engine.rules.limits"
        if proof
        else "nothing better was found"
    )
    upper = (
        "the constant output 0"
        if found.constant
        else "growth-staircase, private by establish/growth-staircase; its limit is enclosed in Arb"
    )
    many, many_by = _many_lower(alpha, epsilon, found, pure=delta is None)
    most, most_by = _many_upper(alpha, epsilon)
    row: Row = {
        "alpha": str(alpha),
        "epsilon": str(epsilon),
        "delta": str(delta or 0),
        "lower": float(found.lower),
        "lower_exact": str(found.lower),
        "lower_by": lower,
        "upper": float(found.upper),
        "upper_exact": str(found.upper),
        "upper_by": upper,
        "many_establishments_lower": float(many),
        "many_establishments_lower_exact": str(many),
        "many_establishments_lower_by": many_by,
        "many_establishments_upper": most,
    }
    if most_by:
        row["many_establishments_by"] = most_by
    return row


def _many_lower(alpha: Fraction, epsilon: Fraction, found: Enclosed, pure: bool) -> tuple[Fraction, str]:
    """What the least error of noise S·Z for cells of many establishments is at least, and why."""
    from establish.proofs_check.limits.additive_errors import built, least_error

    none_better = found.lower, "one is such a cell"
    if not pure:
        return none_better
    with share_bar("solving a linear program for many establishments"):
        certificate = built(alpha, epsilon)
    shown = least_error(certificate)
    by = (
        f"a certificate of {len(certificate.amounts)} amounts, checked in fractions just now; "
        "its argument is in establish.proofs_check.engine.rules.additive_errors"
    )
    return (shown, by) if shown > found.lower else none_better


def _many_upper(alpha: Fraction, epsilon: Fraction) -> tuple[float | None, str]:
    """What it is at most, and why; no bound where no mechanism has a finite error."""
    from establish.impl.cards import of_counts

    upper, upper_by = None, ""
    for name, card in of_counts().items():
        kind, claim = card.load(), f"establish/{name}-error"
        if not kind.follows_largest or claim not in card.moments:
            continue
        with suppress(ParameterError):
            error = float(kind.specified["tight"](alpha, epsilon).mean_absolute_error(1 / alpha))
            if upper is None or error < upper:
                upper, upper_by = error, f"{name}, E|Z| by {claim}"
    return upper, upper_by


def _tell_at_count(row: Row, alpha: Fraction, epsilon: Fraction, count: int) -> None:
    """The errors of mechanisms at a count; of Whole-Staircase where it is defined."""
    from establish.spec.arithmetic import MP
    from establish.spec.mechanisms import growth_laplace, whole_staircase
    from establish.spec.relations.growth import growth_bound

    unit = growth_bound(count, alpha, MP)
    row["n"] = count
    above, below = growth_laplace.mean_errors(Fraction(count), alpha, epsilon)
    row["growth_laplace_at_n"] = float((above + below) / unit)
    row["whole_staircase_at_n"] = None
    with suppress(ParameterError):
        mechanism = whole_staircase.WholeStaircaseMechanism(alpha, epsilon)
        row["whole_staircase_at_n"] = float(sum(whole_staircase.mean_errors(mechanism, count)) / unit)


def _tell_up_to_count(row: Row, alpha: Fraction, epsilon: Fraction, count: int) -> None:
    """The least mean error over counts up to this one; nothing where it is large."""
    from establish.proofs_check.limits.mean_errors import MOST, enclosed

    if count > MOST:
        return
    mean = enclosed(alpha, epsilon, count)
    row["mean_up_to_n_lower"] = float(mean.lower)
    row["mean_up_to_n_upper"] = None if mean.upper is None else float(mean.upper)
    row["mean_up_to_n_by"] = (
        f"a certificate of {len(mean.certificate.amounts)} amounts, checked in whole numbers just now; "
        "its argument is in establish.proofs_check.engine.rules.mean_errors"
    )


def _lines(row: Row) -> Iterator[str]:
    from establish.proofs_check.limits.limit import outward

    lower = outward(Fraction(row["lower_exact"]), ROUND_FLOOR)
    upper = outward(Fraction(row["upper_exact"]), ROUND_CEILING)
    with_delta = f", δ = {row['delta']}" if row["delta"] != "0" else ""
    yield (f"Least error at α = {row['alpha']}, ε = {row['epsilon']}{with_delta}, in units of α·n")
    yield (f"  one establishment, n → ∞: at least {lower}, at most {upper}")
    yield (f"    lower end: {row['lower_by']}")
    yield (f"    upper end: {row['upper_by']}")
    many = row["many_establishments_upper"]
    most = "" if many is None else outward(Fraction(nextafter(many, inf)), ROUND_CEILING)
    least = outward(Fraction(row["many_establishments_lower_exact"]), ROUND_FLOOR)
    yield (
        f"  many establishments, noise S·Z, in units of S = max(α·largest, 1): at least {least}"
        + (f", at most {most}" if most else "")
    )
    yield (f"    lower end: {row['many_establishments_lower_by']}")
    if most:
        yield (f"    upper end: {row['many_establishments_by']}")
    if "n" in row:
        whole = row["whole_staircase_at_n"]
        at = "is not defined here" if whole is None else f"{whole:.9g}"
        yield (
            f"  at n = {row['n']}: whole-staircase {at}, growth-laplace {row['growth_laplace_at_n']:.9g} "
            "(before rounding), in units of max(α·n, 1); no lower bound exists at a single count"
        )
    if "mean_up_to_n_lower" in row:
        mean = row["mean_up_to_n_upper"]
        most = "" if mean is None else f", whole-staircase has at most {mean:.6f}"
        yield (
            f"  mean over 0, 1, …, {row['n']} workers, in units of max(α·n, 1): at least "
            f"{row['mean_up_to_n_lower']:.6f}{most}"
        )
        yield (f"    lower end: {row['mean_up_to_n_by']}")
