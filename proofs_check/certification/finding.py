"""What was verified about a release."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Finding:
    """One thing that was verified, in words, and whether it holds; None where it was not checked.

    how: what checks it then: an option of ``establish verify``, such as ``--key FILE``, or a sentence.
    """

    says: str
    holds: bool | None
    how: str = ""

    def to_json(self) -> dict[str, object]:
        return asdict(self)
