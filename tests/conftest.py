"""What every test may rely on: its own cache folder, no terminal, and working precision as it found it.

Hypothesis draws the same examples in every run, without a limit of time, so that a machine under load
and a rare example cannot fail a change that is right. ``make campaign`` draws others, and ten times as
many; a test that takes long per example runs a share of those of the profile.
"""

import atexit
import csv
import fcntl
import gc
import gzip
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from itertools import count
from pathlib import Path

import duckdb
import flint
import mpmath
import pytest
from hypothesis import settings

from establish.impl.certificate import CertificateError
from establish.proofs_check.certification import verify
from establish.proofs_check.commands.cli import main
from establish.proofs_check.engine import ledger, register
from establish.proofs_check.engine.index import place

settings.register_profile("reproducible", derandomize=True, deadline=None)
settings.register_profile("campaign", max_examples=1_000, deadline=None)
settings.load_profile("reproducible")

IN_MEMORY, ROOM = Path("/dev/shm"), 4 << 30
"""Where a system keeps files in memory, and the bytes that must be free there to write those of tests."""

if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))  # a release waits for the disk


FIRST = (
    *("tests/impl/test_cluster.py", "tests/proofs_check/formal", "tests/test_docs.py"),
    *("tests/mutants", "tests/test_house.py", "tests/test_tutorial.py", "tests/test_wheel.py"),
    "tests/proofs_check/commands",
)
"""What takes longest starts first, so that no process waits for another at the end."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported stays to the end, so nothing of it is looked at for garbage, then or later.

    Tests import and keep more, so what is new is looked at a tenth as often as by default.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Pytest looks for garbage several times before it ends: once is enough for what is left here."""
    gc.collect()
    gc.freeze()


atexit.register(gc.unfreeze)  # libraries that count what they leave behind find nothing left


def spread(cases: Sequence[pytest.Item], number: int) -> Sequence[pytest.Item]:
    """That many of the cases, evenly, the first and the last among them; all, where they are fewer."""
    last, gaps = len(cases) - 1, max(number - 1, 1)
    places = {last * n // gaps for n in range(number)}
    return [case for place, case in enumerate(cases) if place in places]


def leave_repeats_to_campaigns(items: Sequence[pytest.Item]) -> None:
    """Of a test marked ``few`` that many cases stay, evenly spread; of the others so many as its second
    number says are small campaigns, and the rest are campaigns.

    A case that is named alone is the only one, and stays.
    """
    of_tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("few") and not item.get_closest_marker("campaign"):
            of_tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in of_tests.values():
        marker = cases[0].get_closest_marker("few")
        assert marker is not None
        number, more = (*marker.args, 0)[:2]
        stay = spread([c for c in cases if not c.get_closest_marker("small_campaign")], number)
        left = [case for case in cases if case not in stay]
        small = spread(left, more)
        for case in left:
            case.add_marker("small_campaign" if case in small else "campaign")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The order within a file stays, as tests of a file share what they build."""
    leave_repeats_to_campaigns(items)
    rank = {place: number for number, place in enumerate(FIRST)}

    def begins(item: pytest.Item) -> int:
        parts = item.nodeid.partition("::")[0].split("/")
        places = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
        return next((rank[place] for place in places if place in rank), len(FIRST))

    items.sort(key=begins)


CACHES = count()


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the results of the user. The folder is made by what writes to it."""
    folder = tmp_path_factory.getbasetemp() / "caches" / str(next(CACHES))
    monkeypatch.setenv("ESTABLISH_CACHE", str(folder))


@pytest.fixture(scope="session")
def kept_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder of this run, the same for all its processes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kept-cache"
    folder.mkdir(exist_ok=True)
    return folder


MAKES_THE_INDEX = """
import gc, sys
gc.disable()  # what is made stays to the end, which comes soon
from establish.proofs_check.engine.extras import EXTRAS
sys.modules.update(dict.fromkeys(EXTRAS))
from establish.proofs_check.engine.index import index
index()
"""


@pytest.fixture(scope="session")
def kept_index(kept_cache: Path) -> Path:
    """The index of the register in that folder, as a process without any extra writes it, once for all."""
    environment = {**os.environ, "ESTABLISH_CACHE": str(kept_cache)}
    with (kept_cache / "index.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # who waits reads what the first has written
        subprocess.run([sys.executable, "-c", MAKES_THE_INDEX], env=environment, check=True)
    return kept_cache / place().name


@pytest.fixture
def settled_once(
    own_cache: None, kept_cache: Path, kept_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claims are found in the index on disk, as in a new process, and settled for the first test that asks.

    Not for tests that plant a fault in what runs, or enter claims of their own.
    """
    monkeypatch.setenv("ESTABLISH_CACHE", str(kept_cache))
    monkeypatch.setattr(register, "is_empty", lambda: True)


@pytest.fixture
def as_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """``establish verify`` takes claims as the ledger records them, which ``make check`` compares.

    For tests of what else it finds; that it settles claims again is a small campaign.
    """
    known = ledger.recorded()

    def recorded(ids: Sequence[str]) -> dict[str, str]:
        for id in ids:
            if id not in known:
                raise CertificateError(f"no claim is registered as {id}")
        return {id: f"{known[id].verdict} ({known[id].evidence})" for id in ids}

    monkeypatch.setattr(verify, "settled", recorded)


@pytest.fixture(autouse=True)
def no_claim_of_a_test_stays() -> Iterator[None]:
    """A claim of a test's own file, left in the register, would fail a test that looks at all claims."""
    known = register._claims
    before = len(known)
    yield
    if len(known) != before:
        for id in [id for id in known if id.partition("/")[0] not in register.SOURCES]:
            del known[id]


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are as wide as in a pipe, whatever the terminal or the test runner says."""
    monkeypatch.delenv("COLUMNS", raising=False)


REPEATABLE = {"--cell", "--keep", "--public"}
"""The options that may be given more than once."""

Changed = Callable[..., list[object]]


@pytest.fixture
def changed() -> Changed:
    """Options with others in the place of those of the same name, as each may be given once only."""

    def options(before: Sequence[object], *others: object) -> list[object]:
        anew = set(others) - REPEATABLE
        pairs = zip(before[::2], before[1::2], strict=True)
        return [*(word for pair in pairs if pair[0] not in anew for word in pair), *others]

    return options


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: (status, what stdout got, what stderr got)."""

    def command(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        assert isinstance(end.value.code, int)
        return end.value.code, *capsys.readouterr()

    return command


@pytest.fixture
def succeeds(run: Run) -> Callable[..., str]:
    """Runs a command that must end with 0: what stdout got."""

    def printed(*arguments: object) -> str:
        status, out, err = run(*arguments)
        assert status == 0, err
        return out

    return printed


@pytest.fixture
def refusal(run: Run, tmp_path: Path) -> Callable[..., str]:
    """Runs a command that is misused: the one line that stderr gets. No file is touched."""

    def files() -> dict[Path, bytes | None]:
        return {p: p.read_bytes() if p.is_file() else None for p in tmp_path.rglob("*")}

    def told(*arguments: object) -> str:
        before = files()
        status, out, err = run(*arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert files() == before
        return err

    return told


@pytest.fixture(scope="session")
def public_data() -> Callable[[str], Path]:
    """A file of public data in the folder that ESTABLISH_DATA names, or in ``shared/data`` beside the
    checkout, as it is not part of the project; a test that needs one which is not there is skipped.
    """
    home = Path(os.environ.get("ESTABLISH_DATA", Path(__file__).parents[2] / "shared" / "data"))

    def found(name: str) -> Path:
        if not (home / name).is_file():
            pytest.skip(f"{name} is not in {home}; set ESTABLISH_DATA to its folder")
        return home / name

    return found


@pytest.fixture(scope="session")
def rhode_island(public_data: Callable[[str], Path]) -> Path:
    """The Quarterly Census of Employment and Wages of the first quarter of 2016."""
    return public_data("qcew_2016q1_rhode_island_all_agglvl.csv.gz")


@pytest.fixture
def rows_of() -> Callable[[Path], list[dict[str, object]]]:
    """The rows of a table; those of a CSV file as texts, by another reader than the one that is tested."""

    def read(path: Path) -> list[dict[str, object]]:
        if path.suffix == ".parquet":
            with duckdb.connect() as db:
                return db.read_parquet(str(path)).to_arrow_table().to_pylist()
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return read


@pytest.fixture
def shows(tmp_path: Path) -> Callable[[str, object], bool]:
    """Whether a text holds a number by itself: not in a digest or a folder's name, where it may by chance."""

    def found(text: str, number: object) -> bool:
        return bool(re.search(rf"(?<!\w){number}(?!\w)", text.replace(str(tmp_path), "")))

    return found


@pytest.fixture(autouse=True)
def precision_is_restored() -> Iterator[None]:
    """Whatever a test calls must leave the working precision of mpmath and Arb as it was."""
    before = (mpmath.mp.prec, flint.ctx.prec)
    yield
    after = (mpmath.mp.prec, flint.ctx.prec)
    mpmath.mp.prec, flint.ctx.prec = before
    assert after == before, f"working precision was {before} bits before the test, {after} after"
