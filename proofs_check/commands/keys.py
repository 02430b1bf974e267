"""``establish keys``: keys with which records of releases are signed."""

from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.commands.options import OnceEach, application

HELP = """Create keys for signing the records of releases.

\b
Examples:
  establish keys new agency.key
  establish release plan plan.toml --out published --sign agency.key
  establish verify published/release.json --key agency.key.pub
"""

NEW = """Create an Ed25519 key: FILE, which only you can read, and FILE.pub, which you may give to anybody.

\b
Example:
  establish keys new agency.key
"""

app = application(help=HELP)


@app.callback()
def keys() -> None: ...


@app.command("new", cls=OnceEach, help=NEW)
def new(file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the private key goes.")]) -> None:
    from establish.impl.signing import new_key

    name = new_key(file)
    print(f"written: {file} (keep it secret) and {file}.pub (publish it)")
    print(f"fingerprint: {name}")
