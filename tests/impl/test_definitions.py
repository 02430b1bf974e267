"""A certificate names what is reached: a harmless edit makes nothing stale, and one of what runs does.

The edits are planted in copies of our own files, which are read in their place.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from establish.impl import certificate, definitions
from establish.impl.certificate import certificate_of
from establish.impl.definitions import ALL, _defined, defined, node_of
from establish.impl.lock_file import CertificateError, Installed, Lock, reached

Plant = Callable[[str, str, str], None]
LAWS, OWN = "impl/sampling/laws.py", "impl/mechanisms/log_laplace.py"


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Edits a file, in a copy."""
    path = definitions.path_of

    def planted(source: str, old: str, new: str) -> None:
        text = path(source).read_text("utf-8")
        assert old in text
        (tmp_path / "edited.py").write_text(text.replace(old, new, 1), "utf-8")
        edited = tmp_path / "edited.py"
        monkeypatch.setattr(definitions, "path_of", lambda asked: edited if asked == source else path(asked))

    return planted


def changed(mechanism: str) -> list[str]:
    """What its certificate finds changed."""
    return certificate_of(mechanism).changed()


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """A certificate looks at the code once; here every test is another installation."""
    monkeypatch.setattr(certificate, "_parsed", Lock.parse)
    monkeypatch.setattr(certificate, "_made", certificate._made.__wrapped__)


HARMLESS = {
    "a comment": (LAWS, "def gaussian(", "# Normal noise.\n\n\ndef gaussian("),
    "a docstring of what is reached": (LAWS, '"""', '"""Once more. '),
    "a function that it never calls": (LAWS, "def gaussian(", "def normal("),
    "a function more": (LAWS, "def gaussian(", "def unused():\n    return 1\n\n\ndef gaussian("),
    "a constant more": (LAWS, "def gaussian(", "UNUSED_OF_ALL = 7\n\n\ndef gaussian("),
    "an import more": (LAWS, "def gaussian(", "from math import inf as unused\n\n\ndef gaussian("),
    "the card of another": ("impl/cards/psi.py", "under=", "since=7, under="),
}  # fmt: skip


@pytest.mark.parametrize("edit", HARMLESS)
def test_an_edit_of_what_a_mechanism_does_not_reach_makes_nothing_stale(edit, plant):
    plant(*HARMLESS[edit])
    assert changed("log-laplace") == []


def test_the_mechanism_that_calls_the_function_is_stale(plant):
    plant(*HARMLESS["a function that it never calls"])
    assert f"{LAWS} gaussian" in changed("psi")


REACHED = {
    "its own noise": (OWN, "sampling.log_laplace(", "sampling.laplace("),
    "a sampler": (LAWS, "def log_laplace(", "def log_laplace(extra, "),
    "a constant far below": ("impl/sampling/grid.py", "REACH = ", "REACH = 1 + "),
    "what its specification is": ("spec/mechanisms/log_laplace.py", "class LogLap", "@list\nclass LogLap"),
    "its card": ("impl/cards/log_laplace.py", "since=1", "since=2"),
    "what runs when a module is imported": (LAWS, "def gaussian(", "Grid.unit = 2\n\n\ndef gaussian("),
    "another import under the name": (LAWS, "def gaussian(", "from math import e as Grid\n\n\ndef gaussian("),
    "a built-in that is hidden": (OWN, "class LogLaplace(", "str = None\n\n\nclass LogLaplace("),
    "a second definition": (LAWS, "def gaussian(", "def log_laplace():\n    return 0\n\n\ndef gaussian("),
    "an import of what is not Python's own": (LAWS, "def gaussian(", "import patch\n\n\ndef gaussian("),
    "an import from where it lies": (LAWS, "def gaussian(", "from . import patch\n\n\ndef gaussian("),
    "a constant that our call makes": (LAWS, "def gaussian(", "KEPT = laplace()\n\n\ndef gaussian("),
    "no Python any more": (LAWS, "def gaussian(", "def ("),
}  # fmt: skip


@pytest.mark.parametrize("edit", REACHED)
def test_an_edit_of_what_it_reaches_makes_it_stale_and_is_named(edit, plant):
    source, old, new = REACHED[edit]
    plant(source, old, new)
    found = changed("log-laplace")
    assert found
    assert all(node.partition(" ")[0] == source for node in found)


def test_two_imports_that_change_places_are_noticed():
    first = _defined("from a import x\nfrom b import y\n\ndef f():\n    return x + y\n", "impl/made_up.py")
    second = _defined("from b import x\nfrom a import y\n\ndef f():\n    return x + y\n", "impl/made_up.py")
    assert first["f"].digest != second["f"].digest


def test_what_a_decorator_of_ours_sees_runs_with_the_module():
    text = "TABLE = []\n\ndef kept(f):\n    TABLE.append(f)\n    return f\n\n@kept\ndef g():\n    return {}\n"
    found = [_defined(text.format(number), "impl/made_up.py")[""].digest for number in (1, 2)]
    assert found[0] != found[1]


def test_an_import_from_where_a_file_lies_is_one_by_its_whole_name():
    text = (
        "from . import laws\n\ndef f():\n    from .laws import laplace\n    return laplace, laws.gaussian\n"
    )
    found = _defined(text, "impl/sampling/made_up.py")["f"]
    assert found.names == (f"{LAWS} gaussian", f"{LAWS} laplace")


def test_a_file_is_read_in_the_encoding_that_its_first_line_names(tmp_path, monkeypatch):
    file = tmp_path / "made_up.py"
    monkeypatch.setattr(definitions, "path_of", lambda source: file)
    found = []
    for coding in (b"utf-7", b"utf-8"):
        file.write_bytes(b"# coding: " + coding + b"\nX = 1  # +AAo-X+AD0-2\n")
        found.append(defined("impl/made_up.py")["X"].digest)
    assert found[0] != found[1]


def test_names_of_other_modules_and_of_whole_modules_are_told():
    text = "from establish.impl.sampling import laws\n\nf = lambda: laws.laplace\ng = lambda: laws\n"
    found = _defined(text, "impl/made_up.py")
    assert (found["f"].names, found["g"].names) == ((f"{LAWS} laplace",), (f"{LAWS} {ALL}",))
    assert node_of("establish.impl.sampling", "laws") == f"{LAWS} {ALL}"
    assert (node_of("numpy", "array"), node_of("establish.impl.nothing", "x")) == ("", "")
    assert defined("impl/gone.py") == {}


def test_what_is_named_and_not_there_is_refused():
    with pytest.raises(CertificateError, match=r"laws.py no_such is named, and is not there"):
        reached([f"{LAWS} no_such"], Installed())
