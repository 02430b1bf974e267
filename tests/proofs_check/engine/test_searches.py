"""A thorough search is deeper, is never mixed up with a plain one, and is recorded with what it saw."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from establish import Outcome, exact, holds, not_checkable
from establish.proofs_check.engine import ledger, searches
from establish.proofs_check.engine.cache import Cache
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.register import Claim, claims_of_file
from establish.proofs_check.engine.runner import run as settle_all
from establish.proofs_check.engine.searches import Line, compare, lines_of, rewritten
from establish.proofs_check.engine.settlement import Settlement
from establish.proofs_check.engine.statements.statement import PLAIN, THOROUGH, Search
from establish.proofs_check.engine.verdicts import NOT_RUN

Run = Callable[..., tuple[int, str, str]]

KEY = "0" * 64

FAR = """\
from establish import Below, Every, Integer, Outcome, claim, exact, misprint

PRINTED = Below(Integer("n", least=0), left=lambda c, n: c.number(0), right=lambda c, n: n)
FAR = Every("whole number", lambda: range(5000), lambda n: n != 2000)


@claim("mine/far", where="Section 1", says="Every whole number is above 0.", states=PRINTED, meant=FAR)
def far():
    '''Prose.'''
    return misprint(
        exact.refuted(PRINTED, n=0),
        reading="none is 2000",
        reading_is=Outcome.HOLDS,
        counterexample="0",
    )
"""
"""What is meant is false at a case that a plain search of 1,200 cases does not reach, and a thorough one of
2,400 does.
"""


@pytest.fixture
def far(own_register: dict[str, Claim], tmp_path: Path) -> Path:
    file = tmp_path / "far.py"
    file.write_text(FAR, "utf-8")
    return file


def verdicts(run: Run, *arguments: object) -> list[str]:
    _, out, _ = run("check", *arguments, "--jobs", 1, "--json", "-")
    return [record["verdict"] for record in json.loads(out)]


def test_a_fault_beyond_the_reach_of_a_plain_check_is_found_by_a_thorough_one(run, far, own_register):
    assert verdicts(run, far) == ["misprint"]
    del own_register["mine/far"]
    status, out, _ = run("check", far, "--thorough", "--jobs", 1)
    assert status == 1
    assert "the adversary refutes" in " ".join(out.split())


@pytest.mark.parametrize("again", [(), ("--fresh",), ("--thorough",)])
def test_what_a_thorough_check_refuted_no_later_one_of_the_same_content_calls_true(
    run, far, own_register, again
):
    asked: tuple[tuple[str, ...], ...] = ((), ("--thorough",), again, again)
    found = []
    for options in asked:
        found += verdicts(run, far, *options)
        del own_register["mine/far"]
    assert found == ["misprint", "unsettled", "unsettled", "unsettled"]
    far.write_text(FAR.replace("n != 2000", "n < 5000"), "utf-8")
    assert verdicts(run, far, *again) == ["misprint"], "another content"


@pytest.mark.parametrize("jobs", [1, 2])
def test_processes_are_told_how_deep_to_search(far, tmp_path, jobs):
    """With two processes the second claim is a copy of the first."""
    far.write_text(FAR + FAR.partition("\n\n\n")[2].replace("mine/far", "mine/again"), "utf-8")
    known = claims_of_file(far)
    for effort, outcome in ((PLAIN, Outcome.MISPRINT), (THOROUGH, Outcome.UNSETTLED)):
        results = settle_all(
            known.values(), cache=Cache(tmp_path / "cache"), jobs=jobs, files=(far,), effort=effort
        )
        assert [r.settlement.verdict.outcome for r in results] == [outcome] * 2


def searched(effort: int) -> Settlement:
    search = Search("1 < 2", "its only point", found=("the opposite",), effort=effort)
    return Settlement(not_checkable("the data"), 0.5, searches=(search,))


def test_a_plain_result_is_not_taken_for_a_thorough_one_but_serves_a_plain_check(tmp_path):
    cache = Cache(tmp_path)
    cache.put(KEY, searched(PLAIN))
    assert cache.get(KEY) == searched(PLAIN)
    assert cache.get(KEY, THOROUGH) is None
    cache.put(KEY, searched(THOROUGH))
    assert cache.get(KEY) == cache.get(KEY, THOROUGH) == searched(THOROUGH)


def test_what_had_nothing_to_search_is_not_run_again(tmp_path):
    cache = Cache(tmp_path)
    cache.put(KEY, replace(searched(PLAIN), searches=()))
    assert cache.get(KEY, THOROUGH) is not None


def record(*found: str, missed: Iterable[str] = (), effort: int = THOROUGH) -> Record:
    search = Search("1 < 2", "60 simple points", "", found, tuple(missed), effort)
    entry = Claim("paper/one", "Section 1", "One.", lambda: not_checkable("the data"))
    verdict = holds(exact.compare(1, "<", 2, "one"))
    return Record.of(entry, Settlement(verdict, 0.5, searches=(search,)))


def test_the_record_of_searches_is_read_as_it_was_written(tmp_path):
    known = {"paper/one": lines_of(record("level times 1/2", missed=["level times 9/10"]))}
    assert known["paper/one"] == [
        Line("paper/one", 1, THOROUGH, "60 simple points", "level times 1/2", "level times 9/10")
    ]
    searches.save(tmp_path / "engine" / searches.NAME, known)
    assert searches.read(tmp_path / "engine" / searches.NAME) == known
    assert searches.read(tmp_path / "none") == {}
    with pytest.raises(ValueError, match="must start with the columns"):
        searches.parse("id,verdict\n")


def test_an_adversary_that_sees_less_than_is_recorded_is_a_difference():
    known = {"paper/one": lines_of(record("the opposite"))}
    assert compare(record("the opposite"), known) is None
    blind = compare(record(missed=["the opposite"]), known)
    assert blind is not None
    assert "now refuted nothing, missed the opposite" in blind
    assert compare(record(missed=["the opposite"], effort=PLAIN), known) is None, "not comparable"
    assert compare(record("the opposite"), {}) == "0 searches recorded, 1 made"
    assert compare(replace(record(), verdict=NOT_RUN, adversary=[]), known) is None


def test_a_plain_run_does_not_replace_the_record_of_a_deeper_one():
    known = {"paper/one": lines_of(record("the opposite"))}
    assert rewritten(known, [record(effort=PLAIN)], ["paper/one"]) == known
    deeper = rewritten({"paper/one": lines_of(record(effort=PLAIN))}, [record("a")], ["paper/one"])
    assert deeper == {"paper/one": lines_of(record("a"))}
    assert rewritten(known, [], []) == {}


BLIND: set[tuple[str, int]] = set()
"""Objects, by claim and number, whose adversary sees no planted neighbor."""


def test_every_recorded_search_is_thorough_and_sees_a_planted_neighbor():
    recorded = searches.recorded()
    assert set(recorded) <= set(ledger.recorded())
    lines = [line for each in recorded.values() for line in each]
    assert len(lines) > 1000
    assert {line.effort for line in lines} == {THOROUGH}
    assert {(line.id, line.object) for line in lines if not line.found} == BLIND
