"""Our intervals beside those of the native audit of pytauargus, on the same JJ files.

Its audit is given the bounds of the file; with them ours must be its intervals. They are not those of an
outsider who knows only that values are at least 0, which is shown beside them.
"""

import random
from itertools import product
from pathlib import Path

import pytest

from establish.impl.suppression.audit import audit
from establish.impl.suppression.jj import JJ, read_jj
from establish.impl.suppression.layout import attacker
from establish.impl.suppression.sums import problem_of_sums
from establish.impl.suppression.verdicts import intervals

TABLES = 50


def jj_text(seed: int) -> str:
    """A table of 3 to 5 by 3 to 5 cells with totals, some inner ones hidden, and their bounds."""
    draw = random.Random(seed)
    rows, columns = draw.randint(3, 5), draw.randint(3, 5)
    value = {(i, j): draw.randint(0, 60) for i, j in product(range(rows), range(columns))}
    inner = list(value)
    parts = {}
    for i in range(rows):
        parts[i, "T"] = [(i, j) for j in range(columns)]
    for j in [*range(columns), "T"]:
        parts["T", j] = [(i, j) for i in range(rows)]
    for whole, cells in parts.items():
        value[whole] = sum(value[cell] for cell in cells)
    index = {cell: k for k, cell in enumerate(value)}
    hidden = {cell for cell in inner if draw.random() < 0.45}
    ends = f"{min(value.values())} {max(value.values())}"
    lines = ["0", str(len(value))]
    for cell, v in value.items():
        lines.append(f"{index[cell]} {v} {v} {'m' if cell in hidden else 's'} {ends} 0 0 0")
    lines.append(str(len(parts)))
    for whole, cells in parts.items():
        terms = " ".join(f"{index[cell]} (1)" for cell in cells)
        lines.append(f"0 {len(cells) + 1} : {index[whole]} (-1) {terms}")
    return "\n".join(lines) + "\n"


def ours(path: Path, words: str) -> dict[int, tuple[object, object]]:
    cells, sums = read_jj(path)
    asked = problem_of_sums(cells, sums, JJ, attacker(words))
    return {one.place: (one.lower, one.upper) for one in intervals(asked, audit(asked, False))}


def test_with_the_bounds_of_the_file_all_intervals_are_those_of_pytauargus(tmp_path, capsys, monkeypatch):
    engine = pytest.importorskip("pytauargus.engine", reason="pytauargus is not installed")
    monkeypatch.chdir(tmp_path)  # where it leaves its logs
    path = tmp_path / "table.jj"
    seen = wider = 0
    for seed in range(TABLES):
        path.write_text(jj_text(seed), "utf-8")
        theirs = {row["cell"]: (row["min"], row["max"]) for row in engine.audit_jj(str(path))}
        found = ours(path, "bounds")
        assert found.keys() == theirs.keys()
        assert all(found[cell] == pytest.approx(theirs[cell], abs=1e-6) for cell in found)
        outsider = ours(path, "nonnegative")
        seen += len(found)
        wider += sum(outsider[cell] != found[cell] for cell in found)
    assert seen > 200
    assert wider > 0
    with capsys.disabled():
        print(f"\n{seen} of {seen} intervals equal; {wider} are others for an outsider with values ≥ 0")
