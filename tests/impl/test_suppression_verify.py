"""The checker reads tables and hierarchies by itself: whatever the layout, it accepts what is proved."""

import csv
import random
from itertools import product
from pathlib import Path

import pytest

from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import read_cells
from establish.impl.suppression.certificate import certificate_file
from establish.impl.suppression.layout import Layout, attacker
from establish.impl.suppression.sums import problem
from establish.impl.suppression.verify import verify

LEAVES = {
    "flat": ["a", "b", "c"],
    "prefix": ["11", "12", "21", "22", "221", "222"],
    "naics": ["311", "332", "441", "4451", "4452", "721"],
    "tree.hrc": ["a1", "a2", "b"],
    "levels.csv": ["a1", "a2", "b"],
    "parents.csv": ["a1", "a2", "b"],
}
ABOVE = {
    "flat": dict.fromkeys("abc", "All"),
    "prefix": {"11": "1", "12": "1", "21": "2", "22": "2", "221": "22", "222": "22", "1": "All", "2": "All"},
    "naics": {
        "311": "31-33", "332": "31-33", "441": "44-45", "445": "44-45", "4451": "445", "4452": "445",
        "721": "72", "31-33": "All", "44-45": "All", "72": "All",
    },
}  # fmt: skip
for _name in ("tree.hrc", "levels.csv", "parents.csv"):
    ABOVE[_name] = {"a1": "a", "a2": "a", "a": "All", "b": "All"}
TEXTS = {
    "tree.hrc": "a\n@a1\n@a2\nb\n",
    "levels.csv": "level,name\n@,All\n@@,a\n@@@,a1\n@@@,a2\n@@,b\n",
    "parents.csv": "label,parent\na1,a\na2,a\na,All\nb,All\n",
}
WORDS = (
    "sums", "nonnegative", "nonnegative,integers", "integers,bounds", "nonnegative,counts", "box",
    "within:10", "nonnegative,within:50,integers", "nonnegative,integers,random:5", "nonnegative,nearest:5",
    "nonnegative,integers,random:5,box", "nonnegative,nearest:5,within:10",
)  # fmt: skip


def values_of(draw: random.Random, trees: list[str], unit: str) -> dict[tuple[str, str], float]:
    """Leaves at random, and every total above them."""
    first, second = trees
    inner = [cell for cell in product(LEAVES[first], LEAVES[second]) if leaf(cell, trees)]
    cells = {cell: draw.randint(0, 30) * float(unit) for cell in inner if draw.random() < 0.9}
    for at, tree in enumerate(trees):
        added: dict[tuple[str, str], float] = {}
        for cell, value in cells.items():
            label = cell[at]
            while label in ABOVE[tree]:
                label = ABOVE[tree][label]
                whole = (label, cell[1]) if at == 0 else (cell[0], label)
                added[whole] = added.get(whole, 0) + value
        cells |= added
    return cells


def leaf(cell: tuple[str, str], trees: list[str]) -> bool:
    return all(label not in ABOVE[tree].values() for label, tree in zip(cell, trees, strict=True))


@pytest.mark.few(20)
@pytest.mark.parametrize("seed", range(60))
def test_what_an_audit_proves_is_accepted(seed, tmp_path):
    draw = random.Random(seed)
    trees = [draw.choice(list(LEAVES)) for _ in range(2)]
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, "utf-8")
    words = WORDS[seed % len(WORDS)]
    step = "0.5" if "integers" not in words and "nearest" not in words and seed % 3 == 0 else "1"
    rounded = "random" in words or "nearest" in words
    values = values_of(draw, trees, step)
    path = tmp_path / "cells.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("r", "c", "v", "s", "t", "n", "l", "u"))
        for cell, value in values.items():
            status = draw.choice(("u", "m", "", "s", "-" if value == 0 else ""))
            shown = f"{round(value / 5) * 5}" if rounded else f"{value:g}"
            ends = (f"{value - draw.randint(0, 3):g}", f"{value + draw.randint(0, 3):g}")
            row = (shown if status in ("", "s") else "", status, f"{value:g}", 0 if value == 0 else 2)
            writer.writerow((*cell, *row, *ends))
    files = [str(tmp_path / name) if name in TEXTS else name for name in trees]
    layout = Layout(
        by=("r", "c"), value="v", status="s", true="t", count="n", lower="l", upper="u",
        totals={"r": "All", "c": "All"}, hierarchies=tuple(zip(("r", "c"), files, strict=True)),
        dash=draw.choice(("unknown", "zero")),
    )  # fmt: skip
    known = attacker(words)
    asked = problem(read_cells([path], layout), layout, known)
    proof = tmp_path / "proof"
    with certificate_file(proof, [path, *_read(files)], layout, known, asked) as sink:
        answer = audit(asked, known.integers, [sink])
    _, checked = verify(proof, [path])
    attained = [end.attained for side in answer.ends for end in side if end is not None]
    assert len(checked.proved) == len(attained) == 2 * len(asked.unknown)
    assert sum(checked.proved.values()) == sum(attained)


def _read(files: list[str]) -> list[Path]:
    return [Path(name) for name in files if "." in name]
