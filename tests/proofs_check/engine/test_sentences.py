"""Every sentence of a source has its fate, and a table of sentences fits its source and the ledger."""

import os
from importlib import import_module
from pathlib import Path

import pytest

from establish.proofs_check.engine import ledger, sentences
from establish.proofs_check.engine.sentences import CoverageError, fingerprint, is_telling

SOURCES = sorted({id.partition("/")[0] for id in ledger.recorded()} - {"establish"})
SEEDS = Path(os.environ.get("ESTABLISH_SOURCES", Path(__file__).parents[4] / "shared" / "seeds"))
"""The texts of the sources, which are no part of the project."""

HEADER = "place,fingerprint,fate,of,why\n"
SOME = "0123456789abcdef"


def test_a_fingerprint_is_that_of_the_words_alone():
    assert fingerprint("The  Loss, of (α)-DP!") == fingerprint("the loss of α dp")
    assert fingerprint("the loss of α dp") != fingerprint("the loss of β dp")


def test_a_text_is_cut_where_sentences_end_and_not_at_short_forms():
    text = "It holds, e.g. for all n. See Fig. 3 there. It fails.\n\n5.1 Noise\nIt fails."
    assert list(sentences.sentences(text)) == [
        "It holds, e.g. for all n.",
        "See Fig. 3 there.",
        "It fails.",
        "5.1 Noise",
    ]


def test_the_mark_of_a_footnote_does_not_join_two_sentences():
    assert list(sentences.sentences("It holds.<sup>6</sup> It fails.<sup>7</sup>")) == [
        "It holds.",
        "It fails.<sup>7</sup>",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [("Never do it.", True), ("x ≤ y", True), ("We thank them [10, 12].", False), ("We thank them.", False)],
)
def test_a_telling_sentence_has_a_number_a_comparison_or_such_a_word(text, told):
    assert is_telling(text) == told


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("place,fate\n", "must start with"),
        (HEADER + "Section 1,abc,open,,\n", "16 hexadecimal digits"),
        (HEADER + f"Section 1,{SOME},open,,\n" * 2, "stands twice"),
        (HEADER + f"Section 1,{SOME},done,,\n", "is not one of"),
        (HEADER + f"Section 1,{SOME},claim,,\n", "names nothing"),
        (HEADER + f"Section 1,{SOME},open,a/b,\n", "names a/b"),
        (HEADER + f"Section 1,{SOME},not checkable,,\n", "without a reason"),
        (HEADER + f"Section 1,{SOME},open,\n", "4 fields"),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_its_row(table, words):
    with pytest.raises(CoverageError, match=words):
        sentences.parse(table, "planted")


@pytest.mark.parametrize("source", SOURCES)
def test_every_claim_that_a_table_names_is_recorded_and_every_definition_is_there(source):
    for sentence in sentences.of_source(source):
        for name in sentence.of:
            if sentence.fate == "claim":
                assert name in ledger.recorded(), sentence
            elif sentence.fate == "definition":
                module, _, member = name.rpartition(".")
                assert hasattr(import_module(f"establish.{module}"), member), sentence


@pytest.mark.parametrize("source", SOURCES)
def test_a_table_fits_the_text_of_its_source(source):
    if not (SEEDS / f"{source}.txt").is_file():
        pytest.skip(f"the text of {source} is not here: name its folder with ESTABLISH_SOURCES")
    if not sentences.of_source(source):
        pytest.skip(f"{source} has no table of sentences yet")
    beside = sentences.compared(source, (SEEDS / f"{source}.txt").read_text("utf-8"))
    assert beside == {"missing": [], "not in the text": [], "no reason": []}


def test_the_command_tells_shares_and_what_is_missing(run, tmp_path):
    text = tmp_path / "source.txt"
    text.write_text("A planted sentence holds for any n.", "utf-8")
    status, out, _ = run("coverage", "foote2019", "--text", text)
    assert status == 1
    assert f"missing: {fingerprint('A planted sentence holds for any n.')} A planted" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nobody1999",), "there is no source 'nobody1999': the sources are"),
        (("--text", "x.txt"), "name the source"),
        (("foote2019", "--text", "not_there.txt"), "cannot be read as UTF-8"),
    ],
)
def test_misuse_is_told_in_one_line(refusal, arguments, words):
    assert words in refusal("coverage", *arguments)
