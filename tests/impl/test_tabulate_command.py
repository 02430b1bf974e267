"""``establish tabulate``: what it prints, what it writes, and what it leaves behind when it fails."""

import errno
import itertools
import json
import os
import re
import subprocess
import sys
from inspect import signature
from pathlib import Path

import pytest

from establish.impl.tabulate import TWO_JOBS
from establish.impl.tabulate.engine import DEFAULT_MEMORY
from establish.proofs_check.commands.tabulate import tabulate

# 7 jobs at workplace 10 (place a) and 4 at 20 (place b); nobody at 30 (place c).
PLACES = {"10": "a", "20": "b", "30": "c"}
HELD = ["10"] * 7 + ["20"] * 4
COUNTS = {"a": 7, "b": 4, "c": 0}


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "tables"
    folder.mkdir()
    lines = {
        "jobs": ["worker,workplace", *(f"w{n},{place}" for n, place in enumerate(HELD))],
        "workers": ["worker,sex", *(f"w{n},{'FM'[n % 2]}" for n in range(len(HELD)))],
        "workplaces": ["workplace,place", *(f"{id},{place}" for id, place in PLACES.items())],
    }
    for name, text in lines.items():
        (folder / f"{name}.csv").write_text("\n".join(text) + "\n", "utf-8")
    (folder / "domain.toml").write_text('[domain]\nsex = ["F", "M", "X"]\n', "utf-8")
    return {f"--{name}": str(folder / f"{name}.csv") for name in lines}


@pytest.fixture
def options(tables: dict[str, str]) -> list[str]:
    """The command and its tables."""
    return ["tabulate", *itertools.chain(*tables.items())]


def test_without_an_output_no_count_is_printed(options, succeeds):
    first, second = succeeds(*options, "--by", "place").splitlines()
    assert first == "3 cells of place"
    assert re.fullmatch(r"3 workplaces; \d+\.\d\d s", second)


def test_true_counts_are_written_for_their_owner_only_and_loudly(tmp_path, options, run, rows_of):
    out = tmp_path / "cells.csv"
    status, _, err = run(*options, "--by", "place", "--out", out, "--confidential")
    assert status == 0
    assert out.stat().st_mode & 0o777 == 0o600
    assert rows_of(out) == [{"place": p, "count": str(n)} for p, n in COUNTS.items()]
    assert f"CONFIDENTIAL: {out} holds true counts" in err


def test_cells_without_jobs_and_values_without_workers_are_written(
    tables, tmp_path, options, succeeds, rows_of
):
    out = tmp_path / "cells.csv"
    domain = str(Path(tables["--jobs"]).with_name("domain.toml"))
    more = ("--by", "sex,place", "--domain", domain, "--out", str(out), "--confidential")
    succeeds(*options, *more)
    # Workers 0 to 6 are at a, 7 to 10 at b; the even ones are F.
    assert [tuple(row.values()) for row in rows_of(out)] == [
        *(("F", "a", "4"), ("M", "a", "3"), ("X", "a", "0")),
        *(("F", "b", "2"), ("M", "b", "2"), ("X", "b", "0")),
        *(("F", "c", "0"), ("M", "c", "0"), ("X", "c", "0")),
    ]
    assert list(rows_of(out)[0]) == ["sex", "place", "count"]


def test_filters_narrow_the_cells_and_count_matching_jobs_only(tables, tmp_path, options, succeeds, rows_of):
    out = tmp_path / "cells.csv"
    domain = str(Path(tables["--jobs"]).with_name("domain.toml"))
    more = ("--by", "place", "--where", "sex=X, F", "--where", "place=b,a", "--domain", domain)
    printed = succeeds(*options, *more, "--out", str(out), "--confidential", "--json")
    assert [tuple(row.values()) for row in rows_of(out)] == [("a", "4"), ("b", "2")]
    summary = json.loads(printed)
    assert summary["where"] == {"sex": ["X", "F"], "place": ["b", "a"]}
    assert summary["cells"] == 2


def test_defaults_of_the_command_are_those_of_the_library():
    options = signature(tabulate, eval_str=True).parameters
    assert options["two_jobs"].default == TWO_JOBS[0]
    assert options["two_jobs"].annotation.__metadata__[0].metavar == "|".join(TWO_JOBS)
    assert DEFAULT_MEMORY in options["memory"].annotation.__metadata__[0].help


def test_other_commands_do_not_wait_for_the_engines():
    loaded = (
        "import sys, establish.proofs_check.commands.cli; "
        "print(*{'duckdb', 'pyspark', 'rich'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True)
    assert done.stdout.split() == []


def test_the_summary_as_json(options, succeeds):
    summary = json.loads(succeeds(*options, "--by", "place", "--two-jobs", "first", "--json"))
    assert summary.pop("seconds") >= 0
    assert summary == {
        "by": ["place"],
        "where": {},
        "cells": 3,
        "workplaces": 3,
        "two_jobs": "first",
        "confidential_file": None,
    }


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--out", "{}/o.csv"), "would hold true counts: add --confidential"),
        (("--confidential",), "--confidential is about --out"),
        (("--out", "{}/none/o.csv", "--confidential"), "/none does not exist"),
        (("--out", "{}/o.xlsx", "--confidential"), "has an unknown extension"),
        (("--out", "{}/tables/jobs.csv", "--confidential", "--force"), "is one of the tables"),
        (("--domain", "{}/old.csv", "--out", "{}/old.csv", "--confidential", "--force"), "is the domain"),
        (("--out", "{}/old.csv", "--confidential"), "exists: choose another or use --force"),
        (("--out", "{}/folder.csv", "--confidential"), "is a folder"),
        (("--domain", "{}/none.toml"), "cannot be read: No such file or directory"),
        (("--two-jobs", "last"), "use refuse or first"),
        (("--memory", "much"), "memory = much is not an amount"),
        (("--memory", "-1GB"), "memory = -1GB is not an amount"),
        (("--memory", "0GB"), "memory = 0GB is not an amount"),
        (("--where", "place"), "--where = place is not a filter: write it as sex=F,M"),
        (("--where", "=a"), "--where = =a is not a filter"),
        (("--where", "place=,"), "--where = place=, is not a filter"),
        (("--where", "place=a", "--where", "place=b"), "place has a filter, list all its values"),
        (("--where", "sex=F"), "where = sex is an attribute of workers: the domain must list"),
    ],
)
def test_misuse_is_one_line_and_touches_nothing(tmp_path, more, message, options, refusal):
    (tmp_path / "old.csv").write_text("old", "utf-8")
    (tmp_path / "folder.csv").mkdir()
    given = [text.format(tmp_path) for text in more]
    assert message in refusal(*options, "--by", "place", *given)


def test_an_attribute_called_count_is_refused_before_any_work(tmp_path, options, refusal):
    more = ("--by", "Count", "--out", str(tmp_path / "o.csv"), "--confidential")
    assert "by = Count has the name of the counts' column" in refusal(*options, *more)


@pytest.mark.few(2)
@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_disk_that_fills_up_leaves_what_was_there(tmp_path, old, ending, options, refusal):
    resource = pytest.importorskip("resource", reason="this system cannot limit file sizes")
    out = tmp_path / "out" / f"cells.{ending}"
    out.parent.mkdir()
    if old is not None:
        out.write_text(old, "utf-8")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A file of more than 8 bytes cannot be written, as on a full disk; the header alone is longer.
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, hard))
    try:
        err = refusal(*options, "--by", "place", "--out", out, "--confidential", "--force")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert f"--out = {out} cannot be written" in err
    assert [p.read_text("utf-8") for p in out.parent.iterdir()] == ([] if old is None else [old])


def test_nothing_appears_under_the_final_name_before_the_last_step(tmp_path, monkeypatch, options, refusal):
    def fails(source: Path, target: Path) -> None:
        # Until the end the complete file is where only its owner can look.
        assert Path(source).stat().st_mode & 0o777 == 0o600
        assert Path(source).parent.stat().st_mode & 0o777 == 0o700
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    out = tmp_path / "out" / "cells.csv"
    out.parent.mkdir()
    monkeypatch.setattr("establish.impl.tabulate.write.os.replace", fails)
    assert "cannot be written: No space left on device" in refusal(
        *options, "--by", "place", "--out", str(out), "--confidential"
    )
    assert not list(out.parent.iterdir())


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write into every folder"
)
def test_a_folder_that_cannot_be_written_is_refused(tmp_path, options, refusal):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    assert "cannot be written" in refusal(
        *options, "--by", "place", "--out", str(folder / "o.csv"), "--confidential"
    )
