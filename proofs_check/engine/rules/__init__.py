"""Registered rules: how a statement follows from others that were shown as they are.

A rule is given the statement and pieces of evidence. It computes from the statement's own formulas which
statements are owed, and derives the statement when each of them was decided. The argument of a rule is in its
docstring; it is trusted, it is listed, and a planted fault shows that it refuses what does not follow.
"""

from __future__ import annotations

from establish.proofs_check.engine.rules.calculus import slope_and_end
from establish.proofs_check.engine.rules.cases import cover
from establish.proofs_check.engine.rules.constants import exceeding, no_constant, with_constant
from establish.proofs_check.engine.rules.coordinates import (
    added_up,
    coordinatewise,
    one_coordinate,
)
from establish.proofs_check.engine.rules.divergence import does_not_fall, floors
from establish.proofs_check.engine.rules.events import at_every_output, log_ratio
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
from establish.proofs_check.engine.rules.instances import instances
from establish.proofs_check.engine.rules.neighbor_functions import any_psi
from establish.proofs_check.engine.rules.order import chain, increasing
from establish.proofs_check.engine.rules.privacy import (
    comparison_of_levels,
    densities,
    fixed,
    fixed_at,
    pointwise,
    weakened,
)
from establish.proofs_check.engine.rules.rule import RULES, RuleError, derived
from establish.proofs_check.engine.rules.smooth import losses, neighboring_laws, smooth
from establish.proofs_check.engine.rules.substitution import substitute

__all__ = [
    "RULES",
    "RuleError",
    "adaptive_normals",
    "added_up",
    "alone",
    "any_psi",
    "at_every_output",
    "chain",
    "comparison_of_levels",
    "composition_lemmas",
    "coordinatewise",
    "cover",
    "densities",
    "derived",
    "does_not_fall",
    "exceeding",
    "fixed",
    "fixed_at",
    "floors",
    "growth_noise",
    "growth_steps",
    "in_sequence",
    "increasing",
    "instances",
    "log_ratio",
    "losses",
    "neighboring_laws",
    "no_constant",
    "on_growth_scale",
    "on_growth_staircase",
    "one_coordinate",
    "pointwise",
    "shift_obligations",
    "shifted_normals",
    "slope_and_end",
    "smooth",
    "staircase_steps",
    "substitute",
    "total_of",
    "weakened",
    "with_constant",
]
