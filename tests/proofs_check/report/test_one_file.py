"""Pages of one file, for audits and releases: they need nothing else and say what the terminal says."""

import html
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from establish import Grade, strong_er_ee
from establish.proofs_check.api.audit import Audited
from establish.proofs_check.audit.question.result import AuditOutcome, TradeOff

WRONG = "establish.impl.sample.audit_dp:wrong_count"
RIGHT = """
import numpy as np

class Right:
    def sample(self, dataset, size, rng):
        return dataset + rng.laplace(0, 1, size)

class Pair:
    def sample(self, dataset, size, rng):
        return np.stack([dataset + rng.laplace(0, 2, size), rng.laplace(0, 2, size)], axis=1)

right, pair = Right(), Pair()
"""
LAW = """
from establish.spec.distributions.laplace import Laplace

class Exact:
    def law(self, dataset, c):
        return Laplace(c.number(dataset), c.number(1), c)

exact = Exact()
"""
DP = ("--definition", "dp", "--epsilon", 1)


def _words(page: Path) -> str:
    return " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", page.read_text())).split())


def _stands_alone(page: Path) -> bool:
    text = page.read_text("utf-8")
    return not re.search(r'(?:src|href)="(?!data:|#)', text) and "<script" not in text


@pytest.fixture
def correct(tmp_path: Path) -> str:
    file = tmp_path / "<correct>.py"
    file.write_text(RIGHT, "utf-8")
    return str(file)


def test_a_violation_is_drawn_with_both_datasets_and_what_was_allowed(run, tmp_path: Path):
    page = tmp_path / "audit.html"
    status, out, _ = run("audit", WRONG, *DP, "--report", page)
    assert status == 1
    assert _stands_alone(page)
    words = _words(page)
    for line in out.splitlines():
        if not line.lstrip().startswith("work"):
            assert " ".join(line.split()) in words
    assert "The definition allows at most" in words
    assert f"establish audit {WRONG} --definition dp --epsilon 1 --samples 20000000" in words
    assert page.read_text("utf-8").count("<svg") == 3


@pytest.mark.small_campaign
def test_the_call_that_is_printed_asks_the_same(run, tmp_path: Path):
    page = tmp_path / "audit.html"
    _, first, _ = run("audit", WRONG, *DP, "--seed", 7, "--report", page)
    call = re.search(r"establish audit (.*?) Made by", _words(page))
    assert call is not None
    _, second, _ = run("audit", *call[1].split())
    assert first.splitlines()[:3] == second.splitlines()[:3]


@pytest.mark.small_campaign
def test_nothing_found_keeps_its_caution_and_names_are_escaped(run, correct: str, tmp_path: Path):
    page = tmp_path / "audit.html"
    few = ("--samples", 300_000)
    assert run("audit", f"{correct}:right", *DP, *few, "--report", page)[0] in (0, 3)
    assert "not evidence of privacy" in _words(page)
    assert "<correct>" not in page.read_text("utf-8")
    assert run("audit", f"{correct}:pair", *DP, *few, "--report", page, "--force")[0] in (0, 3)
    assert "drawn for this picture" not in _words(page)  # pairs of numbers have no such picture


def test_a_law_that_is_never_sampled_has_no_picture_of_outputs(run, tmp_path: Path):
    file = tmp_path / "law.py"
    file.write_text(LAW, "utf-8")
    page = tmp_path / "audit.html"
    assert run("audit", f"{file}:exact", *DP, "--report", page)[0] == 0
    assert "certified" in _words(page)
    assert "drawn for this picture" not in _words(page)


@pytest.mark.usefixtures("as_recorded")
def test_a_release_and_its_tampered_record_are_told_apart(run, tmp_path: Path):
    cells = tmp_path / "cells.csv"
    cells.write_text("region,jobs\nA,10\nB,30\n", "utf-8")
    noisy, page = tmp_path / "noisy.csv", tmp_path / "release.html"
    law = ("--mechanism", "log-laplace", "--alpha", "1/10", "--epsilon", 2)
    assert run("release", "counts", cells, *(*law, "--count", "jobs", "--out", noisy))[0] == 0
    record = tmp_path / "noisy.csv.json"
    status, out, _ = run("verify", record, "--report", page)
    assert status == 0
    assert _stands_alone(page)
    assert "No check failed" in _words(page)
    for line in out.splitlines():
        assert " ".join(line.split(": ", 1)[1].split()) in _words(page)
    assert "To check it: establish verify noisy.csv.json --ledger FILE" in _words(page)
    unchecked = [line for line in out.splitlines() if line.startswith("not checked")]
    assert _words(page).count("To check it: ") == len(unchecked) > 1
    noisy.write_text(noisy.read_text("utf-8").replace("A", "C"), "utf-8")
    assert run("verify", record, "--report", page, "--force")[0] == 1
    assert "Failed noisy.csv is unchanged since it was released" in _words(page)


@pytest.mark.parametrize(("name", "told"), [("page.txt", "ends in .html"), ("none/page.html", "no folder")])
def test_a_place_where_no_page_can_be_written_is_refused_first(name: str, told: str, refusal, tmp_path: Path):
    record = tmp_path / "record.json"
    record.write_text(json.dumps({}), "utf-8")
    assert told in refusal("audit", WRONG, *DP, "--report", tmp_path / name)
    assert told in refusal("verify", record, "--report", tmp_path / name)


def test_a_folder_and_a_replay_are_refused(refusal, tmp_path: Path):
    (tmp_path / "a.html").mkdir()
    assert "is a folder" in refusal("audit", WRONG, *DP, "--report", tmp_path / "a.html")
    assert "leave --grey out" in refusal("audit", WRONG, *DP, "--grey", "--report", tmp_path / "b.html")


@pytest.mark.parametrize("library", ["jinja2", "matplotlib"])
def test_without_its_extra_the_page_says_what_to_install(
    library: str, refusal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, library, None)
    told = refusal("audit", WRONG, *DP, "--report", tmp_path / "a.html")
    assert f"this needs {library}" in told
    assert ".[report]" in told


def test_a_page_opens_with_the_claim_and_with_what_breaks_it_in_large_type(tmp_path: Path):
    page = tmp_path / "audit.html"
    definition = strong_er_ee("1/10", 2)
    gross = TradeOff(((0,), (1,)), "1 event", 9, (((0.0, 1e-3), (0.0, 1e-3)),), 5.0, 5.5, ((0.0, 0.9),))
    result = Audited(
        AuditOutcome.VIOLATED,
        str(definition),
        "one pair",
        ((0,), (1,)),
        "output ≤ 0",
        ((0.881593, 1.0), (0.0, 0.118407)),
        5.63384,
        1 - 1e-9,
        18,
        None,
        Grade.STATISTICAL,
        0.1,
        trade_off=gross,
        claimed=definition.level,
        asked=(lambda sizes, rng: sum(sizes) * rng.lognormal(), definition, 1),
    )
    result.report(page)
    words = _words(page)
    told = "Violated: (1/10, 2)-ER-EE privacy claimed ε = 2 found ε ≥ 5.63384 Pr[M(D) ∈ event] ≥ 0.8815"
    assert told.lower() in words.lower()
    assert "Pr[M(D') ∈ event] ≤ 0.1185 allowed on D ≤ 0.875 " in words
    # ln(0.881593/0.118407): the large bound is not that of the event beside it.
    assert "This event alone gives ε ≥ 2.0076; the tests below give 5.63384." in words
    assert "breaks the definition" in words  # the hatched area, however thin the band is
    assert re.search(r"Made by establish \d+\.\d+\.\d+ on [A-Z][a-z]+ \d+, 20\d\d \.", words)
    kept = replace(result, outcome=AuditOutcome.NO_VIOLATION_FOUND, epsilon_lower_bound=0.5, power=2.1)
    wide = replace(gross, errors=(((0.4, 0.5), (0.4, 0.5)),))
    replace(kept, trade_off=wide).report(page, force=True)
    assert "claimed ε = 2 lower bound ε ≥ 0.5 would have been found ε ≥ 2.1" in _words(page)
    assert "breaks the definition" not in _words(page)
    replace(result, epsilon_lower_bound=2.007).report(page, force=True)
    assert "This event alone" not in _words(page)
