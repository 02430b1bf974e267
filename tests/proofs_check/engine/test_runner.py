"""The runner settles every claim once, in this process or in others, and never falls over."""

import json
from pathlib import Path

import pytest

from establish.proofs_check.engine.cache import Cache
from establish.proofs_check.engine.grades import Grades
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.register import Claim, claims_of_file
from establish.proofs_check.engine.runner import Result, run
from establish.proofs_check.engine.settlement import Settlement, settle
from establish.proofs_check.engine.statements.statement import Search
from establish.proofs_check.engine.verdicts import Evidence, Grade, Outcome, Verdict, holds


def settle_file(file: Path, cache: Cache, known: dict[str, Claim], **options) -> dict[str, Result]:
    results = list(run(known.values(), cache=cache, files=(file,), **options))
    assert len(results) == len(known), "one result per claim"
    return {result.claim.id: result for result in results}


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.mark.parametrize("jobs", [1, 2])
def test_claims_come_out_the_same_with_any_number_of_processes(
    jobs: int, papers: Path, cache: Cache
):
    file = papers / "settled.py"
    results = settle_file(file, cache, claims_of_file(file), jobs=jobs)
    assert results["mine/sum"].record.verdict == "holds"
    assert results["mine/sum"].record.value == "4"
    assert results["mine/order"].record.verdict == "fails"
    assert results["mine/order"].record.counterexample == "3 < 3 is false"


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_check_that_raises_is_unsettled_with_its_reason(jobs: int, papers: Path, cache: Cache):
    file = papers / "unsettled.py"
    results = settle_file(file, cache, claims_of_file(file), jobs=jobs)
    raised, undecided = results["hard/raises"], results["hard/open"]
    assert {r.record.verdict for r in results.values()} == {"unsettled"}
    assert raised.record.condition == "ZeroDivisionError: division by zero"
    assert "bool(1 / 0)" in raised.settlement.trace
    assert undecided.record.condition == "not decided at x = 0 (guess): x > 0"


def test_a_process_that_dies_leaves_only_its_own_claim_unsettled(papers: Path, cache: Cache):
    file = papers / "dying.py"
    results = settle_file(file, cache, claims_of_file(file), jobs=2)
    assert results["dying/now"].record.verdict == "unsettled"
    assert results["dying/now"].record.condition.startswith("the process that ran the check died")
    assert results["dying/next"].record.verdict == "not_checkable"


def test_a_second_run_reads_the_cache_and_a_fresh_one_does_not(papers: Path, cache: Cache):
    file = papers / "settled.py"
    known = claims_of_file(file)
    first = settle_file(file, cache, known)
    second = settle_file(file, cache, known)
    third = settle_file(file, cache, known, fresh=True)
    assert {r.cached for r in first.values()} == {False}
    assert {r.cached for r in second.values()} == {True}
    assert {r.cached for r in third.values()} == {False}
    assert {i: r.record for i, r in second.items()} == {i: r.record for i, r in first.items()}


def test_unsettled_results_are_tried_again(papers: Path, cache: Cache):
    file = papers / "unsettled.py"
    known = claims_of_file(file)
    settle_file(file, cache, known)
    assert {r.cached for r in settle_file(file, cache, known).values()} == {False}


def test_a_claim_and_its_repeats_are_settled_by_one_run(tmp_path: Path, cache: Cache):
    runs = []

    def check() -> Verdict:
        runs.append(1)
        return holds(Evidence("1 = 1", True, Grade.PROOF, "sum"))

    home = Claim("mine/a", "Section 1", "One is one.", check)
    again = Claim("talk/a", "slides", "One is still one.", check, same_as="mine/a")
    records = [result.record for result in run([again, home], cache=cache)]
    assert len(runs) == 1
    assert [(r.id, r.source, r.statement, r.verdict) for r in records] == [
        ("talk/a", "talk", "One is still one.", "holds"),
        ("mine/a", "mine", "One is one.", "holds"),
    ]
    assert [result.cached for result in run([home], cache=cache)] == [True]


def test_a_check_that_returns_no_verdict_is_unsettled():
    settlement = settle(lambda: "holds")
    assert settlement.verdict.outcome is Outcome.UNSETTLED
    assert settlement.verdict.condition == "TypeError: the check returned 'holds', not a Verdict"


def test_a_check_that_exits_does_not_end_the_run():
    def leave() -> Verdict:
        raise SystemExit(3)

    assert settle(leave).verdict.condition == "SystemExit: 3"


FULL = Settlement(
    Verdict(
        Outcome.HOLDS_LOOSELY,
        (
            Evidence("1 < 2", True, Grade.PROOF, "sum", witness="1"),
            Evidence("n < 3", True, Grade.EXHAUSTIVE, "count", scope="n ≤ 2"),
        ),
        value="1/3",
        counterexample="x = 1",
        condition="x > 0",
    ),
    0.125,
    grades=Grades(Grade.EXHAUSTIVE, Grade.STEPS, None, "prose"),
    searches=(Search("1 < 2", "its only point", found=("the opposite",)),),
)


def test_a_settlement_survives_json():
    text = json.dumps(FULL.to_json())
    assert Settlement.from_json(json.loads(text)) == FULL


def test_a_record_has_exactly_the_published_keys_and_survives_json():
    record = Record.of(Claim("mine/a", "Section 1", "Small.", lambda: FULL.verdict), FULL)
    assert record.to_json() == {
        "id": "mine/a",
        "source": "mine",
        "location": "Section 1",
        "statement": "Small.",
        "verdict": "holds_loosely",
        "evidence": "exhaustive",
        "value": "1/3",
        "counterexample": "x = 1",
        "condition": "x > 0",
        "method": "sum + count",
        "seconds": 0.125,
        "origin": "printed",
        "scope": "",
        "value_evidence": "steps",
        "condition_evidence": "",
        "prose": "prose",
        "quantified": [],
        "adversary": [
            {
                "statement": "1 < 2",
                "tried": "its only point",
                "refuted": "",
                "found": ("the opposite",),
                "missed": (),
            }
        ],
    }
    assert Record.from_json(record.to_json()) == record


def test_a_record_with_a_missing_or_unknown_key_is_refused():
    record = Record.of(Claim("mine/a", "Section 1", "Small.", lambda: FULL.verdict), FULL).to_json()
    with pytest.raises(ValueError, match="a record has the keys"):
        Record.from_json({**record, "derivation": ""})
    del record["seconds"]
    with pytest.raises(ValueError, match="a record has the keys"):
        Record.from_json(record)
