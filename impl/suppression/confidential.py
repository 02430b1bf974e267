"""Files that hold what suppression was to hide: readable by their owner only, whole or not there."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from establish.spec.parameters import ParameterError

TELL = (
    "This file is confidential where the cells are: it holds what suppression was to hide. Whoever is not "
    "the publisher tells the publisher first, and nobody else before a correction."
)


def require_writable(files: Mapping[str, Path | None], inputs: Iterable[Path] = ()) -> None:
    """Before any work is done. files: by argument, None for one that is not given.

    Raises ParameterError for a path that cannot become a file, that is read too, or that is given twice.
    """
    taken = {path.resolve() for path in inputs}
    for argument, path in files.items():
        if path is None:
            continue
        _require_folder(argument, path)
        if path.resolve() in taken:
            raise ParameterError(f"{argument} = {path} is the file of another argument")
        taken.add(path.resolve())


def _require_folder(argument: str, path: Path) -> None:
    if path.is_dir():
        raise ParameterError(f"{argument} = {path} is a folder")
    if not path.parent.is_dir():
        raise ParameterError(f"{argument} = {path}: there is no folder {path.parent}")


@contextmanager
def private_file(argument: str, path: Path) -> Iterator[TextIO]:
    """A text file of mode 600 that gets its name when the block ends well, and is gone otherwise."""
    _require_folder(argument, path)
    try:
        number, draft = tempfile.mkstemp(prefix=".establish-", dir=path.parent)  # mode 600
    except OSError as error:
        raise ParameterError(f"{argument} = {path} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            yield file
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
