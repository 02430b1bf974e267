"""Single edits of what rules owe, each of which breaks the theorem on the rule."""

from establish.proofs_check.formal.edits import Mutation

_ORDER = ("comparisons",)
_SLOPE = ("slope_and_end",)
_INTEGERS = ("on_integers",)
_GAUSSIAN = ("gaussian_rules",)
_PAIRS = ("pairs_of_counts",)
_TOGETHER = ("releases_together",)
_MEANS = ("means_of_laws",)
_SUMS = ("sums_on_integers",)
_DENSITIES = ("between_densities",)
_RECORDS = ("per_record",)

OF_RULES: tuple[Mutation, ...] = (
    Mutation("comparisons.chain", "is_order r", "True", _ORDER),
    Mutation("comparisons.linked", "stated domain left at_most term", "True", _ORDER),
    Mutation("comparisons.increasing", "signs f left right", "True", _ORDER),
    Mutation("comparisons.by_gap", "equal gap", "different gap", _ORDER),
    Mutation("comparisons.cover", "Exists (meets x)", "Forall (meets x)", _ORDER),
    Mutation("comparisons.whole_number", "(value x) 1", "(value x) 2", _ORDER),
    Mutation("comparisons.substitute", "domain' (values x)", "True", _ORDER),
    Mutation("comparisons.no_constant", "0 <= right", "-1 <= right", _ORDER),
    Mutation("comparisons.no_maximum", "inside b (following b v)", "True", _ORDER),
    Mutation(
        "slope_and_end.slope_and_end", "closed o x -> continuous", "between (ends o) x -> continuous", _SLOPE
    ),
    Mutation("slope_and_end.slope_and_end", "(fun _ => 0) at_most", "(fun _ => -1) at_most", _SLOPE),
    Mutation("sums_of_terms.at_a_price", "fun _ _ => 0", "fun _ _ => -1", ("sums_of_terms",)),
    Mutation("inductions.by_induction", "(fun _ => 0) at_most", "(fun _ => -1) at_most", ("inductions",)),
    Mutation("inductions.by_tangent", "2 <= snd", "3 <= snd", ("inductions",)),
    Mutation("combinations.is_certified", "high j <> None", "True", ("combinations",)),
    Mutation(
        "levels.weakened", "neighbors p D D' -> more p D D'", "more p D D' -> neighbors p D D'", ("levels",)
    ),
    Mutation("levels.weakened", "stronger at_most level", "level at_most stronger", ("levels",)),
    Mutation("levels.along_chain", "+ snd (fst v)", "+ 0", ("levels",)),
    Mutation("levels.one_after_another", "1 <= a", "2 <= a", ("levels",)),
    Mutation("firms.one_by_one", "0 <= level", "-1 <= level", ("firms",)),
    Mutation("any_neighbor_function.any_psi", "psi x <= v", "True", ("any_neighbor_function",)),
    Mutation("every_output.at_every_output", "- q (fst v)", "+ q (fst v)", ("every_output",)),
    Mutation("on_integers.one_term", "(fun _ => 0) at_most", "(fun _ => -1) at_most", _INTEGERS),
    Mutation("on_integers.mean_below", "f' g' l at_most", "f' g' l at_least", _INTEGERS),
    Mutation("on_integers.second_order", "t * t / 2)", "t * t)", _INTEGERS),
    Mutation("on_integers.dual_sum", "1 + 2 /", "1 + 1 /", _INTEGERS),
    Mutation("sums_on_integers.other_way", "at_most => at_least", "at_most => at_most", _SUMS),
    Mutation("sums_on_integers.quotient", "(fun _ => 0) at_most above", "(fun _ => -1) at_most above", _SUMS),
    Mutation("sums_on_integers.means_below", "at_most bound ->", "at_least bound ->", _SUMS),
    Mutation("sums_on_integers.small", "Rabs (f (fst v) (snd v))", "f (fst v) (snd v)", _SUMS),
    Mutation("sums_on_integers.telescoped", "start (fst v) - 1", "start (fst v) - 2", _SUMS),
    Mutation("sums_on_integers.moved_index", "exponent (fst v) there +", "exponent (fst v) there -", _SUMS),
    Mutation(
        "gaussian_chains.along_gaussian_chain",
        "+ fst v) at_most",
        "+ fst v / 2) at_most",
        ("gaussian_chains",),
    ),
    Mutation("between_densities.renyi", "(1 - a) * q o", "a * q o", _DENSITIES),
    Mutation("between_densities.renyi_by_moment", "(order x - 1) * closed", "order x * closed", _DENSITIES),
    Mutation("between_densities.renyi_of_normals", "stated domain sd equal sd'", "True", _DENSITIES),
    Mutation("between_densities.one_threshold", "threshold (fst v) <= snd v", "0 <= snd v", _DENSITIES),
    Mutation("between_densities.greatest_loss", "closed (fst v)", "2 * closed (fst v)", _DENSITIES),
    Mutation("per_record.divergence_of_totals", "Rabs (IZR r)", "IZR r", _RECORDS),
    Mutation("per_record.normal_divergence", "0 <= snd v in", "1 <= snd v in", _RECORDS),
    Mutation("gaussian_rules.adaptive_normals", "snd v * snd v", "2 * snd v * snd v", _GAUSSIAN),
    Mutation("gaussian_rules.in_sequence", "at_most level", "at_least level", _GAUSSIAN),
    Mutation("gaussian_rules.neighbors_of_both", "close (psi_a i) (gamma_a i) x y", "True", _GAUSSIAN),
    Mutation("gaussian_rules.shifted_normals", "in level * sd", "in 2 * level * sd", _GAUSSIAN),
    Mutation(
        "gaussian_rules.rotated_normals", "<= sensitivity (fst v)", "<= sensitivity (fst v) / 2", _GAUSSIAN
    ),
    Mutation(
        "slide_then_dilate.slide_then_dilate",
        "(fun _ => 0) less",
        "(fun _ => 0) different",
        ("slide_then_dilate",),
    ),
    Mutation("pairs_of_counts.step_to", "(x + 1)", "x", _PAIRS),
    Mutation("pairs_of_counts.pointwise", "low p (x + rest) = low p (y + rest)", "True", _PAIRS),
    Mutation("pairs_of_counts.smooth", "<= slide p *", "<= 2 * slide p *", _PAIRS),
    Mutation("releases_together.per_output", "m1 * m2", "m1 * q2", _TOGETHER),
    Mutation("releases_together.left_over", "r1 + (1 - r1) * r2", "r1", _TOGETHER),
    Mutation("tests_of_laws.two_events", "q_t <= f_t", "True", ("tests_of_laws",)),
    Mutation("means_of_laws.coordinatewise", "less sensitivity", "different sensitivity", _MEANS),
    Mutation("means_of_laws.added_up", "= closed%:E", "<= closed%:E", _MEANS),
    Mutation("means_of_laws.by_chebyshev", "closed at_most", "closed at_least", _MEANS),
    Mutation("growth_rules.on_growth_scale", "0 <= d <= 1", "0 <= d <= 1 / 2", ("growth_rules",)),
    Mutation("growth_rules.on_growth_staircase", "down up e = e", "down up e = 2 * e", ("growth_rules",)),
    Mutation(
        "releases_of_parts.beside_the_others",
        "at_most_with c delta (chance P) (chance Q) ->",
        "",
        ("releases_of_parts",),
    ),
    Mutation("releases_of_parts.in_one", "j <> i ->", "j = i ->", ("releases_of_parts",)),
)
