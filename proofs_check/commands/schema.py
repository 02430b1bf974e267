"""``establish schema``: the JSON Schema of what a command prints, or of a file that the package writes."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.api.asked import require_one_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

HELP = """Print the JSON Schema (2020-12) of a --json output, a record, a ledger's line or a certificate.

\b
Examples:
  establish schema                  the names
  establish schema release-counts   one schema

\b
A name is that of a command (check: establish check --json; release-plan: the record of establish release
plan), or ledger (a line of its file), budget-ledger (establish budget --ledger FILE --json), certificate.
"""


def names() -> list[str]:
    """What has a schema, in the order of the alphabet."""
    found = (file.name for file in _folder().iterdir())
    return sorted(name.removesuffix(".json") for name in found if name.endswith(".json"))


def schema_of(name: str) -> str:
    """The schema's text. Raises ParameterError for a name that has none."""
    require_one_of("NAME", name, names())
    return _folder().joinpath(f"{name}.json").read_text("utf-8")


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="What it is about; without it, the names.")
    ] = None,
) -> None:
    if name is None:
        print("\n".join(names()))
    else:
        print(schema_of(name), end="")


def _folder() -> Traversable:
    return files("establish.proofs_check.commands").joinpath("schemas")
