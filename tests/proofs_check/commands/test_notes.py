"""A note says what the record of its claim says, and nothing else."""

import json

import pytest

from establish import AtMost, Grade, Outcome, Real, Verdict, claim, exact, fails, holds, ill_posed, misprint
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.report.notes import FOUND, GRADES, file_of

pytestmark = pytest.mark.usefixtures("three")
SQUARE = AtMost(Real("x", least=0), left=lambda c, x: x * x, right=9)


@pytest.fixture
def three(own_register: dict[str, Claim]) -> None:
    own_register.clear()

    @claim("paper/false", where="Section 1", says="Squares are at most 9_or_so.", states=SQUARE)
    def false() -> Verdict:
        return fails(exact.refuted(SQUARE, x=4), counterexample="x = 4: 16 > 9", value="x²")

    @claim("paper/open", where="Section 2", says="Squares are small.", states=SQUARE)
    def silent() -> Verdict:
        return ill_posed(exact.refuted(SQUARE, x=5), condition="x ≤ 3", counterexample="x = 5")

    @claim("paper/typo", where="Section 3", says="x = 9", states=SQUARE)
    def typo() -> Verdict:
        found = exact.refuted(SQUARE, x=6)
        return misprint(found, reading="x² = 9", reading_is=Outcome.HOLDS, counterexample="x = 6", value="3")

    @claim("paper/true", where="Section 4", says="Nothing is wrong here.")
    def true() -> Verdict:
        return holds(exact.compare(1, "<", 2, "one is less than two"))


@pytest.fixture
def told(succeeds):
    return lambda *asked: " ".join(succeeds("notes", "--jobs", 1, *asked).split())


def test_a_note_has_place_paraphrase_example_grade_commands_and_an_invitation(told):
    note = told("paper/false")
    for words in (
        "Section 1 of paper (paper/false)",
        "Squares are at most 9_or_so.",
        FOUND[Outcome.FAILS],
        "x = 4: 16 > 9",
        "The value that we compute x²",
        f"The verdict: proof ({GRADES[Grade.PROOF]}).",
        "pip install . establish show paper/false",
        "please tell us",
    ):
        assert words in note


def test_a_condition_and_a_reading_are_called_what_they_are(told):
    assert "The condition under which it is true x ≤ 3" in told("paper/open")
    says = "The reading that we believe is meant x² = 9 Our verdict on this reading: it is true."
    assert says in told("paper/typo")


def test_one_command_writes_a_folder_of_notes_with_a_page_that_leads_to_each(succeeds, tmp_path):
    out = tmp_path / "notes"
    assert "3 notes" in succeeds("notes", "--jobs", 1, "paper", "--out", out)
    names = {file_of(f"paper/{name}") for name in ("false", "open", "typo")}
    assert {file.name for file in out.iterdir()} == {*names, "README.md"}
    listed = (out / "README.md").read_text("utf-8")
    assert all(f"({name})" in listed for name in names)
    assert "Squares are at most 9\\_or\\_so." in (out / file_of("paper/false")).read_text("utf-8")


def test_json_and_text_say_the_same(told, succeeds):
    notes = json.loads(succeeds("notes", "--jobs", 1, "paper", "--json", "-"))
    assert [note["id"] for note in notes] == ["paper/false", "paper/open", "paper/typo"]
    printed = told("paper")
    for part in (part for note in notes for part in note["parts"]):
        assert all(line in printed for line in (part["title"], *part["lines"]))


def test_what_cannot_be_written_is_refused_in_one_line(refusal, run, tmp_path):
    (tmp_path / "mine.md").write_text("mine", "utf-8")
    assert "is there already" in refusal("notes", "paper", "--out", tmp_path)
    assert "there is no folder" in refusal("notes", "paper", "--out", tmp_path / "a" / "b")
    assert "none of these claims is refuted" in run("notes", "--jobs", 1, "paper/true")[2]
