"""The examples that the documentation uses, as files to try: made-up tables, plans, mechanisms."""

from importlib.resources import files
from pathlib import Path

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.api.python import FilePath, path_of
from establish.spec.parameters import ParameterError

ENDINGS = (".csv", ".toml", ".py")
"""The kinds of files among the examples."""


def examples() -> dict[str, bytes]:
    """The files by name; nobody is in their tables."""
    found = {
        each.name: each.read_bytes() for each in files("establish.impl.sample").iterdir() if each.is_file()
    }
    return {name: found[name] for name in sorted(found) if name.endswith(ENDINGS) and name != "__init__.py"}


def sample(folder: FilePath, *, force: bool = False) -> list[Path]:
    """Write the example files of the documentation into a folder, which is made if it is not there.

    They are made up and always the same. force: whether files that are there are replaced. Returns the
    paths. Raises ParameterError for a place that is no folder, or for files that are there.
    """
    place = path_of("DIR", folder)
    if place.exists() and not place.is_dir():
        raise ParameterError(f"DIR = {place} is not a folder")
    if not place.absolute().parent.is_dir():
        raise ParameterError(f"DIR = {place}: there is no folder {place.absolute().parent}")
    content = {place / name: text for name, text in sorted(examples().items())}
    for path in content:
        require_free({"DIR": path}, force)
    place.mkdir(exist_ok=True)
    for path, text in content.items():
        path.write_bytes(text)
    return list(content)
