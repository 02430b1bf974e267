"""Inputs that nobody would write end every command in one of its own ways, and tell no value of the data."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).with_name("fuzz.py")


@pytest.fixture
def fuzz() -> ModuleType:
    spec = spec_from_file_location("fuzz_of_commands", SCRIPT)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.usefixtures("settled_once")
@pytest.mark.parametrize(
    "inputs",
    [150, pytest.param(2_000, marks=pytest.mark.campaign)],  # tests/bench/bench_crash.py: 20,000
)
def test_no_input_brings_a_traceback_or_a_value_of_the_data_to_light(fuzz, inputs):
    seen = fuzz.main(inputs, 1)
    assert seen["inputs"] == inputs
    assert sum(key.endswith(": 2") for key in seen) >= 12  # of nearly every kind, some are refused
    assert sum(key.endswith(": 0") for key in seen) >= 3  # and some are good all the same
