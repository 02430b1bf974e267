"""The lines of a ledger's file: JSON objects, chained by checksums, the last one perhaps torn.

A line ends with its checksum: the SHA-256 of the checksum before it and of the line's own text. The
chain shows damage: a line changed, put elsewhere, or lost before another one. It does not show that
the last lines were removed, and does not stop somebody who may write the file from rewriting it: the
identities in the records of releases do.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from establish.spec.parameters import ParameterError

_KEY = b', "checksum": "'
_TAIL = len(_KEY) + 64 + len(b'"}')
OPENING = b'{"number": '
"""How every line starts."""


@dataclass(frozen=True)
class Line:
    """One complete line: its number from 0, what it says, and its checksum."""

    number: int
    fields: Mapping[str, Any]
    checksum: str


@dataclass(frozen=True)
class Scan:
    """The complete lines of a file, how many bytes they take, and whether a torn one follows."""

    lines: tuple[Line, ...]
    length: int
    torn: bool

    @property
    def checksum(self) -> str:
        """The last checksum, from which the next line continues."""
        return self.lines[-1].checksum if self.lines else ""


def encode(number: int, fields: Mapping[str, Any], previous: str) -> tuple[bytes, str]:
    """The line with its newline, and its checksum. ASCII only, so that a newline ends a line."""
    body = json.dumps({"number": number, **fields}).encode("ascii")[:-1]
    checksum = _checksum(previous, body)
    return body + _KEY + checksum.encode("ascii") + b'"}\n', checksum


def scan(content: bytes) -> Scan:
    """The lines in ``content``.

    What follows the last newline is a line whose writing was cut short, and so is a last line in which
    zeros stand for what did not get to the disk; neither was ever followed by an output. Raises
    ParameterError for a line that is complete and not as it was written, and for a remainder that no ledger
    could have left.
    """
    *complete, rest = content.split(b"\n")
    if len(complete) > 1 and not rest and b"\0" in complete[-1]:
        rest = complete.pop() + b"\n"
    lines: list[Line] = []
    for number, raw in enumerate(complete):
        previous = lines[-1].checksum if lines else ""
        lines.append(_decode(number, raw, previous))
    written = rest.strip(b"\0\n")
    torn = bool(lines) and b"\0" in rest
    if not (torn or written.startswith(OPENING) or OPENING.startswith(written)):
        raise ParameterError(f"line {len(lines) + 1} is not of a ledger: nothing is read or written")
    return Scan(tuple(lines), len(content) - len(rest), bool(rest))


def _decode(number: int, raw: bytes, previous: str) -> Line:
    body, tail = raw[:-_TAIL], raw[-_TAIL:]
    checksum = _checksum(previous, body)
    if not raw.startswith(OPENING) or tail != _KEY + checksum.encode("ascii") + b'"}':
        raise ParameterError(
            f"line {number + 1} is damaged: its checksum is wrong; restore the file from a copy"
        )
    fields = json.loads(body + b"}")
    if fields.pop("number") != number:
        raise ParameterError(f"line {number + 1} is damaged: it has another number")
    return Line(number, fields, checksum)


def _checksum(previous: str, body: bytes) -> str:
    return hashlib.sha256(previous.encode("ascii") + body).hexdigest()
