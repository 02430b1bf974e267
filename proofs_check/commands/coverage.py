"""``establish coverage``: what becomes of every sentence of a source."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from establish.proofs_check.commands.jsonfile import JsonFile, json_only, prepare
from establish.proofs_check.outputs.claims import Covered

HELP = """Show how each sentence of a source is covered: by claims, as a definition, as narrative, or open.

\b
Examples:
  establish coverage
  establish coverage haney2017
  establish coverage haney2017 --text haney2017.txt
  establish coverage webb2025 --json -

\b
A fingerprint of its words identifies each sentence, so the package holds no text of a source. With --text,
the command compares the source's own text: it prints each sentence that is not on the list, with its
fingerprint, and each narrative sentence that states a number, a comparison or a word such as "any" but has
no reason on the list.

\b
The last line is about a random sample of printed claims: how many statements say exactly what the sentence
says, as judged by readers who saw only the two. engine/sample.csv gives the reasons.

\b
Exit status: 0 every sentence is covered; 1 some are open, or the text differs; 2 usage error.
"""

Source = Annotated[str | None, typer.Argument(help="a source, such as haney2017 (all sources by default)")]
Text = Annotated[Path | None, typer.Option("--text", metavar="FILE", help="the text of the source, in UTF-8")]


def coverage(source: Source = None, text: Text = None, json_file: JsonFile = "") -> int:
    prepare(json_file)

    from establish.proofs_check.engine import ledger, sample, sentences
    from establish.proofs_check.engine.misuse import Misuse

    recorded = ledger.recorded()
    sources = list(dict.fromkeys(id.partition("/")[0] for id in recorded if not id.startswith("establish/")))
    if source is not None and source not in sources:
        raise Misuse(f"there is no source {source!r}: the sources are {', '.join(sources)}")
    if text is not None and source is None:
        raise Misuse("--text is the text of one source: name the source")
    read = sample.sample()
    drawn = [one for one in read.claims if source in (None, one.source)]
    sampled = [one for one in drawn if one.id not in recorded or recorded[one.id].verdict != "not_checkable"]
    rows = [
        _row(name, sentences.of_source(name), recorded, [one for one in sampled if one.source == name])
        for name in ([source] if source else sources)
    ]
    beside = sentences.compared(source, _read(text)) if text and source else {}
    if not json_only(json_file, rows):
        _print(rows, beside)
        print(sample.told(sampled, read.drawn, len(drawn) - len(sampled)))
    return int(any(row["open"] or not row["sentences"] for row in rows) or any(beside.values()))


def _row(source: str, table: Sequence[Any], recorded: Mapping[str, Any], sampled: Sequence[Any]) -> Covered:
    """One source: its sentences by fate, the share of its statements that claims settle, and its sample."""
    fates = Counter(sentence.fate for sentence in table)
    judged = {id for sentence in table if sentence.fate == "claim" for id in sentence.of}
    stating = sum(fates[fate] for fate in ("claim", "not checkable", "open"))
    settled = sum(
        all(id in recorded and recorded[id].verdict != "not_checkable" for id in sentence.of)
        for sentence in table
        if sentence.fate == "claim"
    )
    return {
        "source": source,
        "sentences": len(table),
        "claim": fates["claim"],
        "definition": fates["definition"],
        "convention": fates["convention"],
        "narrative": fates["narrative"],
        "not_checkable": fates["not checkable"],
        "structure": fates["structure"],
        "open": fates["open"],
        "settled": settled,
        "stating": stating,
        "sampled": len(sampled),
        "same": sum(one.judgment == "same" for one in sampled),
        "unknown_claims": sorted(judged - set(recorded)),
    }


def _read(path: Path) -> str:
    from establish.proofs_check.engine.misuse import Misuse

    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Misuse(f"--text {path}: it cannot be read as UTF-8 ({type(error).__name__})") from None


def _print(rows: Sequence[Covered], beside: Mapping[str, Sequence[str]]) -> None:
    from establish.proofs_check.commands.terminal import output, plain_table
    from establish.proofs_check.engine.sentences import FATES, fingerprint

    table = plain_table()
    for name in ("source", "sentences", *FATES, "settled"):
        table.add_column(name, justify="left" if name == "source" else "right")
    for row in rows:
        share = f"{row['settled']} of {row['stating']}" if row["stating"] else "-"
        fates: Mapping[str, object] = row
        counts = (str(fates[fate.replace(" ", "_")]) for fate in FATES)
        table.add_row(row["source"], str(row["sentences"] or "no table"), *counts, share)
    output(piped_width=160).print(table)
    for row in rows:
        if row["unknown_claims"]:
            print(f"{row['source']}: no such claims: {', '.join(row['unknown_claims'])}")
    for kind, units in beside.items():
        for unit in units:
            print(f"{kind}: {unit if kind == 'not in the text' else f'{fingerprint(unit)} {unit}'}")
