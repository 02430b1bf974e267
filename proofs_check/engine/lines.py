"""The line of a file at which an error came up."""

from __future__ import annotations

import traceback


def line_of(error: BaseException, file: str) -> int:
    """The last line of ``file`` that was running when ``error`` was raised; 0 when none was."""
    frames = traceback.extract_tb(error.__traceback__)
    return next((f.lineno or 0 for f in reversed(frames) if f.filename == file), 0)
