"""``establish verify``: every kind of release holds, and everything that was tampered with is found."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from establish.impl.definitions import digest_of
from establish.impl.mechanisms.on_counts import ROUNDED
from establish.proofs_check.certification import certify, verify
from establish.proofs_check.engine import ledger
from tests.proofs_check.files import edit, read_json

Tamper = Callable[[dict[str, Any]], object]


pytestmark = pytest.mark.usefixtures("as_recorded")


@pytest.fixture
def release_of(run, project, once, tmp_path: Path) -> Callable[[str], Path]:
    """Puts a release of a kind of plan, made once, into the folder of the test: its record."""

    def copied(kind: str) -> Path:
        once(("release", kind), lambda: release(run, project(kind)))
        return tmp_path / "out" / "release.json"

    return copied


@pytest.fixture
def released(each_kind, release_of) -> Path:
    """The record of a release of every kind of plan."""
    return release_of(each_kind)


@pytest.fixture
def jobs(release_of) -> Path:
    return release_of("jobs")


SINGLE = "smooth-laplace: the record states what follows from the parameters"
ACCOUNT = "the record states the definition and the loss of its mechanism"
PLANNED = f"{ACCOUNT}, except plan"
SECRET = "the record names the noise source operating-system entropy"


def release(run, plan: Path, *options: object) -> Path:
    status, _, err = run("release", "plan", plan, "--out", plan.parent / "out", *options)
    assert status == 0, err
    return plan.parent / "out" / "release.json"


def change(record: Path, tamper: Tamper) -> None:
    content = read_json(record)
    tamper(content)
    record.write_text(json.dumps(content), "utf-8")


def failing(run, record: Path, *options: object) -> list[str]:
    """What does not hold; the exit status says so too."""
    status, printed, err = run("verify", record, "--json", *options)
    failed = [finding["says"] for finding in json.loads(printed) if finding["holds"] is False]
    assert (status, err) == (1 if failed else 0, "")
    return failed


def test_what_was_released_holds_with_its_plan_and_its_ledger(run, released):
    project = released.parent.parent
    options = ("--plan", project / "plan.toml", "--ledger", project / "project.ledger")
    assert failing(run, released, *options) == []
    status, printed, _ = run("verify", released, *options)
    assert status == 0
    assert "for the whole plan" in printed.splitlines()[0]
    assert all(line.startswith(("claimed: ", "OK: ", "not checked: ")) for line in printed.splitlines())


def single(run, folder: Path) -> None:
    (folder / "in.csv").write_text("sector,jobs\nA,10\nB,20\n")
    options = ("--mechanism", "smooth-laplace", "--alpha", "0.1", "--epsilon", 2, "--delta", "1/1000")
    more = ("--count", "jobs", "--calibration", "tight", "--out", folder / "o.csv")
    status, _, err = run("release", "counts", folder / "in.csv", *options, *more)
    assert status == 0, err


def test_a_record_in_the_words_of_an_earlier_version_holds(run, tmp_path):
    single(run, tmp_path)
    path = tmp_path / "o.csv.json"
    record = read_json(path)
    assert record["notes"][0] == ROUNDED
    record["notes"][0] = (
        "The noise is drawn exactly: a released value is the ideal one, rounded to the nearest whole number "
        "where that is no whole number itself, which moves it by at most 1/2. Values beyond 2^52 are moved "
        "there."
    )
    path.write_text(json.dumps(record), "utf-8")
    assert failing(run, path) == []


def test_a_single_table_holds(run, tmp_path):
    single(run, tmp_path)
    assert failing(run, tmp_path / "o.csv.json") == []
    with (tmp_path / "o.csv").open("ab") as file:
        file.write(b"C,1\n")
    assert failing(run, tmp_path / "o.csv.json") == ["o.csv is unchanged since it was released"]


@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        (lambda r: r.update(alpha="1"), f"{ACCOUNT}, except alpha"),
        (lambda r: r.pop("alpha"), f"{ACCOUNT}, except alpha"),
        (lambda r: r.update(records_per_person=2), f"{ACCOUNT}, except records_per_person"),
        (lambda r: r.update(rows=3), "o.csv has the 3 rows that the record states, but it has 2"),
        (lambda r: r["satisfies"].pop(), f"{SINGLE}, except satisfies"),
        (lambda r: r.pop("seeded"), SECRET),
        (lambda r: r.update(seed="seeded: reproducible, for tests, not secret"), SECRET),
    ],
)
def test_what_the_record_of_a_single_table_says_of_its_budget_follows_from_its_mechanism(
    run, once, tmp_path, tamper, found
):
    once("a single table", lambda: single(run, tmp_path))
    change(tmp_path / "o.csv.json", tamper)
    assert failing(run, tmp_path / "o.csv.json") == [found]


def test_columns_in_another_order_are_those_of_another_table_and_another_plan(run, once, tmp_path):
    once("a single table", lambda: single(run, tmp_path))
    change(tmp_path / "o.csv.json", lambda r: r.update(kept_columns=["jobs", "sector"]))
    told = "o.csv has the 2 rows that the record states, and not the columns jobs, sector, but sector, jobs"
    assert failing(run, tmp_path / "o.csv.json") == [told, PLANNED]


@pytest.mark.small_campaign
@pytest.mark.usefixtures("settled_once")
def test_the_claims_of_every_kind_of_release_are_settled_again(run, released, monkeypatch):
    monkeypatch.setattr(verify, "settled", certify.settled)
    assert failing(run, released) == []
    change(released, lambda r: r["rests_on"].append({"claim": "haney2017/lemma-9.2"}))
    assert [says.partition(" (")[0] for says in failing(run, released)] == ["haney2017/lemma-9.2 fails"]


def test_a_query_of_some_workers_is_not_claimed_to_be_strongly_private(run, jobs):
    status, printed, _ = run("verify", jobs)
    claimed = [line for line in printed.splitlines() if line.startswith("claimed: ")]
    assert status == 0
    assert any("women, log-laplace: weak ER-EE" in line for line in claimed)
    assert any("sexes, smooth-gamma: weak ER-EE privacy with α = 1/10, ε = 4" in c for c in claimed)
    assert not any("strong" in line for line in claimed)


def test_a_changed_and_a_missing_table_are_found(run, released):
    first, second = sorted(read_json(released)["tables"])[:2]
    with (released.parent / first).open("ab") as file:
        file.write(b" ")
    (released.parent / second).unlink()
    assert sorted(failing(run, released)) == sorted(
        [f"{first} is unchanged since it was released", f"'{second}' lies beside its record"]
    )


def test_a_seeded_release_is_found(run, project):
    assert failing(run, release(run, project("jobs"), "--seed", 1)) == [SECRET]


def test_an_uncertified_release_is_found(run, jobs):
    change(jobs, lambda r: r["certificates"].update({"smooth-gamma": {"status": "not certified"}}))
    assert failing(run, jobs) == ["smooth-gamma ran certified code"]


def set_first(key: str, value: object) -> Tamper:
    return lambda r: r["answers"][0].update({key: value})


def set_parameter(key: str, value: object) -> Tamper:
    return lambda r: r["answers"][0]["parameters"].update({key: value})


def set_error(text: str) -> Tamper:
    return lambda r: r["answers"][0]["expected_error"].update({"mean absolute error": text})


PRODUCED = "the record says that it was made in production, and has all that production requires"
FIRST = "ownership, smooth-gamma: the record states what follows from the parameters"
LOSSES = "every loss in the record fits what it consists of"


@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        (set_first("satisfies", []), [f"{FIRST}, except satisfies"]),
        (set_first("domain", "everything"), [f"{FIRST}, except domain"]),
        (set_first("noise", "none"), [f"{FIRST}, except noise"]),
        (
            set_first("calibration", "published"),
            [f"{FIRST}, except domain, constants, expected_error, rests_on"],
        ),
        (set_first("constants", {"c": 1e-9}), [f"{FIRST}, except constants"]),
        (set_error("E|noisy − n| = 0"), [f"{FIRST}, except expected_error"]),
        (set_error("E|noisy − n| = 0.0001·max(1/10·largest, 1)"), [f"{FIRST}, except expected_error"]),
        (lambda r: r["tables"].pop("women.parquet"), ["the record names the table of query women"]),
        (
            lambda r: r["answers"][0].pop("cells"),
            ["ownership.parquet has the None rows that the record states"],
        ),
        (lambda r: r["answers"][0].pop("by"), ["ownership.parquet has the"]),
        (lambda r: r.update(two_jobs="never"), None),
        (set_first("cells", 3), ["ownership.parquet has the 3 rows that the record states, but it has"]),
        (lambda r: r.update(production=True), [f"{PRODUCED}, except a signature"]),
        (lambda r: r.pop("production"), ["the record says whether it was made in production"]),
        (
            lambda r: r.update(signed_by="somebody"),
            ["the record says that somebody signed it, but there is no signature file beside it"],
        ),
        (lambda r: r["ledger"].update(entry="x"), ["the record names entry x of a ledger"]),
        (set_first("parameters", {}), [f"{FIRST}, except parameters", LOSSES]),
        (set_parameter("epsilon", "1/1000"), [f"{FIRST}, except parameters"]),
        (lambda r: r["answers"][0]["rests_on"].pop(), [f"{FIRST}, except rests_on"]),
        (lambda r: r.update(loss={"epsilon": "3", "delta": "0"}), [LOSSES]),
        (lambda r: r["queries"].pop("women"), None),
        (lambda r: r.update(loss={"epsilon": "x", "delta": "0"}), [LOSSES]),
        (lambda r: r.update(definition="strong-er-ee"), None),
        (lambda r: r.update(tables={}), ["the record names at least one table"]),
        (lambda r: r["rests_on"].append({"claim": "haney2017/lemma-9.2"}), ["haney2017/lemma-9.2 f"]),
        (lambda r: r["rests_on"].append({"claim": "no/such"}), ["no claim is registered as no/such"]),
        (lambda r: r["certificates"]["smooth-gamma"].update(code="0" * 64), None),
        (lambda r: r["certificates"]["smooth-gamma"].update(identity="0" * 64), None),
    ],
)
def test_a_record_that_was_tampered_with_is_found(run, jobs, tamper, found):
    """None: one finding or more, whichever."""
    change(jobs, tamper)
    failed = failing(run, jobs)
    assert failed
    if found is not None:
        assert all(one.startswith(says) for one, says in zip(failed, found, strict=True))


@pytest.mark.parametrize(
    "tamper",
    [
        lambda r: r.pop("tables"),
        lambda r: r.update(tables=[1]),
        lambda r: r.update(tables={"a": 1}),
        lambda r: r.update(answers=[]),
        lambda r: r.update(answers=[1]),
        lambda r: r.update(answers="x"),
        lambda r: r.pop("rests_on"),
        lambda r: r.update(loss="x"),
        lambda r: r.update(certificates=None),
        lambda r: r["certificates"].update({"smooth-gamma": None}),
        lambda r: r["certificates"]["smooth-gamma"].update(identity=3),
        lambda r: r["certificates"]["smooth-gamma"].pop("code"),
        lambda r: r["certificates"]["smooth-gamma"].update(format="3"),
        lambda r: r["certificates"]["smooth-gamma"].update(format=2),
        lambda r: r["answers"][0].update(satisfies=None),
        lambda r: r["answers"][0].update(rests_on=[{"claim": 3}]),
        lambda r: r["answers"][0].update(mechanism=["smooth-gamma"]),
    ],
)
def test_a_record_of_another_shape_is_found_not_to_be_one(run, jobs, tamper):
    change(jobs, tamper)
    assert failing(run, jobs) == ["the record names its tables, code and claims"]
    assert run("verify", jobs)[0] == 1


@pytest.mark.parametrize("name", ["a\0b", "", "..", "x" * 300])
def test_a_table_with_an_odd_name_is_missing(run, jobs, name):
    change(jobs, lambda r: r["tables"].update({name: "0"}))
    assert len(failing(run, jobs)) == 1


def test_a_plan_of_the_same_queries_at_another_cost_is_found(run, jobs):
    plan = jobs.parent.parent / "plan.toml"
    edit(plan, "epsilon = 1\n", "epsilon = 2\n")
    (failed,) = failing(run, jobs, "--plan", plan)
    assert (
        failed
        == "plan.toml is the plan that was released, at the cost in the record, except loss, plan, queries"
    )


@pytest.mark.parametrize("tamper", [{"where": {}}, {"where": {"sex": ["M"]}}, {"query": "men"}])
def test_a_record_of_other_jobs_than_the_plan_counts_is_found(tamper, run, jobs):
    change(jobs, lambda r: next(a for a in r["answers"] if a["query"] == "women").update(tamper))
    told = failing(run, jobs, "--plan", jobs.parent.parent / "plan.toml")
    assert f"the record answers the queries of the plan, except {tamper.get('query', 'women')}" in told


def test_a_ledger_without_the_release_is_found(run, jobs):
    other = jobs.parent.parent / "other.ledger"
    other.touch()
    assert failing(run, jobs, "--ledger", other) == ["other.ledger has the entry of this release"]
    change(jobs, lambda r: r.update(title="Another title"))
    mine = jobs.parent.parent / "project.ledger"
    assert failing(run, jobs, "--ledger", mine) == ["project.ledger has the entry of this release"]


@pytest.mark.parametrize("option", ["--ledger", "--head", "--plan", "--key"])
def test_a_file_that_is_not_there_is_misuse(refusal, jobs, option):
    assert "none" in refusal("verify", jobs, option, jobs.parent / "none")


def test_other_code_than_the_one_that_ran_is_found(run, jobs):
    change(jobs, lambda r: r["certificates"]["smooth-gamma"].update(code="0" * 64))
    (failed,) = failing(run, jobs)
    assert re.fullmatch(r"the \d+ code definitions of smooth-gamma are the ones installed here", failed)


BEFORE = (
    "but it has format 2 and those installed here have format 3: verify it with the version of establish that"
)


@pytest.mark.parametrize(
    ("digest", "files"), [(digest_of("impl/counts.py"), []), ("0" * 64, ["except impl/counts.py"])]
)
def test_a_record_of_before_is_held_to_the_files_that_it_names_and_sent_to_its_own_version(
    run, jobs, digest, files
):
    """Its certificates named whole files, and are carried no longer."""

    def of_before(content: dict[str, Any]) -> None:
        stamp = {"status": "current", "identity": "a" * 64, "sources": {"impl/counts.py": digest}}
        content["certificates"]["smooth-gamma"] = stamp

    change(jobs, of_before)
    *of_files, refused = failing(run, jobs)
    assert f"certificate {'a' * 16}… of smooth-gamma is the one installed here, {BEFORE}" in refused
    assert [says.rpartition(", ")[2] for says in of_files] == files


def test_a_claim_that_came_out_otherwise_since_is_found(run, jobs, monkeypatch):
    known = dict(ledger.recorded())
    known.pop("haney2017/lemma-8.7")
    monkeypatch.setattr(ledger, "recorded", lambda: known)
    (failed,) = failing(run, jobs)
    assert "covers all code and every claim it uses, except haney2017/lemma-8.7" in failed


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 100_000, b"[]", b"{}", b"3", b"\0"])
def test_what_is_no_record_is_misuse(refusal, tmp_path, content):
    (tmp_path / "v.json").write_bytes(content)
    refusal("verify", tmp_path / "v.json")


@pytest.mark.parametrize("name", ["none.json", ".", "x" * 300])
def test_a_file_that_cannot_be_read_is_misuse(refusal, tmp_path, name):
    refusal("verify", tmp_path / name)


def test_no_text_of_a_record_can_pass_for_a_finding(run, jobs):
    def forge(content: dict[str, Any]) -> None:
        guarantee = content["answers"][0]["satisfies"][0]
        guarantee["definition"] = "much\nOK: everything\x1b[2J"

    change(jobs, forge)
    status, printed, _ = run("verify", jobs)
    assert status == 1
    assert "\x1b" not in printed
    assert "OK: everything" not in printed.splitlines()
    assert r"much\nOK: everything\x1b[2J" in printed


def say(content: dict[str, Any], old: str, new: str) -> None:
    """The guarantees of all queries, said otherwise."""
    for use in content["answers"]:
        for guarantee in use["satisfies"]:
            assert old in guarantee["definition"]
            guarantee["definition"] = guarantee["definition"].replace(old, new)


def with_another_alpha(content: dict[str, Any]) -> None:
    content["alpha"] = "1"
    say(content, "α = 1/10", "α = 1")


def with_node_privacy(content: dict[str, Any]) -> None:
    content["definition"] = "node-dp"
    del content["alpha"]
    neighbors = "the workforce of one establishment (Haney et al. 2017, Section 6)"
    say(content, "weak ER-EE privacy with α = 1/10", f"differential privacy for {neighbors}")


@pytest.mark.parametrize("forge", [with_another_alpha, with_node_privacy])
def test_a_definition_that_the_mechanisms_are_not_proved_for_is_found(run, jobs, forge):
    """Every sentence of the record fits the definition; only the parameters do not."""
    change(jobs, forge)
    failed = failing(run, jobs)
    assert len(failed) == 3
    assert all(says.endswith("except definition") for says in failed)


def test_a_distance_that_is_not_that_of_the_noise_is_found(run, release_of):
    record = release_of("establishments")
    change(record, lambda content: content["attributes"]["pay"].update(gamma="10"))
    failed = failing(run, record)
    assert len(failed) == 2
    assert all(says.endswith("except definition") for says in failed)


def test_a_person_with_more_records_than_were_charged_is_found(run, release_of):
    record = release_of("persons")
    change(record, lambda content: content.update(records_per_person=3))
    assert failing(run, record) == ["every loss in the record fits what it consists of"]
