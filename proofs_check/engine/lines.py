"""The line of a file at which an error came up."""

import traceback
from pathlib import Path

from establish.proofs_check.engine.ours import name_of


def line_of(error: BaseException, file: str) -> int:
    """The last line of ``file``, as `name_of` calls it, that was running when ``error`` was raised; or 0."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((f.lineno or 0 for f in reversed(frames) if name_of(Path(f.filename)) == file), 0)
