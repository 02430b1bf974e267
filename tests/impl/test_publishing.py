"""Outputs become visible after their entry is on disk, all or none."""

import errno
import fcntl
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from establish.impl.tables.publishing import digest_of, publish
from establish.spec.parameters import ParameterError


def text(content: str):
    return lambda path: path.write_text(content)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_all_outputs_are_written_before_and_renamed_after_the_spending(tmp_path):
    seen = []

    def spend(_: object) -> str:
        (own,) = tmp_path.iterdir()
        seen.append((own.name.startswith(".establish-"), names(own)))
        return "receipt"

    outputs = {tmp_path / "a.csv": text("1"), tmp_path / "a.csv.json": text("2")}
    assert publish(outputs, spend) == "receipt"
    assert seen == [(True, ["a.csv", "a.csv.json"])]
    assert names(tmp_path) == ["a.csv", "a.csv.json"]
    assert (tmp_path / "a.csv").read_text() == "1"


def test_an_output_that_cannot_be_written_costs_nothing(tmp_path):
    def full(path: Path) -> None:
        path.write_text("half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    spent = []
    with pytest.raises(ParameterError, match="No space left"):
        publish({tmp_path / "a.csv": text("1"), tmp_path / "b.csv": full}, lambda _: spent.append(1))
    assert spent == []
    assert names(tmp_path) == []


def test_a_refused_spending_leaves_nothing(tmp_path):
    def refuse(_: object) -> None:
        raise ParameterError("over the cap")

    (tmp_path / "a.csv").write_text("old")
    with pytest.raises(ParameterError, match="over the cap"):
        publish({tmp_path / "a.csv": text("new")}, refuse, replace=True)
    assert names(tmp_path) == ["a.csv"]
    assert (tmp_path / "a.csv").read_text() == "old"


def test_when_one_name_cannot_be_given_no_output_is_visible(tmp_path):
    (tmp_path / "b.csv").mkdir()
    outputs = {tmp_path / "a.csv": text("1"), tmp_path / "b.csv": text("2")}
    with pytest.raises(ParameterError, match="cannot be written"):
        publish(outputs, lambda _: None, replace=True)
    assert names(tmp_path) == ["b.csv"]


def test_ctrl_c_waits_until_all_names_are_given_whichever_thread_takes_it(tmp_path, monkeypatch):
    replace = os.replace

    def replaced_and_interrupted(old: Path, new: Path) -> None:
        replace(old, new)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)

    ended = threading.Event()
    another = threading.Thread(target=ended.wait)  # as those of DuckDB are there while a release is made
    another.start()
    monkeypatch.setattr(os, "replace", replaced_and_interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            publish({tmp_path / "a.csv": text("1"), tmp_path / "b.csv": text("2")}, lambda _: None)
    finally:
        signal.signal(signal.SIGINT, before)
        ended.set()
        another.join()
    assert names(tmp_path) == ["a.csv", "b.csv"]


def test_a_file_that_appears_while_the_outputs_are_written_is_neither_replaced_nor_paid_for(tmp_path):
    out, spent = tmp_path / "a.csv", []

    def write(path: Path) -> None:
        out.write_text("of another release")
        path.write_text("ours")

    with pytest.raises(ParameterError, match="appeared meanwhile"):
        publish({out: write}, lambda _: spent.append(1))
    assert (out.read_text(), spent) == ("of another release", [])
    publish({out: write}, lambda _: spent.append(1), replace=True)
    assert (out.read_text(), spent) == ("ours", [1])


def test_one_process_at_a_time_publishes_in_a_folder(tmp_path):
    def refuses_a_second_lock(_: object = None) -> bool:
        descriptor = os.open(tmp_path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    assert publish({tmp_path / "a.csv": text("1")}, refuses_a_second_lock) is True
    assert refuses_a_second_lock() is False


def test_outputs_share_a_folder(tmp_path):
    for outputs in ({}, {tmp_path / "a": text("1"), tmp_path / "x" / "b": text("2")}):
        with pytest.raises(ParameterError, match="one folder"):
            publish(outputs, lambda _: None)


def folder_of(**contents: str):
    def write(path: Path) -> None:
        path.mkdir()
        for name, content in contents.items():
            (path / name).write_text(content)

    return write


def test_an_output_may_be_a_folder_which_appears_whole_and_replaces_nothing(tmp_path):
    table, seen = tmp_path / "t.parquet", []

    def spend(_: object) -> None:
        (own,) = tmp_path.iterdir()
        draft = own / "t.parquet"
        seen.append((table.exists(), {p.stat().st_mode & 0o777 for p in draft.iterdir()}))

    publish({table: folder_of(a="1", b="2")}, spend)
    assert seen == [(False, {0o600})]
    assert names(tmp_path) == ["t.parquet"]
    assert names(table) == ["a", "b"]
    readable = 0o777 & ~os.umask(0o022)
    os.umask(0o777 & ~readable)
    modes = [path.stat().st_mode & 0o777 for path in (table, table / "a")]
    assert modes == [readable, 0o666 & readable]
    spent = []
    with pytest.raises(ParameterError, match="appeared meanwhile"):
        publish({table: folder_of(a="3")}, lambda _: spent.append(1), replace=True)
    assert (spent, (table / "a").read_text()) == ([], "1")


def test_the_digest_of_a_folder_covers_names_and_contents(tmp_path):
    contents = [{"a": "1"}, {"a": "2"}, {"b": "1"}, {"a": "1", "b": ""}, {}]
    found = set()
    for number, content in enumerate(contents):
        folder_of(**content)(tmp_path / str(number))
        found.add(digest_of(tmp_path / str(number)))
    assert len(found) == len(contents)
    folder_of(a="1")(tmp_path / "again")
    assert digest_of(tmp_path / "again") == digest_of(tmp_path / "0")
