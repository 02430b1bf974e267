"""The tutorial runs: its file settles as it says, and its wishful claim does not."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from establish.proofs_check.engine import register

DOCS = Path(__file__).parents[1] / "docs" / "pages" / "tutorials"

Settled = Callable[[Path], tuple[int, dict[str, tuple[str, str]]]]


@pytest.fixture
def settled(
    settled_once: None, run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> Settled:
    """The status of `establish check` on a file, and verdict and grade by label."""
    monkeypatch.setattr(register, "_claims", register.claims())  # a copy

    def checked(file: Path) -> tuple[int, dict[str, tuple[str, str]]]:
        status, printed, _ = run("check", file, "--jobs", 1, "--json", "-")
        return status, {row["id"]: (row["verdict"], row["evidence"]) for row in json.loads(printed)}

    return checked


@pytest.fixture
def balle_wang(settled: Settled) -> tuple[int, dict[str, tuple[str, str]]]:
    return settled(DOCS / "balle_wang_2018.py")


@pytest.mark.small_campaign
def test_every_statement_of_the_paper_is_entailed(balle_wang):
    status, found = balle_wang
    paper = {id: outcome for id, outcome in found.items() if id.startswith("balle-wang/")}
    assert (status, len(paper)) == (0, 13)
    assert paper.pop("balle-wang/classical") == ("holds", "enclosure"), "on a box only"
    assert paper.pop("balle-wang/zero-delta") == ("holds_loosely", "proof")
    assert set(paper.values()) == {("holds", "proof")}


@pytest.mark.small_campaign
def test_the_false_variants_fail_at_a_point_of_their_objects(balle_wang):
    false = {id: outcome for id, outcome in balle_wang[1].items() if id.startswith("false/")}
    assert false == dict.fromkeys(("false/classical-everywhere", "false/zero-zero"), ("fails", "enclosure"))


@pytest.mark.small_campaign
def test_statements_about_every_mechanism_are_proved_and_false_ones_refuted(settled):
    status, found = settled(DOCS / "bun_steinke_2016.py")
    paper = [outcome for id, outcome in found.items() if id.startswith("bun-steinke/")]
    false = [outcome for id, outcome in found.items() if id.startswith("false/")]
    assert status == 0
    assert paper == [("holds", "proof")] * 19
    assert false == [("fails", "enclosure")] * 6


@pytest.mark.small_campaign
def test_statements_on_renyi_privacy_are_proved_and_false_ones_refuted(settled):
    status, found = settled(Path(__file__).parent / "proofs_check" / "own_papers" / "mironov_2017.py")
    paper = [outcome for id, outcome in found.items() if id.startswith("mironov/")]
    false = [outcome for id, outcome in found.items() if id.startswith("false/")]
    assert status == 0
    assert paper == [("holds", "proof")] * 6
    assert false == [("fails", "enclosure")] * 5


def test_what_the_page_shows_is_what_runs(tmp_path, settled):
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "reviewer.md").read_text(), re.S)
    file = tmp_path / "my_paper.py"
    file.write_text("\n".join(blocks), "utf-8")
    status, found = settled(file)
    assert status == 1
    assert found == {"mine/monotone": ("holds", "proof"), "mine/zero": ("unsettled", "")}
