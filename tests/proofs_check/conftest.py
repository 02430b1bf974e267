"""A register that tests may fill, projects to release, and the command line."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from establish.impl.synthetic.lodes import write_lodes
from establish.proofs_check.engine import ledger, register
from establish.proofs_check.engine.ledger import Entry
from establish.proofs_check.engine.register import Claim, claim
from establish.proofs_check.engine.verdicts import (
    Evidence,
    Grade,
    UnsettledError,
    Verdict,
    holds,
    not_checkable,
)


@pytest.fixture
def own_register(monkeypatch: pytest.MonkeyPatch) -> dict[str, Claim]:
    """The register as it is, in a copy: what a test enters is gone after it."""
    copy = register.claims()
    monkeypatch.setattr(register, "_claims", copy)
    return copy


@pytest.fixture
def is_settled() -> Callable[[str], bool]:
    """Whether the evidence of a claim, as things are now, carries a verdict."""

    def settled(id: str) -> bool:
        try:
            register.claims()[id].check()
        except (UnsettledError, ArithmeticError):
            return False
        return True

    return settled


@pytest.fixture
def papers(own_register: object) -> Path:
    """The folder of reviewers' files, which a test may load."""
    return Path(__file__).parent / "own_papers"


@pytest.fixture
def two_claims(own_register: dict[str, Claim], monkeypatch: pytest.MonkeyPatch) -> dict[str, Entry]:
    """A register of two claims of the sources, both as recorded; the ledger is returned."""
    own_register.clear()

    @claim("paper/one", where="Section 1, Lemma 1.1", says="One is one.")
    def one() -> Verdict:
        """By definition."""
        return holds(Evidence("1 = 1", True, Grade.PROOF, "sum"), value="1")

    @claim("paper/data", where="Section 2", says="The data are so.")
    def data() -> Verdict:
        """There are none."""
        return not_checkable("the confidential data")

    known = {
        "paper/one": Entry("paper/one", "holds", "steps", "1", "steps"),
        "paper/data": Entry("paper/data", "not_checkable", "", ""),
    }
    monkeypatch.setattr("establish.proofs_check.engine.register._paper_modules", list)
    monkeypatch.setattr(ledger, "recorded", lambda: known)
    return known


SECRET = 654_321
"""Pay and earnings near it are too rare to come out by chance."""

KINDS = ("jobs", "establishments", "persons")
Project = Callable[[str], Path]


@pytest.fixture
def secret() -> int:
    return SECRET


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Writes the data of a kind of plan and the plan, whose path it returns."""

    def write(kind: str) -> Path:
        if kind == "jobs":
            write_lodes(tmp_path, jobs=600, establishments=60, places=4, seed=5)
        elif kind == "establishments":
            firms = [[f"e{i:02}", f"4400{i % 3}", 100 + 7 * i, SECRET + i] for i in range(20)]
            table("establishments.csv", ["id", "county", "jobs", "pay"], firms)
        else:
            people = [
                [f"p{i // 2}", "AB"[i % 2], 2001 + i % 3, SECRET - 1000 * i] for i in range(600)
            ]
            table("persons.csv", ["person", "college", "year", "earnings"], people)
        return shutil.copy(Path(__file__).parent / "plans" / f"{kind}.toml", tmp_path / "plan.toml")

    def table(name: str, header: list[str], rows: list[list[object]]) -> None:
        with (tmp_path / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])

    return write


@pytest.fixture(params=KINDS)
def plan_of_each_kind(request: pytest.FixtureRequest, project: Project) -> Path:
    return project(request.param)
