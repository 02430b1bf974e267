"""What `establish` prints and how it ends, for claims that are as recorded and for all else."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from establish.proofs_check.commands.table import counts, in_short
from establish.proofs_check.commands.terminal import PIPED_WIDTH
from establish.proofs_check.engine.ledger import Entry
from establish.proofs_check.engine.records import Record

KEYS = [
    *("id", "source", "location", "statement", "verdict", "evidence"),
    *("value", "counterexample", "condition", "method", "seconds", "origin", "compared", "scope"),
    *("value_evidence", "condition_evidence", "prose", "quantified", "adversary", "trusts"),
]
AROUND = ["file", "line", "reads", "rests_on", "used_by"]


def test_claims_as_recorded_end_with_0(run, two_claims):
    status, out, err = run("check", "--jobs", 1)
    assert (status, err) == (0, "")
    assert "2 claims in" in out
    assert "printed:     1 holds, 1 not_checkable" in out
    assert "by evidence: 1 steps, 1 none" in out
    assert "Differences" not in out


def test_a_value_that_rests_on_less_than_its_verdict_begins_with_its_grade():
    def shown(evidence, value_evidence):
        before = Record(*map(str, range(4)), "holds", evidence, "7", *[""] * 3, 0.0)
        return in_short(replace(before, value_evidence=value_evidence))

    assert (shown("proof", "steps"), shown("proof", "proof"), shown("steps", "steps")) == (
        "steps: 7",
        "7",
        "7",
    )


def test_the_counts_tell_of_how_many_sentences_a_part_is_checked():
    def read(compared, origin="printed"):
        return Record(*map(str, range(4)), "holds", "proof", *[""] * 4, 0.0, origin, compared)

    told = counts([read("same"), read("narrower"), read("narrower"), read("none"), read("", "ours")])
    assert "printed:     4 holds\n  checked:   1 the printed sentence, 2 part of it, 1 no object" in told
    assert "checked" not in counts([read(""), read("", "ours")])


def test_a_claim_that_comes_out_otherwise_ends_with_1_and_the_difference(run, two_claims):
    two_claims["paper/one"] = Entry("paper/one", "fails", "proof", "")
    status, out, _ = run("check", "--jobs", 1)
    assert status == 1
    assert "Differences from the ledger (1):" in out
    assert "paper/one: recorded: fails (proof); came out: holds (steps), value 1 (steps)" in out


def test_a_claim_that_is_not_recorded_ends_with_1(run, two_claims):
    del two_claims["paper/data"]
    status, out, _ = run("check", "--jobs", 1)
    assert status == 1
    assert "paper/data: not recorded; came out: not_checkable" in out


def test_a_recorded_line_without_claim_differs_only_when_all_is_checked(run, two_claims):
    two_claims["paper/gone"] = Entry("paper/gone", "holds", "proof", "")
    status, out, _ = run("check", "--jobs", 1)
    assert status == 1
    assert "paper/gone: recorded: holds (proof); no claim of this id is registered" in out
    assert run("check", "paper/*", "--jobs", 1)[0] == 0


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        (["paper/one"], ["paper/one"]),
        (["paper"], ["paper/one", "paper/data"]),
        (["*/d*"], ["paper/data"]),
        (["paper/data", "*/o?e"], ["paper/data", "paper/one"]),
        (["paper/one", "paper/*"], ["paper/one", "paper/data"]),
    ],
)
def test_patterns_choose_claims(run, two_claims, patterns, found):
    status, out, _ = run("check", *patterns, "--jobs", 1, "--json", "-")
    assert (status, [record["id"] for record in json.loads(out)]) == (0, found)


@pytest.mark.parametrize(
    ("pattern", "nearest"),
    [("paper/oen", "paper/one"), ("on", "paper/one"), ("papper", "paper"), ("pper/*", "paper/*")],
)
@pytest.mark.parametrize("command", ["check", "list", "show"])
def test_an_unknown_pattern_ends_with_2_and_names_the_nearest(run, two_claims, command, pattern, nearest):
    status, out, err = run(command, pattern)
    assert (status, out) == (2, "")
    assert err.startswith(f"establish: error: no claim matches '{pattern}'; the nearest: ")
    assert nearest in err.rpartition(": ")[2].strip().split(", ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = 1\n", "registers no claim"),
        ("def f(:\n", "cannot be loaded: SyntaxError"),
        ("x = 1\n1 / 0\n", "paper.py, line 2, cannot be loaded: ZeroDivisionError: division"),
        ("import sys\nsys.exit(0)\n", "cannot be loaded: it ends the program (SystemExit: 0)"),
        ("raise SystemExit\n", "cannot be loaded: it ends the program (SystemExit: )"),
    ],
)
def test_a_file_that_gives_no_claims_ends_with_2(refusal, own_register, tmp_path, text, complaint):
    file = tmp_path / "paper.py"
    file.write_text(text, "utf-8")
    assert complaint in refusal("check", file)


OWN = """\
from establish import *
from establish import given

S = AtMost(Real("x", least=0), left=lambda c, x: -x, right=0)
GOOD = dict(where="Section 1", says="It is so.")


def check() -> object:
    return holds(solver.proves(S))


"""
REFUSED_ARGUMENTS = [
    ('claim("m/a", where=None, says="S")(check)', "claim m/a: where = None must be a text"),
    ('claim("m/a", where="Section 1", says=None)(check)', "claim m/a: says = None must be a text"),
    ('claim("m/a", scope=5, **GOOD)(check)', "claim m/a: scope = 5 must be a text"),
    ('claim("m/a", thorough="no", **GOOD)(check)', "thorough = 'no' must be True or False"),
    ('claim("m/a", states="x", **GOOD)(check)', "claim m/a: states = 'x' must be a statement"),
    ('claim("m/a", meant=[S, 5], **GOOD)(check)', "must be a statement, such as AtMost(...), or a"),
    ('claim("m/a", **GOOD)(int)', "claim m/a: @claim decorates a function, not <class 'int'>"),
    ('claim("m/a", **GOOD)(print)', "@claim decorates a function, not <built-in function print>"),
    ('claim("m/a", **GOOD)(5)', "claim m/a: @claim decorates a function, not 5"),
    ("claim(None, **GOOD)(check)", "claim id None must read source/label"),
    ('repeats("m/b", **GOOD, same_as=[])', "claim m/b repeats [], which is not registered"),
    ('AtMost(Real("x"), left=lambda c, x: x, right=None)', "right = None must be a formula"),
    ('AtMost(Real("x"), left="half", right=1)', "left = 'half' must be a formula, such as"),
    ('AtMost(Real("x"), left=lambda c, x: x, right=1.5)', "right = 1.5 is a binary float"),
    ('AtMost("x", left=lambda c, x: x, right=1)', "'x' is not a variable: write Real('x')"),
    ('AtMost(Real("x"), left=1, right=1, given=[5])', "given: 5 is not a condition: write given("),
    ('AtMost(Real("x"), left=1, right=1, given=5)', "given = 5 must be a list: [given("),
    ('Real("x", least=[])', "x: least = [] must be a rational or a formula"),
    ("given(lambda c, x: x, [], 1)", "[] is not a relation: use <, <=,"),
]


@pytest.mark.parametrize(("line", "complaint"), REFUSED_ARGUMENTS)
def test_an_argument_that_cannot_be_is_refused_with_file_and_line(
    refusal, own_register, tmp_path, line, complaint
):
    file = tmp_path / "paper.py"
    file.write_text(f"{OWN}{line}\n", "utf-8")
    told = refusal("check", file)
    assert f"{file}, line {OWN.count(chr(10)) + 1}" in told
    assert complaint in told


REFUSED_EVIDENCE = [
    ("holds(solver.proves(S), value=1.5)", 'value = 1.5 must be a text, such as "3/2"'),
    ("holds(solver.proves(S), condition=None)", "condition = None must be a text"),
    ("fails(solver.proves(S), counterexample=4)", "counterexample = 4 must be a text"),
    (
        "misprint(solver.proves(S), reading='<', reading_is='x', counterexample='1')",
        "reading_is = 'x' must be an outcome, such as Outcome.HOLDS",
    ),
    ("not_checkable(None)", "missing = None must be a text"),
    ("holds(None)", "None is not evidence: give what a method returns"),
    ("holds(solver.proves(S), aside(True))", "True is not evidence"),
    ("holds(Evidence(5, True, Grade.STEPS, 'sum'))", "says = 5 must be a text"),
    ("holds(Evidence('5', True, 'proof', 'sum'))", "grade = 'proof' must be a Grade, such as"),
    ("holds(solver.proves(None))", "statement = None must be made by AtMost, Below, Equal or"),
    ("holds(symbolic.proves(5))", "statement = 5 must be made by AtMost, Below, Equal or"),
    ("holds(enclosure.proves(None))", "statement = None must be made by AtMost"),
    ("holds(exhaustive.proves(None))", "statement = None must be made by AtMost"),
    ("holds(exact.decided(None))", "statement = None must be made by AtMost, Every or another"),
    ("fails(exact.refuted(None, x=1), counterexample='1')", "statement = None must be made by"),
    ("fails(exact.refuted(S, x=None), counterexample='1')", "x = None is not a rational number: write"),
    ("fails(exact.refuted(S, x='half'), counterexample='1')", "x = 'half' is not a rational number: write"),
    ("None", "the check returned None, not a Verdict"),
]


def test_a_check_that_is_no_check_is_told_with_its_line_and_the_others_are_settled(
    run, own_register, tmp_path
):
    file, text, lines = tmp_path / "paper.py", OWN, []
    for number, (body, _) in enumerate([("holds(solver.proves(S))", ""), *REFUSED_EVIDENCE]):
        lines.append(text.count("\n") + 1)
        text += f'@claim("m/a{number}", **GOOD)\ndef check{number}(): return {body}\n'
    file.write_text(text, "utf-8")
    status, out, err = run("check", file, "--jobs", 1)
    assert (status, err) == (1, "")
    assert f"printed:     1 holds, {len(REFUSED_EVIDENCE)} unsettled" in out
    told = out.partition("Unsettled (")[2].splitlines()[1:]
    for (_, complaint), line, begins in zip(REFUSED_EVIDENCE, told, lines[1:], strict=True):
        assert complaint in line
        assert line.endswith((f"(paper.py, line {begins})", f"(paper.py, line {begins + 1})"))


def test_a_file_of_ones_own_is_checked_without_ledger(run, papers):
    status, out, err = run("check", papers / "settled.py", "--jobs", 1)
    assert (status, err) == (0, "")
    lines = [re.sub(r" \d+\.\d\d$", "", " ".join(line.split())) for line in out.splitlines()]
    assert lines[1:5] == [
        "Section 1",
        "order Every number is below three. fails steps 3 < 3 is false",
        "Section 2",
        "sum Two and two are [bold]four[/bold]. holds steps 4",
    ]
    assert "printed:     1 holds, 1 fails" in out


def test_an_unsettled_claim_of_ones_own_ends_with_1_and_the_reason(run, papers):
    status, out, err = run("check", papers / "unsettled.py", "--jobs", 1)
    assert (status, err) == (1, "")
    assert "Unsettled (2):" in out
    assert "hard/raises: ZeroDivisionError: division by zero (unsettled.py, line 9)" in out
    assert "hard/open: not decided at x = 0 (guess): x > 0 (unsettled.py, line 15)" in out


def test_a_traceback_is_shown_on_demand_only(run, papers):
    _, out, err = run("check", papers / "unsettled.py", "--jobs", 1, "--debug")
    assert "Traceback" not in out
    assert "hard/raises\nTraceback" in err
    assert "bool(1 / 0)" in err


def test_json_holds_exactly_the_published_keys(run, papers, tmp_path):
    file = tmp_path / "claims.json"
    status, out, _ = run("check", papers / "settled.py", "--jobs", 1, "--json", file)
    assert status == 0
    assert "printed: " in out, "with a file, the table is printed all the same"
    records = json.loads(file.read_text("utf-8"))
    assert [list(record) for record in records] == 2 * [[*KEYS, *AROUND]]
    assert records[0]["statement"] == "Two and two\n are [bold]four[/bold]."
    assert (records[1]["verdict"], records[1]["counterexample"]) == ("fails", "3 < 3 is false")


def test_json_on_stdout_leaves_the_rest_to_stderr(run, papers):
    status, out, err = run("check", papers / "unsettled.py", "--jobs", 1, "--json", "-")
    assert status == 1
    assert [record["verdict"] for record in json.loads(out)] == ["unsettled", "unsettled"]
    assert "Unsettled (2):" in err


def test_record_rewrites_the_ledger_of_the_checkout(run, two_claims, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "proofs_check" / "ledger.csv"
    file.parent.mkdir()
    file.write_text(
        "id,verdict,evidence,value,value_evidence,condition_evidence,origin\n"
        "paper/one,fails,proof,,,,printed\npaper/gone,holds,proof,,,,printed\n"
    )
    status, out, _ = run("check", "--record", "--jobs", 1)
    assert (status, "review it with git diff" in out) == (0, True)
    assert file.read_text() == (
        "id,verdict,evidence,value,value_evidence,condition_evidence,origin\n"
        "paper/one,holds,steps,1,steps,,printed\npaper/data,not_checkable,,,,,printed\n"
    )


def test_record_needs_a_checkout_and_claims_of_the_sources(run, refusal, papers, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("check", "--record", "--jobs", 1)[0] == 2
    assert "a file of your own has no ledger" in refusal(
        "check", papers / "settled.py", "--record", "--jobs", 1
    )


@pytest.mark.small_campaign
def test_the_command_runs_as_a_program_with_several_processes(papers, kept_index):
    cache = Path(os.environ["ESTABLISH_CACHE"])
    cache.mkdir(parents=True)
    shutil.copy(kept_index, cache)
    command = [sys.executable, "-m", "establish", "check", "--jobs", "2"]
    done = subprocess.run([*command, papers / "settled.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "printed:     1 holds, 1 fails" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= PIPED_WIDTH
