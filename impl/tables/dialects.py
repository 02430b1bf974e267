"""Why a text file cannot be read as comma-separated UTF-8: its encoding or its separator, by name.

Nothing that a file holds is part of what is said.
"""

import gzip
import re
import zlib
from pathlib import Path

SAMPLE = 1 << 20
"""How many bytes of a file are looked at."""

_MARKS = {
    b"PK\x03\x04": "a workbook or another zip archive",
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "compressed by gzip",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"%PDF": "a PDF file",
    b"SAS": "a SAS file",
}
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}

TO_UTF_8 = "save it as comma-separated UTF-8 text"
"""What helps."""

_COMMA = re.compile(r"[+-]?\d+(\.\d{3})*,\d+|[+-]?\d{1,3}(,\d{3})+(\.\d+)?")


def why_unreadable(path: Path, separated: bool = True) -> str:
    """What a text file is, gzipped when its name ends in .gz, where it is not UTF-8 text; else "".

    separated: whether its columns must be separated by commas, too: the first line is looked at. A file that
    cannot be opened has nothing said of it.
    """
    zipped = path.name.lower().endswith(".gz")
    try:
        with (gzip.open if zipped else open)(path, "rb") as file:
            sample = file.read(SAMPLE)
    except (OSError, EOFError, zlib.error):
        return f"{path.name} is not compressed by gzip, as its name says" if zipped else ""
    found = _kind(sample, zipped)
    if found:
        return f"{path.name} is {found}: {TO_UTF_8}"
    header = sample.decode("utf-8-sig", "ignore").partition("\n")[0]
    for sign, name in _SEPARATORS.items() if separated else ():
        if sign in header and "," not in header:
            return f"{path.name} has {name} between its columns, not commas: {TO_UTF_8}"
    return ""


def _kind(sample: bytes, zipped: bool) -> str:
    for mark, name in _MARKS.items():
        if sample.startswith(mark):
            return name
    if 4 * sample[:400].count(0) > len(sample[:400]):
        return "UTF-16 text without a mark at its beginning"
    try:
        sample[: len(sample) if len(sample) < SAMPLE else sample.rfind(b"\n") + 1].decode("utf-8")
    except UnicodeDecodeError as error:
        line = sample.count(b"\n", 0, error.start) + 1
        return f"not UTF-8 text (line {line}), perhaps Latin-1 or Windows-1252"
    return "not text" if b"\0" in sample else ""


def comma_in_number(text: str) -> str:
    """What to say of a number with a comma, be it for decimals or for thousands; "" of another text."""
    if _COMMA.fullmatch(text.strip()):
        return "it has a comma: write a point before decimals, and nothing between thousands"
    return ""
