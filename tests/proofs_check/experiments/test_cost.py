"""What protection costs: which ways bound what an attacker gains, and what is published."""

from fractions import Fraction
from math import inf

import pytest

from establish.proofs_check.experiments.cost.ways_to_protect import (
    ALL,
    CostRow,
    infusion_delta,
    made_up,
    published_table,
    run,
)


@pytest.fixture(scope="module")
def costs() -> dict[str, CostRow]:
    rows, cells = run(made_up(150, 3000, 4, 4, 2), seed=2, trials=50)
    assert len(cells) == 16 * len(rows)
    return {row.protection.split(",")[0].split()[0]: row for row in rows}


def test_only_employer_employee_privacy_bounds_what_is_gained(costs):
    assert {name for name, row in costs.items() if row.gain_large < inf} == {"ER-EE"}
    assert costs["cell"].delta_large == costs["coarsening"].delta_large == 1
    assert costs["coarsening"].published == 0
    assert costs["input"].published == costs["input"].cells == 16


def test_gaussian_privacy_protects_the_share_of_a_large_establishment_less(costs):
    row = costs["GEDP"]
    assert row.gain_small == row.gain_large == inf
    assert row.delta_small < 1e-5 < 0.5 < row.delta_large < 1


def test_the_delta_of_noise_infusion_is_the_mass_that_tells_sizes_apart():
    """f·20 and f·22, f in [3/4, 19/20] ∪ [21/20, 5/4]: [15, 19] ∪ [21, 25] and [16.5, 20.9] ∪ [23.1, 27.5].

    Of the first 1.5 and 2.1 of 8 lie outside; of the second, 2 of [19, 20.9] to 21 and [25, 27.5] of 8.8.
    """
    first, second = (Fraction(15 + 21, 10) / 8, (Fraction(19, 10) + Fraction(25, 10)) / Fraction(88, 10))
    assert infusion_delta(20, 22, Fraction(2)) == pytest.approx(float(max(first, second)))
    with pytest.raises(ValueError, match="within"):
        infusion_delta(1, 20, Fraction(2))


def test_the_table_with_margins_adds_up():
    table = made_up(150, 3000, 4, 4, 2)
    cells, _ = published_table(table)
    assert len(cells) == 25
    assert cells[ALL, ALL].value == 3000
    inner = [cells[f"place {p:03}", f"sector {s:02}"].value for p in range(4) for s in range(4)]
    assert inner == table.true.tolist()


def test_published_cells_of_a_pattern_are_those_without_error(costs):
    row = costs["cell"]
    assert 0 < row.published < row.cells
