"""A table that is too large for the memory that is free is refused with a clear message."""

import os
import subprocess
import sys

import numpy as np
import pytest

from establish.proofs_check.api import memory
from establish.proofs_check.commands.cli import main
from establish.spec.parameters import ParameterError


@memory.within_memory("the audit", "parts, or ")
def taking(table: object, size: int) -> int:
    return np.empty(size, np.uint8).size


@memory.within_memory("the audit")
def unreadable(table: object) -> None:
    try:
        raise MemoryError
    except MemoryError:
        raise ParameterError("TABLE = cells.csv cannot be read") from None


def test_the_system_tells_how_much_is_free():
    free = memory.free_memory()
    assert free is None or 10**6 < free < 10**15


def test_what_needs_more_than_is_free_is_refused_by_name_and_the_limit_is_gone_afterwards(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(memory, "free_memory", lambda: 6 * 10**8)
    file = tmp_path / "cells.csv"
    file.write_text("x" * 20_000, "utf-8")
    words = r"^the audit of cells\.csv \(20 kB\) needs more memory than the 600 MB that are free here: use "
    with pytest.raises(ParameterError, match=words + "parts, or a machine with more memory$"):
        taking(file, 10**9)
    assert np.empty(10**9, np.uint8).size == 10**9
    assert taking([file], 10**7) == 10**7


def test_tables_in_memory_are_told_by_their_rows(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 6 * 10**8)
    with pytest.raises(ParameterError, match=r"^the audit of 1,000 rows and cells\.csv needs more"):
        taking([range(1000), "cells.csv"], 10**9)


def test_a_message_that_took_the_place_of_short_memory_is_looked_through():
    with pytest.raises(ParameterError, match=r"^the audit of 0 rows needs more memory"):
        unreadable(range(0))


def test_other_errors_are_passed_on():
    with pytest.raises(TypeError):
        taking([], "many")


def test_where_the_system_tells_nothing_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    assert taking([], 10**9) == 10**9


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="control groups are Linux's")
def test_the_limit_of_a_container_counts_and_its_reclaimable_files_are_free(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "GROUPS", tmp_path)
    before = memory.free_memory()
    for name, text in {
        "max": "1000000000\n",
        "current": "700000000\n",
        "stat": "anon 1\ninactive_file 100000000\n",
    }.items():
        (tmp_path / f"memory.{name}").write_text(text, "ascii")
    assert memory.free_memory() == 400_000_000 - memory.SPARE
    (tmp_path / "memory.max").write_text("max\n", "ascii")
    assert before is not None
    assert memory.free_memory() > 400_000_000


@pytest.mark.skipif(os.name != "posix", reason="ulimit is the shell's")
def test_a_limit_that_the_libraries_pass_ends_a_command_in_one_line():
    line = f"ulimit -v 300000; exec {sys.executable} -m establish suppress audit cells.csv"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("establish: error: ulimit -v leaves ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("replaced", [False, True])
def test_where_memory_ends_elsewhere_a_command_says_so_in_one_line(monkeypatch, capsys, replaced):
    def ends() -> None:
        try:
            raise MemoryError
        except MemoryError:
            raise ParameterError("INPUT cannot be read") if replaced else MemoryError from None

    monkeypatch.setattr("establish.proofs_check.commands.cli.require_libraries", ends)
    with pytest.raises(SystemExit) as ended:
        main(["list"])
    assert ended.value.code == 2
    told = "establish: error: memory is used up: use smaller tables, or a machine with more memory\n"
    assert capsys.readouterr().err == told
