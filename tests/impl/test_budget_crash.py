"""A releasing process may be killed at any moment: what is on disk stays true."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

KILLS = 60
"""tests/bench/bench_crash.py kills 1,000 times."""


@pytest.mark.small_campaign
def test_no_kill_leaves_a_release_without_its_entry_or_loses_an_entry(tmp_path):
    script = Path(__file__).with_name("crash.py")
    command = [sys.executable, str(script), str(KILLS), str(tmp_path), "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["kills"] == KILLS
    assert seen["entries"] > 0, "every process was killed before it released anything"
    assert seen["visible"] <= seen["entries"]
