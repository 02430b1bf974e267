"""Shells complete commands, options and the ids of claims; asking for it loads nothing heavy."""

import pytest

from establish.proofs_check.engine.ledger import recorded


@pytest.mark.parametrize(
    ("words", "offered", "kept_back"),
    [
        ("re", {"report", "release"}, {"audit"}),
        ("audit --de", {"--definition", "--delta", "--debug"}, {"--mu"}),
        ("release co", {"counts"}, {"plan"}),
        ("show han", {"haney2017/", "haney2016_slides/"}, {"webb2025/"}),
        ("show haney2017/lemma-8.", {"haney2017/lemma-8.6"}, {"haney2017/thm-8.1"}),
        ("check nothing", set(), {"haney2017/"}),
    ],
)
def test_words_are_completed(words, offered, kept_back, run, monkeypatch):
    monkeypatch.setenv("_ESTABLISH_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"establish {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    status, out, _ = run()
    assert status == 0
    lines = set(out.split())
    assert offered <= lines
    assert not kept_back & lines


def test_every_claim_is_offered(run, monkeypatch):
    offered = set()
    for source in {id.split("/")[0] for id in recorded()}:
        monkeypatch.setenv("_ESTABLISH_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", f"establish show {source}/")
        monkeypatch.setenv("COMP_CWORD", "2")
        offered |= set(run()[1].split())
    assert offered == set(recorded())
