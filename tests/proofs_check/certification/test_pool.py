"""Checks of several mechanisms: what they share runs once, and what cannot be run refuses its mechanism."""

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import nullcontext
from functools import cache, partial
from typing import Any

import pytest

from establish import CertificateError, Evidence, Grade
from establish.impl.guarantee import Grant
from establish.proofs_check.certification import pool
from establish.proofs_check.certification.subject import Subject
from establish.proofs_check.engine import processes


class Here:
    """In place of processes: what is submitted runs at once, and is counted."""

    ran = 0

    def __init__(self) -> None:
        Here.ran = 0

    def submit(self, call: Callable[..., Any], *arguments: object) -> Future[Any]:
        Here.ran += 1
        done: Future[Any] = Future()
        done.set_result(call(*arguments))
        return done


def shown(says: str) -> Evidence:
    return Evidence(says, True, Grade.STEPS, "a test")


def shared() -> Evidence:
    return shown("shared")


@cache
def kept() -> Evidence:
    return shown("kept")


def refuses() -> Evidence:
    raise CertificateError("b cannot be certified: it lies")


GRANT = Grant("tight", "edge", "worker", {"epsilon": "1"}, {}, (), "")


def grants(name: str) -> tuple[Grant, ...]:
    if name == "b":
        raise CertificateError("b cannot be certified: no theorem grants anything")
    return (GRANT,)


@pytest.fixture(autouse=True)
def _pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    of = {"a": (shared, kept, partial(shown, "own")), "b": (kept, shared, partial(refuses))}
    monkeypatch.setattr(pool, "pieces", of.__getitem__)
    monkeypatch.setattr(pool, "granted", grants)
    monkeypatch.setattr(processes, "pool", lambda *_: nullcontext(Here()))


def subjects() -> list[Subject]:
    return [Subject(name, (), (), list, tuple) for name in ("a", "b")]


def test_what_mechanisms_share_runs_once_and_a_refusal_is_of_one_of_them():
    with pool.elsewhere(subjects(), 2) as (a, b):
        assert [evidence.says for evidence in a.checks()] == ["shared", "kept", "own"]
        with pytest.raises(CertificateError, match="it lies"):
            b.checks()
    assert Here.ran == 4


def test_what_is_granted_is_read_where_a_mechanism_is_checked():
    with pool.elsewhere(subjects(), 2) as (a, b):
        assert a.granted() == (GRANT,)
        with pytest.raises(CertificateError, match="no theorem"):
            b.granted()


def test_nothing_runs_until_somebody_waits():
    Here.ran = 0
    with pool.elsewhere(subjects(), 2):
        pass
    assert Here.ran == 0
