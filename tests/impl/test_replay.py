"""What a release leaves on disk when the machine dies: every state that is replayed is a good one."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from establish.impl.budget import heads, ledger
from establish.impl.tables import publishing

SCRIPT = Path(__file__).with_name("replay.py")


@pytest.fixture(scope="module")
def replay() -> ModuleType:
    """The script that replays, loaded into this process, where faults can be planted."""
    spec = spec_from_file_location("replay_of_crashes", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["replay_of_crashes"] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STATES = 104
"""tests/bench/bench_crash.py replays 5,000."""


def test_no_state_after_a_crash_breaks_the_ledger_or_shows_what_nobody_paid_for(replay, tmp_path):
    seen = replay.main(STATES, tmp_path, seed=1)
    assert seen["states"] == STATES
    assert seen["completed"] > 0
    assert seen["nothing to complete"] > 0
    assert seen["distinct"] > STATES // 4


def nothing(_: object) -> None:
    pass


@pytest.mark.parametrize(
    ("module", "name"),
    [(publishing, "_sync_file"), (ledger.os, "fsync"), (ledger, "_append")],
    ids=["drafts not synced", "nothing synced", "entries after their outputs"],
)
def test_a_planted_fault_is_seen(replay, tmp_path, monkeypatch, module, name):
    """Without the fsyncs, or the entry, some state breaks an invariant."""
    if name == "_append":
        monkeypatch.setattr(ledger, "_append", lambda *_: None)
    elif module is publishing:
        monkeypatch.setattr(publishing, name, nothing)
    else:
        for one in (ledger, heads, publishing):
            monkeypatch.setattr(one, "sync_folder", nothing, raising=False)
        monkeypatch.setattr(publishing, "_sync_file", nothing)
    with pytest.raises((AssertionError, StopIteration, IndexError)):
        replay.main(400, tmp_path, seed=1)
