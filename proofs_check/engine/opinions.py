"""Second opinions on proofs: what the small program `recheck` says, kept by the digest of the question.

A question is what the claim states, so that an opinion is lost as soon as another statement is asked.
"""

import csv
import io
from collections.abc import Collection, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.written import Deferred

NAME = "opinions.csv"
COLUMNS = ("question", "opinion")

RECHECKED = "rechecked"
"""The opinion that a proof is one; another is the names of the methods and rules on whose word it rests."""


def question_of(identities: Collection[str]) -> str:
    """The first 16 hexadecimal digits of the digest of what is stated, whatever its order."""
    return sha256("\n".join(sorted(identities)).encode()).hexdigest()[:16]


def opinion_of(claim: Claim) -> str:
    """The second opinion on what a claim states; empty where none was asked."""
    if isinstance(claim.check, Deferred):
        return claim.check.opinion
    return recorded().get(question_of([each.identity for each in claim.stated.printed]), "")


def told(claim: Claim) -> str:
    """The second opinion on a proof, in a line."""
    opinion = opinion_of(claim)
    if not opinion:
        return "none was asked: make second asks"
    if opinion == RECHECKED:
        return "establish recheck shows it again from its exported steps, without the engine"
    return f"there is one opinion only: establish recheck has to take the word of {opinion}"


@cache
def recorded() -> Mapping[str, str]:
    """The opinions that the project keeps, by question."""
    file = files("establish.proofs_check.engine").joinpath(NAME)
    return parse(file.read_text("utf-8")) if file.is_file() else {}


def parse(text: str) -> dict[str, str]:
    """The table in ``text``. Raises ValueError for another one."""
    header, *rows = csv.reader(io.StringIO(text))
    if tuple(header) != COLUMNS or any(len(row) != len(COLUMNS) for row in rows):
        raise ValueError(f"{NAME} must have the columns {','.join(COLUMNS)}")
    return dict(rows)


def write(opinions: Mapping[str, str]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([COLUMNS, *sorted(opinions.items())])
    return out.getvalue()
