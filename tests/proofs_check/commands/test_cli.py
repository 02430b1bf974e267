"""The command line itself: how commands are found, what their help costs, and how misuse is told."""

import json
import re
import subprocess
import sys

import pytest

from establish.proofs_check.commands.cli import COMMANDS
from establish.proofs_check.engine.fingerprint import library_versions

RELEASES = ("counts", "earnings", "plan")
CALLS = [*((name,) for name in COMMANDS), *(("release", name) for name in RELEASES)]

HEAVY = ("numpy", "sympy", "z3", "flint", "duckdb", "rich")

LIGHT = [
    ["--help"],
    ["--version"],
    [],
    ["chekc"],
    ["--frob"],
    ["release"],
    ["release", "--help"],
    ["release", "cells.csv", "--out", "o.csv"],
    *(["release", name, last] for name in RELEASES for last in ("--help", "--frob")),
]
"""Calls that end before a command does anything."""

LOADED_AFTER = f"""
import contextlib, io, json, sys
from establish.proofs_check.commands.cli import main
loaded = {{}}
for call in {LIGHT!r}:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        with contextlib.suppress(SystemExit):
            main(call)
    loaded[" ".join(call)] = [name for name in {HEAVY!r} if name in sys.modules]
print(json.dumps(loaded))
"""


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


def test_help_version_and_misuse_load_no_library_that_computes_or_draws():
    done = subprocess.run([sys.executable, "-c", LOADED_AFTER], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {" ".join(call): [] for call in LIGHT}


def test_the_version_is_printed(succeeds):
    printed = succeeds("--version")
    assert printed.startswith("establish 0.")
    assert all(f"{name} {number}" in printed for name, number in library_versions().items())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chekc",), "No such command 'chekc'. Did you mean 'check'?"),
        (("release", "cuonts"), "No such command 'cuonts'. Did you mean 'counts'?"),
        (("check", "--frehs"), "No such option: --frehs"),
        (("show",), "Missing argument 'ID'"),
        (("check", "--jobs", "1", "--jobs", "2"), "--jobs is given 2 times: give it once"),
        (("check", "--json", "a", "--json=b"), "--json is given 2 times: give it once"),
        (("check", "--json", ""), "--json is empty: give it a value"),
        (("budget", ""), "[PLAN] is empty: give it a value"),
        (("verify", "-"), "SIDECAR = - is not a file: standard input and output are not used"),
        (("keys", "new", "-"), "FILE = - is not a file"),
        (("evaluate", "cost", "--out", "-"), "--out = - is not a file"),
        (("suppress", "audit", "c.csv", "--json", "-"), "--json = - is not a file"),
        (("suppress", "audit", "c.csv", "--certificates", "-"), "--certificates = - is not a file"),
        (("suppress", "audit", "c.csv", "-"), "TABLE... = - is not a file"),
        (("release", "plan", "p.toml", "--out", "-"), "--out = - is not a file"),
        (("verify", "\0"), "SIDECAR holds the character NUL, which no name or value may"),
        (("check", "--jobs", "0"), "--jobs = 0: 0 is not in the range x>=1"),
        (("check", "--jobs", "1_0"), "--jobs = 1_0 is not a whole number: write it in the digits"),
        (("check", "--jobs", "２"), "--jobs = ２ is not a whole number: write it in the digits"),
        (("check", "--jobs", "2.0"), "--jobs = 2.0 is not a whole number: write it in the digits"),
        (("check", "--jobs", " 2"), "--jobs =  2 is not a whole number: write it in the digits"),
        (("audit", "a.py:f", "--seconds", "1_0"), "--seconds = 1_0 is not a number: write it as"),
        (("audit", "a.py:f", "--seconds", "inf"), "--seconds = inf is not a number: write it as"),
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
