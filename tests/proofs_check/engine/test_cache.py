"""A cached result is used only while everything that it depends on is unchanged."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest

from establish.proofs_check.engine import fingerprint, register
from establish.proofs_check.engine.cache import Cache, folder
from establish.proofs_check.engine.fingerprint import Fingerprints
from establish.proofs_check.engine.register import Claim, claims_of_file
from establish.proofs_check.engine.settlement import Settlement
from establish.proofs_check.engine.statements.statement import PLAIN, THOROUGH, Search
from establish.proofs_check.engine.verdicts import Evidence, Grade, Outcome, Verdict, holds, not_checkable

SETTLED = Settlement(holds(Evidence("1 = 1", True, Grade.STEPS, "sum"), value="1"), 0.5)
KEY = "0" * 64

HOUSE = {
    "rooms/__init__.py": "",
    "rooms/claims.py": (
        "from rooms import direct\n"
        "def check():\n"
        "    from .late import fact\n"
        "    return fact\n"
        "def named(value):\n"
        "    return value\n"
    ),
    "rooms/direct.py": "import rooms.deep.behind\n",
    "rooms/deep/__init__.py": "",
    "rooms/deep/behind.py": "x = 1\n",
    "rooms/late.py": "fact = 1\n",
    "rooms/unrelated.py": "y = 1\n",
}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small package outside the libraries, with a module that nothing imports."""
    for name, text in HOUSE.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    invalidate_caches()
    yield tmp_path / "rooms"
    for name in [name for name in sys.modules if name.partition(".")[0] == "rooms"]:
        del sys.modules[name]


def claim_of(house: Path) -> Claim:
    return Claim("mine/a", "Section 1", "A fact.", import_module("rooms.claims").check)


def key(entry: Claim) -> str:
    return Fingerprints().key(entry)


@pytest.mark.parametrize(
    "name", ["claims", "direct", "deep/behind", "late", "__init__", "deep/__init__", "unrelated"]
)
def test_a_change_in_what_is_imported_alone_changes_the_key(house, name):
    entry = claim_of(house)
    before = key(entry)
    file = house / f"{name}.py"
    file.write_text(file.read_text("utf-8") + "# changed\n", "utf-8")
    assert (key(entry) == before) is (name == "unrelated")


def test_a_claim_depends_on_our_modules_that_its_file_imports_but_not_on_libraries():
    from establish.proofs_check.engine import ledger
    from establish.spec import parameters

    def check() -> Verdict:
        return not_checkable(str(parameters.exact("α", "1/10")))

    files = Fingerprints().files(Claim("mine/a", "Section 1", "A fact.", check))
    assert Path(parameters.__file__) in files
    assert Path(pytest.__file__) not in files, "a library is known by its version"
    assert Path(ledger.__file__) in files, "this test file imports it"


def test_the_key_names_each_file_with_its_content(house):
    entry = claim_of(house)
    before = key(entry)
    first, second = house / "direct.py", house / "late.py"
    one, other = first.read_text("utf-8"), second.read_text("utf-8")
    first.write_text(f"{one}{other}", "utf-8")
    second.write_text("", "utf-8")
    joined = key(entry)
    first.write_text("", "utf-8")
    second.write_text(f"{one}{other}", "utf-8")
    assert len({before, joined, key(entry)}) == 3, "the same contents under other names"


def test_what_settles_a_verdict_is_in_the_key(house, monkeypatch):
    entry = claim_of(house)
    before = key(entry)
    monkeypatch.setattr(fingerprint, "SETTLES", "establish.proofs_check.engine.lines")
    assert key(entry) != before


def test_a_module_that_a_call_imports_by_its_name_is_in_the_key(house):
    file = house / "direct.py"
    file.write_text("import importlib\nother = importlib.import_module('rooms.unrelated')\n", "utf-8")
    entry = claim_of(house)
    before = key(entry)
    assert key(entry) == before
    (house / "unrelated.py").write_text("y = 2\n", "utf-8")
    assert key(entry) != before


@pytest.mark.parametrize(
    ("line", "is_known"),
    [
        ("import importlib\nother = importlib.import_module('rooms.' + 'unrelated')", False),
        ("other = __import__('.'.join(['rooms', 'unrelated']))", False),
        ("exec(compile('x = 1', 'a file', 'exec'))", False),
        ("import importlib\nother = importlib.import_module('.unrelated', 'rooms')", False),
        ("import importlib.metadata", True),
        ("from importlib import resources as r", True),
        ("from importlib.metadata import version", True),
        ("from establish import holds", True),
    ],
)
def test_nothing_is_kept_of_a_check_that_computes_what_it_loads(house, line, is_known):
    """The front door computes what it loads, too, and is known."""
    (house / "direct.py").write_text(f"{line}\n", "utf-8")
    entry = claim_of(house)
    assert (key(entry) == key(entry)) is is_known


def test_an_entry_under_the_name_of_another_is_ignored(tmp_path):
    cache = Cache(tmp_path)
    cache.put(KEY, SETTLED)
    (tmp_path / f"{KEY}.json").rename(tmp_path / f"{'1' * 64}.json")
    assert cache.get("1" * 64) is None


def test_the_key_names_the_claim_and_a_repeat_has_the_key_of_its_home(house):
    entry = claim_of(house)
    assert key(replace(entry, id="mine/b")) != key(entry)
    assert key(replace(entry, id="talk/a", same_as="mine/a")) == key(entry)
    assert key(replace(entry, statement="In other words.")) == key(entry)


def test_the_key_names_the_versions_of_the_libraries(house, monkeypatch):
    entry = claim_of(house)
    before = key(entry)
    monkeypatch.setattr(fingerprint, "version", lambda library: "0.0")
    assert key(entry) != before


def test_a_check_with_given_arguments_is_known_by_its_function(house):
    entry = claim_of(house)
    given = replace(entry, check=partial(import_module("rooms.claims").named, 1))
    assert Fingerprints().files(given) == Fingerprints().files(entry)


def test_what_was_put_is_got_by_its_key_only(tmp_path):
    cache = Cache(tmp_path / "new" / "folder")
    cache.put(KEY, SETTLED)
    assert cache.get(KEY) == SETTLED
    assert cache.get("1" * 64) is None
    assert [file.name for file in cache.folder.iterdir()] == [f"{KEY}.json"], "no part is left"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "{}", '{"verdict": {}, "seconds": 1, "trace": ""}', "\x00"]
)
def test_a_corrupt_entry_is_ignored(tmp_path, text):
    cache = Cache(tmp_path)
    (tmp_path / f"{KEY}.json").write_text(text, "utf-8")
    assert cache.get(KEY) is None


def test_unsettled_results_are_not_kept(tmp_path):
    Cache(tmp_path).put(KEY, Settlement(Verdict(Outcome.UNSETTLED, (), condition="why"), 0.5))
    assert list(tmp_path.iterdir()) == []


def test_a_refutation_stands_until_a_search_as_deep_no_longer_finds_it(tmp_path):
    cache = Cache(tmp_path)
    plain = replace(SETTLED, searches=(Search("n > 0", "1 point"),))
    deep = replace(SETTLED, searches=(Search("n > 0", "2 points", effort=THOROUGH),))
    refuted = Settlement(
        Verdict(Outcome.UNSETTLED, (), condition="the adversary refutes n > 0 at n = 0"),
        0.5,
        searches=(Search("n > 0", "2 points", "n = 0", effort=THOROUGH),),
    )
    cache.put(KEY, plain)
    assert cache.put(KEY, refuted) == refuted
    assert cache.get(KEY, PLAIN) == cache.get(KEY, THOROUGH) == refuted
    assert cache.put(KEY, plain) == cache.get(KEY) == refuted
    raised = Settlement(Verdict(Outcome.UNSETTLED, (), condition="interrupted"), 0.5)
    assert cache.put(KEY, raised) == raised
    assert cache.get(KEY) == refuted
    assert cache.put(KEY, deep) == cache.get(KEY) == deep


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "taken").write_text("a file, not a folder")
    cache = Cache(tmp_path / "taken")
    cache.put(KEY, SETTLED)
    assert cache.get(KEY) is None


def test_the_folder_is_chosen_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("ESTABLISH_CACHE", str(tmp_path / "a"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert folder() == tmp_path / "a"
    monkeypatch.delenv("ESTABLISH_CACHE")
    assert folder() == tmp_path / "b" / "establish"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path / "c"))
    assert folder() == tmp_path / "c" / ".cache" / "establish"


@pytest.mark.parametrize(
    ("text", "reached", "not_reached"),
    [
        ("from establish import claim\n", {"register.py"}, {"exact.py", "log_laplace.py"}),
        ("from establish import exact as e, holds\n", {"exact.py"}, {"log_laplace.py"}),
        ("import establish\n", {"exact.py", "register.py", "log_laplace.py"}, set()),
        ("import establish.spec as s\n", {"exact.py", "log_laplace.py"}, set()),
        ("from establish import *\n", {"exact.py", "log_laplace.py"}, set()),
    ],
)
def test_a_file_depends_on_what_it_imports_through_the_front_door(tmp_path, text, reached, not_reached):
    """The front door loads by name, which no reader of imports sees."""
    file = tmp_path / "mine.py"
    file.write_text(text, "utf-8")
    names = {found.name for found in Fingerprints()._reached([(file, "mine")])}
    assert reached <= names
    assert not names & not_reached


MADE_OF_DATA = """
from pathlib import Path
from establish import Every, claim, exhaustive, holds

DATA = tuple(map(int, Path(__file__).with_name("data.txt").read_text().split()))
SMALL = Every("n", lambda: DATA, lambda n: n < 5)

@claim("mine/data", where="1", says="They are small.", states=SMALL)
def check():
    return holds(exhaustive.each(SMALL, "the data"))
"""


def test_a_statement_that_is_made_of_data_has_another_key_for_others(tmp_path, monkeypatch):
    file, data = tmp_path / "made_of_data.py", tmp_path / "data.txt"
    file.write_text(MADE_OF_DATA, "utf-8")

    def key_for(numbers: str) -> str:
        monkeypatch.setattr(register, "_claims", {})
        data.write_text(numbers, "utf-8")
        return key(claims_of_file(file)["mine/data"])

    assert key_for("1 2 3") == key_for("1 2  3") != key_for("1 2 9")
