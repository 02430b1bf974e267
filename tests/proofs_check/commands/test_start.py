"""A command starts at once: help and misuse load no library that computes."""

import json
import subprocess
import sys

import pytest

from establish.impl.earnings import mechanisms as earnings_mechanisms
from establish.impl.mechanisms import NAMES as MECHANISMS
from establish.proofs_check.api import imply, release
from establish.proofs_check.audit.black import black_box
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.commands import audit, certify
from establish.proofs_check.commands.cli import COMMANDS
from establish.proofs_check.implications.decide import Kind
from establish.proofs_check.implications.definitions import DEFINITIONS, REQUIREMENTS

HEAVY = (
    *("duckdb", "flint", "hypothesis", "jinja2", "matplotlib", "mpmath", "numpy", "pyarrow", "pydantic"),
    *("scipy", "sympy", "z3"),
)

COUNTS = ("release", "counts", "none.csv", "--count", "n", "--out", "o.csv")
EARNINGS = ("release", "earnings", "none.csv", "--earnings", "e", "--cell", "c", "--out", "o.csv")
IMPLY = ("imply", "--alpha", "1", "--epsilon", "ln 2")

LIGHT = [
    *((), ("--help",), ("--version",), ("nonsense",), ("--nonsense",), ("release",), ("release", "--help")),
    ("release", "cells.csv", "--out", "o.csv"),
    *(("release", n, last) for n in ("counts", "earnings", "plan") for last in ("--help", "--nonsense")),
]
"""Calls that end before a command does anything, and so load nothing that draws a table either."""

CALLS = [
    *LIGHT,
    *((name, "--help") for name in COMMANDS),
    *((name, "--nonsense") for name in COMMANDS),
    (*COUNTS, "--mechanism", "none", "--epsilon", "1"),
    (*COUNTS, "--mechanism", "laplace", "--epsilon", "1"),
    (*EARNINGS, "--mechanism", "none", "--epsilon", "1"),
    ("release", "plan", "none.toml", "--out", "o"),
    ("audit",),
    ("audit", "math:sqrt", "--definition", "dp"),
    ("audit", "math:sqrt", "--selftest"),
    ("budget",),
    ("budget", "none.toml"),
    ("certify", "none"),
    (*IMPLY, "--definition", "none", "--requirement", "size"),
    (*IMPLY, "--definition", "edge", "--requirement", "none"),
    ("synthesize", "none.csv", "--out", "o.csv", "--seed", "1"),
    ("table1", "--alpha", "0"),
    ("tabulate", "--jobs", "none", "--workplaces", "none", "--by", "a"),
    ("verify", "none.json"),
]

RUN_ALL = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from establish.proofs_check.commands.cli import main

calls, heavy = json.loads(sys.argv[1])
for call in calls:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            main(call)
            status = None
        except SystemExit as end:
            status = end.code
    print(json.dumps([call, status, sorted(set(heavy) & set(sys.modules))]))
"""


def test_help_and_misuse_load_no_library_that_computes(tmp_path):
    command = [sys.executable, "-c", RUN_ALL, json.dumps([CALLS, [*HEAVY, "rich"]])]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(CALLS)
    assert [loaded for _, _, loaded in answers[: len(LIGHT)]] == [[] for _ in LIGHT]
    for call, status, loaded in answers:
        assert set(loaded) <= {"rich"}, call
        assert status == (0 if call and call[-1] in ("--help", "--version") else 2), call


@pytest.mark.parametrize(
    ("told", "known"),
    [
        (certify.NAMES, subjects()),
        (release.COUNTS, MECHANISMS),
        (release.EARNINGS, earnings_mechanisms.NAMES),
        (imply.DEFINITION_NAMES, DEFINITIONS),
        (imply.REQUIREMENT_NAMES, REQUIREMENTS),
        (imply.PRIORS, list(Kind)),
        ((audit.SAMPLES, audit.SECONDS), (black_box.SAMPLES, black_box.SECONDS)),
    ],
)
def test_what_a_help_says_without_loading_it_is_so(told, known):
    assert tuple(told) == tuple(known)
