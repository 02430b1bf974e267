"""``establish release`` is three commands, and none knows the options of another."""

import pytest

COUNTS = ("--mechanism", "laplace", "--epsilon", "1", "--count", "jobs")
EARNINGS = (
    *("--mechanism", "histogram-percentiles", "--epsilon", "1"),
    *("--earnings", "earned", "--cell", "year"),
)
CALLS = {
    "counts": ("in.csv", *COUNTS, "--out", "o.csv"),
    "earnings": ("in.csv", *EARNINGS, "--out", "o.csv"),
    "plan": ("in.toml", "--out", "o"),
}
OWN = {
    "counts": (
        *("--alpha", "--delta", "--rho"),
        "--count",
        *("--largest", "--establishments"),
        "--calibration",
        "--where",
        "--keep",
        *("--drop", "--drop-others", "--disjoint"),
        "--public",
        "--margins",
        *("--dataset", "--cap", "--cap-delta"),
    ),
    "earnings": (
        *("--earnings", "--cell", "--cells", "--person", "--percentiles", "--bins"),
        *("--post-process", "--dataset", "--cap", "--cap-delta"),
    ),
    "plan": (
        *("--format", "--two-jobs", "--memory", "--no-fit", "--nonnegative"),
        *("--engine", "--master", "--additive"),
    ),
}
"""The options that one of the commands has and the two others have not."""


@pytest.mark.parametrize("command", CALLS)
def test_a_command_does_not_know_the_options_of_the_others(command, refusal):
    for other in set(OWN) - {command}:
        for option in set(OWN[other]) - set(OWN[command]):
            assert f"No such option: {option}" in refusal("release", command, *CALLS[command], option, "1")


@pytest.mark.parametrize("command", CALLS)
def test_a_command_has_its_own_options_in_its_help_and_no_others(command, succeeds):
    words = {word.strip(",") for word in succeeds("release", command, "--help").split()}
    shared = {"--out", "--seed", "--force", "--json", "--help"}
    shared |= {"--ledger", "--head", "--without-ledger", "--resume", "--sign"}
    named = {"--mechanism", "--epsilon"} if command != "plan" else set()
    assert {word for word in words if word.startswith("--")} == shared | named | set(OWN[command])


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("counts", "--out"),
        ("counts", "--count"),
        ("earnings", "--earnings"),
        ("earnings", "--cell"),
        ("plan", "--out"),
    ],
)
def test_what_a_command_needs_is_asked_for(command, missing, refusal):
    call = list(CALLS[command])
    at = call.index(missing)
    del call[at : at + 2]
    assert f"Missing option '{missing}'" in refusal("release", command, *call)


def test_counts_ask_for_a_budget_of_either_kind(refusal):
    call = [word for word in CALLS["counts"] if word not in ("--epsilon", "1")]
    assert "ε is missing: give it, or ρ and a mechanism that takes it" in refusal("release", "counts", *call)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("cells.csv", *COUNTS), f"counts cells.csv {' '.join(COUNTS)}"),
        (("cells.parquet", "--mechanism=laplace"), "counts cells.parquet --mechanism=laplace"),
        (("people.csv", *EARNINGS), f"earnings people.csv {' '.join(EARNINGS)}"),
        (("p.csv", "--mechanism=chosen-by-size"), "earnings p.csv --mechanism=chosen-by-size"),
        (("plan.toml", "--out", "published"), "plan plan.toml --out published"),
        (("Plan.TOML",), "plan Plan.TOML"),
        (("--plan", "plan.toml", "--out", "new"), "plan plan.toml --out new"),
        (("--plan=plan.toml",), "plan plan.toml"),
        (("--out", "published", "plan.toml"), "plan --out published plan.toml"),
        ((*COUNTS, "cells.csv"), f"counts {' '.join(COUNTS)} cells.csv"),
        (("my cells.csv", "--where", "a = 'b'"), "counts 'my cells.csv' --where 'a = '\"'\"'b'\"'\"''"),
        (("$HOME.csv", "--count", "a;b"), "counts '$HOME.csv' --count 'a;b'"),
    ],
)
def test_the_call_of_earlier_versions_is_refused_with_the_new_one(old, new, refusal):
    told = refusal("release", *old)
    assert told == (
        f"establish: error: say what to release, counts, earnings or a plan: establish release {new}\n"
    )
