"""``establish suppress noise``, and audits of rounded, merged and top-coded tables, on invented values."""

import stat
from fractions import Fraction
from itertools import product

import pytest

from tests.proofs_check.commands.cells import ends, of_one_column
from tests.proofs_check.files import read_json

READ = ("--by", "k", "--value", "jobs,wages", "--count", "n", "--factors", "1/20,1/10")
HEADER = ("k", "jobs", "wages", "n")


def noisy(factor: str, jobs: int, wages: int) -> tuple[str, str]:
    return tuple(str(float(Fraction(factor) * value)) for value in (jobs, wages))


def test_ratios_are_exact_and_values_are_not(table, run, tmp_path):
    rows = [("A", *noisy("1.1", 20, 900), "1"), ("B", "40", "77", "2")]
    out = tmp_path / "out.json"
    status, printed, _ = run("suppress", "noise", table(rows, HEADER), *READ, "--json", out)
    assert status == 1
    assert "1 cells of one establishment in 1 tables" in printed
    assert "ratios of two values: 1 of 1 known exactly" in printed
    assert "values: 0 of 2 known exactly" in printed
    (one,) = read_json(out)
    assert one["cell"] == {"k": "A"}
    assert one["ratios"] == {"jobs/wages": [str(Fraction(20, 900))] * 2}
    # 22 is f·x with f in [1.05, 1.1] or [0.9, 0.95].
    assert one["values"]["jobs"] == [["20", "440/21"], ["440/19", "220/9"]]
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert not any(value in printed for value in ("900", "440"))


def test_whole_values_without_a_common_divisor_are_known(table, run, tmp_path):
    out = tmp_path / "out.json"
    path = table([("A", *noisy("0.95", 7, 300), "1"), ("B", *noisy("1.05", 40, 60), "1")], HEADER)
    status, printed, _ = run("suppress", "noise", path, *READ, "--whole", "--json", out)
    assert status == 1
    assert "values: 2 of 4 known exactly" in printed
    first, second = read_json(out)
    assert first["whole"] == {"jobs": ["7"], "wages": ["300"]}
    assert second["whole"] == {"jobs": ["40", "46"], "wages": ["60", "69"]}  # 42/46 is a factor too


def test_growth_is_exact_when_factors_stay(table, run, tmp_path):
    one = table([("A", *noisy("1.1", 20, 900), "1")], HEADER)
    two = table([("A", *noisy("1.1", 30, 930), "1")], HEADER, name="later.csv")
    out = tmp_path / "out.json"
    assert run("suppress", "noise", one, two, *READ, "--json", out)[0] == 1
    ratios = read_json(out)[0]["ratios"]
    assert ratios["jobs in table 1/jobs in table 2"] == [str(Fraction(2, 3))] * 2
    assert len(ratios) == 6


def test_a_cell_that_gets_a_second_establishment_has_no_factor_of_one(table, run, tmp_path):
    one = table([("A", *noisy("1.1", 20, 900), "1"), ("B", "22", "33", "1")], HEADER)
    two = table([("A", "33", "1023", "2"), ("B", "24", "36", "1")], HEADER, name="later.csv")
    out = tmp_path / "out.json"
    assert (
        "1 cells of one establishment in 2 tables"
        in run("suppress", "noise", one, two, *READ, "--json", out)[1]
    )
    assert [one["cell"] for one in read_json(out)] == [{"k": "B"}]


def test_a_publication_with_new_factors_cuts_the_ends(table, run, tmp_path):
    # 20 times 1.1 and 20 times 0.9: only 20 is left.
    paths = [
        table([("A", *noisy(factor, 20, 900), "1")], HEADER, name=f"{factor}.csv")
        for factor in ("1.1", "0.9")
    ]
    out = tmp_path / "out.json"
    status, printed, _ = run("suppress", "noise", *paths, *READ, "--redrawn", "--json", out)
    assert status == 1
    assert "values: 2 of 2 known exactly" in printed
    assert read_json(out)[0]["values"]["jobs"] == [["20", "20"]]


def test_rounded_values_leave_intervals_of_ratios_and_no_ratio_is_exact(table, run):
    path = table([("A", "22", "990", "1")], HEADER)
    status, printed, _ = run("suppress", "noise", path, *READ, "--rounded", "--whole")
    assert status == 0
    assert "ratios of two values: 0 of 1 known exactly" in printed


def test_values_that_no_whole_numbers_explain_are_a_contradiction(table, run):
    status, printed, _ = run("suppress", "noise", table([("A", "5", "6", "1")], HEADER), *READ, "--whole")
    assert status == 1
    assert "contradiction: no whole numbers give the published values of 1 cells" in printed


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([("A", "-1", "2", "1")], (), "needs a jobs of at least 0"),
        ([("A", "", "2", "1")], (), "needs a jobs of at least 0"),
        ([("A", "x", "2", "1")], (), "its jobs is not a finite number"),
        ([("A", "1.5", "2", "1")], ("--rounded",), "A is not rounded to whole numbers"),
        ([("A", "1", "2", "1")], ("--factors", "1/10"), "--factors"),
        ([("A", "1", "2", "1")], ("--factors", "1/10,1/20"), "0 < s < t < 1"),
        ([("A", "1", "2", "1")], ("--count", "size"), "has no column size"),
    ],
)
def test_misuse_is_refused(rows, options, message, table, refusal):
    read = {READ[k]: READ[k + 1] for k in range(0, len(READ), 2)}
    read |= {options[0]: options[1]} if len(options) == 2 else {}
    flags = options if len(options) == 1 else ()
    told = refusal("suppress", "noise", table(rows, HEADER), *(x for p in read.items() for x in p), *flags)
    assert message in told


def test_tables_that_no_value_explains_are_refused_by_cell(table, refusal):
    one, two = (
        table([("A", "20", "30", "1")], HEADER),
        table([("A", "60", "90", "1")], HEADER, name="two.csv"),
    )
    assert "the cell A: no value is published so" in refusal(
        "suppress", "noise", one, two, *READ, "--redrawn"
    )


# --- coarser tables, by audit ---

FLAT = of_one_column("k")
CELLS = ("k", "v", "s")


def test_the_likelihood_of_a_randomly_rounded_table_is_over_all_tables(table, succeeds, tmp_path):
    path = table([("All", "15", ""), ("A", "5", ""), ("B", "5", "")], CELLS)
    out = tmp_path / "out.json"
    known = ("--attacker", "nonnegative,integers,random:5", "--likelihood", out)
    printed = succeeds("suppress", "audit", path, *FLAT, *known)
    assert "likelihood: computed for 3 of 3 cells" in printed

    def share(shown: int, value: int) -> Fraction:
        return max(Fraction(0), 1 - Fraction(abs(value - shown), 5))

    weight = {(a, b): share(15, a + b) * share(5, a) * share(5, b) for a, b in product(range(10), repeat=2)}
    for value, found in read_json(out)[0]["likelihood"].items():
        own = sum(w for (a, b), w in weight.items() if a + b == int(value))
        assert Fraction(found) == own / sum(weight.values())
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


def test_a_likelihood_needs_random_rounding(table, refusal):
    path = table([("All", "15", ""), ("A", "5", ""), ("B", "10", "")], CELLS)
    known = ("--attacker", "nonnegative,integers,controlled:5", "--likelihood", "new.json")
    assert "--likelihood needs random:B" in refusal("suppress", "audit", path, *FLAT, *known)


def test_two_ways_to_merge_categories_undo_each_other(table, run, tmp_path):
    # Ages are merged once as young (1, 2) and old (3), once as early (1) and late (2, 3); all single ages
    # are left out of what is published, and follow.
    (tmp_path / "one.csv").write_text("label,parent\n1,young\n2,young\n3,old\nyoung,All\nold,All\n", "utf-8")
    (tmp_path / "two.csv").write_text("label,parent\n1,early\n2,late\n3,late\nearly,All\nlate,All\n", "utf-8")
    rows = [("All", "60", ""), ("young", "30", ""), ("late", "50", "")]
    rows += [(name, "", "m") for name in ("old", "early", "1", "2", "3")]
    out = tmp_path / "out.json"
    trees = [x for name in ("one", "two") for x in ("--hierarchy", f"k={tmp_path / name}.csv")]
    status, _, err = run("suppress", "audit", table(rows, CELLS), *FLAT, *trees, "--json", out)
    assert status == 1, err
    found = ends(out)
    assert found == {
        "old": ("30", "30"), "early": ("10", "10"),
        "1": ("10", "10"), "2": ("20", "20"), "3": ("30", "30"),
    }  # fmt: skip


def test_a_top_coded_value_is_bounded_by_its_threshold_and_by_its_total(table, succeeds, tmp_path):
    # Two values are shown as "100 or more" only: their total, less the other's 100, bounds them.
    rows = [("All", "260", "", ""), ("A", "", "u", "100"), ("B", "", "u", "100"), ("C", "40", "", "")]
    out = tmp_path / "out.json"
    bounds = ("--lower", "top", "--attacker", "nonnegative,bounds", "--json", out)
    succeeds("suppress", "audit", table(rows, (*CELLS, "top")), *FLAT, *bounds)
    assert ends(out) == {"A": ("100", "120"), "B": ("100", "120")}
