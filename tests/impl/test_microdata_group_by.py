"""Levels of public attributes, groups and exact sums; what data are refused."""

from collections import defaultdict
from pathlib import Path

import duckdb
import numpy as np
import pytest

from establish.impl.microdata.establishments import LARGEST_TOTAL, Establishments, measure, read
from establish.impl.microdata.group_by import Codes, groups, largest, level_of, sums
from establish.spec.parameters import ParameterError


def codes(labels: list[str]) -> Codes:
    """The labels of establishments as codes, by Python's own dictionary."""
    distinct = sorted(set(labels))
    place = {label: number for number, label in enumerate(distinct)}
    return Codes(np.array([place[x] for x in labels], np.int32), np.array(distinct, dtype=object))


COUNTY = ["44001", "44003", "44001", "44001", "44003", "44007"]
NAICS = ["311811", "722511", "332710", "722513", "722511", "441110"]
JOBS = [5, 0, 12, 3, 2**40, 7]


def establishments() -> Establishments:
    return Establishments(
        "id",
        np.array(list("abcdef"), dtype=object),
        {"county": codes(COUNTY), "naics": codes(NAICS)},
        {"jobs": measure("jobs", np.array(JOBS))},
    )


def by_hand(keys: list[tuple[str, ...]], values: list[int]) -> dict[tuple[str, ...], list[int]]:
    found = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        found[key].append(value)
    return dict(found)


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("naics", NAICS),
        ("naics[:3]", ["311", "722", "332", "722", "722", "441"]),
        ("naics[:9]", NAICS),
        ("sector(naics)", ["31-33", "72", "31-33", "72", "72", "44-45"]),
    ],
)
def test_a_level_is_the_prefix_or_the_sector_of_each_code(level, expected):
    found = level_of(codes(NAICS), level)
    assert [found.labels[code] for code in found.codes] == expected
    assert len(set(found.labels)) == len(found.labels)


@pytest.mark.parametrize("by", [(), ("county",), ("sector(naics)",), ("county", "naics[:3]")])
def test_sums_and_largest_values_are_those_of_a_plain_loop(by):
    data = establishments()
    formed = data.groups(by)
    columns = {"county": COUNTY, "naics[:3]": [x[:3] for x in NAICS]}
    columns["sector(naics)"] = ["31-33", "72", "31-33", "72", "72", "44-45"]
    expected = by_hand([tuple(columns[level][e] for level in by) for e in range(len(JOBS))], JOBS)
    labels = list(zip(*formed.labels, strict=True)) if by else [()]
    assert labels == sorted(expected)
    assert [int(x) for x in sums(formed, data.measures["jobs"])] == [sum(expected[key]) for key in labels]
    assert [int(x) for x in largest(formed, data.measures["jobs"])] == [max(expected[key]) for key in labels]


def test_many_combinations_of_labels_give_the_same_groups_as_few():
    """More than 4n + 2^20 combinations take the way by sorting."""
    rng = np.random.default_rng(4)
    wide = [
        Codes(rng.integers(0, 3000, 50).astype(np.int32), np.arange(3000).astype(str).astype(object))
        for _ in range(2)
    ]
    formed = groups(wide, 50)
    pairs = [(str(a), str(b)) for a, b in zip(wide[0].codes, wide[1].codes, strict=True)]
    assert [tuple(label[g] for label in formed.labels) for g in formed.index] == pairs
    assert formed.number == len(set(pairs))


def test_the_identifier_forms_a_group_of_each_establishment():
    formed = establishments().groups(("id",))
    assert formed.number == 6
    assert formed.index.tolist() == [0, 1, 2, 3, 4, 5]


def test_sums_are_exact_up_to_the_largest_total():
    """1 + (LARGEST_TOTAL − 1): a float of 45 bits keeps the last one."""
    values = measure("jobs", np.array([1, LARGEST_TOTAL - 1]))
    assert int(sums(groups([], 2), values)[0]) == LARGEST_TOTAL
    with pytest.raises(ParameterError, match=r"the total of jobs must be below 2\^45"):
        measure("jobs", np.array([2, LARGEST_TOTAL - 1]))


@pytest.mark.parametrize("bad", [-4711, 4711.5, np.nan, np.inf, 2.0**53])
def test_a_value_that_is_not_a_count_is_refused_without_being_shown(bad):
    with pytest.raises(ParameterError, match="jobs must be a whole number") as refused:
        measure("jobs", np.array([1, bad]))
    assert "not so in row 2" in str(refused.value)
    assert "4711" not in str(refused.value)


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (("state",), "by = state is not an attribute"),
        (("jobs",), "by = jobs is not an attribute"),
        (("county", "county"), "names a level twice"),
        (("county", "id"), "by = id is not an attribute"),
    ],
)
def test_an_unknown_level_is_refused(by, message):
    with pytest.raises(ParameterError, match=message):
        establishments().groups(by)


def test_no_establishment_and_columns_of_unequal_length_are_refused():
    with pytest.raises(ParameterError, match="no establishments"):
        Establishments("id", np.array([]), {}, {})
    with pytest.raises(ParameterError, match="one value an establishment"):
        Establishments("id", np.arange(2), {}, {"jobs": np.array([1, 2, 3])})


HEADER = "id,county,jobs\n"


def refusal(folder: Path, text: str, **names: object) -> str:
    path = folder / "in.csv"
    path.write_text(text, encoding="utf-8")
    given = {"identifier": "id", "attributes": ["county"], "measures": ["jobs"], **names}
    with pytest.raises(ParameterError) as refused:
        read(path, **given)  # type: ignore[arg-type]  # the cases name arguments by text
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEADER, "no establishments"),
        (HEADER + "a,1,7\na,2,9\n", "column id names one establishment in rows 1 and 2"),
        (HEADER + "a,1,7\na ,2,9\n", "column id names one establishment in rows 1 and 2"),
        (HEADER + "a,1,7\na\t,2,9\n", "column id names one establishment in rows 1 and 2"),
        (HEADER + "a,1,7\n,2,9\n", "column id is missing in row 2"),
        (HEADER + "a,,7\n", "column county is missing in row 1"),
        (HEADER + "a,1,7\nb,1,-91\n", "not so in row 2"),
        (HEADER + "a,1,\n", "not so in row 1"),
        (HEADER + "a,1,many\n", "not so in row 1"),
        ("id,county,people\na,1,7\n", "column jobs is not in in.csv"),
        (HEADER + "a,1\n", "cannot be read"),
    ],
)
def test_bad_rows_are_named_and_no_value_is_shown(tmp_path, text, message):
    said = refusal(tmp_path, text)
    assert message in said
    assert "91" not in said
    assert "many" not in said


def test_a_column_has_one_role(tmp_path):
    said = refusal(tmp_path, HEADER + "a,1,7\n", attributes=["jobs"])
    assert "column jobs is named twice" in said


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_is_read_as_it_is(tmp_path, ending):
    path = tmp_path / f"in.{ending}"
    rows = ", ".join(f"('{i}', '{c}', {j})" for i, c, j in zip("abcdef", COUNTY, JOBS, strict=True))
    kind = "FORMAT parquet" if ending == "parquet" else "FORMAT csv, HEADER"
    duckdb.sql(f"COPY (FROM (VALUES {rows}) AS t(id, county, jobs)) TO '{path}' ({kind})")
    data = read(path, identifier="id", attributes=["county"], measures=["jobs"])
    assert data.identifiers.tolist() == list("abcdef")
    county = data.attributes["county"]
    assert [county.labels[code] for code in county.codes] == COUNTY
    assert data.measures["jobs"].tolist() == JOBS
