"""The index on disk says what the register says, and is believed only while nothing has changed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from establish.proofs_check.engine import index as index_module
from establish.proofs_check.engine import patience, register
from establish.proofs_check.engine.fingerprint import Fingerprints
from establish.proofs_check.engine.formal_evidence import formal_of
from establish.proofs_check.engine.index import index, place
from establish.proofs_check.engine.register import claims
from establish.proofs_check.engine.settlement import settle_claim
from establish.proofs_check.engine.written import Deferred

TOLD = ("id", "location", "statement", "same_as", "thorough", "origin", "scope", "entered")
DERIVED = ("source", "module", "derivation", "place", "quantified")


@pytest.fixture
def saved(kept_index: Path) -> str:
    """The content of an index, as a process of its own writes it."""
    return kept_index.read_text("utf-8")


@pytest.fixture
def unimported(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lets the index be read as in a new process; the list grows when the papers would be imported."""
    known = claims()
    asked: list[str] = []

    def importing():
        asked.append("papers")
        return known

    monkeypatch.setattr(register, "is_empty", lambda: True)
    monkeypatch.setattr(register, "claims", importing)
    monkeypatch.setattr(index_module, "_here", {})
    return asked


def state() -> str:
    return index_module._state(index_module._files())


def only_canonne(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Lets one paper be all; its ids in reading order."""
    modules = [name for name in register.paper_modules() if ".canonne2020." in name]
    monkeypatch.setattr(register, "paper_modules", lambda: modules)
    return [id for id, entry in claims().items() if entry.source == "canonne2020"]


def put(text: str) -> Path:
    file = place()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def test_it_says_of_every_claim_what_the_register_says(saved, unimported):
    known = claims()
    put(saved)
    found = index().claims
    assert unimported == []
    assert list(found) == list(known), "in the same order"
    for id, entry in found.items():
        assert isinstance(entry.check, Deferred)
        assert all(getattr(entry, name) == getattr(known[id], name) for name in TOLD + DERIVED), id


def test_its_keys_are_those_of_the_imported_claims(saved, unimported):
    put(saved)
    fingerprints = Fingerprints()
    known = claims()
    for id, entry in list(index().claims.items())[::40]:
        assert fingerprints.key(entry) == fingerprints.key(known[id])


def test_it_says_what_stands_around_a_claim(saved, unimported):
    put(saved)
    around = index().around["haney2017/lemma-8.6-above-1"]
    names = [definition.name for definition in around.reads]
    assert "spec.distributions.heavy_tailed.sliding_constant" in names
    assert any("mechanism smooth-gamma (" in place for place in around.used_by)


def test_it_says_what_a_kernel_accepted(saved, unimported):
    known = claims()
    put(saved)
    found = {id: formal_of(entry) for id, entry in index().claims.items()}
    assert found == {id: formal_of(entry) for id, entry in known.items()}
    assert found["haney2017/alg-2-density"] is not None
    assert found["haney2017/lemma-8.6"] is None


def test_a_changed_proof_makes_it_old(tmp_path, monkeypatch):
    (tmp_path / "formal").mkdir()
    monkeypatch.setattr(index_module, "home", lambda floor: tmp_path)
    monkeypatch.setattr(index_module, "sources", list)
    monkeypatch.setattr(index_module, "name_of", str)
    states = set()
    for text in ("Qed.", "Admitted."):
        (tmp_path / "formal" / "theorem.v").write_text(text)
        states.add(state())
    assert len(states) == 2


def test_a_claim_of_the_index_is_settled_as_the_imported_one(saved, unimported):
    put(saved)
    id = "haney2016_slides/def-2.2"
    assert index().claims[id].same_as
    assert settle_claim(index().claims[id]).verdict == settle_claim(claims()[id]).verdict


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "broken",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "null",
        lambda text: "[]",
        lambda text: json.dumps({**json.loads(text), "claims": [{}]}),
        lambda text: json.dumps({**json.loads(text), "claims": 7}),
        lambda text: json.dumps({**json.loads(text), "state": "of yesterday"}),
    ],
)
def test_a_broken_or_old_index_is_made_again(saved, monkeypatch, broken):
    monkeypatch.setattr(register, "is_empty", lambda: True)
    monkeypatch.setattr(index_module, "_made", lambda files: f"made for {index_module._state(files)}")
    put(saved)
    assert not isinstance(index(), str)
    put(broken(saved))
    assert index() == f"made for {json.loads(saved)['state']}"


def test_an_index_that_is_made_replaces_the_broken_one(saved, unimported, monkeypatch):
    known = only_canonne(monkeypatch)
    file = put(saved[:100])
    assert list(index().claims) == known
    assert [row["id"] for row in json.loads(file.read_text("utf-8"))["claims"]] == known
    assert {other.suffix for other in file.parent.iterdir()} == {".json"}, "nothing half written is left"
    assert index().around["canonne2020/delta"].reads


def test_a_changed_file_or_library_makes_it_old(saved, unimported, tmp_path, monkeypatch):
    before = state()
    assert json.loads(saved)["state"] == before
    monkeypatch.setattr(index_module, "library_versions", lambda: {"python": "0"})
    assert state() != before
    monkeypatch.undo()
    source = tmp_path / "new.py"
    source.write_text("x = 1\n")
    monkeypatch.setattr(index_module, "sources", lambda: [source])
    first = state()
    source.write_text("x = 2\n")
    assert state() != first


def test_a_folder_that_cannot_be_written_only_costs_time(unimported, tmp_path, monkeypatch):
    known = only_canonne(monkeypatch)
    (tmp_path / "taken").write_text("a file, not a folder")
    monkeypatch.setenv("ESTABLISH_CACHE", str(tmp_path / "taken"))
    assert list(index().claims) == known


def test_what_was_edited_while_it_was_made_is_not_kept(unimported, monkeypatch):
    known, files = only_canonne(monkeypatch), index_module._files()
    states = iter([files, {**files, "spec/gaussian.py": "edited"}])
    monkeypatch.setattr(index_module, "_files", lambda: next(states))
    assert list(index().claims) == known
    assert not place().exists()


ALONE = """
import importlib, os, sys
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            importlib.import_module(name)
        except BaseException as error:
            print(name, type(error).__name__, error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.mark.small_campaign
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks a process for every module")
def test_a_module_that_settles_claims_can_be_imported_alone():
    """As it is when only one of its claims is not in the cache."""
    repeating = {entry.module for entry in claims().values() if "repeats(" in _text(entry.module)}
    assert repeating
    command = [sys.executable, "-c", ALONE, *sorted(repeating)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == ""


def _text(module: str) -> str:
    return Path(sys.modules[module].__file__ or "").read_text("utf-8")


@pytest.mark.parametrize(
    ("is_read", "takes", "told"), [(True, 0.2, "slow\n"), (True, 0, ""), (False, 0.2, "")]
)
def test_seldom_work_is_announced_where_a_person_waits_for_it(monkeypatch, capsys, is_read, takes, told):
    monkeypatch.setattr(patience, "PATIENCE", 0.05)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_read, raising=False)
    with patience.announced("slow"):
        time.sleep(takes)
    assert capsys.readouterr().err == told
