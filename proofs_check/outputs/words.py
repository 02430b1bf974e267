"""Numbers and words that several outputs hold."""

from typing import Annotated, Any, NamedTuple


class Keyword(NamedTuple):
    """What `Annotated` adds to the JSON Schema of a type."""

    name: str
    value: Any


def one_of(*words: str) -> Keyword:
    """That a string is one of these."""
    return Keyword("enum", words)


Rational = Annotated[str, Keyword("pattern", "^-?[0-9]+(/[0-9]+)?$")]
NotNegative = Annotated[str, Keyword("pattern", "^[0-9]+(/[0-9]+)?$")]
Whole = Annotated[str, Keyword("pattern", "^[0-9]+$")]
Digest = Annotated[str, Keyword("pattern", "^[0-9a-f]{64}$")]
Release = Annotated[str, Keyword("pattern", "^[0-9a-f]{32}$")]
"""The name of a release."""

Grade = Annotated[str, one_of("", "formal", "proof", "steps", "enclosure", "exhaustive", "statistical")]
VERDICTS = (
    "holds",
    "holds_loosely",
    "fails",
    "ill_posed",
    "misprint",
    "not_checkable",
    "unsettled",
    "not_run",
)
Verdict = Annotated[str, one_of(*VERDICTS)]
