"""Data sets that share a second place keep each its newest head there."""

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from establish.impl.budget.books import books_of
from establish.impl.budget.heads import heads_in, read_heads
from establish.impl.budget.spending import Spending
from establish.spec.composition import Approximate, ErEe
from establish.spec.parameters import ParameterError


def entry_of(dataset: str) -> Spending:
    return Spending(
        "a title", "0" * 64, ErEe.of("weak-er-ee", "1/10"), {}, Approximate.of(1), dataset=dataset
    )


def test_two_data_sets_that_share_a_second_place_wait_for_each_other(tmp_path):
    second, said, threads = tmp_path / "heads", [], []
    sets = [tmp_path / name for name in ("one", "two")]
    for path in sets:
        path.mkdir()
        (path / "cells.csv").write_text("place,jobs\nNorth,40\n", "utf-8")

    def entered(path: Path, between: Callable[[], None]) -> None:
        books = books_of([path / "cells.csv"], dataset=path.name, second=second)

        def inside() -> None:
            between()
            said.append(path.name)

        books.spend(entry_of(path.name), None, path, lambda receipt: None, inside)

    def other() -> None:
        threads.append(threading.Thread(target=entered, args=(sets[1], lambda: None)))
        threads[0].start()
        threads[0].join(1)  # long enough for it to end, if it did not wait

    entered(sets[0], other)
    threads[0].join()
    assert said == ["one", "two"]
    assert sorted(read_heads(second).heads) == ["one", "two"]
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["heads"]


def test_records_of_other_data_sets_in_a_folder_say_nothing_of_a_ledger(tmp_path):
    for number, dataset in enumerate(("one", "two", "one"), start=1):
        record = {"dataset": dataset, "ledger": {"entry": number, "head": "0" * 64}}
        (tmp_path / f"{number}.json").write_text(json.dumps(record), "utf-8")
    assert [head.number for head in heads_in(tmp_path, "one")] == [1, 3]


def written_in_place(data: Path) -> None:
    data.write_text("place,jobs\nNorth,41\n", "utf-8")


def exchanged(data: Path) -> None:
    other = data.with_name("other")
    written_in_place(other)
    os.utime(other, ns=(0, 0))
    other.replace(data)


@pytest.mark.parametrize("change", [written_in_place, exchanged])
def test_data_of_the_same_size_that_changed_meanwhile_are_noticed(tmp_path, change):
    data = tmp_path / "cells.csv"
    data.write_text("place,jobs\nNorth,40\n", "utf-8")
    os.utime(data, ns=(0, 0))
    begun = books_of([data]).ready()
    change(data)
    with pytest.raises(ParameterError, match="changed while it was read"):
        begun.spend(entry_of("cells.csv"), None, tmp_path, lambda receipt: None, lambda: None)
