"""Inputs that nobody would write end every command in one of its own ways, and tell no value of the data."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.usefixtures("settled_once")
@pytest.mark.parametrize(
    "inputs",
    [600, pytest.param(2_000, marks=pytest.mark.campaign)],  # tests/bench/bench_fuzz.py: 20,000
)
def test_no_input_brings_a_traceback_or_a_value_of_the_data_to_light(inputs: int) -> None:
    script = Path(__file__).with_name("fuzz.py")
    done = subprocess.run(
        [sys.executable, str(script), str(inputs), "1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    seen = json.loads(done.stdout)
    assert seen["inputs"] == inputs
    assert sum(key.endswith(": 2") for key in seen) >= 12  # of nearly every kind, some are refused
    assert sum(key.endswith(": 0") for key in seen) >= 4  # and some are good all the same
