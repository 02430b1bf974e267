"""Data sets that share a second place keep each its newest head there."""

import threading
from collections.abc import Callable
from pathlib import Path

from establish.impl.budget.books import books_of
from establish.impl.budget.heads import read_heads
from establish.impl.budget.spending import Spending
from establish.spec.composition import Approximate, ErEe


def test_two_data_sets_that_share_a_second_place_wait_for_each_other(tmp_path):
    second, said, threads = tmp_path / "heads", [], []
    sets = [tmp_path / name for name in ("one", "two")]
    for path in sets:
        path.mkdir()
        (path / "cells.csv").write_text("place,jobs\nNorth,40\n", "utf-8")

    def entered(path: Path, between: Callable[[], None]) -> None:
        books = books_of([path / "cells.csv"], dataset=path.name, second=second)
        entry = Spending(
            "a title", "0" * 64, ErEe.of("weak-er-ee", "1/10"), {}, Approximate.of(1), dataset=path.name
        )

        def inside() -> None:
            between()
            said.append(path.name)

        books.spend(entry, None, path, lambda receipt: None, inside)

    def other() -> None:
        threads.append(threading.Thread(target=entered, args=(sets[1], lambda: None)))
        threads[0].start()
        threads[0].join(1)  # long enough for it to end, if it did not wait

    entered(sets[0], other)
    threads[0].join()
    assert said == ["one", "two"]
    assert sorted(read_heads(second).heads) == ["one", "two"]
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["heads"]
