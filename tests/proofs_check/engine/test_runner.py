"""The runner settles every claim once, in this process or in others, and never falls over."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from establish.proofs_check.engine.cache import Cache
from establish.proofs_check.engine.grades import Grades
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.register import Claim, claims_of_file
from establish.proofs_check.engine.runner import Result, family, run
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
def test_claims_come_out_the_same_with_any_number_of_processes(jobs, papers, cache):
    files = (papers / "settled.py", papers / "unsettled.py")
    known = claims_of_file(files[0]) | claims_of_file(files[1])
    found = {r.claim.id: r for r in run(known.values(), cache=cache, files=files, jobs=jobs)}
    assert len(found) == len(known) == 4
    assert found["mine/sum"].record.verdict == "holds"
    assert found["mine/sum"].record.value == "4"
    assert found["mine/order"].record.verdict == "fails"
    assert found["mine/order"].record.counterexample == "3 < 3 is false"
    raised, undecided = found["hard/raises"], found["hard/open"]
    assert raised.record.verdict == undecided.record.verdict == "unsettled"
    assert raised.record.condition == ("ZeroDivisionError: division by zero (unsettled.py, line 9)")
    assert "bool(1 / 0)" in raised.settlement.trace
    assert undecided.record.condition == ("not decided at x = 0 (guess): x > 0 (unsettled.py, line 15)")


def test_a_process_that_dies_leaves_only_its_own_claim_unsettled(papers, cache):
    file = papers / "dying.py"
    results = settle_file(file, cache, claims_of_file(file), jobs=2)
    assert results["dying/now"].record.verdict == "unsettled"
    assert results["dying/now"].record.condition.startswith("the process that ran the check died")
    assert results["dying/next"].record.verdict == "not_checkable"


def test_a_second_run_reads_the_cache_and_a_fresh_one_does_not(papers, cache):
    file = papers / "settled.py"
    known = claims_of_file(file)
    first = settle_file(file, cache, known)
    second = settle_file(file, cache, known)
    third = settle_file(file, cache, known, fresh=True)
    assert {r.cached for r in first.values()} == {False}
    assert {r.cached for r in second.values()} == {True}
    assert {r.cached for r in third.values()} == {False}
    assert {i: r.record for i, r in second.items()} == {i: r.record for i, r in first.items()}


def test_unsettled_results_are_tried_again(papers, cache):
    file = papers / "unsettled.py"
    known = claims_of_file(file)
    settle_file(file, cache, known)
    assert {r.cached for r in settle_file(file, cache, known).values()} == {False}


def test_a_claim_and_its_repeats_are_settled_by_one_run(cache):
    runs = []

    def check() -> Verdict:
        runs.append(1)
        return holds(Evidence("1 = 1", True, Grade.STEPS, "sum"))

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


def test_the_line_is_the_one_of_the_checks_file_that_was_running(tmp_path, own_register):
    file = tmp_path / "mine.py"
    file.write_text(
        "import json\n"
        "from establish import claim\n"
        "\n"
        "def helper():\n"
        "    return json.loads('{')\n"
        "\n"
        "@claim('mine/deep', where='Section 1', says='It is JSON.')\n"
        "def deep():\n"
        "    return helper()\n",
        "utf-8",
    )
    (entry,) = claims_of_file(file).values()
    found = Record.of(entry, settle(entry.check))
    assert found.condition.startswith("JSONDecodeError: ")
    assert found.condition.endswith(" (mine.py, line 5)")


def test_a_number_of_sympy_in_a_world_says_what_a_world_wants_and_where(tmp_path, own_register):
    file = tmp_path / "mine.py"
    file.write_text(
        "import sympy\n"
        "from establish import claim, enclosure, exact, holds\n"
        "\n"
        "@claim('mine/ball', where='Section 1', says='3 < 4.')\n"
        "def ball():\n"
        "    four = lambda c: c.number(4)\n"
        "    return holds(enclosure.compare(lambda c: sympy.Integer(3), '<', four, says='3 < 4'))\n"
        "\n"
        "@claim('mine/rational', where='Section 1', says='1/2 < 4.')\n"
        "def rational():\n"
        "    return holds(exact.compare(sympy.Rational(1, 2), '<', 4, says='1/2 < 4'))\n",
        "utf-8",
    )
    ball, rational = (Record.of(c, settle(c.check)) for c in claims_of_file(file).values())
    assert ball.condition == (
        "TypeError: 3 is not of this number system (Integer of sympy): pass an int or a Fraction "
        "(mine.py, line 7)"
    )
    assert rational.condition == (
        "TypeError: 1/2 is a Half, not an exact rational: pass an int or a Fraction (mine.py, line 11)"
    )


def test_a_check_that_exits_does_not_end_the_run():
    def leave() -> Verdict:
        raise SystemExit(3)

    assert settle(leave).verdict.condition == "SystemExit: 3"


FULL = Settlement(
    Verdict(
        Outcome.HOLDS_LOOSELY,
        (
            Evidence("1 < 2", True, Grade.STEPS, "sum", witness="1"),
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
    assert Settlement.from_json(json.loads(json.dumps(FULL.to_json()))) == FULL


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
        "compared": "",
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
                "effort": 60,
            }
        ],
        "trusts": ["reading", "Python", "prose", "rule count", "rule sum"],
    }
    assert Record.from_json(record.to_json()) == record


def test_a_record_with_a_missing_or_unknown_key_is_refused():
    record = Record.of(Claim("mine/a", "Section 1", "Small.", lambda: FULL.verdict), FULL).to_json()
    with pytest.raises(ValueError, match="a record has the keys"):
        Record.from_json({**record, "derivation": ""})
    del record["seconds"]
    with pytest.raises(ValueError, match="a record has the keys"):
        Record.from_json(record)


def test_the_claims_of_a_folder_within_a_source_are_one_task():
    modules = {
        "mine/a": "establish.proofs_check.papers.haney2017.log_laplace.privacy",
        "mine/b": "establish.proofs_check.papers.haney2017.log_laplace.error",
        "mine/c": "establish.proofs_check.papers.haney2017.laplace",
        "mine/d": "my_paper",
    }
    assert {id: family(module) for id, module in modules.items()} == {
        "mine/a": "establish.proofs_check.papers.haney2017.log_laplace",
        "mine/b": "establish.proofs_check.papers.haney2017.log_laplace",
        "mine/c": "establish.proofs_check.papers.haney2017.laplace",
        "mine/d": "my_paper",
    }


@pytest.mark.small_campaign
def test_a_script_without_a_guard_is_not_run_again_in_every_process(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(
        "import establish\n"
        'print("once")\n'
        'found = establish.check("haney2017/eq-8", "haney2017/thm-8.3", fresh=True, jobs=2)\n'
        "print([record.verdict for record in found])\n",
        "utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False)
    assert (done.stdout, done.returncode) == ("once\n['holds', 'holds']\n", 0), done.stderr
