"""Marginal queries: full vectors of counts, and cells seen by establishment."""

import pytest

from establish import ParameterError, Universe
from establish.spec.cells import Cell, MarginalQuery
from establish.spec.tables import Tables, Worker, Workplace

PLACES = (
    Workplace("a", ("north", "food")),
    Workplace("b", ("north", "steel")),
    Workplace("c", ("south", "food")),
)
WORKERS = {
    "1": ("f", "college", "a"),
    "2": ("f", "school", "a"),
    "3": ("m", "college", "a"),
    "4": ("f", "college", "b"),
    "5": ("m", "school", "c"),
}
TABLES = Tables(
    PLACES,
    tuple(Worker(id, (sex, education)) for id, (sex, education, _) in WORKERS.items()),
    tuple((id, place) for id, (_, _, place) in WORKERS.items()),
)
SEX_BY_REGION = MarginalQuery({0: ("f", "m")}, {0: ("north", "south")})


def test_counts_by_worker_and_workplace_attributes_include_empty_cells():
    # By hand: women 1, 2, 4 are in the north, man 3 in the north, man 5 in the south.
    assert SEX_BY_REGION.counts(TABLES) == {
        ("f", "north"): 3,
        ("f", "south"): 0,
        ("m", "north"): 1,
        ("m", "south"): 1,
    }


def test_the_query_without_attributes_counts_all_workers_in_one_cell():
    assert MarginalQuery({}, {}).counts(TABLES) == {(): 5}
    assert MarginalQuery({}, {}).cell(TABLES, ()) == Cell((3, 1, 1))


def test_a_cell_lists_matching_workers_by_matching_establishment():
    cell = SEX_BY_REGION.cell(TABLES, ("f", "north"))
    assert cell == Cell((2, 1))  # a has women 1 and 2, b has woman 4, c is in the south
    assert (cell.count, cell.largest) == (3, 2)


def test_an_establishment_without_matching_workers_still_contributes_a_zero():
    assert SEX_BY_REGION.cell(TABLES, ("m", "north")) == Cell((1, 0))


def test_positions_are_read_in_the_order_given():
    query = MarginalQuery({1: ("college", "school"), 0: ("f", "m")}, {1: ("food", "steel")})
    assert query.counts(TABLES)["college", "m", "food"] == 1
    assert query.counts(TABLES)["college", "f", "steel"] == 1


def test_a_cell_without_establishments_has_count_and_largest_zero():
    cell = MarginalQuery({}, {0: ("north", "south", "west")}).cell(TABLES, ("west",))
    assert (cell.sizes, cell.count, cell.largest) == ((), 0, 0)


def test_the_count_of_every_cell_is_its_entry_in_the_vector_for_every_dataset():
    for tables in Universe(PLACES, ("1", "2"), (("f",), ("m",))).datasets():
        counts = SEX_BY_REGION.counts(tables)
        assert sum(counts.values()) == len(tables.workers)
        for name in SEX_BY_REGION.cells():
            assert SEX_BY_REGION.cell(tables, name).count == counts[name]


def test_a_value_outside_its_domain_is_refused():
    with pytest.raises(ParameterError, match=r"worker '3' has values \('m',\), which are in no"):
        MarginalQuery({0: ("f",)}, {}).counts(TABLES)


def test_an_attribute_that_does_not_exist_is_refused():
    with pytest.raises(ParameterError, match="attribute 2 does not exist in record '1'"):
        MarginalQuery({2: ("f",)}, {}).counts(TABLES)


def test_an_unknown_cell_and_a_negative_size_are_refused():
    with pytest.raises(ParameterError, match="is not a cell"):
        SEX_BY_REGION.cell(TABLES, ("f", "east"))
    with pytest.raises(ParameterError, match="size = -1"):
        Cell((2, -1))
