"""What tests do with files of text."""

import json
from pathlib import Path
from typing import Any


def read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def edit(path: Path, old: str, new: str) -> None:
    """Puts other words in the place of some that stand in the file."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
