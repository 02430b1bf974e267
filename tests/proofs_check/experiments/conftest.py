"""Experiments are no releases: whether certificates are current is tested elsewhere."""

import pytest


@pytest.fixture(autouse=True)
def uncertified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")
