"""Synthetic LODES-like tables: datasets of the model, the same for the same seed, sparse, skewed."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from establish.impl.synthetic import lodes
from establish.impl.tabulate import TableFiles, tabulate
from establish.spec.parameters import ParameterError

JOBS, ESTABLISHMENTS = 50_000, 2_400


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> TableFiles:
    folder = tmp_path_factory.mktemp("lodes")
    return lodes.write_lodes(
        folder, jobs=JOBS, establishments=ESTABLISHMENTS, places=200, seed=1, chunk=7_001
    )


def test_they_are_a_dataset_of_the_model(files):
    cells = tabulate(
        files, ["place", "sector", "ownership", *lodes.WORKER_DOMAIN.values], lodes.WORKER_DOMAIN
    )
    assert cells.count.sum() == JOBS
    assert pq.read_metadata(files.workplaces).num_rows == ESTABLISHMENTS


@pytest.mark.small_campaign
def test_the_seed_and_not_the_chunks_decides(files, tmp_path):
    sizes = {"jobs": JOBS, "establishments": ESTABLISHMENTS, "places": 200}
    again = lodes.write_lodes(tmp_path / "again", **sizes, seed=1, chunk=50_000)
    other = lodes.write_lodes(tmp_path / "other", **sizes, seed=2)
    for name in ("jobs", "workers", "workplaces"):
        first = pq.read_table(getattr(files, name)).to_pydict()
        assert pq.read_table(getattr(again, name)).to_pydict() == first
        assert pq.read_table(getattr(other, name)).to_pydict() != first


def test_workers_are_not_in_the_order_of_their_jobs(files):
    workers = pq.read_table(files.jobs)["worker"].to_numpy()
    assert np.array_equal(np.sort(workers), np.arange(JOBS))
    assert np.median(np.abs(np.diff(workers))) > JOBS / 10


def test_sizes_have_a_heavy_right_tail_and_cells_are_sparse(files):
    held = np.bincount(pq.read_table(files.jobs)["workplace"].to_numpy(), minlength=ESTABLISHMENTS)
    held.sort()
    assert held.sum() == JOBS
    # Of a Pareto law with index 1.2 the largest 1% hold 0.01^(1 − 1/1.2) = 46% (Lorenz curve), 1%
    # of an exponential law 0.01(1 + ln 100) = 5.6%.
    assert held[-ESTABLISHMENTS // 100 :].sum() > 0.2 * JOBS
    assert np.median(held) < JOBS / ESTABLISHMENTS / 1.5
    assert (held == 0).any()
    cells = tabulate(files, ["place", "sector", "ownership"])
    assert len(cells) < 200 * 20 * 4 / 4
    assert np.median(cells.establishments) <= 2


def test_education_is_known_from_30_years_on(files):
    cells = tabulate(files, ["age", "education"], lodes.WORKER_DOMAIN)
    young = cells.labels("age") == lodes.UNDER_30
    unknown = cells.labels("education") == lodes.NO_EDUCATION
    assert (cells.count[young == unknown] > 0).all()
    assert (cells.count[young != unknown] == 0).all()


def test_shares_are_the_stated_ones(files):
    for attribute, weights in (("sex", lodes.SEX), ("age", lodes.AGE), ("race", lodes.RACE)):
        cells = tabulate(files, [attribute], lodes.WORKER_DOMAIN)
        for label, count in zip(cells.labels(attribute), cells.count, strict=True):
            share = weights[label] / sum(weights.values())
            # Hoeffding: P(|count − n·share| ≥ n·t) ≤ 2 exp(−2nt²), 4e-22 for n = 50,000, t = 0.0224;
            # the seed is fixed.
            assert abs(count / JOBS - share) < 0.0224


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"jobs": 0}, "jobs = 0 is not allowed"),
        ({"jobs": 2**31}, "jobs = 2147483648 is not allowed"),
        ({"establishments": 0}, "establishments = 0 is not allowed"),
        ({"places": 0}, "places = 0 is not allowed"),
        ({"chunk": 0}, "chunk = 0 is not allowed"),
        ({"seed": -1}, "seed must be a whole number >= 0"),
    ],
)
def test_sizes_outside_their_range_are_refused(tmp_path, changed, message):
    with pytest.raises(ParameterError, match=message):
        lodes.write_lodes(tmp_path, **({"jobs": 5, "establishments": 2, "seed": 1} | changed))
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path):
    resource = pytest.importorskip("resource", reason="this system cannot limit file sizes")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(ParameterError, match="cannot be written"):
            lodes.write_lodes(tmp_path, jobs=JOBS, establishments=10, seed=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())


def test_the_smallest_tables_are_tables(tmp_path):
    for jobs in (1, 2, 3):
        files = lodes.write_lodes(tmp_path, jobs=jobs, establishments=1, places=1, seed=0)
        assert tabulate(files, []).count.tolist() == [jobs]
