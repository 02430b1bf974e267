"""The ledger's file, and how a run is compared with it and rewrites it."""

import pytest

from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.ledger import Entry, LedgerError
from establish.proofs_check.engine.records import Record

TEXT = """id,verdict,evidence,value,value_evidence,condition_evidence,origin
mine/a,holds_loosely,proof,"1/2, exactly",,,printed
mine/b,not_checkable,,,,,printed
"""
LEDGER = {
    "mine/a": Entry("mine/a", "holds_loosely", "proof", "1/2, exactly"),
    "mine/b": Entry("mine/b", "not_checkable", "", ""),
}


def record(id: str, verdict: str, evidence: str, value: str, condition: str = "") -> Record:
    return Record(id, "mine", "Section 1", "Says.", verdict, evidence, value, "", condition, "sum", 0.5)


AS_RECORDED = record("mine/a", "holds_loosely", "proof", "1/2, exactly")
A_WAS = "recorded: holds_loosely (proof), value 1/2, exactly; came out: "


def test_a_ledger_is_read_and_written_unchanged():
    assert ledger.parse(TEXT) == LEDGER
    assert ledger.write(LEDGER) == TEXT


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "must start with the columns id,verdict,evidence,value"),
        ("id,verdict\n", "must start with the columns"),
        (TEXT.partition("\n")[0] + "\nmine/a,holds,proof\n", "row 2 has 3 fields, not 7"),
        (TEXT + "mine/a,holds,proof,,,,printed\n", "records mine/a twice"),
    ],
)
def test_what_is_no_ledger_is_refused(text, complaint):
    with pytest.raises(LedgerError, match=complaint):
        ledger.parse(text)


def test_a_claim_that_comes_out_as_recorded_does_not_differ():
    assert ledger.compare(AS_RECORDED, LEDGER) is None
    assert ledger.compare(record("mine/b", "not_checkable", "", ""), LEDGER) is None


@pytest.mark.parametrize(
    ("came_out", "words"),
    [
        (record("mine/a", "holds", "proof", "1/2, exactly"), f"{A_WAS}holds (proof), value 1/2, exactly"),
        (
            record("mine/a", "holds_loosely", "enclosure", "1/2, exactly"),
            f"{A_WAS}holds_loosely (enclosure), value 1/2, exactly",
        ),
        (record("mine/a", "holds_loosely", "proof", "1/3"), f"{A_WAS}holds_loosely (proof), value 1/3"),
        (
            record("mine/b", "unsettled", "", "", "not decided (sum): 1 < 2"),
            "recorded: not_checkable; came out: unsettled: not decided (sum): 1 < 2",
        ),
        (record("mine/c", "holds", "proof", ""), "not recorded; came out: holds (proof)"),
    ],
)
def test_a_difference_says_what_was_recorded_and_what_came_out(came_out, words):
    assert ledger.compare(came_out, LEDGER) == words


def test_a_line_without_a_claim_is_a_difference():
    words = "recorded: not_checkable; no claim of this id is registered"
    assert ledger.unregistered(LEDGER, ["mine/a"]) == {"mine/b": words}
    assert ledger.unregistered(LEDGER, ["mine/c", "mine/b", "mine/a"]) == {}


def test_a_rewritten_ledger_keeps_what_did_not_run_and_drops_what_is_gone():
    new = record("mine/c", "fails", "proof", "2")
    rewritten = ledger.rewritten(LEDGER, [new], ["mine/c", "mine/a"])
    assert list(rewritten) == ["mine/c", "mine/a"]
    assert rewritten["mine/a"] == LEDGER["mine/a"]
    assert rewritten["mine/c"] == Entry("mine/c", "fails", "proof", "2")
    assert ledger.compare(new, rewritten) is None


def test_an_unsettled_claim_is_not_recorded():
    unsettled = record("mine/a", "unsettled", "", "", "why")
    assert ledger.rewritten(LEDGER, [unsettled], ["mine/a", "mine/b"]) == {"mine/b": LEDGER["mine/b"]}


def test_only_a_checkout_has_a_ledger_to_rewrite(tmp_path):
    with pytest.raises(LedgerError, match="is not a checkout of establish"):
        ledger.of_checkout(tmp_path)
    (tmp_path / "proofs_check").mkdir()
    (tmp_path / "proofs_check" / "ledger.csv").write_text(TEXT)
    assert ledger.of_checkout(tmp_path) == tmp_path / "proofs_check" / "ledger.csv"
