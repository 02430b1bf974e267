"""What `establish list` and `establish show` print, without settling more than they must."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.ledger import Entry


def test_list_gives_the_recorded_verdict_and_checks_nothing(run, two_claims):
    two_claims["paper/one"] = Entry("paper/one", "fails", "proof", "")
    del two_claims["paper/data"]
    status, out, _ = run("list")
    assert status == 0
    assert "paper/one  Section 1, Lemma 1.1 One is one.      fails" in out
    assert "paper/data Section 2            The data are so. -" in out
    status, out, _ = run("list", "paper/one", "--json", "-")
    (row,) = json.loads(out)
    assert {name: row[name] for name in ("id", "source", "location", "statement", "verdict")} == {
        "id": "paper/one",
        "source": "paper",
        "location": "Section 1, Lemma 1.1",
        "statement": "One is one.",
        "verdict": "fails",
    }
    assert is_written_at(row, "def one() -> Verdict:")
    assert (row["reads"], row["rests_on"], row["used_by"]) == ([], [], [])


def is_written_at(row: dict[str, Any], text: str) -> bool:
    """Whether the check begins, with its decorator, at the file and line that the row names."""
    lines = Path(row["file"]).read_text("utf-8").splitlines()
    return text in lines[row["line"]].strip() and lines[row["line"] - 1].strip().startswith("@")


def test_list_prints_file_and_line(run, two_claims):
    (row,) = json.loads(run("list", "paper/one", "--json", "-")[1])
    assert f"{row['file']}:{row['line']}" in run("list", "paper/one")[1]


def test_show_as_json_has_the_record_and_what_stands_around_the_claim(run, two_claims):
    status, out, _ = run("show", "paper/one", "--json", "-")
    (page,) = json.loads(out)
    assert (status, page["verdict"], page["value"]) == (0, "holds", "1")
    assert page["derivation"] == "By definition."
    assert [piece["says"] for piece in page["pieces"]] == ["1 = 1"]
    assert is_written_at(page, "def one() -> Verdict:")
    assert {"reads", "rests_on", "used_by"} <= page.keys()


FIRST = """
import sys
from establish.proofs_check.engine.index import place
from establish.proofs_check.engine.register import registered
from establish.proofs_check.api.show import pages
for id in sys.argv[1:]:
    (page,) = pages(id, full=False)
    print(page.record.verdict, "Rests on" in dict(page.sections()))
print(len(registered()) < 400, place().exists())
"""


@pytest.mark.small_campaign
def test_show_of_an_id_needs_no_index_and_few_of_the_papers(own_cache: None):
    ids = "haney2017/lemma-9.2", "haney2016_slides/def-4.1"
    done = subprocess.run([sys.executable, "-c", FIRST, *ids], capture_output=True, text=True, check=True)
    known = [ledger.recorded()[id].verdict for id in ids]
    *told, last = done.stdout.splitlines()
    assert [line.split()[0] for line in told] == known
    assert last == "True False", done.stdout


def test_show_finds_the_claims_of_a_place(run, two_claims):
    for place in ("Lemma 1.1", "lemma 1.1", "Section 1"):
        status, out, _ = run("show", "paper", place)
        assert (status, "One is one." in out, "The data are so." in out) == (0, True, False)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("paper", "Lemma 1"), "no claim of paper is at 'Lemma 1'"),
        (("paper", "emma 1.1"), "no claim of paper is at 'emma 1.1'"),
        (("paper", "Lemma 1.11"), "no claim of paper is at 'Lemma 1.11'"),
        (("book", "Lemma 1.1"), "book is not a source: use one of paper"),
        (("paper", "Lemma 1.1", "--file", "x.py"), "--file is for an id"),
        (("paper", " "), "PLACE is empty: name a statement"),
        (("paper",), "paper is a source: name a place in it, such as 'Lemma 8.6'"),
    ],
)
def test_a_place_that_no_claim_has_is_refused(refusal, two_claims, arguments, said):
    assert said in refusal("show", *arguments)


@pytest.mark.usefixtures("settled_once")
def test_show_names_what_a_claim_reads_and_what_rests_on_it(run):
    out = run("show", "haney2017/lemma-8.6-above-1", "--full")[1]
    for part in (
        "\n  proofs_check/papers/haney2017/heavy_tailed/admissible.py:",
        "\nReads\n  spec.distributions.heavy_tailed.HeavyTailed  spec/distributions/heavy_tailed.py:",
        "\nUsed by\n",
        "certificate impl/certificates.lock.gz",
    ):
        assert part in out
    assert "by enclosure\n" not in run("show", "haney2017/lemma-8.6-sliding-4", "--full")[1]


def test_check_prints_a_profile(run, two_claims):
    out = run("check", "--jobs", 1, "--fresh", "--profile")[1]
    assert "Processor time:" in out
    assert "the slowest 2 of 2 checks" in out
    assert "s  paper/one  " in out


def test_show_gives_the_whole_claim_and_how_to_check_it_again(run, two_claims):
    status, out, _ = run("show", "paper/one", "--full")
    assert status == 0
    for part in (
        "paper/one\n  Section 1, Lemma 1.1\nStatement\n  One is one.\n",
        "Verdict\n  holds: the statement is true\n",
        "Evidence\n  steps: ",
        "Value (evidence: steps)\n  1\n",
        "Pieces of evidence\n  1. 1 = 1\n     worded by the author: ",
        "\n     steps by sum\n",
        "Derivation\n  By definition.\n",
        "Ledger\n  as recorded\n",
        "establish check --fresh paper/one\n",
    ):
        assert part in out
    assert "Counterexample" not in out
    assert "(cached)" in run("show", "paper/one", "--full")[1]


@pytest.mark.usefixtures("settled_once")
def test_the_first_screen_answers_a_referee_and_leaves_the_rest_to_an_option(run):
    first = run("show", "haney2017/lemma-9.2")[1].splitlines()
    titles = [line for line in first if not line.startswith(" ")]
    assert titles[:4] == ["haney2017/lemma-9.2", "Statement", "Verdict", "Evidence"]
    assert titles.index("Refuted at") < titles.index("Derivation") < titles.index("More")
    assert len(first) <= 40
    assert len(first) == len(set(first))  # no counterexample is told twice
    full = run("show", "haney2017/lemma-9.2", "--full")[1].splitlines()
    assert [line for line in first if line not in full] == first[-2:]
    assert {"As it is checked", "Pieces of evidence", "Kernel", "Reads"} <= {*full} - {*first}


def test_show_finds_claims_of_ones_own_file(run, papers):
    file = papers / "settled.py"
    status, out, _ = run("show", "mine/order", "--file", file)
    assert status == 0
    assert out.endswith(f"More\n  establish show mine/order --file {file} --full\n")
    assert "Counterexample (as the author words it)\n  3 < 3 is false\n" in out
    assert f"establish check --fresh {file}" in out


def test_trust_counts_the_claims_that_rest_on_each_party(run, two_claims):
    status, out, _ = run("trust", "paper/one", "--json", "-")
    rows = {row["party"]: row for row in json.loads(out)}
    assert (status, list(rows)) == (0, ["reading", "Python", "prose", "rule sum"])
    assert rows["prose"]["claims"] == ["paper/one"]
    status, out, _ = run("trust", "paper/one")
    assert status == 0
    assert "1 claims, 0 of them without evidence" in out
    assert run("trust", "nothing")[0] == 2


def test_show_names_the_claims_that_a_derivation_mentions_and_nothing_uses(run, own_register, tmp_path):
    file = tmp_path / "paper.py"
    file.write_text(
        "from establish import claim, not_checkable\n\n\n"
        '@claim("mine/a", where="Section 1", says="One.")\n'
        "def a():\n"
        '    """As mine/b says; mine/a repeats haney2017/lemma-9.2, not mine/c."""\n'
        '    return not_checkable("data")\n\n\n'
        '@claim("mine/b", where="Section 1", says="Two.")\n'
        'def b():\n    return not_checkable("data")\n',
        "utf-8",
    )
    status, out, _ = run("show", "mine/a", "--file", file, "--full")
    assert (status, "\nMentions\n  mine/b\n  haney2017/lemma-9.2\nTook\n" in out) == (0, True)
