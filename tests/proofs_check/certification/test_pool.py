"""Checks of several mechanisms: what they share runs once, and what cannot be run refuses its mechanism."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import pytest

from establish.impl.certificate import CertificateError
from establish.proofs_check.certification import pool
from establish.proofs_check.engine.verdicts import Evidence, Grade


class Here:
    """In place of processes: what is submitted runs at once, and is counted."""

    ran = 0

    def __init__(self, *_: object) -> None:
        Here.ran = 0

    def submit(self, call: Callable[..., Any], *arguments: object) -> Future[Any]:
        Here.ran += 1
        done: Future[Any] = Future()
        done.set_result(call(*arguments))
        return done

    def shutdown(self, **_: object) -> None:
        pass


def shown(says: str) -> Evidence:
    return Evidence(says, True, Grade.STEPS, "a test")


def shared() -> Evidence:
    return shown("shared")


def refuses() -> Evidence:
    raise CertificateError("b cannot be certified: it lies")


@pytest.fixture(autouse=True)
def _pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    of = {"a": (shared, partial(shown, "own")), "b": (shared, partial(refuses))}
    monkeypatch.setattr(pool, "pieces", of.__getitem__)
    monkeypatch.setattr(pool, "ProcessPoolExecutor", Here)


def test_what_mechanisms_share_runs_once_and_a_refusal_is_of_one_of_them():
    with pool.checking(["a", "b"], 2) as waiting:
        assert [evidence.says for evidence in waiting["a"]()] == ["shared", "own"]
        with pytest.raises(CertificateError, match="it lies"):
            waiting["b"]()
    assert Here.ran == 3


def test_nothing_runs_until_somebody_waits():
    Here.ran = 0
    with pool.checking(["a", "b"], 2):
        pass
    assert Here.ran == 0
