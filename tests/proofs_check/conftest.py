"""A register that tests may fill, projects to release, and the command line."""

import csv
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from establish import Evidence, Grade, UnsettledError, Verdict, claim, holds, not_checkable
from establish.impl.synthetic.lodes import write_lodes
from establish.proofs_check.engine import ledger, register, verdicts
from establish.proofs_check.engine.ledger import Entry
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.rules import rule
from establish.proofs_check.engine.shared import forget


@pytest.fixture(autouse=True)
def nothing_is_shared_between_tests() -> None:
    """Evidence that checks share is computed anew in every test, which may change a definition."""
    forget()


@pytest.fixture
def made_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evidence of every grade may be made outside of the engine, by tests of what is made of it."""
    monkeypatch.setattr(verdicts, "_made_here", lambda: True)
    monkeypatch.setattr(rule, "HOME", "")


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
        forget()
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
        return holds(Evidence("1 = 1", True, Grade.STEPS, "sum"), value="1")

    @claim("paper/data", where="Section 2", says="The data are so.")
    def data() -> Verdict:
        """There are none."""
        return not_checkable("the confidential data")

    known = {
        "paper/one": Entry("paper/one", "holds", "steps", "1", "steps"),
        "paper/data": Entry("paper/data", "not_checkable", "", ""),
    }
    monkeypatch.setattr("establish.proofs_check.engine.register.paper_modules", list)
    monkeypatch.setattr(ledger, "recorded", lambda: known)
    return known


SECRET = 654_321
"""Pay and earnings near it are too rare to come out by chance."""

KINDS = ("jobs", "establishments", "persons")
Project = Callable[[str], Path]


@pytest.fixture
def secret() -> int:
    return SECRET


def write_data(kind: str, folder: Path) -> None:
    """The data of a kind of plan."""

    def table(name: str, header: list[str], rows: list[list[object]]) -> None:
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])

    if kind == "jobs":
        write_lodes(folder, jobs=600, establishments=60, places=4, seed=5)
    elif kind == "establishments":
        firms = [[f"e{i:02}", f"4400{i % 3}", 100 + 7 * i, SECRET + i] for i in range(20)]
        table("establishments.csv", ["id", "county", "jobs", "pay"], firms)
    else:
        people = [[f"p{i // 2}", "AB"[i % 2], 2001 + i % 3, SECRET - 1000 * i] for i in range(600)]
        table("persons.csv", ["person", "college", "year", "earnings"], people)


@pytest.fixture(scope="session")
def written_data(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The folder with the data of a kind of plan, written once."""

    @cache
    def folder(kind: str) -> Path:
        new = tmp_path_factory.mktemp(kind)
        write_data(kind, new)
        return new

    return folder


@pytest.fixture
def project(tmp_path: Path, written_data: Project) -> Project:
    """Puts the data of a kind of plan beside the plan, whose path it returns."""

    def copied(kind: str) -> Path:
        shutil.copytree(written_data(kind), tmp_path, dirs_exist_ok=True)
        return shutil.copy(Path(__file__).parent / "plans" / f"{kind}.toml", tmp_path / "plan.toml")

    return copied


Once = Callable[[object, Callable[[], object]], None]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> dict[object, Path]:
    return {}


@pytest.fixture
def once(tmp_path: Path, made_once: dict[object, Path], tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Fills the folder of the test as ``make`` does, which runs for the first test with that key only."""

    def filled(key: object, make: Callable[[], object]) -> None:
        if key in made_once:
            shutil.copytree(made_once[key], tmp_path, symlinks=True, dirs_exist_ok=True)
            return
        make()
        kept = tmp_path_factory.mktemp("once") / "folder"
        made_once[key] = shutil.copytree(tmp_path, kept, symlinks=True)

    return filled


@pytest.fixture(params=KINDS)
def each_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def plan_of_each_kind(each_kind: str, project: Project) -> Path:
    return project(each_kind)
