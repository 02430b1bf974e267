"""Pages that stand alone: one HTML file that opens without a network and needs no other."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.proofs_check.engine.misuse import Misuse
from establish.proofs_check.engine.ours import home

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = home("proofs_check") / "report" / "templates"


def environment() -> Environment:
    """How every page of ours is filled: text is escaped, and a name that is missing is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )


def prepare(file: Path) -> None:
    """Raise Misuse, before any work is done, for a place where no page can be written.

    Raises ModuleNotFoundError where the libraries that draw are missing.
    """
    import jinja2  # noqa: F401
    import matplotlib  # noqa: F401

    if file.suffix != ".html":
        raise Misuse(f"--report {file} is no page: name a file that ends in .html")
    if file.is_dir():
        raise Misuse(f"--report {file} is a folder")
    if not file.absolute().parent.is_dir():
        raise Misuse(f"--report {file}: there is no folder {file.parent}")


def write(file: Path, template: str, content: Mapping[str, Any]) -> None:
    """Write the page of ``template``. Raises Misuse when the file cannot be written."""
    from markupsafe import Markup

    style = Markup((TEMPLATES / "site.css").read_text("utf-8"))
    made = {"style": style, "version": version("establish"), "today": date.today()}
    text = environment().get_template(template).render(**made, **content)
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise Misuse(f"--report {file} cannot be written: {error.strerror}") from error
