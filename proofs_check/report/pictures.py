"""What a page draws of one claim, kept on disk beside its settlement by the content that it depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from establish.proofs_check.engine.cache import replace_file
from establish.proofs_check.engine.fingerprint import Fingerprints, version
from establish.proofs_check.report.drawings.draw import drawings
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing
from establish.proofs_check.report.formulas import drawn_formulas, typeset_statements
from establish.proofs_check.report.gather import Sheet


@dataclass(frozen=True)
class Pictures:
    """drawings: of a refutation; undrawn: why there is none. formulas, typeset: by the text of a statement,
    as :mod:`establish.proofs_check.report.formulas` makes them.
    """

    drawings: Sequence[Drawing]
    undrawn: str
    formulas: Mapping[str, tuple[Sequence[Markup], Markup]]
    typeset: Mapping[str, Markup]

    @classmethod
    def of(cls, sheet: Sheet) -> Pictures:
        found, why = drawings(sheet) if sheet.is_refuted else ([], "")
        return cls(found, why, drawn_formulas(sheet), typeset_statements(sheet))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Pictures:
        """What :func:`dataclasses.asdict` of one said in JSON."""
        return cls(
            [_drawing(**each) for each in data["drawings"]],
            str(data["undrawn"]),
            {text: ([*map(Markup, given)], Markup(end)) for text, (given, end) in data["formulas"].items()},
            {text: Markup(drawn) for text, drawn in data["typeset"].items()},
        )


def _drawing(
    svg: str, tables: list[dict[str, Any]], lines: list[tuple[str, list[tuple[str, bool]]]], **words: str
) -> Drawing:
    tabled = (
        DataTable(t["caption"], tuple(t["header"]), tuple(tuple(row) for row in t["rows"])) for t in tables
    )
    compared = ((name, tuple((part, marked) for part, marked in line)) for name, line in lines)
    return Drawing(**words, svg=Markup(svg), tables=tuple(tabled), lines=tuple(compared))


class Album:
    """The pictures of claims in a folder, a JSON file each. One that cannot be read only costs time."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._prints = folder, Fingerprints()
        drawn_by = self._prints.reached([__name__])
        self._drawn_by = [hashlib.sha256(file.read_bytes()).hexdigest() for file in drawn_by]

    def pictures(self, sheet: Sheet) -> Pictures:
        """Those that are kept for the same content, or made and kept now."""
        key = self._key(sheet)
        file = self._folder / f"{key}.pictures.json"
        try:
            kept = json.loads(file.read_text("utf-8"))
            if kept["key"] == key and kept["digest"] == _digest(kept["pictures"]):
                return Pictures.from_json(kept["pictures"])
        except (OSError, KeyError, TypeError, ValueError):  # none, or not whole
            pass
        made = Pictures.of(sheet)
        said = asdict(made)
        told = {"key": key, "digest": _digest(said), "pictures": said}
        replace_file(file, json.dumps(told, ensure_ascii=False))
        return made

    def _key(self, sheet: Sheet) -> str:
        """sha256 over the claim's content, how it came out, what draws, and the library that draws."""
        record = replace(sheet.record, seconds=0.0)
        told = [repr(record), repr(sheet.pieces), str(sheet.ran), version("matplotlib")]
        parts = [self._prints.key(sheet.claim), *self._drawn_by, *told]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _digest(said: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
