"""What a page draws of one claim, kept on disk beside its settlement by the content that it depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from establish.proofs_check.engine.cache import replace_file
from establish.proofs_check.engine.fingerprint import Fingerprints, library_versions, version
from establish.proofs_check.engine.ours import home
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing
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
        from establish.proofs_check.report.drawings.draw import drawings  # which loads what draws
        from establish.proofs_check.report.formulas import drawn_formulas, typeset_statements

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
    """Pictures in a folder, a JSON file for each claim. One that cannot be read only costs time."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._prints = folder, Fingerprints()
        self._drawn_by = _what_draws()

    def pictures(self, sheet: Sheet) -> Pictures:
        """Those of a claim, by its content and how it came out."""
        record = replace(sheet.record, seconds=0.0)
        told = (self._prints.key(sheet.claim), repr(record), repr(sheet.pieces), str(sheet.ran))
        return Pictures.from_json(self._kept(told, lambda: asdict(Pictures.of(sheet))))

    def constants(self) -> list[tuple[Drawing, Sequence[str]]]:
        """Printed constants beside others, each with the claims that settle it."""

        def drawn() -> list[tuple[Any, Sequence[str]]]:
            from establish.proofs_check.report.drawings import constants

            return [(asdict(drawing), ids) for drawing, ids in constants.drawn()]

        return [(_drawing(**each), ids) for each, ids in self._kept(("constants",), drawn)]

    def _kept(self, told: Sequence[str], make: Callable[[], Any]) -> Any:
        """What is kept for the same content, or made and kept now."""
        key = hashlib.sha256("\n".join([self._drawn_by, *told]).encode()).hexdigest()
        file = self._folder / f"{key}.pictures.json"
        try:
            kept = json.loads(file.read_text("utf-8"))
            if kept["key"] == key and kept["digest"] == _digest(kept["made"]):
                return kept["made"]
        except (OSError, KeyError, TypeError, ValueError):  # none, or not whole
            pass
        made = make()
        kept = {"key": key, "digest": _digest(made), "made": made}
        replace_file(file, json.dumps(kept, ensure_ascii=False))
        return made


def _what_draws() -> str:
    """sha256 over all files of ours but those of papers, which are in the keys of their claims, and the
    libraries.
    """
    files = (file for floor in ("spec", "impl", "proofs_check") for file in sorted(home(floor).rglob("*.py")))
    papers = home("proofs_check") / "papers"
    hashed = hashlib.sha256(f"{library_versions()} {version('matplotlib')}".encode())
    for file in files:
        if not file.is_relative_to(papers):
            hashed.update(hashlib.sha256(file.read_bytes()).digest())
    return hashed.hexdigest()


def _digest(made: object) -> str:
    return hashlib.sha256(json.dumps(made).encode()).hexdigest()
