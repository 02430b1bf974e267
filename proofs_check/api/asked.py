"""What functions and commands refuse before anything heavy is loaded."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from establish.spec.parameters import ParameterError


def require_one_of(name: str, value: str, allowed: Collection[str]) -> None:
    """Raise ParameterError, before anything heavy is loaded, for a value that is not allowed."""
    if value not in allowed:
        raise ParameterError(f"{name} = {value} is not known: use one of {', '.join(allowed)}")


def require_there(argument: str, path: Path, *, folder: bool = False) -> None:
    """Raise ParameterError, before anything heavy is loaded, unless ``path`` is a file.

    folder: whether a folder will do, too.
    """
    if not (path.exists() if folder else path.is_file()):
        raise ParameterError(f"{argument} = {path} is not a file")


def require_free(files: Mapping[str, Path | None], force: bool) -> None:
    """Raise ParameterError for an output that is there, unless it is to be replaced.

    files: by argument, None for one that is not given.
    """
    for argument, path in files.items():
        if path is not None and os.path.lexists(path) and not force:
            raise ParameterError(f"{argument} = {path} exists: choose another or use --force")
