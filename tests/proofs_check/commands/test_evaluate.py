"""`establish evaluate`: files, tables, and what it refuses."""

import json
from fractions import Fraction

import numpy as np
import pyarrow.parquet as pq
import pytest

from establish.proofs_check.commands.evaluate import PAPERS
from establish.proofs_check.experiments import job_cells
from establish.proofs_check.experiments.foote2019 import evaluation as foote2019_evaluation
from establish.proofs_check.experiments.foote2019.percentile_accuracy import Grid
from establish.proofs_check.experiments.haney2017 import evaluation as haney2017_evaluation
from establish.proofs_check.experiments.haney2017.findings import SENTENCES
from establish.proofs_check.experiments.haney2017.qcew_counts import read
from establish.proofs_check.experiments.schmutte2020 import evaluation as schmutte2020_evaluation
from establish.proofs_check.experiments.webb2025 import evaluation as webb2025_evaluation

FIGURES = haney2017_evaluation.FIGURES
TINY = {"small": job_cells.Size(300, 4000, 12)}


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every experiment at a size of a second. Whether certificates are current is tested elsewhere."""
    grid = Grid((10, 20, 30), (Fraction(1, 2), Fraction(3)), 2)
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")
    monkeypatch.setattr(haney2017_evaluation, "SIZES", TINY)
    tiny_state = webb2025_evaluation.Size("new-jersey", 120, 2, 3, 1)
    monkeypatch.setattr(webb2025_evaluation, "SIZES", {"small": tiny_state})
    monkeypatch.setattr(foote2019_evaluation, "GRIDS", {"small": (15, grid)})
    monkeypatch.setattr(schmutte2020_evaluation, "SIZES", {"small": (4, 100, 2)})


@pytest.mark.parametrize(
    "drawn",
    [
        pytest.param(("workload-1", "ranking-1"), marks=pytest.mark.small_campaign),
        pytest.param(tuple(FIGURES), marks=pytest.mark.campaign),
    ],
    ids=["of each kind", "all"],
)
def test_the_numbers_of_each_figure_stand_beside_it(tiny, tmp_path, succeeds, drawn, monkeypatch):
    chosen = {name: FIGURES[name] for name in drawn}
    monkeypatch.setattr(haney2017_evaluation, "FIGURES", chosen)
    out = tmp_path / "out"
    arguments = ("evaluate", "haney2017", "--small", "--seed", 3, "--trials", 1)
    text = succeeds(*arguments, "--out", out)
    for figure, *_ in chosen.values():
        for ending in ("svg", "png", "csv"):
            assert (out / f"{figure}.{ending}").stat().st_size > 500
    record = json.loads((out / "run.json").read_text("utf-8"))
    assert record["seed"] == 3
    assert len(record["findings"]) == len(SENTENCES)
    table = pq.read_table(out / "results.parquet")
    assert table.num_rows + 1 == len((out / "results.csv").read_text("utf-8").splitlines())
    assert "synthetic: 300 establishments" in text
    assert "never for a release" in text
    assert "Finding 6" in text
    monkeypatch.setattr(haney2017_evaluation, "FIGURES", {})
    again = succeeds(*arguments, "--out", out, "--force", "--json")
    assert json.loads(again)["sha256"] == record["sha256"]


def test_every_figure_of_the_paper_has_a_file_of_its_own():
    assert [name for name, *_ in FIGURES.values()] == [f"figure-{n}" for n in range(1, 6)]


@pytest.mark.small_campaign
@pytest.mark.parametrize(
    "paper",
    [
        pytest.param(paper, marks=[pytest.mark.campaign] * (paper == "webb2025"))
        for paper in sorted(set(PAPERS) - {"haney2017"})
    ],
)
def test_every_other_experiment_writes_numbers_figures_and_what_was_run(paper, tiny, tmp_path, succeeds):
    out = tmp_path / "out"
    text = succeeds("evaluate", paper, "--small", "--trials", 2, "--out", out)
    record = json.loads((out / "run.json").read_text("utf-8"))
    assert (record["paper"], record["size"]) == (paper, "small")
    for name in record["figures"]:
        assert (out / name).stat().st_size > 0
    for name in record["sha256"]:
        table = pq.read_table(out / name.replace(".csv", ".parquet"))
        assert table.num_rows + 1 == len((out / name).read_text("utf-8").splitlines())
    for finding in record["findings"]:
        assert finding["sentence"] in text
    assert "float" in text or "never for a release" in text or paper == "foote2019"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("haney2018",), "PAPER = haney2018 is not known"),
        (("haney2017", "--seed", -1), "--seed must be a whole number >= 0"),
        (("haney2017", "--size", "huge"), "--size huge is not known"),
        (("haney2017", "--small", "--size", "national"), "contradict"),
        (("haney2017", "--trials", 0), "trials"),
        (("haney2017", "--data", "missing.csv"), "missing.csv is not there"),
        (("cost", "--data", "missing.csv"), "--data is not used by cost"),
        (("cost", "--distortion", "1/20,1/4"), "haney2017 alone takes it"),
        (("haney2017", "--distortion", "1/4"), "as two numbers"),
        (("haney2017", "--distortion", "1/4,1/20"), "0 < s < t < 1"),
        (("webb2025", "--size", "national"), "webb2025 has small, state, new-jersey"),
    ],
)
def test_misuse_is_told_in_one_line(arguments, told, tmp_path, refusal):
    assert told in refusal("evaluate", *arguments, "--out", tmp_path / "out")


@pytest.mark.parametrize("paper", ["haney2017", "webb2025", "foote2019"])
def test_data_of_another_layout_are_refused(paper, tmp_path, refusal):
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    assert "has no column" in refusal("evaluate", paper, "--small", "--out", tmp_path / "out", "--data", path)


CENSUS = (
    "area_fips,own_code,industry_code,agglvl_code,year,qtr,disclosure_code,qtrly_estabs_count,month3_emplvl"
)


def test_cells_of_the_census_are_split_and_suppressed_ones_left_out(tmp_path, refusal):
    rows = [
        "44001,5,23,74,2016,1,,3,40",
        "44001,5,31-33,74,2016,1,N,2,0",
        "44003,5,23,74,2016,1,-,5,0",
        "44003,5,44-45,74,2016,1,,0,0",
        "44003,5,23,74,2016,2,,5,90",
        "44003,5,236115,78,2016,1,,5,90",
    ]
    path = tmp_path / "cells.csv"
    path.write_text("\n".join([CENSUS, *rows]) + "\n", encoding="utf-8")
    cells = read([path], 1)
    assert "cells.csv: 2 disclosed cells, 8 establishments, 40 jobs" in cells.title
    assert sorted(np.bincount(cells.cell).tolist()) == [3, 5]
    assert cells.workers.sum() == 40
    path.write_text("\n".join([CENSUS, rows[0], rows[0]]) + "\n", encoding="utf-8")
    told = refusal("evaluate", "haney2017", "--out", tmp_path / "more", "--data", path)
    assert "each cell must be listed once" in told


def test_a_folder_of_other_files_is_left_alone(tmp_path, refusal):
    (tmp_path / "mine.txt").write_text("mine")
    assert "is not empty" in refusal("evaluate", "haney2017", "--small", "--out", tmp_path)
    told = refusal("evaluate", "haney2017", "--small", "--out", tmp_path, "--force")
    assert "holds other files" in told
    assert "there is no folder" in refusal("evaluate", "haney2017", "--out", tmp_path / "no" / "where")
