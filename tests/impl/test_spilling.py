"""What exceeds the memory of an embedded database is confidential: only its owner may see it, and briefly."""

import stat
from pathlib import Path

import duckdb

from establish.impl.mechanisms.laplace import Laplace
from establish.impl.microdata.establishments import read
from establish.impl.publish.counts import release_table
from establish.impl.tables.files import database
from establish.impl.tabulate import TableFiles, embedded, tabulate
from establish.impl.tabulate.engine import Relation
from establish.impl.tabulate.write import write_counts


def spill_folder(connection: duckdb.DuckDBPyConnection) -> Path:
    return Path(connection.execute("SELECT current_setting('temp_directory')").fetchall()[0][0])


def test_rows_that_exceed_the_memory_are_hidden_and_removed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with database() as connection:
        connection.execute("SET threads = 1")
        connection.execute("SET memory_limit = '60MB'")
        connection.execute("CREATE TABLE t AS SELECT range a, random() b FROM range(8_000_000)")
        folder = spill_folder(connection)
        assert any(folder.iterdir())
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()
    assert not any(tmp_path.iterdir())


def test_everything_that_holds_confidential_rows_spills_there(tmp_path, monkeypatch):
    connect, opened = duckdb.connect, []

    def remembered(*args, **options):
        opened.append(connect(*args, **options))
        hidden.append(stat.S_IMODE(spill_folder(opened[-1]).stat().st_mode) == 0o700)
        return opened[-1]

    hidden: list[bool] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(duckdb, "connect", remembered)
    for name, text in {
        "cells.csv": "sector,jobs\nMill,20\nShop,7\n",
        "jobs.csv": "worker,workplace\n1,a\n2,b\n",
        "workplaces.csv": "workplace,place\na,X\nb,Y\n",
        "establishments.csv": "id,jobs\na,3\nb,4\n",
    }.items():
        Path(name).write_text(text)
    release_table(
        Path("cells.csv"), Path("out.csv"), Laplace(1), count="jobs", where="sector = 'Mill'", seed=1
    )
    read(Path("establishments.csv"), identifier="id", attributes=[], measures=["jobs"])
    cells = tabulate(TableFiles(Path("jobs.csv"), Path("workplaces.csv")), ["place"])
    write_counts(Path("counts.csv"), cells)
    assert len(hidden) >= 5  # the input, its filter, establishments, tabulation, true counts
    assert all(hidden)


def test_tables_of_jobs_are_counted_in_the_memory_and_by_the_threads_that_are_given():
    with embedded(threads=2, memory="100MiB") as engine:
        asked = "SELECT current_setting('memory_limit'), current_setting('threads')"
        assert engine.row(Relation(asked, {}, engine)) == ("100.0 MiB", 2)
