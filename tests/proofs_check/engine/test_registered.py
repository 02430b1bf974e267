"""After an edit, what a module registers is taken from disk only where nothing behind it has changed."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from establish.proofs_check.engine import registered
from establish.proofs_check.engine.register import RegisterError, claims
from establish.proofs_check.engine.registered import Parts

PAPERS = "establish.proofs_check.papers."
EDITED = "proofs_check/papers/haney2017/smooth_gamma/privacy.py"


@pytest.fixture(scope="module")
def kept(kept_index: Path) -> Parts:
    """The parts beside the index that a process of its own has made."""
    (place,) = kept_index.parent.glob("parts-*.json")
    return registered.read(place)


def edited(parts: Parts, *names: str) -> dict[str, str]:
    return {**parts.files, **dict.fromkeys(names, "edited")}


def test_they_are_all_claims_in_the_order_of_the_register(kept):
    assert list(kept.claims) == list(claims())
    assert kept.good_for(kept.files) == kept.by_module


def test_an_edit_loses_what_imports_the_file_and_what_repeats_a_claim_of_it(kept):
    assert EDITED in kept.files
    lost = kept.by_module.keys() - kept.good_for(edited(kept, EDITED)).keys()
    assert f"{PAPERS}haney2017.smooth_gamma.privacy" in lost
    repeating = {
        module
        for module, part in kept.by_module.items()
        if any(known.entry.module.endswith("smooth_gamma.privacy") for known in part.claims)
    }
    assert len(repeating) > 1
    assert repeating <= lost
    assert not any(".canonne2020." in module for module in lost)
    assert len(lost) < 40


@pytest.mark.parametrize(
    ("name", "is_lost"),
    [
        ("libraries", True),
        ("proofs_check/engine/reads.py", True),
        ("proofs_check/engine/opinions.csv", True),
        ("proofs_check/engine/statements/privacy.py", True),
        ("proofs_check/formal/bound.json", True),
        ("proofs_check/recheck/__init__.py", True),
        ("impl/cards/smooth_gamma.py", True),
        ("spec/arithmetic.py", True),
        ("proofs_check/commands/list.py", False),
        ("impl/tables/columns.py", False),
    ],
)
def test_an_edit_of_what_all_are_read_by_loses_all(kept, name, is_lost):
    assert name in kept.files
    good = kept.good_for(edited(kept, name))
    assert good == ({} if is_lost else kept.by_module)


def test_an_edit_of_the_front_door_loses_all(kept):
    (name,) = (name for name in kept.files if name.endswith("__init__.py") and not name.startswith(FLOORS))
    assert kept.good_for(edited(kept, name)) == {}


FLOORS = ("spec/", "impl/", "proofs_check/")


def test_a_file_more_or_less_loses_all(kept):
    assert kept.good_for({**kept.files, "spec/new.py": "digest"}) == {}
    assert kept.good_for({k: v for k, v in kept.files.items() if k != "proofs_check/commands/list.py"}) == {}


def test_what_is_lost_is_told_by_the_imported_modules(kept, monkeypatch):
    known = claims()
    (old,) = (p for m, p in kept.by_module.items() if m == f"{PAPERS}haney2017.smooth_gamma.privacy")
    stale = replace(
        old, claims=tuple(replace(k, entry=replace(k.entry, statement="of yesterday")) for k in old.claims)
    )
    parts = Parts(kept.files, {**kept.by_module, f"{PAPERS}haney2017.smooth_gamma.privacy": stale})
    assert any(k.entry.statement == "of yesterday" for k in parts.claims.values())
    files = edited(parts, EDITED)
    found = parts.with_imports(files)
    assert found.files == files
    assert {id: k.entry.statement for id, k in found.claims.items()} == {
        id: entry.statement for id, entry in known.items()
    }
    assert found.by_module == kept.by_module


def test_an_id_that_two_modules_register_is_refused(kept):
    first, second, *_ = (part for part in kept.by_module.values() if part.claims)
    with pytest.raises(RegisterError, match=r"is registered twice"):
        _ = Parts({}, {"one": first, "other": replace(second, claims=first.claims[:1])}).claims


def test_what_is_broken_is_made_again(kept, kept_index, tmp_path):
    (place,) = kept_index.parent.glob("parts-*.json")
    whole, file = json.loads(place.read_text("utf-8")), tmp_path / "parts.json"
    empty = Parts({}, {})
    assert registered.read(file) == empty
    for broken in ({}, [], {**whole, "parts": {"one": [[{}], [0]]}}, {**whole, "files": {}}):
        file.write_text(json.dumps(broken), "utf-8")
        assert registered.read(file) == empty
    registered.write(file, kept)
    assert registered.read(file) == kept


WHO = """
import sys
from establish.proofs_check.engine import register
from establish.proofs_check.engine.registered import _registers
enter, by = register._enter, {}
def seen(entry):
    frame = sys._getframe(1)
    while frame.f_code.co_name != "<module>":
        frame = frame.f_back
    by[entry.id] = frame.f_globals["__name__"]
    enter(entry)
register._enter = seen
print([id for id, entry in register.claims().items() if _registers(entry) != by[id]], len(by))
"""


@pytest.mark.small_campaign
def test_each_claim_is_registered_by_the_module_in_which_it_stands():
    """Else its part would be that of another module."""
    done = subprocess.run([sys.executable, "-c", WHO], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", str(len(claims()))]
