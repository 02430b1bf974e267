"""What `make test` leaves out is run elsewhere."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_what_is_left_out_is_run_by_ci_or_by_the_campaign():
    """A marker that is left out by default is a campaign, or a small case of one that CI runs."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    _, _, chosen = settings["ini_options"]["addopts"].partition("-m ")
    assert chosen == "'not campaign and not small_campaign'"
    steps = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert 'make test EXTRAS=dev,spark ARGS="-m small_campaign"' in steps
    assert any(line.startswith("make lint test ") for line in steps)
    assert '-m "" ' in (ROOT / "Makefile").read_text("utf-8")
