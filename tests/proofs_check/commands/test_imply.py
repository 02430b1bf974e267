"""`establish imply` tells a story and ends with the verdict; `establish table1` sets out Table 1."""

import json
from pathlib import Path

import pytest

ASK = ("imply", "--alpha", "1", "--epsilon", "ln 2")
STRONG = (*ASK, "--definition", "strong-er-ee")
TWO = ("--universe", "workers=2,employers=1,attributes=2")


def test_a_violation_tells_who_knew_what_and_ends_with_1(run):
    status, out, err = run(*STRONG, "--requirement", "shape", *TWO)
    assert (status, err) == (1, "")
    for part in (
        "Does (α, ε)-ER-EE privacy imply the shape requirement at level ε = ln 2, α = 1?",
        "2 potential workers, 1 establishment, one attribute of 2 values: 9 datasets",
        "Answer: implied only at a larger level; least level 2 ε (factor 4).",
        "w1 is at e1 with v1, for certain",
        "w2 is at e1 with v2 (1/2) or at e1 with v1 (1/2)",
        "2/3 if e1: w1 v1, w2 v2",
        "1/6 if e1: w1 v1, w2 v1",
        "odds before: 1\n",
        "odds after:  4\n",
        "Bayes factor 4; e^ε = 2 was to be the most",
        "at any c = e^ε: c^2",
        "all such attackers: at most 4, by 2 classes",
        "    e1: w1 v1, w2 v2\n    e1: w1 v1\n    e1: w1 v1, w2 v1\n",
        "evidence: exhaustive on this universe",
    ):
        assert part in out


def test_an_implication_gives_its_bound_and_ends_with_0(run):
    status, out, _ = run(*STRONG, "--requirement", "size", *TWO)
    assert status == 0
    assert "Answer: implied at level ε; least level 1 ε (factor 2)." in out
    assert "all such attackers: at most 2" in out


def test_a_question_without_events_says_what_it_would_need(run):
    status, out, _ = run(
        *("imply", "--alpha", "1/10", "--epsilon", "ln 2", "--definition", "edge"),
        *("--requirement", "shape", *TWO),
    )
    assert status == 0
    assert "nothing is compared: shape needs 11 workers and an attribute" in out


def test_the_record_holds_witness_and_certificate_in_exact_numbers(run, tmp_path):
    file = tmp_path / "answer.json"
    status, out, _ = run(
        *(*ASK, "--definition", "weak-er-ee", "--requirement", "size", "--priors", "weak"),
        *("--universe", "workers=4,employers=1,attributes=2", "--json", file),
    )
    (entry,) = json.loads(file.read_text("utf-8"))
    assert status == 1
    assert "least level 1.1255… ε (factor 24/11 (about 2.18182))" in out
    assert entry["verdict"] == "implied only at a larger level"
    assert entry["at_least"] == entry["at_most"]
    assert entry["at_least"]["factor"] == "24/11"
    assert entry["witness"]["prior"]["w1"][0] == {"place": ["e1", "v1"], "probability": "1/4"}
    assert entry["witness"]["factor_in_c"] == "(1/2 c + 1/2 c^2) / (5/8 + 3/8 c)"
    assert len(entry["witness"]["labels"]) == 81
    assert {len(row["chain"]) - 1 for row in entry["witness"]["plan"]} == {1, 2}
    assert entry["bound"]["hardest_class"]["value"] == "24/11"


def test_the_record_may_go_to_standard_output_alone(run):
    _, out, _ = run(*STRONG, "--requirement", "size", *TWO, "--json", "-")
    assert json.loads(out)[0]["verdict"] == "implied at level ε"


def test_an_irrational_level_is_bracketed_and_ends_with_2(run):
    status, out, err = run(
        *("imply", "--definition", "strong-er-ee", "--alpha", "1", "--epsilon", "1"),
        *("--requirement", "shape", *TWO),
    )
    assert (status, out) == (2, "")
    assert "below, at ε = ln 106/39: implied only at a larger level; least level 2 ε" in err
    assert "above, at ε = ln 193/71: implied only at a larger level; least level 2 ε" in err
    assert "establish: error: epsilon = 1 is not allowed: e^ε is irrational" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--requirement", "size", "--universe", "workers=9,employers=2"), "19683 datasets is too"),
        (("--requirement", "size", "--universe", "people=3"), "write workers=3,employers=1"),
        (("--requirement", "sizes"), "use one of individual, size, shape"),
        (("--requirement", "size", "--priors", "all"), "use one of point, weak, informed"),
        (("--requirement", "size", "--definition", "dp"), "use one of edge, "),
        (("--requirement", "size", "--alpha", "0"), "alpha must be greater than 0"),
        (("--requirement", "size", "--epsilon", "ln 1"), "epsilon must be above 0"),
        (("--requirement", "size", "--json", "missing/answer.json"), "there is no folder"),
    ],
)
def test_a_question_that_cannot_be_answered_ends_with_2(refusal, changed, arguments, message):
    assert message in refusal("imply", *changed(STRONG[1:], *arguments))


@pytest.mark.small_campaign  # the levels are claims, and this is their table
def test_table_1_sets_computed_levels_beside_the_printed_entries_as_the_readme_shows(run, tmp_path):
    file = tmp_path / "table.json"
    status, out, _ = run("table1", "--json", file)
    assert status == 0
    rows = {row["name"]: row["cells"] for row in json.loads(file.read_text("utf-8"))}
    assert list(rows) == ["noise infusion", "edge", "node", "strong-er-ee", "weak-er-ee"]
    assert {cell["computed"] for cell in rows["noise infusion"]} == {"no: ∞", "-"}
    # Universes 1 and 2 have one establishment and no attribute: edge privacy pays for 2 and 3 workers.
    individual, size, _, shape = rows["edge"]
    assert (size["printed"], size["levels"][:2]) == ("No", ["2", "3"])
    assert individual["levels"] == ["1", "1", "2", "2", "2"]
    assert shape["levels"][:2] == ["-", "-"]
    # Strong privacy keeps sizes of a single establishment at ε.
    assert rows["strong-er-ee"][1]["levels"][:3] == ["1", "1", "1"]
    assert rows["weak-er-ee"][2]["levels"][2] == "1.1255…"
    assert "(α, ε)-ER-EE privacy" in out
    assert "Yes* / no: 3 ε" in out
    assert "exhaustive on these universes" in out
    page = (Path(__file__).parents[3] / "docs/pages/how_to/imply.md").read_text("utf-8")
    shown = page.partition("$ establish table1\n")[2].partition("\n```")[0].splitlines()
    assert shown
    assert [line for line in shown if line not in map(str.rstrip, out.splitlines())] == []
