"""``establish verify`` recomputes what records on earnings and on establishments state of their noise."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from establish.proofs_check.certification.restated import ASKED

Tamper = Callable[[dict[str, Any]], object]

pytestmark = pytest.mark.usefixtures("as_recorded")

LOSSES = "every loss in the record fits what it consists of"

HISTOGRAM, GAPS = "histogram-percentiles", "bins-or-gaps"


@pytest.fixture
def released(run, once, tmp_path: Path) -> Callable[[str], Path]:
    """Puts a release by a mechanism for percentiles, made once, into the folder of the test: its record."""
    people = "".join(f"{'AB'[k % 2]},{20_000 + 300 * k}\n" for k in range(90))

    def made(name: str) -> Path:
        out = tmp_path / "out.csv"

        def make() -> None:
            (tmp_path / "people.csv").write_text("college,earnings\n" + people, "utf-8")
            given = ("--epsilon", 1, "--earnings", "earnings", "--cell", "college", "--mechanism", name)
            status, _, err = run("release", "earnings", tmp_path / "people.csv", "--out", out, *given)
            assert status == 0, err

        once(("percentiles", name), make)
        return Path(f"{out}.json")

    return made


def failing(run, record: Path, tamper: Tamper) -> list[str]:
    """What does not hold of an edited record whose plan's digest was made anew."""
    content = json.loads(record.read_text("utf-8"))
    tamper(content)
    if "parameters" in content:
        asked = {key: content[key] for key in ASKED if key in content} | content["parameters"]
        text = json.dumps(asked, sort_keys=True, ensure_ascii=False)
        content["plan"] = hashlib.sha256(text.encode()).hexdigest()
    record.write_text(json.dumps(content), "utf-8")
    _, printed, _ = run("verify", record, "--json")
    return [finding["says"] for finding in json.loads(printed) if finding["holds"] is False]


def put(*path: Any, value: Any) -> Tamper:
    """An edit of one place."""

    def tamper(content: dict[str, Any]) -> None:
        part: Any = content
        for step in path[:-1]:
            part = part[step]
        assert part[path[-1]] != value
        part[path[-1]] = value

    return tamper


def share_of_the_total(content: dict[str, Any]) -> None:
    content["noise"] = content["noise"].replace("s = 1/30", "s = 1/3")


ENDS = ("parameters", "bin_end_points")


@pytest.mark.parametrize("name", [HISTOGRAM, GAPS])
def test_a_release_of_percentiles_holds(run, released, name: str):
    assert failing(run, released(name), lambda content: None) == []


@pytest.mark.parametrize(
    ("name", "tamper", "found"),
    [
        (HISTOGRAM, put("constants", "rho", value=0.36), "constants"),
        (
            HISTOGRAM,
            put("expected_error", "standard deviation", value="6.1 for the count of a cell"),
            "error",
        ),
        (HISTOGRAM, put(*ENDS, 0, value=9_000.0), "parameters"),
        (HISTOGRAM, lambda r: r["parameters"]["bin_end_points"].pop(3), "parameters"),
        (HISTOGRAM, put("parameters", "bins", value="even"), "parameters"),
        (HISTOGRAM, put("parameters", "percentiles", 0, value="20"), "columns college, count, p20"),
        (HISTOGRAM, put("cell_columns", 0, value="sector"), "columns sector, count"),
        (HISTOGRAM, put("calibration", value="published"), "calibration"),
        (GAPS, put("constants", "scale_of_the_noise_in_a_gap", value=2.0), "constants"),
        (GAPS, share_of_the_total, "noise"),
        (GAPS, put("parameters", "equal_gaps_from_noisy_total", value=191), "parameters"),
        (GAPS, put("parameters", "classes_of_bins", 1, "pull", value="2"), "parameters"),
        (GAPS, put("queries", "table", "epsilon", value="29/30"), "queries"),
        (GAPS, put("domain", value="earnings >= 0"), "domain"),
    ],
)
def test_an_edit_of_what_noise_percentiles_have_is_told(run, released, name: str, tamper: Tamper, found: str):
    failed = failing(run, released(name), tamper)
    assert failed
    assert any(found in one for one in failed)


@pytest.fixture
def sums(run, project, once, tmp_path: Path) -> Path:
    """The record of a release of sums over establishments."""
    out = tmp_path / "out"

    def make() -> None:
        status, _, err = run("release", "plan", project("establishments"), "--out", out)
        assert status == 0, err

    once(("release of sums",), make)
    return out / "release.json"


@pytest.mark.parametrize(
    ("tamper", "found"),
    [
        (put("answers", 0, "constants", "sd", value=0.01), "constants"),
        (put("answers", 0, "constants", "grid", value=1e-9), "constants"),
        (put("answers", 0, "expected_error", "bias", value="E[estimate] − x = 1"), "expected_error"),
        (put("answers", 0, "noise", value="none"), "noise"),
        (put("answers", 0, "parameters", "mu", value="1/1000"), "parameters"),
        (put("answers", 0, "by", 0, value="other"), "and not the columns other"),
        (put("columns", "low", value="start of a 99% confidence interval for the sum"), "except columns"),
        (put("fitted", "method", value="exact sums"), "except fitted"),
        (put("loss", "mu_squared", value="2"), LOSSES),
        (put("queries", "county", "mu_squared", value="3/4"), LOSSES),
        (put("establishments", value=10_000), "names 10000 establishments"),
        (put("establishments", value=3), "names 3 establishments"),
        (lambda r: r.pop("establishments"), "names None establishments"),
    ],
)
def test_an_edit_of_what_noise_sums_have_is_told(run, sums: Path, tamper: Tamper, found: str):
    assert any(found in one for one in failing(run, sums, tamper))


@pytest.fixture
def people(run, project, once, tmp_path: Path) -> Path:
    """The record of a release of percentiles by a plan, for two records of a person."""
    once(("plan of people",), lambda: run("release", "plan", project("persons"), "--out", tmp_path / "out"))
    return tmp_path / "out" / "release.json"


def test_a_plan_on_earnings_holds(run, people: Path):
    assert failing(run, people, lambda content: None) == []


@pytest.mark.parametrize(
    "tamper",
    [
        put("loss", "epsilon", value="9"),
        put("loss", "delta", value="1/10"),
        put("queries", "year", "epsilon", value="5/2"),
        put("queries", "college", "epsilon", value="1/2"),
    ],
)
def test_a_loss_on_earnings_is_the_sum_of_its_parts(run, people: Path, tamper: Tamper):
    assert failing(run, people, tamper) == [LOSSES]


def test_the_number_of_establishments_that_no_table_shows_is_told(run, project, tmp_path: Path):
    plan, out = project("establishments"), tmp_path / "out"
    plan.write_text(plan.read_text("utf-8").replace('["id"]', '["county"]').replace("pnc", "psi"))
    status, _, err = run("release", "plan", plan, "--out", out)
    assert status == 0, err
    says = "whether 10000 establishments were read, as the record says"
    for given, how in (((), "--plan FILE"), (("--plan", plan), "Ask the agency")):
        record = tmp_path / "out" / "release.json"
        content = json.loads(record.read_text("utf-8"))
        record.write_text(json.dumps({**content, "establishments": 10_000}), "utf-8")
        _, printed, _ = run("verify", record, *given, "--json")
        (found,) = (each for each in json.loads(printed) if each["says"] == says)
        assert found["holds"] is None
        assert found["how"].startswith(how)
