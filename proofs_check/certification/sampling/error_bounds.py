"""Every number on which the samplers' acceptance rests, enclosed for the floats that they use."""

from __future__ import annotations

from functools import cache

from establish.proofs_check.certification.sampling.choice_bounds import choice_bound
from establish.proofs_check.certification.sampling.kernel_bounds import (
    EPSILONS,
    exponential_bound,
    geometric_bound,
)
from establish.proofs_check.certification.sampling.table_bounds import (
    IDEALS,
    rate_is_inverse_density,
    slopes,
    table_bound,
)
from establish.proofs_check.engine.verdicts import Evidence


@cache
def certify_bounds() -> tuple[Evidence, ...]:
    """Evidence for every number on which the acceptance of a draw rests, for all laws; computed once."""
    found = []
    for ideal in IDEALS:
        table = ideal.table()
        e0, e1 = table.error
        says = f"the {table.name} quantile is computed to {e0:.3g} + {e1:.3g}·z for U ≥ 2^−34"
        found.append(table_bound(ideal, table, says))
        found.append(rate_is_inverse_density(ideal, table.name))
    found += slopes()
    found.append(exponential_bound())
    found += [geometric_bound(epsilon) for epsilon in EPSILONS]
    found.append(choice_bound())
    return tuple(found)
