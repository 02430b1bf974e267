"""``establish formal`` lists accepted theorems, and ends with 1 when the present text is another one."""

import json

import pytest

from establish.proofs_check.commands.cli import main
from establish.proofs_check.formal import record


def test_statements_are_printed_with_their_assumptions(capsys):
    with pytest.raises(SystemExit) as end:
        main(["formal", "haney2017/thm-8.1-strong", "--statements"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert "at_level loss <-> epsilon / 2 <= loss" in said
    assert "Classical_Prop.classic" in said
    assert "not re-run here" in said


def test_definitions_are_printed_without_coq(capsys):
    with pytest.raises(SystemExit) as end:
        main(["formal", "--definitions"])
    assert end.value.code == 0
    assert "Definition log_laplace_shift (alpha : R) : R :=\n  (1 / alpha)." in capsys.readouterr().out


def test_a_changed_text_ends_with_1_and_says_what_changed(capsys, monkeypatch):
    texts = record.definitions() | {"log_laplace_shift": "Definition log_laplace_shift := 2."}
    monkeypatch.setattr(record, "definitions", lambda: texts)
    record.forget()
    try:
        with pytest.raises(SystemExit) as end:
            main(["formal", "haney2017/thm-8.1-strong", "--json", "-"])
    finally:
        record.forget()
    assert end.value.code == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert row["changed"] == ["the formula log_laplace_shift has changed"]
    assert row["accepted"] == ""


def test_axioms_of_the_processor_are_counted_and_others_named(capsys):
    with pytest.raises(SystemExit):
        main(["formal", "haney2017/lemma-9.2-breaks/a1", "--statements"])
    printed = capsys.readouterr().out
    assert "Classical_Prop.classic, " in printed
    assert " axioms of PrimFloat" in printed
    assert "PrimFloat.add" not in printed
