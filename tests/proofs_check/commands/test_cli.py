"""The command line itself: how commands are found, what their help costs, and how misuse is told."""

import json
import os
import re
import subprocess
import sys

import pytest

from establish.proofs_check.commands.cli import COMMANDS
from establish.proofs_check.engine.fingerprint import library_versions

RELEASES = ("counts", "earnings", "plan")
CALLS = [*((name,) for name in COMMANDS), *(("release", name) for name in RELEASES)]


def ids(call: tuple[str, ...]) -> str:
    return " ".join(call)


@pytest.mark.parametrize("call", CALLS, ids=ids)
def test_every_command_has_a_help_with_examples(call, succeeds):
    printed = succeeds(*call, "--help")
    assert re.search(r"^  Examples( \(.*\))?:$", printed, re.MULTILINE)
    assert f"  establish {' '.join(call)}" in printed


def test_the_help_names_every_command_with_what_it_does(succeeds):
    printed = " ".join(succeeds("--help").split())
    assert all(f"{name} {home.summary}" in printed for name, home in COMMANDS.items())


def test_the_version_is_printed(succeeds):
    printed = succeeds("--version")
    assert printed.startswith("establish 0.")
    assert all(f"{name} {number}" in printed for name, number in library_versions().items())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chekc",), "No such command 'chekc'. Did you mean 'check', 'recheck'?"),
        (("release", "cuonts"), "No such command 'cuonts'. Did you mean 'counts'?"),
        (("check", "--frehs"), "No such option: --frehs"),
        (("show",), "Missing argument 'ID'"),
        (("check", "--jobs", "1", "--jobs", "2"), "--jobs is given 2 times: give it once"),
        (("check", "--json", "a", "--json=b"), "--json is given 2 times: give it once"),
        (("check", "--json", ""), "--json is empty: give it a value"),
        (("budget", ""), "[PLAN] is empty: give it a value"),
        (("verify", "-"), "RECORD = - is not a file: standard input and output are not used"),
        (("keys", "new", "-"), "FILE = - is not a file"),
        (("evaluate", "cost", "--out", "-"), "--out = - is not a file"),
        (("suppress", "audit", "c.csv", "--json", "-"), "--json = - is not a file"),
        (("suppress", "audit", "c.csv", "--certificates", "-"), "--certificates = - is not a file"),
        (("suppress", "audit", "c.csv", "-"), "TABLE... = - is not a file"),
        (("release", "plan", "p.toml", "--out", "-"), "--out = - is not a file"),
        (("verify", "\0"), "RECORD holds the character NUL, which no name or value may"),
        (("check", "no_such_file.py"), "no_such_file.py"),
        (("check", "--json", "no/such/folder/x.json"), "no/such/folder"),
        (("check", "--json", "."), "--json"),
        (("check", "--jobs", "0"), "--jobs = 0: 0 is not in the range x>=1"),
        (("check", "--jobs", "many"), "--jobs = many is not a whole number"),
        (("check", "--jobs", "1_0"), "--jobs = 1_0 is not a whole number: write it in the digits"),
        (("check", "--jobs", "２"), "--jobs = ２ is not a whole number: write it in the digits"),
        (("check", "--jobs", "2.0"), "--jobs = 2.0 is not a whole number: write it in the digits"),
        (("check", "--jobs", " 2"), "--jobs =  2 is not a whole number: write it in the digits"),
        (("audit", "a.py:f", "--seconds", "1_0"), "--seconds = 1_0 is not a number: write it as"),
        (("audit", "a.py:f", "--seconds", "nan"), "--seconds = nan is not a number: write it as"),
    ],
)
def test_misuse_is_told_in_one_line(arguments, told, refusal):
    assert told in refusal(*arguments)


NOISE = ("--by", "a", "--value", "n", "--count", "k", "--factors", "1/20,1/10")


@pytest.mark.parametrize(
    ("option", "name", "command"),
    [
        *(
            (option, "out", ("suppress", "audit", "c.csv", "--by", "a", "--value", "n", *more))
            for option, *more in (
                ("--json",),
                ("--explain",),
                ("--certificates",),
                ("--jj",),
                ("--likelihood", "--attacker", "nonnegative,integers,random:5"),
            )
        ),
        ("--out", "out", ("suppress", "plan", "c.csv", "--by", "a", "--value", "n", "--lpl", "l")),
        ("--json", "out", ("suppress", "noise", "c.csv", *NOISE)),
        ("--out", "out.svg", ("compare", "--alpha", "0", "--epsilon", "2")),
        ("--json", "out", ("compare", "--alpha", "0", "--epsilon", "2")),
        ("--json", "out", ("audit", "a.py:f", "--definition", "dp", "--epsilon", "1")),
        ("--report", "out.html", ("audit", "a.py:f", "--definition", "dp", "--epsilon", "1")),
        ("--report", "out.html", ("verify", "r.json")),
    ],
)
def test_an_output_that_is_there_is_replaced_with_force_only(
    option, name, command, refusal, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("kept")
    told = refusal(*command, option, name)
    assert f"{option} = {name} exists: choose another or use --force" in told
    assert "exists" not in refusal(*command, option, name, "--force")


def test_an_option_that_may_be_repeated_is(succeeds, tmp_path):
    (tmp_path / "in.csv").write_text("place,code,area,jobs\nA,1,2,5\n")
    options = ("--mechanism", "laplace", "--epsilon", 1, "--count", "jobs")
    kept = ("--keep", "code", "--keep", "area")
    out = tmp_path / "o.csv"
    succeeds("release", "counts", tmp_path / "in.csv", *options, *kept, "--out", out)
    assert out.read_text("utf-8").startswith("place,code,area,jobs\n")


def run_with(encoding, *arguments):
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "establish", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_the_terminal_cannot_show_is_escaped_as_json_reads_it(encoding):
    process = run_with(encoding, "mechanisms")
    printed, complaints = process.communicate()
    assert (process.returncode, complaints) == (0, b"")
    shown = printed.decode(encoding)
    escaped = set(re.findall(r"\\u[0-9a-f]{4}", shown))
    assert {"ε", "λ", "≤"} <= {json.loads(f'"{each}"') for each in escaped}
    assert not {"ε", "λ", "≤"} & set(shown)


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (("mechanisms",), 141),
        (("mechanisms", "--json", "-"), 141),
        (("list", "--help"), 141),
        (("--help",), 141),
        (("list", "--frob"), 2),
    ],
)
def test_output_that_nobody_reads_is_no_difference(call, status):
    process = run_with("utf-8", *call)
    process.stdout.close()
    complaints = process.stderr.read().decode()
    assert process.wait() == status
    assert "Error" not in complaints


AUDITED = ("audit", "establish.impl.sample.audit_dp:count", "--definition", "dp", "--epsilon", "1")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("audit", "--selftest", "--definition", "dp"), "--definition does not go with --selftest"),
        (("audit", "--selftest", "--seed", "3"), "--seed does not go with --selftest"),
        ((*AUDITED, "--grey", "--samples", "50000"), "--samples does not go with --grey"),
        ((*AUDITED, "--grey", "--low-bits"), "--low-bits does not go with --grey"),
        (("certify", "--check", "--sign", "me.key"), "--sign signs what is written"),
        ((*AUDITED, "--sensitivity", "inf"), "--sensitivity = inf is not a number"),
        (("compare", "--alpha", "1/10", "--epsilon", "100"), "1/1000 ≤ epsilon ≤ 20"),
        (("compare", "--alpha", "1e-5", "--epsilon", "1"), "alpha = 1/100000"),
    ],
)
def test_an_option_that_would_be_passed_over_or_never_end_is_refused(refusal, call, said):
    assert said in refusal(*call)


def test_an_audit_may_take_as_long_as_its_outputs(run):
    status, printed, _ = run(*AUDITED, "--seconds", "inf", "--samples", "50000")
    assert status == 3
    assert "50000" in printed


@pytest.mark.parametrize("leave", ["os._exit(0)", "sys.exit(0)"])
def test_a_mechanism_that_ends_the_program_was_not_audited(run, tmp_path, leave):
    file = tmp_path / "ends.py"
    file.write_text(f"import os, sys\ndef mechanism(n, rng):\n    {leave}\n")
    status, _, complaints = run("audit", f"{file}:mechanism", *AUDITED[2:])
    assert status == 2
    assert complaints.startswith("establish: error: the mechanism raised SystemExit on")
