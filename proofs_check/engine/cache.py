"""Settled results on disk, by the content that they depend on."""

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from establish.proofs_check.engine.settlement import Settlement
from establish.proofs_check.engine.statements.statement import PLAIN
from establish.proofs_check.engine.verdicts import Outcome


def folder() -> Path:
    """``$ESTABLISH_CACHE``, else ``establish`` in the user's cache folder (XDG)."""
    chosen = os.environ.get("ESTABLISH_CACHE")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if os.path.isabs(home) else Path.home() / ".cache") / "establish"


def replace_file(path: Path, text: str) -> None:
    """Write ``text``; a reader sees the old file or the new one. What cannot be written is left out."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(part, path)
    except OSError:
        return


class Cache:
    """One JSON file per key. A cache that cannot be read or written only costs time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str, effort: int = PLAIN) -> Settlement | None:
        """The settlement under ``key``; None when there is none, the entry is not whole, or its adversaries
        searched less than ``effort`` and refuted nothing.
        """
        try:
            data = json.loads(self._file(key).read_text("utf-8"))
            if data.pop("digest") != _digest(data) or data["key"] != key:
                return None  # it was edited, or is an entry of another claim under this name
            known = Settlement.from_json(data)
        except (OSError, KeyError, TypeError, ValueError, AttributeError):
            return None
        return known if known.refuted or (_settled(known) and known.searched(effort)) else None

    def put(self, key: str, settlement: Settlement) -> Settlement:
        """Keep ``settlement``, and return the one that stands for this content from now on.

        What is unsettled is not kept, but for a counterexample of an adversary. That one stands until a
        search with as much effort no longer finds it.
        """
        if not (_settled(settlement) or settlement.refuted):
            return settlement
        known = self.get(key)
        if known and known.refuted and not settlement.refuted and settlement.effort < known.effort:
            return known
        data = {"key": key, **settlement.to_json()}
        text = json.dumps({"digest": _digest(data), **data}, ensure_ascii=False, indent=1)
        replace_file(self._file(key), text)
        return settlement

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def _digest(data: Any) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()


def _settled(settlement: Settlement) -> bool:
    return settlement.verdict.outcome is not Outcome.UNSETTLED
