"""What a command releases as one table: drawn now, or completed where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from establish.proofs_check.api.asked import require_there
from establish.proofs_check.api.release import books_for
from establish.proofs_check.commands.release.told import complete, tell

if TYPE_CHECKING:
    from establish.proofs_check.api.released import Released


def release_one_table(options: dict[str, Any], release: Callable[..., Released], unit: str) -> None:
    """Release a table, and print what was released.

    options: of the command, by the names that ``release`` gives them; None where its default serves.
    """
    source, resume, as_json = (options.pop(name) for name in ("source", "resume", "as_json"))
    if resume:
        require_there("INPUT", source)
        entered = (options[name] for name in ("dataset", "ledger", "head", "without_ledger"))
        out = options["out"]
        complete(books_for(source, *entered), out.with_name(f"{out.name}.json"), options["force"])
        return
    tell(release(source, **{name: of for name, of in options.items() if of is not None}), as_json, unit)
