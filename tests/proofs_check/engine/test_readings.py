"""What a second reader said of a claim holds for the object that was read, and for no other."""

from dataclasses import replace

import pytest

from establish.proofs_check.engine import ledger, readings, sentences
from establish.proofs_check.engine.readings import NOT_READ, STALE, Reading, ReadingError, digest
from establish.proofs_check.engine.register import claims

SOURCES = sorted({id.partition("/")[0] for id in ledger.recorded()} - {"establish"})
HEADER = "id,fingerprint,digest,reading\n"
SOME = "0123456789abcdef"
ONE = claims()["haney2017/strong-implies-weak"]
"""A claim without an object, with a theorem."""


def test_a_changed_object_makes_a_reading_stale():
    reading = Reading("a/b", SOME, digest(["x ≤ 1"]), "same", "")
    assert reading.told(["x ≤ 1"]) == "same"
    assert reading.told(["x ≤ 2"]) == STALE
    assert reading.told(["x ≤ 1", "x ≤ 2"]) == STALE
    assert reading.told(["x ≤ 2"], ["x ≤ 1"]) == "same"


def test_a_claim_that_nobody_read_says_so():
    assert readings.told(replace(ONE, id="haney2017/planted")) == NOT_READ


def test_the_objects_of_a_claim_are_what_is_read():
    assert readings.read_in(claims()["haney2017/lemma-8.2"]) == claims()["haney2017/lemma-8.2"].quantified


def test_a_claim_that_no_public_data_decide_is_counted_apart_from_what_was_compared():
    claim = claims()["haney2017/sec10-finding-1"]
    assert readings.compared(claim, "not_checkable") == readings.NOT_CHECKABLE in readings.EXTENTS
    assert readings.compared(claim, "holds") == "none"
    assert readings.compared(replace(claim, origin="implied"), "not_checkable") == ""


# The theorem is what the kernel accepted, so that another one makes the reading stale.
def test_theorems_are_read_where_a_claim_has_no_object():
    (theorem,) = readings.read_in(ONE)
    assert "weak_neighbors" in theorem
    assert readings.read_in(replace(ONE, statement="another sentence")) == []


def test_theorems_that_cover_the_sentence_may_be_read_beside_the_objects():
    whole = claims()["haney2017/eq-8"]
    assert readings.read_in(whole) == whole.quantified
    assert any("is_metric" in theorem for theorem in readings.theorems(whole))
    assert readings.theorems(replace(whole, statement="another sentence")) == []


def test_a_claim_without_theorems_that_has_an_object_now_was_not_read(monkeypatch):
    claim = claims()["haney2017/eq-13"]
    unread = Reading(claim.id, SOME, digest([]), "narrower", "no object")
    monkeypatch.setattr(readings, "of_source", lambda source: {claim.id: unread})
    assert readings.told(claim) == STALE


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("id,reading\n", "must start with"),
        (HEADER + f"a/b,{SOME},{SOME},fine\n", "is not one of"),
        (HEADER + f"a/b,{SOME},{SOME},same\n" * 2, "stands twice"),
        (HEADER + f"a/b,{SOME},{SOME},same: but\n", "needs no how"),
        (HEADER + f"a/b,{SOME},{SOME},narrower\n", "says nothing of how"),
        (HEADER + f"a/b,,{SOME},same\n", "without a sentence"),
        (HEADER + f"a/b,{SOME},{SOME},not printed: ours\n", "with a sentence"),
    ],
)
def test_a_table_that_cannot_be_is_refused_by_its_row(table, words):
    with pytest.raises(ReadingError, match=words):
        readings.parse(table, "planted")


@pytest.mark.parametrize("source", SOURCES)
def test_a_reading_is_of_a_recorded_claim_and_of_a_sentence_of_its_source(source):
    known = {sentence.fingerprint for sentence in sentences.of_source(source)}
    for reading in readings.of_source(source).values():
        assert reading.id in ledger.recorded()
        assert reading.fingerprint in known | {""}, reading.id


@pytest.mark.parametrize("source", SOURCES)
def test_no_claim_is_called_printed_that_no_sentence_prints(source):
    called = {
        id
        for id, reading in readings.of_source(source).items()
        if reading.kind == "not printed" and ledger.recorded()[id].origin == "printed"
    }
    assert called == set()
