"""The formulas of spec/ that theorems are about, printed as Gallina definitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from establish.spec import gaussian as indistinguishability
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import gaussian, geometric, heavy_tailed, laplace, log_laplace
from establish.spec.gallina import GALLINA, Proposition, definition, symbols
from establish.spec.mechanisms import laplace as laplace_mechanism
from establish.spec.mechanisms import log_laplace as log_laplace_mechanism
from establish.spec.mechanisms import (
    probably_no_clipping,
    psi_mechanism,
    smooth_gamma,
    smooth_laplace,
    truncated_laplace,
)
from establish.spec.neighbor_functions.functions import logarithm, root
from establish.spec.regression import ols
from establish.spec.relations import growth

MODULE = "spec_formulas"
"""The stem of the generated file of definitions."""

HEADER = """(* Generated from the formulas of spec/: do not edit. *)
From Coq Require Import Reals.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions.
Open Scope R_scope.
"""


@dataclass(frozen=True)
class Formula:
    """One function of spec/ and how it is printed.

    name: of the Gallina definition. function: what is read. parameters: as in
    :func:`establish.spec.gallina.definition`, passed by name. fixed: the other arguments.
    """

    name: str
    function: Callable[..., Number]
    parameters: str
    fixed: tuple[tuple[str, Any], ...] = ()

    @property
    def value(self) -> Number:
        """The term. Raises NotATerm when the formula has none."""
        return self.function(**symbols(self.parameters), **dict(self.fixed))

    @property
    def text(self) -> str:
        """The Gallina definition. Raises NotATerm when the formula has none."""
        return definition(self.name, self.parameters, self.value)


def _in_world(name: str, function: Callable[..., Number], parameters: str, **fixed: Any) -> Formula:
    return Formula(name, function, parameters, tuple({**fixed, "c": GALLINA}.items()))


def _property(name: str, owner: type, attribute: str, parameters: str) -> Formula:
    """A property of a mechanism, read from a stand-in that has terms for its parameters."""
    getter = vars(owner)[attribute].fget

    def read(**terms: Number) -> Number:
        return getter(SimpleNamespace(**terms))

    return Formula(name, read, parameters)


def _may_grow(x: Number, y: Number, alpha: Number) -> Proposition:
    conditions = growth.growth_conditions(x, y, alpha)
    return Proposition(f"({conditions.not_less} /\\ ({conditions.by_share} \\/ {conditions.by_one}))")


def _located_heavy_tailed(x: Number, center: Number, scale: Number) -> Number:
    return heavy_tailed.HeavyTailed(center, scale, heavy_tailed.GAMMA, GALLINA).log_density(x)


def _composed_of_two(mu_1: Number, mu_2: Number, c: World) -> Number:
    return indistinguishability.total([mu_1, mu_2], c)


def _prediction_at(rank: Number, **sums: Number) -> Number:
    names = ("count", "ranks", "outcomes", "squares", "products")
    return ols.line(ols.Moments(*(sums[name] for name in names))).at(rank)


_FOUR = {"gamma": heavy_tailed.GAMMA}
_HALF_LOG = logarithm(Fraction(1, 2))

FORMULAS: tuple[Formula, ...] = (
    Formula("may_grow", _may_grow, "x y alpha"),
    _in_world("growth_bound", growth.growth_bound, "x alpha"),
    _in_world("laplace_log_density", laplace.log_density, "x center scale"),
    _in_world("laplace_cdf", laplace.cdf, "x center scale"),
    Formula("laplace_exponential_moment", laplace.exponential_moment, "k scale"),
    Formula("laplace_absolute_moment_1", laplace.absolute_moment, "scale", (("k", 1),)),
    _in_world("laplace_dilation_excess", laplace.dilation_excess, "stretch epsilon"),
    _in_world("log_laplace_log_density", log_laplace.log_density, "x count shift scale"),
    _in_world("log_laplace_cdf", log_laplace.cdf, "x count shift scale"),
    Formula("log_laplace_bias", log_laplace.bias, "count shift scale"),
    Formula("log_laplace_mean_squared_error", log_laplace.mean_squared_error, "count shift scale"),
    Formula("log_laplace_mean_absolute_error", log_laplace.mean_absolute_error, "count shift scale"),
    _in_world("heavy_tailed_log_kernel", heavy_tailed.log_kernel, "z", **_FOUR),
    _in_world("heavy_tailed_log_density", heavy_tailed.log_density, "z", **_FOUR),
    Formula("heavy_tailed_located_log_density", _located_heavy_tailed, "x center scale"),
    _in_world("heavy_tailed_normalizer", heavy_tailed.normalizer, "", **_FOUR),
    _in_world("heavy_tailed_absolute_moment_1", heavy_tailed.absolute_moment, "", k=1, **_FOUR),
    _in_world("heavy_tailed_absolute_moment_2", heavy_tailed.absolute_moment, "", k=2, **_FOUR),
    _in_world("heavy_tailed_sliding_constant", heavy_tailed.sliding_constant, "", **_FOUR),
    _in_world("heavy_tailed_dilation_constant", heavy_tailed.dilation_constant, "", **_FOUR),
    _in_world("geometric_mass", geometric.mass, "k:Z ratio"),
    Formula("geometric_mean_absolute", geometric.mean_absolute, "ratio"),
    _in_world("gaussian_log_density", gaussian.log_density, "x mean sd"),
    _in_world("normal_cdf", gaussian.cdf, "z"),
    _in_world("gaussian_raised", indistinguishability.raised, "z mu"),
    _in_world("gaussian_composed", _composed_of_two, "mu_1 mu_2"),
    _property("psi_mechanism_sd", psi_mechanism.PsiMechanism, "sd", "gamma mu"),
    Formula("laplace_loss", laplace_mechanism.privacy_loss, "sensitivity scale"),
    _property(
        "laplace_noise_scale", laplace_mechanism.LaplaceMechanism, "noise_scale", "sensitivity epsilon"
    ),
    Formula("log_laplace_shift", log_laplace_mechanism.shift, "alpha"),
    _in_world("log_laplace_published_scale", log_laplace_mechanism.published_scale, "alpha epsilon"),
    _in_world("log_laplace_tight_scale", log_laplace_mechanism.tight_scale, "alpha epsilon"),
    _in_world("log_laplace_loss", log_laplace_mechanism.privacy_loss, "count neighbor shift scale"),
    _in_world("smooth_gamma_published_slide", smooth_gamma.published_slide, "alpha epsilon"),
    _in_world("smooth_gamma_tight_slide", smooth_gamma.tight_slide, "alpha epsilon"),
    _in_world("smooth_laplace_least_epsilon", smooth_laplace.least_epsilon, "alpha delta"),
    _in_world("smooth_laplace_exact_delta", smooth_laplace.exact_delta, "alpha epsilon"),
    _in_world("smooth_laplace_opposite_loss", smooth_laplace.opposite_loss, "alpha epsilon"),
    _property(
        "smooth_laplace_noise_multiplier",
        smooth_laplace.SmoothLaplaceMechanism,
        "noise_multiplier",
        "epsilon",
    ),
    _property(
        "truncated_laplace_noise_scale",
        truncated_laplace.TruncatedLaplaceMechanism,
        "noise_scale",
        "theta epsilon",
    ),
    _property(
        "truncated_laplace_tight_noise_scale",
        truncated_laplace.TightTruncatedLaplaceMechanism,
        "noise_scale",
        "sensitivity epsilon",
    ),
    _in_world("root_value", root().value, "x"),
    _in_world("root_inverse", root().inverse, "u"),
    _in_world("logarithm_value", logarithm().value, "x"),
    _in_world("logarithm_inverse", logarithm().inverse, "u"),
    _in_world("logarithm_half_value", _HALF_LOG.value, "x"),
    _in_world("logarithm_half_inverse", _HALF_LOG.inverse, "u"),
    Formula("least_squares_prediction", _prediction_at, "count ranks outcomes squares products rank"),
    _in_world(
        "pnc_published_sensitivity", probably_no_clipping.published_sensitivity, "bound gamma", psi=_HALF_LOG
    ),
)


def definitions() -> dict[str, str]:
    """The Gallina definition of every formula, by its name."""
    return {formula.name: formula.text for formula in FORMULAS}


def source(texts: dict[str, str]) -> str:
    """The generated Gallina file with the definitions ``texts``, in their order."""
    return "\n".join([HEADER, *(f"{text}\n" for text in texts.values())])


def digest(text: str) -> str:
    """sha256 of a text, as 64 hexadecimal digits."""
    return sha256(text.encode()).hexdigest()
