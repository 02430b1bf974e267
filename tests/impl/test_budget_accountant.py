"""What plans cost: by hand, by query and together; and what no proof covers is refused."""

from fractions import Fraction
from importlib.resources import files
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from establish.impl.budget import accountant
from establish.impl.budget.accountant import cost, require_within
from establish.impl.budget.caps import OverCap
from establish.impl.budget.plan import read_plan
from establish.spec.composition import RULES, Approximate, Gaussian
from establish.spec.parameters import ParameterError

SAMPLES = Path(str(files("establish.impl"))) / "sample"

HEAD = """
title = "Counts"
[budget]
definition = "{definition}"
{alpha}
cap = {{ epsilon = 100 }}
ledger = "project.ledger"
[data]
jobs = "jobs.csv"
workers = "workers.csv"
workplaces = "workplaces.csv"
[domain.establishment]
place = ["a", "b", "c"]
sector = ["11", "21", "22"]
[domain.worker]
sex = ["F", "M"]
age = ["young", "middle", "old"]
"""


@pytest.fixture
def total_of(plan_of):
    """The total of queries given as (by, where, epsilon)."""

    def total(definition: str, mechanism: str, *queries: tuple[str, str, object], more: str = ""):
        alpha = "alpha = 0.1" if definition.endswith("er-ee") else ""
        text = HEAD.format(definition=definition, alpha=alpha)
        for number, (by, where, epsilon) in enumerate(queries):
            text += f'[[query]]\nname = "q{number}"\nby = [{by}]\nwhere = {{{where}}}\n'
            text += f'mechanism = "{mechanism}"\nepsilon = {epsilon}\n{more}\n'
        return cost(plan_of(text)).total

    return total


def test_the_workloads_cost_2_and_2_and_16():
    found = cost(read_plan(SAMPLES / "plan_workloads.toml"))
    # 2 sexes times 4 levels of education: 8 counts of one establishment change at once
    assert [(query.times, query.loss) for query in found.queries] == [
        (1, Approximate(Fraction(2))),
        (1, Approximate(Fraction(2))),
        (8, Approximate(Fraction(16), Fraction(8, 20_000))),
    ]
    assert found.total == Approximate(Fraction(20), Fraction(1, 2500))
    assert {"haney2017/sec8-d-eps", "haney2017/thm-7.3"} <= set(found.rests_on)


def test_the_five_queries_of_table_7_cost_their_printed_budget():
    plan = read_plan(SAMPLES / "plan_gedp.toml")
    found = cost(plan)
    squares = {query.query: query.loss.mu_squared for query in found.queries}
    # 3·0.7² + 0.15², 3·0.2² + 0.1², 3·0.6² + 0.15², by hand
    assert squares == {
        "identity": Fraction("1.4925"),
        "state": Fraction("0.13"),
        "state-naics5": Fraction("1.1025"),
        "county": Fraction("1.1025"),
        "county-naics5": Fraction("1.4925"),
    }
    assert found.total == Gaussian(Fraction("5.32"))
    require_within(plan, found)


SECTOR, OTHER = 'sector = "11"', 'sector = ["21", "22"]'
PLACE = '"place"'


@pytest.mark.parametrize(
    ("queries", "epsilon"),
    [
        ([("", "", 1), (PLACE, "", 2)], 3),
        ([(PLACE, SECTOR, 1), (PLACE, OTHER, 2)], 2),  # disjoint establishments
        ([(PLACE, SECTOR, 1), (PLACE, OTHER, 2), ("", "", 4)], 6),
        ([(PLACE, SECTOR, 1), (PLACE, 'sector = ["11", "21"]', 2)], 3),  # 11 is in both
        ([(PLACE, SECTOR, 1), ("", 'place = "a"', 2)], 3),  # sector 11 in place a
        ([(PLACE, f'{SECTOR}, place = "b"', 1), ("", 'place = "a"', 2)], 2),
        ([('"sex"', "", 1)], 2),
        ([('"sex", "age"', "", "0.5")], 3),
        ([('"sex", "age"', 'age = ["old", "young"]', 1)], 4),
        ([('"age"', 'sex = "F"', 1)], 3),
        ([(PLACE, 'sex = "F"', 1), (PLACE, 'sex = "M"', 1)], 2),  # the same establishments
        ([('"sex"', SECTOR, 1), ('"age"', OTHER, 1)], 3),
    ],
)
def test_the_cost_is_the_largest_of_disjoint_and_the_sum_of_all_others(total_of, queries, epsilon):
    assert total_of("weak-er-ee", "log-laplace", *queries) == Approximate(Fraction(epsilon))


def test_the_cost_is_the_largest_that_any_establishment_has(total_of):
    """By going through all establishments, for sixty plans of five queries with random filters."""
    rng = np.random.default_rng(11)
    values = {"place": ["a", "b", "c"], "sector": ["11", "21", "22"]}
    for _ in range(60):
        wheres = [
            {key: rng.choice(own, rng.integers(1, 3), replace=False) for key, own in values.items()}
            for _ in range(5)
        ]
        for where in wheres:
            where.pop(rng.choice(["place", "sector", "neither"]), None)
        texts = [", ".join(f"{k} = {[*map(str, own)]}" for k, own in w.items()) for w in wheres]
        most = max(
            sum(2**i for i, w in enumerate(wheres) if all(at[k] in w[k] for k in w))
            for at in (dict(zip(values, one, strict=True)) for one in product(*values.values()))
        )
        queries = [(PLACE, text, 2**i) for i, text in enumerate(texts)]
        assert total_of("weak-er-ee", "log-laplace", *queries) == Approximate(Fraction(most))


def test_filters_that_overlap_in_too_many_ways_are_refused(plan_of, monkeypatch):
    """Eight pairs of filters that exclude each other: an establishment passes one of each, in 2^8 ways."""
    monkeypatch.setattr(accountant, "MOST_SETS", 2**8 - 1)
    attributes = "\n".join(f'a{i} = ["x", "y"]' for i in range(8))
    text = HEAD.format(definition="weak-er-ee", alpha="alpha = 0.1").replace(
        "[domain.worker]", attributes + "\n[domain.worker]"
    )
    for i, value in product(range(8), "xy"):
        text += f'[[query]]\nname = "{value}{i}"\nby = []\nwhere = {{a{i} = "{value}"}}\n'
        text += 'mechanism = "log-laplace"\nepsilon = 1\n'
    with pytest.raises(ParameterError, match="overlap in more than 255 ways: use fewer queries"):
        cost(plan_of(text))
    monkeypatch.setattr(accountant, "MOST_SETS", 2**8)
    assert cost(plan_of(text)).total == Approximate(Fraction(8))


def test_a_job_is_in_one_cell_of_workers_too(total_of):
    assert total_of("edge-dp", "laplace", ('"sex", "age"', "", 1)) == Approximate(Fraction(1))


def test_truncated_counts_cost_their_cells_of_workers(total_of):
    found = total_of("node-dp", "truncated-laplace", ('"sex"', "", 1), more="theta = 20")
    assert found == Approximate(Fraction(2))


@pytest.mark.parametrize("query", [('"sex"', "", 4), ("", 'sex = "F"', 4)])
def test_worker_attributes_are_refused_under_strong_privacy(total_of, query):
    with pytest.raises(ParameterError, match=r"query q0: worker attributes .* use weak-er-ee"):
        total_of("strong-er-ee", "log-laplace", query)


def test_a_mechanism_is_refused_where_it_is_not_proved(total_of):
    # smooth-gamma needs 1.1 < e^(ε/3), that is ε > 0.2860
    assert total_of("strong-er-ee", "smooth-gamma", ("", "", "0.29"))
    with pytest.raises(ParameterError, match="query q0: smooth-gamma needs"):
        total_of("strong-er-ee", "smooth-gamma", ("", "", "0.28"))
    with pytest.raises(ParameterError, match="query q0: θ = 0"):
        total_of("node-dp", "truncated-laplace", ("", "", 1), more="theta = 0")


EARNINGS = """
title = "Earnings"
[budget]
definition = "record-dp"
records_per_person = 3
cap = { epsilon = 100 }
ledger = "project.ledger"
[data]
persons = "earnings.csv"
earnings = "dollars"
[[query]]
name = "percentiles"
by = ["degree"]
mechanism = "histogram-percentiles"
epsilon = "1/2"
"""


def test_a_person_with_three_records_pays_three_times(plan_of):
    assert cost(plan_of(EARNINGS)).total == Approximate(Fraction(3, 2))


@pytest.mark.parametrize("more", ["percentiles = [0]", "percentiles = []", 'bins = "5,4"'])
def test_what_the_earnings_mechanism_does_not_allow_is_refused(plan_of, more):
    plan = plan_of(EARNINGS + more)
    with pytest.raises(ParameterError, match=r"query percentiles: (percentile|bins)"):
        cost(plan)


@pytest.mark.parametrize(
    ("name", "old", "new", "excess"),
    [
        ("plan_workloads.toml", "epsilon = 20", "epsilon = 19.9", "ε = 1/10 too much"),
        ("plan_workloads.toml", 'delta = "0.0004"', 'delta = "0.0003"', "δ = 1/10000 too much"),
        ("plan_gedp.toml", "mu = 2.31 }", "mu = 2.3 }", "μ² = 3/100 too much"),  # 5.32 − 5.29
    ],
)
def test_a_plan_over_its_cap_is_told_by_how_much(plan_of, name, old, new, excess):
    plan = plan_of((SAMPLES / name).read_text(encoding="utf-8").replace(old, new))
    with pytest.raises(OverCap, match=excess):
        require_within(plan, cost(plan))


def test_every_rule_that_a_cost_names_is_a_rule():
    for name in ("plan_workloads.toml", "plan_gedp.toml"):
        assert set(cost(read_plan(SAMPLES / name)).rules) <= set(RULES)
