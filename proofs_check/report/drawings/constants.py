"""Printed constants beside tight or better ones, as curves over α and ε, from the formulas of ``spec/``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from establish.proofs_check.report.drawings.drawing import DataTable, Drawing, brief
from establish.proofs_check.report.drawings.plots import INK, hatch_where, legend_below, plot
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.mechanisms import log_laplace, smooth_gamma, smooth_laplace

BITS = 128
STEPS = 60
ALPHA, EPSILON = Fraction(1, 10), Fraction(2)
"""Where the other parameter is held: the baseline of Section 10 of Haney et al. 2017."""

Constant = Callable[[Fraction, Fraction, World], Number]
"""A function of α, ε and a world."""


@dataclass(frozen=True)
class _Pair:
    """A printed constant and another, and the claims that settle them.

    name: what the other one is. note: what a reader must know besides. valid: whether both are what they
    are said to be at α and ε.
    """

    title: str
    of: str
    name: str
    note: str
    printed: Constant
    other: Constant
    claims: tuple[str, ...]
    valid: Callable[[Fraction, Fraction], bool]
    logarithmic: bool = False


def _positive(slide: Constant) -> Callable[[Fraction, Fraction], bool]:
    def holds(alpha: Fraction, epsilon: Fraction) -> bool:
        with enclosing(BITS):
            return bool(slide(alpha, epsilon, ARB) > ARB.number(Fraction(1, 100)))

    return holds


def _one_sided(alpha: Fraction, epsilon: Fraction) -> bool:
    """Whether the exact δ is that of one direction only, as its formula assumes."""
    with enclosing(BITS):
        return bool(smooth_laplace.opposite_loss(alpha, epsilon, ARB) <= ARB.number(epsilon))


PAIRS = (
    _Pair(
        "Log-Laplace: scale of the noise",
        "λ",
        "tight",
        "The tight scale is the least that keeps the promise.",
        log_laplace.published_scale,
        log_laplace.tight_scale,
        ("haney2017/alg-1-multiplier/a.1-e2", "haney2017/thm-8.1-strong"),
        lambda alpha, epsilon: True,
    ),
    _Pair(
        "Smooth Gamma: noise in units of the smooth sensitivity",
        "1/a",
        "with the exact constants of the law",
        "The second curve calibrates as Lemma 8.6 does, with the exact constants of sliding and dilation; "
        "the least noise that would do is less still (haney2017/alg-2-multiplier).",
        lambda alpha, epsilon, c: 1 / smooth_gamma.published_slide(alpha, epsilon, c),
        lambda alpha, epsilon, c: 1 / smooth_gamma.tight_slide(alpha, epsilon, c),
        ("haney2017/lemma-8.6-above-1", "haney2017/lemma-8.7", "haney2017/alg-2-condition"),
        _positive(smooth_gamma.published_slide),
        logarithmic=True,
    ),
    _Pair(
        "Smooth Laplace: least δ",
        "δ",
        "tight",
        "Where the tight δ is above the printed one, the printed promise is not kept. Only parameters are "
        "drawn at which one direction of change decides δ.",
        lambda alpha, epsilon, c: c.exp(smooth_laplace.log_least_delta(alpha, epsilon, c)),
        smooth_laplace.exact_delta,
        ("haney2017/lemma-9.2", "haney2017/sec9-delta-optimal", "haney2017/alg-3-delta/a.1-e2"),
        _one_sided,
        logarithmic=True,
    ),
)
"""Where a paper prints a constant and a claim has another."""


_BREAKS = re.compile(r"α = (?P<alpha>[\d/]+), any ε just above (?P<epsilon>[\d.]+), δ = ")


def broken(counterexample: str) -> Drawing | None:
    """The printed least δ of Smooth Laplace beside the tight one, around the ε at which it breaks.

    None for a counterexample that names no α and no ε from which on δ is too small.
    """
    if not (at := _BREAKS.match(counterexample)):
        return None
    alpha, epsilon = Fraction(at["alpha"]), Fraction(at["epsilon"])
    epsilons = [epsilon * (STEPS // 2 + k) / STEPS for k in range(STEPS + 1)]
    with enclosing(BITS):
        margins = [
            float(
                (
                    smooth_laplace.log_least_delta(alpha, e, ARB)
                    - smooth_laplace.log_exact_delta(alpha, e, ARB)
                ).mid()
            )
            for e in epsilons
        ]
    xs = list(map(float, epsilons))

    def paint(axes: Any) -> None:
        axes.plot(xs, margins, "-", color=INK, label="ln(printed δ) − ln(tight δ)")
        axes.axhline(0, color=INK, linestyle="--", linewidth=1)
        axes.axvline(float(epsilon), color=INK, linestyle=":", linewidth=1)
        hatch_where(axes, xs, [margin < 0 for margin in margins], "printed δ too small")
        axes.set_xlabel(f"ε, at α = {alpha}")
        legend_below(axes)

    text = (
        f"The logarithm of the least δ that the printed condition allows, less that of the least δ for which "
        f"the mechanism keeps its promise, along ε from {brief(xs[0])} to {brief(xs[-1])} at α = {alpha}. It "
        f"falls from {brief(margins[0])} to {brief(margins[-1])} and is 0 near ε = {brief(epsilon)} (dots); "
        f"beyond, where the drawing is hatched, the printed δ is too small."
    )
    return Drawing("curve", "From which ε on the printed δ is too small", text, plot(paint))


def drawn() -> Iterator[tuple[Drawing, tuple[str, ...]]]:
    """Two drawings for every pair, along ε and along α, each with the claims that settle it."""
    for pair in PAIRS:
        epsilons = [Fraction(k, 10) for k in range(1, STEPS + 1)]
        yield _picture(pair, "ε", [(ALPHA, e) for e in epsilons], f"α = {ALPHA}"), pair.claims
        alphas = [Fraction(k, 100) for k in range(1, STEPS + 1)]
        yield _picture(pair, "α", [(a, EPSILON) for a in alphas], f"ε = {EPSILON}"), pair.claims


def _picture(pair: _Pair, name: str, points: Sequence[tuple[Fraction, Fraction]], held: str) -> Drawing:
    kept = [point for point in points if pair.valid(*point)]
    with enclosing(BITS):
        printed, other = (
            [float(ARB.number(f(*point, ARB)).mid()) for point in kept] for f in (pair.printed, pair.other)
        )
    xs = [float(point[name == "ε"]) for point in kept]

    def paint(axes: Any) -> None:
        axes.plot(xs, printed, "--", color=INK, label="printed")
        axes.plot(xs, other, "-", color=INK, label=pair.name)
        axes.set_xlabel(f"{name}, at {held}")
        axes.set_ylabel(pair.of)
        if pair.logarithmic:
            axes.set_yscale("log")
        legend_below(axes)

    ratios = [p / t for p, t in zip(printed, other, strict=True)]
    crossing = [
        x for x, before, now in zip(xs[1:], ratios, ratios[1:], strict=False) if (before < 1) != (now < 1)
    ]
    said = "".join(f" They change places near {name} = {brief(x)}." for x in crossing)
    text = (
        f"{pair.of} along {name} from {brief(xs[0])} to {brief(xs[-1])}, at {held}: printed (dashes) and "
        f"{pair.name} (line). {_told(ratios)}"
        f"{said} {pair.note}"
        f"{' The axis is logarithmic.' if pair.logarithmic else ''}"
    )
    few = range(0, len(xs), max(1, len(xs) // 6))
    table = DataTable(
        f"{pair.of} at {held}",
        (name, "printed", pair.name),
        tuple((brief(xs[k]), brief(printed[k]), brief(other[k])) for k in few),
    )
    return Drawing("constants", f"{pair.title}, along {name}", text, plot(paint), (table,))


def _told(ratios: Sequence[float]) -> str:
    """How many times the tight constant the printed one is, in a sentence."""
    shown = [*map(brief, ratios)]
    if len(set(shown)) == 1:
        return f"The first is {shown[0]} times the second."
    return f"The first over the second goes from {shown[0]} to {shown[-1]}."
