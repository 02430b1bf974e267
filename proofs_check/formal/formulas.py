"""The formulas of spec/ that theorems are about, printed as Gallina definitions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from establish.spec import gaussian as indistinguishability
from establish.spec import growth_scale, unbiased_growth, whole_scale
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import (
    gaussian,
    geometric,
    heavy_tailed,
    laplace,
    log_laplace,
    lomax,
    shortest_path,
    spreading_staircase,
    staircase,
    whole_staircase,
)
from establish.spec.distributions.on_growth_scale import OnGrowthScale
from establish.spec.earnings import chosen_by_size, equal_gaps, quantile_tree
from establish.spec.gallina import GALLINA, Proposition, definition, symbols
from establish.spec.mechanisms import laplace as laplace_mechanism
from establish.spec.mechanisms import log_laplace as log_laplace_mechanism
from establish.spec.mechanisms import (
    probably_no_clipping,
    psi_mechanism,
    smooth_gamma,
    smooth_laplace,
    smooth_lomax,
    transformation,
    truncated_laplace,
)
from establish.spec.neighbor_functions.functions import logarithm, root
from establish.spec.regression import ols
from establish.spec.relations import growth

MODULE = "spec_formulas"
"""The stem of the generated file of definitions."""

HEADER = """(* Generated from the formulas of spec/: do not edit. *)
From Coq Require Import Reals List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions.
Import ListNotations.
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


@dataclass(frozen=True)
class Table:
    """Constants of spec/, row by row."""

    name: str
    rows: Sequence[Sequence[Fraction]]

    @property
    def text(self) -> str:
        """The Gallina definition."""
        rows = (f"[{'; '.join(str(GALLINA.number(value)) for value in row)}]" for row in self.rows)
        return f"Definition {self.name} : list (list R) :=\n  [{'; '.join(rows)}]."


def _in_world(name: str, function: Callable[..., Number], parameters: str, **fixed: Any) -> Formula:
    return Formula(name, function, parameters, tuple({**fixed, "c": GALLINA}.items()))


def _property(name: str, owner: type, attribute: str, parameters: str) -> Formula:
    """A property of a mechanism, read from a stand-in that has terms for its parameters."""
    getter = getattr(owner, attribute).fget

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


def _concentration(mean_1: Number, mean_2: Number, sd: Number, c: World) -> Number:
    return gaussian.concentration(gaussian.Gaussian(mean_1, sd, c), gaussian.Gaussian(mean_2, sd, c))


def _transformed(name: str, owner: type) -> Formula:
    """The mean of a transformed total, which the budget has no part in."""
    return Formula(name, lambda total: owner(rho=1).output([total], GALLINA).mean, "total")


def _transformation_sd(rho: Number, c: World) -> Number:
    return transformation.TransformationMechanism.sd(SimpleNamespace(rho=rho), c)  # type: ignore[arg-type]  # a stand-in


def _prediction_at(rank: Number, **sums: Number) -> Number:
    names = ("count", "ranks", "outcomes", "squares", "products")
    return ols.line(ols.Moments(*(sums[name] for name in names))).at(rank)


@dataclass(frozen=True)
class _OnPiece:
    """Outputs where piece j of the growth scale holds."""

    j: Number
    alpha: Number

    def value(self, y: Number) -> Number:
        return growth_scale.inverse_piece(y, self.j, self.alpha, GALLINA)

    def position(self, x: Number) -> Number:
        return growth_scale.piece(x, self.j, self.alpha, GALLINA)

    def log_slope(self, x: Number) -> Number:
        return growth_scale.piece_log_slope(x, self.j, self.alpha, GALLINA)


def _growth_laplace(x: Number, j: Number, center: Number, alpha: Number, epsilon: Number) -> Number:
    noisy = laplace.Laplace(center, 1 / GALLINA.number(epsilon), GALLINA)
    return OnGrowthScale(noisy, _OnPiece(j, alpha)).log_density(x)


def _growth_staircase(
    x: Number, j: Number, down: Number, up: Number, alpha: Number, epsilon: Number, k: Number
) -> Number:
    noisy = SimpleNamespace(log_density=lambda y: staircase.step_log_density(k, down, up, epsilon, GALLINA))
    return OnGrowthScale(noisy, _OnPiece(j, alpha)).log_density(x)


def _located_lomax(x: Number, center: Number, scale: Number, power: Number, width: Number) -> Number:
    return lomax.Lomax(center, scale, power, width, GALLINA).log_density(x)


def _unbiased_piece(y: Number, constant: Number, slope: Number, power: Number, growth: Number) -> Number:
    return unbiased_growth.Piece(constant, slope, power).value(y, growth, GALLINA)


_RUNGS = "q step slope excess"


def _ladder(name: str, function: Callable[..., Number], parameters: str) -> Formula:
    """A function of a ladder's numbers, which come last."""

    def read(**terms: Number) -> Number:
        rungs = whole_staircase.Rungs(**{each: terms.pop(each) for each in _RUNGS.split()})
        return function(**terms, rungs=rungs)

    return Formula(name, read, f"{parameters} {_RUNGS}")


def _ladder_piece(name: str, which: int, part: int) -> Formula:
    """The start, slope or jump (``part``) of a piece of the ladder (0) or of the cuts (1)."""
    return _ladder(
        name, lambda **terms: whole_staircase.pieces(**terms)[which][part], "start share share_after lean"
    )


_FOUR = {"gamma": heavy_tailed.GAMMA}
_HALF_LOG = logarithm(Fraction(1, 2))

FORMULAS: tuple[Formula | Table, ...] = (
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
    _in_world("gaussian_concentration", _concentration, "mean_1 mean_2 sd"),
    _in_world("gaussian_raised", indistinguishability.raised, "z mu"),
    _in_world("gaussian_composed", _composed_of_two, "mu_1 mu_2"),
    _property("psi_mechanism_sd", psi_mechanism.PsiMechanism, "sd", "gamma mu"),
    _transformed("root_mechanism_mean", transformation.RootMechanism),
    _transformed("fourth_root_mechanism_mean", transformation.FourthRootMechanism),
    _transformed("logarithm_mechanism_mean", transformation.LogarithmMechanism),
    _in_world("transformation_sd", _transformation_sd, "rho"),
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
    _in_world("growth_piece", growth_scale.piece, "x j alpha"),
    _in_world("growth_inverse_piece", growth_scale.inverse_piece, "y j alpha"),
    _in_world("growth_piece_log_slope", growth_scale.piece_log_slope, "x j alpha"),
    Formula("growth_laplace_log_density", _growth_laplace, "x j center alpha epsilon"),
    _in_world("staircase_height", staircase.height, "down up epsilon"),
    _in_world("staircase_step_log_density", staircase.step_log_density, "k down up epsilon"),
    Formula("growth_staircase_log_density", _growth_staircase, "x j down up alpha epsilon k"),
    Formula("unbiased_piece_value", _unbiased_piece, "y constant slope power growth"),
    _in_world("lomax_power", smooth_lomax.power, "alpha epsilon"),
    _in_world("lomax_width", smooth_lomax.width, "alpha epsilon"),
    Formula("lomax_located_log_density", _located_lomax, "x center scale power width"),
    Formula("spread_up", spreading_staircase.spread_up, "start power alpha"),
    Formula("spread_down", spreading_staircase.spread_down, "start power alpha"),
    Formula("slide_down", spreading_staircase.slide_down, "start steps"),
    _in_world("staircase_up_drop", spreading_staircase.up_drop, "alpha epsilon"),
    _in_world("staircase_down_drop", spreading_staircase.down_drop, "alpha epsilon"),
    Formula("path_hyperbola", shortest_path.hyperbola, "z size pole"),
    Formula("path_total", shortest_path.total, "power alpha"),
    Formula("path_end_below", shortest_path.end_below, "size pole power"),
    Formula("path_end_above", shortest_path.end_above, "size pole power alpha"),
    Formula("whole_gap", whole_scale.gap, "shares"),
    _in_world("whole_takeover_from", whole_scale.takeover_from, "alpha"),
    _in_world("whole_takeover", whole_scale.takeover, "alpha"),
    _in_world("whole_late_length", whole_scale.late_length, "ratio alpha"),
    Formula("ladder_receding", whole_staircase.receding, "power"),
    Formula("ladder_excess", whole_staircase.excess, "step slope q"),
    _ladder("ladder_start_after", whole_staircase.start_after, "d power"),
    _ladder("ladder_start_before", whole_staircase.start_before, "d power"),
    _ladder_piece("ladder_rise", 0, 1),
    _ladder_piece("ladder_jump", 0, 2),
    _ladder_piece("ladder_cut_start", 1, 0),
    _ladder_piece("ladder_cut_rise", 1, 1),
    _ladder_piece("ladder_cut_jump", 1, 2),
    _in_world("gap_miss", equal_gaps.miss, "count aim"),
    _in_world("quantile_distance", quantile_tree.distance, "below size share"),
    Table("bins_or_gaps_shares", chosen_by_size.BINS_OR_GAPS),
    Table("by_size_shares", chosen_by_size.BY_SIZE),
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
