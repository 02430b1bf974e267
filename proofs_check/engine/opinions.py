"""Second opinions on proofs: what the small program `recheck` says, kept by the digest of the question.

A question is what the claim states, so that an opinion is lost as soon as another statement is asked. All are
lost as soon as the program is another: its digest stands at the head of the table.
"""

import csv
import io
from collections.abc import Collection, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from establish.proofs_check.engine.ours import home
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.tables import text_of
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
        return "none was asked yet; in a clone, make second asks for it"
    if opinion == RECHECKED:
        return "establish recheck shows it again from its exported steps, without the engine"
    return f"there is one opinion only: establish recheck has to take the word of {opinion}"


@cache
def recorded() -> Mapping[str, str]:
    """The opinions that the project keeps, by question."""
    file = files("establish.proofs_check.engine").joinpath(NAME)
    return parse(file.read_text("utf-8")) if file.is_file() else {}


@cache
def program() -> str:
    """The first 16 hexadecimal digits of the digest of the program that rechecks: its core and all kinds."""
    files_of_it = sorted((home("proofs_check") / "recheck").rglob("*.py"))
    return sha256(b"".join(file.read_bytes() for file in files_of_it)).hexdigest()[:16]


def parse(text: str) -> dict[str, str]:
    """The opinions in ``text``; none where another program gave them. Raises ValueError for another table."""
    header, *rows = csv.reader(io.StringIO(text))
    if tuple(header[:-1]) != COLUMNS or any(len(row) != len(COLUMNS) for row in rows):
        raise ValueError(f"{NAME} must have the columns {','.join(COLUMNS)}, and the digest of the program")
    return dict(rows) if header[-1] == program() else {}


def write(opinions: Mapping[str, str]) -> str:
    """The table, of what the program says as it is."""
    return text_of((*COLUMNS, program()), sorted(opinions.items()))
