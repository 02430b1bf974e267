"""``establish sample``: the files that the documentation's examples read."""

from pathlib import Path

import pytest

import establish
from establish import ParameterError

SAMPLE = Path(__file__).parents[3] / "impl" / "sample"


def test_the_files_of_the_examples_are_written_and_printed(tmp_path, succeeds):
    printed = succeeds("sample", tmp_path / "examples").splitlines()
    written = sorted((tmp_path / "examples").iterdir())
    assert printed == [str(path) for path in written]
    assert {path.name for path in written} >= {"cells.csv", "people.csv", "suppressed.csv", "audit_er_ee.py"}
    assert all(path.read_bytes() == (SAMPLE / path.name).read_bytes() for path in written)


def test_what_the_readme_names_of_the_samples_is_among_them(tmp_path):
    readme = (SAMPLE.parents[1] / "README.md").read_text("utf-8")
    names = {
        word.partition("impl/sample/")[2].partition(":")[0]
        for word in readme.split()
        if "impl/sample/" in word
    }
    assert names
    assert names <= {path.name for path in establish.sample(tmp_path)}


def test_files_that_are_there_are_kept(tmp_path, refusal):
    (tmp_path / "cells.csv").write_text("mine", "utf-8")
    assert "cells.csv exists" in refusal("sample", tmp_path)
    with pytest.raises(
        ParameterError, match=r"folder = .*cells\.csv exists: choose another or use force=True"
    ):
        establish.sample(tmp_path)
    establish.sample(tmp_path, force=True)
    assert (tmp_path / "cells.csv").read_bytes() == (SAMPLE / "cells.csv").read_bytes()


@pytest.mark.parametrize(("place", "says"), [("file", "is not a folder"), ("a/b/c", "there is no folder")])
def test_a_place_that_is_no_folder_is_refused(place, says, tmp_path, refusal):
    (tmp_path / "file").write_text("", "utf-8")
    assert says in refusal("sample", tmp_path / place)
