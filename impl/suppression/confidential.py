"""Files that hold what suppression was to hide: readable by their owner only, whole or not there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from establish.spec.parameters import ParameterError

TELL = (
    "This file is confidential where the cells are: it holds what suppression was to hide. Whoever is not "
    "the publisher tells the publisher first, and nobody else before a correction."
)


def require_writable(argument: str, path: Path) -> None:
    """Raises ParameterError, before any work is done, for a path that cannot become a file."""
    if path.is_dir():
        raise ParameterError(f"{argument} = {path} is a folder")
    if not path.parent.is_dir():
        raise ParameterError(f"{argument} = {path}: there is no folder {path.parent}")


@contextmanager
def private_file(argument: str, path: Path) -> Iterator[TextIO]:
    """A text file of mode 600 that gets its name when the block ends well, and is gone otherwise."""
    require_writable(argument, path)
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
