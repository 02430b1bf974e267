"""What a reviewer and an author need starts without what Windows lacks; a release says why it does not."""

import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = Path(__file__).parent / "as_on_windows.py"


def run(folder: Path, *arguments: object) -> tuple[int, str, str]:
    command = [sys.executable, str(COMMAND), *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.few(0, 2)
@pytest.mark.small_campaign
@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("list haney2017/lemma-9.2", 0, "fails"),
        ("show haney2017/lemma-9.2", 0, "fails: the statement is false"),
        ("check --jobs 2 haney2017/lemma-9.2 haney2017/eq-8", 0, "1 fails"),
        ("convert --epsilon 1 --to rho", 0, "pure ε = 1 implies"),
        ("imply --definition strong-er-ee --alpha 1 --epsilon ln2 --requirement shape", 1, "evidence: "),
        ("report --out site --jobs 1 haney2017/lemma-9.2", 0, "open site"),
        (
            "audit establish.impl.sample.audit_er_ee:without_shift --definition strong-er-ee --alpha 1/10 "
            "--epsilon 2 --seconds 5 --report audit.html",
            1,
            "violated",
        ),
    ],
)
def test_a_command_that_needs_no_lock_runs(tmp_path: Path, line: str, status: int, said: str):
    found, printed, err = run(tmp_path, *line.split())
    assert (found, err.count("Traceback")) == (status, 0), err
    assert said in printed


@pytest.mark.small_campaign
def test_a_release_says_that_it_needs_locks_and_leaves_nothing(tmp_path: Path):
    (tmp_path / "cells.csv").write_text("region,jobs\nA,10\nB,30\n", "utf-8")
    law = "--alpha 1/10 --epsilon 2 --mechanism log-laplace --count jobs --keep region --out noisy.csv"
    status, printed, err = run(tmp_path, "release", "counts", "cells.csv", *law.split())
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert "need file locks, which this system does not have: use Linux, macOS or WSL" in err
    assert [file.name for file in tmp_path.iterdir()] == ["cells.csv"]
