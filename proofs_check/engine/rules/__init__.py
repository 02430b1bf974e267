"""Registered rules: how a statement follows from others that were shown as they are.

A rule is given the statement and pieces of evidence. It computes from the statement's own formulas
which statements are owed, and derives the statement when each of them was decided. The argument of a
rule is in its docstring; it is trusted, it is listed, and a planted fault shows that it refuses what
does not follow.
"""

from establish.proofs_check.engine.rules.additive_errors import by_moved_amounts
from establish.proofs_check.engine.rules.between_densities import (
    beyond_threshold,
    every_loss,
    greatest_loss,
    mean_loss_of,
    mean_of_loss,
    moment_of,
    of_normals,
    one_threshold,
    renyi_by_moment,
    renyi_of_normals,
)
from establish.proofs_check.engine.rules.calculus import slope_and_end, slope_obligations
from establish.proofs_check.engine.rules.cases import cover
from establish.proofs_check.engine.rules.chains import (
    along_chain,
    along_gaussian_chain,
    links_of_chain,
    steps_of_chain,
)
from establish.proofs_check.engine.rules.constants import (
    exceeding,
    no_constant,
    no_maximum,
    rising,
    with_constant,
)
from establish.proofs_check.engine.rules.coordinates import added_up, coordinatewise, one_coordinate
from establish.proofs_check.engine.rules.divergence import does_not_fall, floors
from establish.proofs_check.engine.rules.events import at_every_output, log_ratio
from establish.proofs_check.engine.rules.every_pair import (
    by_chord,
    by_order,
    by_pinsker,
    by_share,
    by_square,
    mapped,
    weaker,
)
from establish.proofs_check.engine.rules.finite_laws import of_outcomes, outcome_by_outcome
from establish.proofs_check.engine.rules.firms import one_by_one, one_more_establishment
from establish.proofs_check.engine.rules.fixed_total import (
    base_and_step,
    by_induction,
    by_tangent,
    tangent_of,
)
from establish.proofs_check.engine.rules.gaussian import (
    adaptive_normals,
    alone,
    composition_lemmas,
    in_sequence,
    shift_obligations,
    shifted_normals,
    total_of,
)
from establish.proofs_check.engine.rules.growth import (
    growth_noise,
    growth_steps,
    on_growth_scale,
    on_growth_staircase,
    staircase_steps,
)
from establish.proofs_check.engine.rules.half_lines import TWO_TAILS, half_line_terms, half_lines, pairs_of
from establish.proofs_check.engine.rules.individuals import leave_and_join, two_steps
from establish.proofs_check.engine.rules.instances import instances
from establish.proofs_check.engine.rules.integrals import antiderivative, antiderivatives
from establish.proofs_check.engine.rules.laws import by_chebyshev, by_transform, mean_square, transforms
from establish.proofs_check.engine.rules.limits import within_windows, within_windows_with_delta
from establish.proofs_check.engine.rules.linear_tables import (
    by_sum_and_place,
    combined,
    linear_combination,
    sum_by_sum,
)
from establish.proofs_check.engine.rules.mean_errors import by_amounts
from establish.proofs_check.engine.rules.multiples import (
    all_or_nobody,
    employer_by_employer,
    job_by_job,
    more_steps_than_any_multiple,
)
from establish.proofs_check.engine.rules.neighbor_class import (
    both_relations,
    class_by_intervals,
    midpoints_and_slopes,
    neighbors_of_both,
    total_of_both,
)
from establish.proofs_check.engine.rules.neighbor_functions import any_psi
from establish.proofs_check.engine.rules.normal_noise import along_one_line, rotated_normals
from establish.proofs_check.engine.rules.on_integers import (
    below,
    beside_integral,
    beyond_first,
    by_poisson,
    dual_sum,
    gaussian_shift,
    mean_below,
    near_integral,
    one_term,
    second_order,
    shifted,
    single,
    to_second_order,
)
from establish.proofs_check.engine.rules.one_draw import by_one_gap, one_more
from establish.proofs_check.engine.rules.order import by_gap, chain, gap_of, increasing, links
from establish.proofs_check.engine.rules.parts import beside_the_others, in_one_part
from establish.proofs_check.engine.rules.per_record import (
    around_totals,
    between_normals,
    divergence_of_totals,
    normal_divergence,
)
from establish.proofs_check.engine.rules.premise import premise
from establish.proofs_check.engine.rules.privacy import (
    comparison_of_levels,
    densities,
    fixed,
    fixed_at,
    pointwise,
    weakened,
)
from establish.proofs_check.engine.rules.releases import (
    PAIR,
    one_after_another,
    output_by_output,
    settled,
    turns_of,
)
from establish.proofs_check.engine.rules.rule import RULES, RuleError, derived
from establish.proofs_check.engine.rules.several_pairs import (
    follows,
    in_a_row,
    in_turn,
    steps_between,
    through,
)
from establish.proofs_check.engine.rules.slopes import (
    integral_of_slopes,
    no_kink,
    slopes_at_a_point,
    slopes_of_class,
)
from establish.proofs_check.engine.rules.smooth import losses, neighboring_laws, smooth
from establish.proofs_check.engine.rules.smooth_noise import slide_and_dilation, slide_then_dilate
from establish.proofs_check.engine.rules.smooth_path import arcs, smooth_path, variations
from establish.proofs_check.engine.rules.smooth_steps import (
    crossings,
    laws_of_neighbors,
    moves,
    smooth_staircase,
    spreads,
)
from establish.proofs_check.engine.rules.smooth_tails import smooth_tails, tails
from establish.proofs_check.engine.rules.substitution import substitute
from establish.proofs_check.engine.rules.sums import at_a_price, priced, term_by_term
from establish.proofs_check.engine.rules.sums_on_integers import (
    above_and_below,
    below_together,
    index_moved,
    means_below,
    moved_index,
    quotient,
    steps_of_sum,
    tail_and_integral,
    tail_beside_integral,
    telescoped,
)
from establish.proofs_check.engine.rules.tests_of_laws import mixtures_of_events, two_events
from establish.proofs_check.engine.rules.whole import at_whole_numbers, whole_number
from establish.proofs_check.engine.rules.whole_ladder import cuts_rise, pieces_meet, tails_meet
from establish.proofs_check.engine.rules.whole_staircase import (
    on_whole_scale,
    whole_ladder,
    whole_level,
    whole_steps,
)
