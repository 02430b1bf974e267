"""What `make test` leaves out is run elsewhere."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_what_is_left_out_is_run_by_ci_or_by_the_campaign():
    """A marker that is left out by default is a campaign, or a small case of one that CI runs."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    _, _, chosen = settings["ini_options"]["addopts"].partition("-m ")
    assert chosen == "'not campaign and not small_campaign'"
    steps = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert "make lint test EXTRAS=dev,spark ARGS=\"-m 'not campaign'\"" in steps
    assert '-m "" ' in (ROOT / "Makefile").read_text("utf-8")


class Case:
    """A test as pytest collects it: its name, and the markers it has."""

    def __init__(self, nodeid: str, *markers: pytest.Mark) -> None:
        self.nodeid, self.markers = nodeid, {marker.name: marker for marker in markers}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.markers.get(name)

    def add_marker(self, name: str) -> None:
        self.markers[name] = getattr(pytest.mark, name).mark


@pytest.mark.parametrize(
    ("few", "small", "campaign"),
    [((3,), (), (1, 2, 3, 5, 6, 7)), ((3, 2), (1, 7), (2, 3, 5, 6)), ((9, 4), (), ())],
)
def test_of_many_cases_a_few_stay_the_first_and_the_last_among_them(pytestconfig, few, small, campaign):
    plugins = {getattr(p, "__file__", None): p for p in pytestconfig.pluginmanager.get_plugins()}
    leave_out = plugins[str(ROOT / "tests" / "conftest.py")].leave_repeats_to_campaigns
    marker = pytest.mark.few(*few).mark
    cases = [Case(f"a.py::test[{k}]", marker) for k in range(9)]
    long = Case("a.py::test[long]", marker, pytest.mark.campaign.mark)
    alone, other = Case("a.py::alone[x[0]]", marker), Case("a.py::other")
    leave_out([*cases, long, alone, other])
    for name, left in (("small_campaign", small), ("campaign", campaign)):
        assert [k for k, case in enumerate(cases) if name in case.markers] == list(left)
        assert not any(name in case.markers for case in (alone, other))
    assert set(long.markers) == {"few", "campaign"}
