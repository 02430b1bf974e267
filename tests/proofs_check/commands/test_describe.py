"""``establish describe``: every form is filled from the record, and nothing in it is run by a reader."""

import json
from pathlib import Path

import pytest

from tests.proofs_check.files import read_json

FORMS = ("methodology", "methodology-html", "registry", "checklist")


@pytest.fixture
def record(run, project, once, each_kind, tmp_path: Path) -> Path:
    def release() -> None:
        assert run("release", "plan", project(each_kind), "--out", tmp_path / "out")[0] == 0

    once(("release", each_kind), release)
    return tmp_path / "out" / "release.json"


def test_every_form_is_filled_for_every_kind_of_release(succeeds, record, shows, secret):
    content = read_json(record)
    for form in FORMS:
        text = succeeds("describe", record, "--as", form)
        assert content["title"] in text
        assert content["rests_on"][0]["claim"].partition("/")[0] in text
        assert "TO FILL IN" in text
        assert not any(shows(text, number) for number in (secret, secret + 19, secret - 1000))
    entry = json.loads(succeeds("describe", record, "--as", "registry"))
    assert entry["tier_2"]["privacy_loss"] == content["loss"]
    assert entry["tier_3"]["accounting"]["ledger"] == "entry 1"


def test_every_point_of_the_checklist_has_an_answer_and_what_it_rests_on(succeeds, record):
    rows = succeeds("describe", record, "--as", "checklist").splitlines()[4:]
    assert len(rows) > 20
    for row in rows:
        cells = [cell.strip() for cell in row.replace("\\|", "").strip("|").split("|")]
        assert len(cells) == 3
        assert all(cells), row


def test_what_a_record_says_is_never_markup(succeeds, record):
    content = read_json(record)
    content["title"] = "<script>alert(1)</script> [x](http://x)\n# own heading"
    record.write_text(json.dumps(content), "utf-8")
    assert "<script" not in succeeds("describe", record, "--as", "methodology-html")
    text = succeeds("describe", record, "--as", "methodology")
    assert "\n# own" not in text
    assert "[x](" not in text


@pytest.mark.parametrize("part", ["constants", "expected_error", "noise"])
def test_what_does_not_follow_from_the_parameters_is_not_printed(refusal, record, part):
    content = read_json(record)
    said = content["answers"][0]
    said[part] = "none" if part == "noise" else dict.fromkeys(said[part], "E|noisy − n| = 0")
    record.write_text(json.dumps(content), "utf-8")
    told = refusal("describe", record)
    assert f"disagrees with what follows from its parameters ({said['query']}" in told
    assert part in told


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"mechanism": 1}', "[" * 99999])
def test_what_is_no_record_is_misuse(refusal, tmp_path, content):
    (tmp_path / "r.json").write_text(content)
    assert "is not the record of a release" in refusal("describe", tmp_path / "r.json")
    assert "is not known: use one of" in refusal("describe", tmp_path / "r.json", "--as", "pdf")


@pytest.mark.parametrize(
    ("mechanism", "unbiased", "negative"),
    [
        ("smooth-gamma", True, True),
        ("laplace", True, True),
        ("log-laplace", False, True),
        ("smooth-staircase", False, True),
        ("growth-laplace", False, False),
        ("whole-staircase", False, False),
    ],
)
def test_sums_are_called_right_on_average_where_the_mechanism_is_unbiased_only(
    succeeds, tmp_path, mechanism, unbiased, negative
):
    (tmp_path / "in.csv").write_text("sector,jobs\nA,10\nB,20\n")
    alpha = () if mechanism == "laplace" else ("--alpha", "1/10")
    given = ("--mechanism", mechanism, "--epsilon", 2, *alpha, "--count", "jobs")
    succeeds("release", "counts", tmp_path / "in.csv", "--out", tmp_path / "o.csv", *given)
    record = read_json(tmp_path / "o.csv.json")
    bias = record["expected_error"]["bias"]
    text = succeeds("describe", tmp_path / "o.csv.json").replace("\\", "")
    assert ("on average they equal the true sums." in text) == unbiased
    biased = f"may be biased, because single numbers are biased ({mechanism}: {bias})"
    assert (biased in text) == (not unbiased)
    assert ("Released numbers may be negative" in text) == negative
    assert ("Noisy counts are whole numbers and may be negative." in record["notes"]) == negative
    assert ("Noisy counts are whole numbers, none of them negative." in text) == (not negative)
    checklist = succeeds("describe", tmp_path / "o.csv.json", "--as", "checklist")
    assert f"{mechanism}: {bias}" in checklist.replace("\\", "")
