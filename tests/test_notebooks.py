"""The notebooks run from the first cell to the last, and print what the text after a cell shows."""

import ast
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "pages" / "notebooks").glob("*.ipynb"))


def read(notebook: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(notebook.read_text("utf-8"))
    return content


def run(notebook: Path) -> Iterator[tuple[str, str]]:
    """What each code cell prints, and the text of the cell after it; as Jupyter runs it, in one scope."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    cells = read(notebook)["cells"]
    for cell, after in zip(cells, [*cells[1:], None], strict=True):
        if cell["cell_type"] == "code":
            out = StringIO()
            with redirect_stdout(out):
                tree = ast.parse("".join(cell["source"]))
                exec(compile(tree, f"{notebook.name}, {cell['id']}", "exec"), scope)
            yield out.getvalue(), "".join(after["source"]) if after else ""


def test_there_are_four():
    assert [notebook.stem for notebook in NOTEBOOKS] == ["audit", "cost", "four_jobs", "settle"]


def test_the_four_jobs_need_no_shell():
    (source,) = (notebook.read_text("utf-8") for notebook in NOTEBOOKS if notebook.stem == "four_jobs")
    assert not re.search(r"subprocess|os\.system|get_ipython|\"[!%]", source)
    assert {"pandas", "polars"} <= set(re.findall(r"import (\w+) as", source))


@pytest.mark.small_campaign
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.usefixtures("settled_once", "as_recorded")
def test_a_notebook_prints_what_its_text_shows_and_draws_its_figures(notebook, monkeypatch):
    plt.switch_backend("agg")
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")  # what is stale is told by another test
    for printed, text in run(notebook):
        rest = iter(printed.splitlines())
        for shown in re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            for line in shown.splitlines():
                assert line == "..." or any(line in own for own in rest), f"{line!r}: {printed}"
    figures = [plt.figure(number) for number in plt.get_fignums()]
    plt.close("all")
    assert figures
    assert all(axes.lines or axes.patches for figure in figures for axes in figure.axes)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(notebook):
    content = read(notebook)
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    assert content["metadata"]["kernelspec"]["language"] == "python"
    ids = [cell["id"] for cell in content["cells"]]
    assert len(set(ids)) == len(ids)
    code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert notebook.stat().st_size < 20_000
