"""On a real cluster: the numbers of DuckDB, the entry first, and one draw of each part whatever dies."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.campaign  # starts a master and two workers


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What tests/impl/cluster.py saw: a master, two workers, one of them killed."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs java, which is not on the path")
    script = Path(__file__).with_name("cluster.py")
    folder = tmp_path_factory.mktemp("cluster")
    command = [sys.executable, str(script), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_under_a_seed_a_cluster_draws_the_numbers_that_one_process_draws(seen):
    assert seen["parts"] == 5
    assert seen["same numbers"] is True


def test_nothing_is_visible_before_the_entry(seen):
    # Two releases were entered before; the third one is in the middle of its parts.
    assert (seen["visible before the entry"], seen["entries then"]) == (False, 2)
    assert seen["entries"] == 3


def test_a_killed_worker_costs_no_cell_and_its_part_is_drawn_once(seen):
    assert seen["killed"] is True
    assert seen["cells"] == 20
    assert seen["files"] == [f"part-{n:06d}.parquet" for n in range(5)]
    assert seen["left over"] == []
    assert seen["attempts at the part"] >= 2
    assert seen["draws of a part"] == 1, "an attempt drew other noise than the one before"
