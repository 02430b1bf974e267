"""ER-EE tables and their finite universes."""

import pytest

from establish import ParameterError, Universe
from establish.spec.tables import Tables, Worker, Workplace

BAKERY, MILL = Workplace("bakery", ("town",)), Workplace("mill", ("village",))
ANN, BOB = Worker("ann", ("college",)), Worker("bob", ("school",))


def small() -> Tables:
    return Tables((BAKERY, MILL), (ANN, BOB), (("ann", "mill"), ("bob", "mill")))


def test_the_join_has_one_record_per_worker_with_all_attributes():
    joined = small().worker_full()
    assert [r.worker for r in joined] == [ANN, BOB]
    assert [r.attributes for r in joined] == [("college", "village"), ("school", "village")]


def test_the_workforce_is_the_set_of_workers_and_may_be_empty():
    assert small().workforce("mill") == {ANN, BOB}
    assert small().workforce("bakery") == frozenset()


def test_the_workforce_of_an_unknown_workplace_is_an_error():
    with pytest.raises(ParameterError, match="'forge' is not in the table"):
        small().workforce("forge")


def test_the_order_of_records_has_no_meaning():
    shuffled = Tables((MILL, BAKERY), (BOB, ANN), (("bob", "mill"), ("ann", "mill")))
    assert shuffled == small()
    assert hash(shuffled) == hash(small())
    assert small() != Tables((BAKERY, MILL), (ANN, BOB), (("ann", "mill"), ("bob", "bakery")))


@pytest.mark.parametrize(
    ("workplaces", "workers", "jobs", "message"),
    [
        ((MILL, MILL), (), (), "workplace = 'mill' is listed 2 times"),
        ((MILL,), (ANN, Worker("ann")), (("ann", "mill"),), "worker = 'ann' is listed 2 times"),
        (
            (BAKERY, MILL),
            (ANN,),
            (("ann", "mill"), ("ann", "bakery")),
            "worker of a job = 'ann' is listed 2 times",
        ),
        ((MILL,), (), (("ann", "mill"),), "worker 'ann': no such worker"),
        ((MILL,), (ANN,), (("ann", "forge"),), "worker 'ann': no workplace 'forge'"),
        ((MILL,), (ANN, BOB), (("ann", "mill"),), "worker 'bob' has no job"),
    ],
)
def test_malformed_tables_are_refused_by_name(workplaces, workers, jobs, message):
    with pytest.raises(ParameterError, match=message):
        Tables(workplaces, workers, jobs)


@pytest.mark.parametrize(
    ("workplaces", "ids", "values", "size"),
    [
        (1, 1, 1, 2),  # absent, or at the workplace
        (2, 2, 1, 9),  # 3 choices for each of 2
        (2, 3, 2, 125),  # 5 choices for each of 3
        (0, 3, 2, 1),  # nobody can be employed
        (2, 0, 2, 1),
    ],
)
def test_the_size_of_a_universe_is_the_number_of_its_datasets(workplaces, ids, values, size):
    universe = Universe(
        tuple(Workplace(f"e{i}") for i in range(workplaces)),
        tuple(f"w{i}" for i in range(ids)),
        tuple((f"v{i}",) for i in range(values)),
    )
    datasets = list(universe.datasets())
    assert universe.size == size == len(datasets) == len(set(datasets))


def test_the_size_of_a_huge_universe_is_computed_without_enumeration():
    assert Universe((BAKERY, MILL), tuple(f"w{i}" for i in range(200))).size == 3**200


def test_every_dataset_of_a_universe_keeps_the_public_workplaces():
    universe = Universe((BAKERY, MILL), ("ann", "bob"), (("school",), ("college",)))
    assert all(d.workplaces == (BAKERY, MILL) for d in universe.datasets())
    assert small() in set(universe.datasets())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((MILL, MILL), ("ann",)), "workplace = 'mill'"),
        (((MILL,), ("ann", "ann")), "worker = 'ann'"),
        (((MILL,), ("ann",), (("x",), ("x",))), "holds a value twice"),
    ],
)
def test_a_universe_refuses_duplicates(arguments, message):
    with pytest.raises(ParameterError, match=message):
        Universe(*arguments)
