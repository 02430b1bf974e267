"""Single edits of printed formulas and of programs written by hand, each of which breaks a theorem."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutation:
    """``old`` becomes ``new`` in the definition ``formula``; ``survives`` says why, where it is still true.

    formula: the name of a printed formula, or ``file.name`` of what is written by hand: a definition, or a
    theorem on a rule, whose edit drops what the rule owes or makes it weaker. files: the stems that are
    compiled, in this order, of which the first that Coq refuses has noticed the edit; that file alone
    where there are none.
    """

    formula: str
    old: str
    new: str
    files: tuple[str, ...] = ()
    survives: str = ""


_LOG = ("log_laplace_loss", "log_laplace", "log_laplace_strong", "log_laplace_law")
_HEAVY = ("heavy_tailed_admissible", "heavy_tailed_constants", "heavy_tailed_normalized")
_GAMMA = ("heavy_tailed_admissible", "smooth_sensitivity", "smooth_gamma_loss")
_MOMENTS = ("laplace_normalized", "log_laplace_moments")
_NORMAL = ("normal_law", "gaussian_real")
_LAPLACE = ("laplace_loss", "laplace_normalized", "laplace_edges")
_SUMS = ("linear_tables", "dual_vector_bounds", "whole_bound", "direction_without_end")
_LIFTED = ("lifted_duals", "presolve_is_exact")
_SCALE = ("growth_scale_steps", "growth_scale_inverse", "growth_scale_release", "growth_laplace")
_STAIRCASE = ("growth_staircase", "staircase_law")
_LOMAX = ("smooth_lomax", "lomax_law")
_WHOLE = ("whole_scale_steps", "whole_staircase_release")
_LADDER = ("ladder", "whole_staircase")
_EXACT = ("smooth_laplace_private",)
_TAILS = ("smooth_laplace_tails",)
_TREE = ("quantile_tree",)
_EARNINGS = ("earnings_mechanisms",)
_SPREAD = ("smooth_staircase_release",)
_PATH = ("shortest_path", "path_law")
_MOVES = ("path_moves",)

OF_FORMULAS: tuple[Mutation, ...] = (
    Mutation("may_grow", "(x + 1)", "(x + 2)", ("datasets", "smooth_sensitivity")),
    Mutation("may_grow", "(1 + alpha)", "(2 + alpha)", ("datasets", "log_laplace_loss")),
    Mutation("may_grow", "(x <= y)", "(y <= x)", ("datasets", "log_laplace_loss")),
    Mutation("may_grow", "\\/", "/\\", ("datasets", "no_growth")),
    Mutation("growth_bound", "(alpha * x) 1", "(alpha * x) 0", ("smooth_sensitivity",)),
    Mutation("growth_bound", "alpha * x", "x", ("smooth_sensitivity",)),
    Mutation("growth_bound", "Rmax", "Rmin", ("smooth_sensitivity",)),
    Mutation("laplace_log_density", "(2 * scale)", "(3 * scale)", _LAPLACE),
    Mutation("laplace_log_density", "(x - center)", "(x + center)", _LAPLACE),
    Mutation("laplace_log_density", "(- (Rabs", "((Rabs", _LAPLACE),
    Mutation("laplace_log_density", "/ scale)", "* scale)", _LAPLACE),
    Mutation("laplace_cdf", "/ 2)", "/ 3)", ("laplace_normalized",)),
    Mutation("laplace_cdf", "1 + (sign", "1 - (sign", ("laplace_normalized",)),
    Mutation("laplace_noise_scale", "/ epsilon", "* epsilon", ("laplace_edges",)),
    Mutation("log_laplace_log_density", "(- (Rabs", "((Rabs", _LOG),
    Mutation("log_laplace_log_density", "(count + shift)", "(count - shift)", _LOG),
    Mutation("log_laplace_log_density", "/ scale)", "* scale)", _LOG),
    Mutation("log_laplace_log_density", "(2 * scale)", "(3 * scale)", _LOG),
    Mutation("log_laplace_log_density", " - (ln (x + shift))", "", _LOG),
    Mutation("log_laplace_shift", "1 / alpha", "1 * alpha", _LOG),
    Mutation("log_laplace_shift", "1 / alpha", "2 / alpha", _LOG),
    Mutation("log_laplace_published_scale", "2 *", "3 *", ("log_laplace",)),
    Mutation("log_laplace_published_scale", "1 + alpha", "2 + alpha", ("log_laplace",)),
    Mutation("log_laplace_tight_scale", "/ epsilon", "* epsilon", ("log_laplace",)),
    Mutation("heavy_tailed_log_kernel", "^ 4", "^ 6", _HEAVY),
    Mutation("heavy_tailed_log_kernel", "(1 +", "(2 +", _HEAVY),
    Mutation("heavy_tailed_log_density", "^ 4", "^ 2", _HEAVY),
    Mutation("heavy_tailed_normalizer", "2 * PI", "3 * PI", _HEAVY),
    Mutation("heavy_tailed_normalizer", "PI / 4", "PI / 3", _HEAVY),
    Mutation("heavy_tailed_absolute_moment_1", "2 * PI", "3 * PI", ("heavy_tailed_mean",)),
    Mutation("heavy_tailed_sliding_constant", "1 - (1 / 4)", "1 - (1 / 3)", _HEAVY),
    Mutation("heavy_tailed_dilation_constant", "4 - 1", "4 - 2", _HEAVY),
    Mutation("heavy_tailed_located_log_density", "- (ln scale)", "+ (ln scale)", _GAMMA),
    Mutation("heavy_tailed_located_log_density", "(x - center)", "(x + center)", _GAMMA),
    Mutation("smooth_gamma_tight_slide", "4 - 1", "4 - 2", _GAMMA),
    Mutation("smooth_gamma_published_slide", "/ 5", "/ 3", (*_GAMMA, "smooth_gamma_published")),
    Mutation(
        "smooth_gamma_published_slide",
        "/ 5",
        "/ 6",
        (*_GAMMA, "smooth_gamma_published"),
        survives="a smaller slide is more noise, which is private all the more",
    ),
    Mutation("smooth_laplace_least_epsilon", "- 2", "- 3", ("least_epsilon_table",)),
    Mutation("smooth_laplace_noise_multiplier", "2 /", "3 /", ("smooth_laplace_delta_fails",)),
    Mutation("truncated_laplace_noise_scale", "/ epsilon", "* epsilon", ("truncated_laplace",)),
    Mutation("truncated_laplace_tight_noise_scale", "/ epsilon", "* epsilon", ("truncated_laplace",)),
    Mutation("smooth_laplace_noise_multiplier", "2 /", "1 /", ("smooth_laplace", "laplace_moments")),
    Mutation("heavy_tailed_absolute_moment_2", "3 * PI", "2 * PI", ("heavy_tailed_variance",)),
    Mutation("laplace_exponential_moment", "(k * scale)", "k", _MOMENTS),
    Mutation("laplace_exponential_moment", "1 / (1 -", "1 / (1 +", _MOMENTS),
    Mutation("log_laplace_bias", "- 1))", "- 2))", _MOMENTS),
    Mutation("log_laplace_mean_squared_error", "(2 * scale)", "(3 * scale)", _MOMENTS),
    Mutation("log_laplace_mean_absolute_error", "scale ^ 2", "scale ^ 3", _MOMENTS),
    Mutation("geometric_mass", "1 - ratio", "2 - ratio", ("geometric_law",)),
    Mutation("geometric_mass", "1 + ratio", "1 + 2 * ratio", ("geometric_law",)),
    Mutation("geometric_mass", "Z.abs k", "Z.abs k + 1", ("geometric_law",)),
    Mutation("least_squares_prediction", " + (", " - (", ("mose_conditional_fails",)),
    Mutation("least_squares_prediction", "count * squares", "squares", ("mose_conditional_fails",)),
    Mutation("pnc_published_sensitivity", "Rmax 0", "Rmax 1", ("pnc_sensitivity_fails",)),
    Mutation("logarithm_half_value", "1 / 2", "1 / 3", ("pnc_sensitivity_fails",)),
    Mutation("protected_histogram.half_open", "negb (at_least high e)", "at_least high e"),
    Mutation("histogram_law.joint_mass", "(y - x)", "(y + x)"),
    Mutation("mose_conditional_fails.prediction", "(1 / 2)", "(1 / 3)"),
    Mutation("mose_conditional_fails.spread", "- ranks D * ranks D", "- ranks D"),
    Mutation("laplace_list_error.l1_error", "o - q", "o + q"),
    Mutation("linear_tables.fits", "not_below (low s j) (x j)", "True", _SUMS),
    Mutation("linear_tables.remainder", "e j - of_sums", "e j + of_sums", _SUMS),
    Mutation("linear_tables.term", "then low else high", "then high else low", _SUMS),
    Mutation("linear_tables.least", "of_totals s y + rest", "rest", _SUMS),
    Mutation("linear_tables.inward", "Qceiling b", "Qceiling b + 1", _SUMS),
    Mutation("linear_tables.inward", "Qfloor b", "Qceiling b", _SUMS),
    Mutation("linear_tables.is_direction", "then high s j else low s j", "then low s j else high s j", _SUMS),
    Mutation("linear_tables.clashes", "negb (Qle_bool b 0)", "Qle_bool 0 b", _SUMS),
    Mutation("linear_tables.clashes_in_integers", "negb (is_integer (of_totals s y))", "true", _SUMS),
    Mutation("lifted_duals.used_dual", "k lower j else k upper j", "k upper j else k lower j", _LIFTED),
    Mutation("lifted_duals.lifted_from_below", "y i + exact_sum", "y i - exact_sum", _LIFTED),
    Mutation("presolve_is_exact.tighter", "(b <= v)%Q", "True", _LIFTED),
    Mutation("verified_certificate.read", "Qeq_bool b bound", "Qle_bool b bound"),
    Mutation("verified_certificate.read", "Qeq_bool (as_form (present st) t) reached", "true"),
    Mutation("verified_certificate.read", "Nat.ltb t (unknowns s) && is_table s whole (present st)", "true"),
    Mutation("verified_certificate.moves", "lower => negb (Qle_bool 0", "lower => (Qle_bool 0"),
    Mutation("verified_certificate.verified", "existsb (about upper t)", "existsb (about lower t)"),
    Mutation(
        "verified_certificate.complete",
        "existsb (names j) x",
        "true",
        survives="a cell without an entry is 0, and must fit as any other",
    ),
    Mutation("normal_cdf", "1 +", "2 +", _NORMAL),
    Mutation("normal_cdf", "sqrt 2", "sqrt 3", _NORMAL),
    Mutation("normal_cdf", ") / 2)", ") / 3)", _NORMAL),
    Mutation("gaussian_log_density", "2 * PI", "3 * PI", _NORMAL),
    Mutation("gaussian_log_density", "/ 2)", "/ 3)", _NORMAL),
    Mutation("gaussian_log_density", "x - mean", "x + mean", _NORMAL),
    Mutation("gaussian_log_density", "(ln (sd *", "(ln (1 *", _NORMAL),
    Mutation("gaussian_raised", "z + mu", "z - mu", _NORMAL),
    Mutation("gaussian_composed", "mu_2 ^ 2", "mu_2 ^ 3", ("gaussian_composition",)),
    Mutation("gaussian_composed", "mu_1 ^ 2", "mu_2 ^ 2", ("gaussian_composition",)),
    Mutation("gaussian_composed", "0 +", "1 +", ("gaussian_composition",)),
    Mutation("psi_mechanism_sd", "/ mu", "* mu", ("gaussian_mechanisms",)),
    Mutation("root_value", "^ 1", "^ 2", ("small_values",)),
    Mutation("growth_piece", "alpha * (x", "1 * (x", _SCALE),
    Mutation("growth_piece", "ln (1 + alpha)", "ln (2 + alpha)", _SCALE),
    Mutation("growth_piece", "- j)", "+ j)", _SCALE),
    Mutation("growth_scale_steps.joint", "Z.max 0", "Z.max 1", _SCALE),
    Mutation("growth_inverse_piece", "/ alpha", "* alpha", _SCALE),
    Mutation("growth_inverse_piece", "(y + j)", "(y - j)", _SCALE),
    Mutation("growth_piece_log_slope", "(x + j)", "(x - j)", _SCALE),
    Mutation("growth_laplace_log_density", "(- (Rabs", "((Rabs", _SCALE),
    Mutation("growth_laplace_log_density", "- center", "+ center", _SCALE),
    Mutation("growth_laplace_log_density", "2 * (1 / epsilon)", "3 * (1 / epsilon)", _SCALE),
    Mutation("staircase_step_log_density", "2 *", "3 *", _STAIRCASE),
    Mutation("staircase_step_log_density", "epsilon * k", "(2 * epsilon) * k", _STAIRCASE),
    Mutation("staircase_step_log_density", "down + up", "down - up", _STAIRCASE),
    Mutation("growth_staircase_log_density", "epsilon * k", "(2 * epsilon) * k", _STAIRCASE),
    Mutation(
        "unbiased_piece_value",
        "constant +",
        "constant -",
        ("growth_staircase_release",),
        survives="whatever the output is computed by loses no more: g does not look at the data",
    ),
    Mutation("lomax_power", "(1 + (epsilon", "(2 + (epsilon", _LOMAX),
    Mutation("lomax_width", "Rmax", "Rmin", _LOMAX),
    Mutation("lomax_located_log_density", "power - 1", "power - 2", _LOMAX),
    Mutation("lomax_located_log_density", "2 * width", "3 * width", _LOMAX),
    Mutation("lomax_located_log_density", "- (ln scale)", "+ (ln scale)", _LOMAX),
    Mutation("staircase_height", "2 *", "3 *", _LADDER),
    Mutation("whole_gap", "1 /", "2 /", _WHOLE),
    Mutation("whole_takeover_from", "(1 + (ln", "(0 + (ln", _WHOLE),
    Mutation("whole_takeover", "(1 + alpha) *", "1 *", _WHOLE),
    Mutation("whole_late_length", "/ (ln", "* (ln", _WHOLE),
    Mutation("whole_scale_steps.shares", "Z.max 1", "Z.max 2", _WHOLE),
    Mutation("ladder_receding", "/ 2", "/ 3", _LADDER),
    Mutation("ladder_excess", "/ 2", "/ 3", _LADDER),
    Mutation("ladder_start_after", "slope * d", "slope * d * 99 / 100", _LADDER),
    Mutation("ladder_start_before", "step * d", "slope * d", _LADDER),
    Mutation("ladder_rise", "share * slope", "share * slope * 99 / 100", _LADDER),
    Mutation("ladder_jump", "1 - share", "1 + share", _LADDER),
    Mutation("ladder_cut_start", "slope * lean", "slope * slope", _LADDER),
    Mutation("ladder_cut_rise", "share_after - share", "share - share_after", _LADDER),
    Mutation("ladder_cut_jump", "(1 - share)", "share", _LADDER),
    Mutation("gap_miss", "(Rabs", "(2 * Rabs", ("equal_gaps",)),
    Mutation("gap_miss", "count - aim", "count + aim", ("equal_gaps",)),
    Mutation("smooth_laplace_exact_delta", "/ 2)) +", "/ 4)) +", _TAILS),
    Mutation("smooth_laplace_opposite_loss", "2 * (1", "3 * (1", _TAILS),
    Mutation("smooth_laplace_noise_multiplier", "2 / ", "1 / ", _EXACT),
    Mutation("smooth_laplace_tails.high", "- d / m", "- d"),
    Mutation("smooth_laplace_tails.low", "+ d / m", "- d / m"),
    Mutation("smooth_laplace_private.private_with_slack", "+ (delta : Re)%:E", ""),
    Mutation("quantile_distance", "below - ", "below + ", _TREE),
    Mutation("quantile_distance", "Rmax", "Rmin", _TREE),
    Mutation("quantile_tree.levels", "S (Nat.max", "(Nat.max"),
    Mutation("quantile_tree.halved", "/ (1 - p)", "/ p"),
    Mutation("quantile_tree.tree", "(filter (at_least (candidate i)) D) b", "D b"),
    Mutation("laws_together.then_drawn", "P (fst o) *", "1 *", _EARNINGS),
    Mutation("records_of_cells.in_cells", "(of_cell j D)", "(map snd D)", _EARNINGS),
    Mutation("records_of_cells.released_privately", "(2 * epsilon)", "epsilon", _EARNINGS),
    Mutation("earnings_mechanisms.moved_before", "mixed (chances e)", "mixed [(e, 2)]"),
    Mutation("earnings_mechanisms.of_moved", "by_gaps epsilon", "by_gaps (2 * epsilon)"),
    Mutation("earnings_mechanisms.picked", "(share * epsilon)", "epsilon"),
    Mutation("earnings_mechanisms.class_by_size", "/ INR deep", ""),
    Mutation("bins_or_gaps_shares", "29", "28", _EARNINGS),
    Mutation("by_size_shares", "(3 / 4)", "(4 / 5)", _EARNINGS),
    Mutation("spread_up", ") - (1 / alpha)", ") + (1 / alpha)", _SPREAD),
    Mutation("spread_down", "start - ", "start + ", _SPREAD),
    Mutation("slide_down", "+ steps", "+ (2 * steps)", _SPREAD),
    Mutation("staircase_up_drop", "epsilon", "(2 * epsilon)", _SPREAD),
    Mutation("staircase_down_drop", "- (ln", "+ (ln", _SPREAD),
    Mutation("path_hyperbola", "z - pole", "z + pole", _PATH),
    Mutation("path_total", ") - 1)", ") + 1)", _PATH),
    Mutation("path_end_below", "size / power", "size * power", _PATH),
    Mutation("path_end_above", "(1 + alpha)", "(2 + alpha)", _PATH),
    Mutation("shortest_path.cheapest", "r1 + reached j", "reached j", _PATH),
    Mutation("shortest_path.dearest", "z - reached j", "z + reached j", _PATH),
    Mutation("path_law.factor_below", "(Nat.min fine turn + (k - fine))", "k", _MOVES),
    Mutation("path_law.factor_above", "else 1", "else 2", _MOVES),
    Mutation("path_law.may_be_fine", "INR turn + 2", "INR turn + 1", _MOVES),
    Mutation("path_law.may_be_fine", "<= alpha * INR turn", "<= 2 * alpha * INR turn", _MOVES),
    Mutation("path_law.may_be_fine", "INR fine * ln (1 + alpha)", "0", _MOVES),
    Mutation("path_law.may_be_fine", "<= 2 / alpha", "<= 3 / alpha", _MOVES),
    Mutation("drawn.drawn", "p <= F k", "p <= F (k + 1)%Z"),
    Mutation("drawn.narrows", "p_high <= below k", "p_high <= above k"),
    Mutation("drawn.narrows", "above k <= p_low", "below k <= p_low"),
    Mutation("drawn.moved", "else 1", "else 0"),
    Mutation("drawn.uniform", "then 1 else 0", "then 2 else 0"),
    Mutation("gaussian_concentration", "(2 * ", "(4 * ", ("between_densities",)),
    Mutation("root_mechanism_mean", "+ 0", "+ total", ("transformations",)),
    Mutation("fourth_root_mechanism_mean", "+ 0", "+ total", ("transformations",)),
    Mutation("logarithm_mechanism_mean", "+ 1", "+ 1 / 2", ("transformations",)),
    Mutation("transformation_sd", "(2 * rho)", "(3 * rho)", ("transformations",)),
)
