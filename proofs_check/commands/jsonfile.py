"""The ``--json`` option: a file to write, or standard output."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.engine.misuse import Misuse

STDOUT = "-"
"""The file name that means standard output."""

JsonFile = Annotated[
    str, typer.Option("--json", metavar="FILE", help="Write the answer as JSON; '-' is stdout.")
]


def prepare(file: str, force: bool = True) -> None:
    """Refuse, before any work is done, a file that cannot be written. Raises Misuse.

    force: whether a file that is there is replaced; ParameterError where it is not.
    """
    if file in ("", STDOUT):
        return
    path = Path(file)
    if path.is_dir():
        raise Misuse(f"--json {file} is a folder")
    if not path.parent.is_dir():
        raise Misuse(f"--json {file}: there is no folder {path.parent}")
    require_free({"--json": path}, force)


def json_only(file: str, rows: Sequence[Mapping[str, object]]) -> bool:
    """Write ``rows`` where the option says so; whether nothing else is to be printed. Raises Misuse."""
    if file:
        write_json(file, rows)
    return file == STDOUT


def write_json(file: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write ``rows`` as a JSON array. Raises Misuse when the file cannot be written."""
    text = json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
    if file == STDOUT:
        sys.stdout.write(text)
        return
    try:
        Path(file).write_text(text, "utf-8")
    except OSError as error:
        raise Misuse(f"--json {file} cannot be written: {error.strerror}") from error
