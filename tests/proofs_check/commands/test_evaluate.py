"""`establish evaluate`: files, tables, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from establish.proofs_check.experiments import haney2017_evaluation, job_cells

TINY = {"small": job_cells.Size(300, 4000, 12)}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(haney2017_evaluation, "SIZES", TINY)


def test_the_numbers_of_each_figure_stand_beside_it(
    tiny: None, tmp_path: Path, succeeds: Callable[..., str]
):
    out = tmp_path / "out"
    arguments = ("evaluate", "haney2017", "--small", "--seed", 3, "--trials", 1)
    text = succeeds(*arguments, "--out", out)
    for number in range(1, 6):
        for ending in ("svg", "png", "csv"):
            assert (out / f"figure-{number}.{ending}").stat().st_size > 500
    record = json.loads((out / "run.json").read_text("utf-8"))
    assert record["seed"] == 3
    assert len(record["findings"]) == 18
    table = pq.read_table(out / "results.parquet")
    assert table.num_rows + 1 == len((out / "results.csv").read_text("utf-8").splitlines())
    assert "synthetic: 300 establishments" in text
    assert "never for a release" in text
    assert "Finding 6" in text
    again = succeeds(*arguments, "--out", out, "--force", "--json")
    assert json.loads(again)["sha256"] == record["sha256"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("haney2018",), "PAPER = haney2018 is not known"),
        (("haney2017", "--seed", -1), "--seed must be a whole number >= 0"),
        (("haney2017", "--size", "huge"), "--size huge is not known"),
        (("haney2017", "--small", "--size", "national"), "contradict"),
        (("haney2017", "--trials", 0), "trials"),
        (("haney2017", "--data", "missing.csv"), "missing.csv is not there"),
    ],
)
def test_misuse_is_told_in_one_line(
    arguments: tuple[object, ...], told: str, tmp_path: Path, refusal: Callable[..., str]
):
    assert told in refusal("evaluate", *arguments, "--out", tmp_path / "out")


def test_a_folder_of_other_files_is_left_alone(tmp_path: Path, refusal: Callable[..., str]):
    (tmp_path / "mine.txt").write_text("mine")
    assert "is not empty" in refusal("evaluate", "haney2017", "--small", "--out", tmp_path)
    told = refusal("evaluate", "haney2017", "--small", "--out", tmp_path, "--force")
    assert "holds other files" in told
    assert "there is no folder" in refusal(
        "evaluate", "haney2017", "--out", tmp_path / "no" / "where"
    )
