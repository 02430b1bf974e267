"""What commands tell of claims, sources and mechanisms."""

from typing import Annotated, Literal, NotRequired, TypedDict

from establish.proofs_check.outputs.words import VERDICTS, Digest, Grade, Verdict, one_of


class Read(TypedDict):
    """A definition of the specification that a check reads."""

    name: str
    file: str
    line: int


class InFiles(TypedDict):
    """Where a claim is written, and what stands around it."""

    file: str
    line: int
    reads: list[Read]
    rests_on: list[str]
    used_by: list[str]


class Listed(InFiles):
    """One row for each claim."""

    id: str
    source: str
    location: str
    statement: str
    verdict: Annotated[str, one_of(*VERDICTS, "")]


class Searched(TypedDict):
    """What the adversary of one object tried."""

    statement: str
    tried: str
    refuted: str
    found: list[str]
    missed: list[str]
    effort: int


class Checked(InFiles):
    """One record for each claim that was settled."""

    id: str
    source: str
    location: str
    statement: str
    verdict: Verdict
    evidence: Grade
    value: str
    counterexample: str
    condition: str
    method: str
    seconds: float
    origin: Literal["printed", "corrected", "ours", "implied", "unread"]
    compared: str
    scope: str
    value_evidence: Grade
    condition_evidence: Grade
    prose: str
    quantified: list[str]
    adversary: list[Searched]
    trusts: list[str]


class Piece(TypedDict):
    """A piece of evidence."""

    says: str
    established: bool | None
    grade: Grade
    method: str
    witness: str
    scope: str
    aside: bool
    decides: str
    refutes: bool
    identity: str


class Shown(Checked):
    """The record of each claim, with its derivation and its pieces of evidence."""

    derivation: str
    pieces: list[Piece]


class Part(TypedDict):
    """A part of a note."""

    title: str
    lines: list[str]


class Noted(TypedDict):
    """The note for the authors of each refuted statement: its parts in the order of reading."""

    id: str
    source: str
    location: str
    reference: str
    verdict: Annotated[str, one_of("fails", "ill_posed", "misprint")]
    evidence: Grade
    ran: bool
    parts: list[Part]


class Theorem(TypedDict):
    """A theorem; its statement and assumptions where it was accepted as the text is now."""

    name: str
    statement: NotRequired[str]
    assumptions: NotRequired[list[str]]


class Formal(TypedDict):
    """One row for each claim with theorems that a proof assistant accepted."""

    id: str
    covers: list[str]
    theorems: list[Theorem]
    tried: str
    rest: str
    accepted: str
    changed: list[str]


class Covered(TypedDict):
    """One row for each source: its sentences by fate, and of sampled claims how many are the sentence."""

    source: str
    sentences: int
    claim: int
    definition: int
    convention: int
    narrative: int
    not_checkable: int
    structure: int
    open: int
    settled: int
    stating: int
    sampled: int
    same: int
    unknown_claims: list[str]


class Trusted(TypedDict):
    """One row for each party that verdicts rest on."""

    party: str
    trusted_for: str
    claims: list[str]


class Rechecked(TypedDict):
    """How each exported proof comes out; believed: the methods and rules whose word carries a step;
    lines_to_read: of the code that rechecked it.
    """

    id: str
    result: Literal["rechecked", "believed", "refused"]
    believed: list[str]
    refused: str
    steps: int
    rechecked_steps: int
    lines_to_read: int


class Known(TypedDict):
    """One row for each mechanism that runs: claims by id, or why there is nothing to settle."""

    mechanism: str
    definition: str | list[str]
    density: str | list[str]
    privacy: str
    loss: str | list[str]
    admissibility: str | list[str]
    bias: str | list[str]
    moments: str | list[str]
    sampler: str | list[str]
    certificate: str | list[str]
    claims: str | list[str]


class Certified(TypedDict):
    """One row for each mechanism."""

    mechanism: str
    certified: bool
    status: str


class Check(TypedDict):
    """One thing that certification tried."""

    says: str
    evidence: Grade
    scope: str


class Grant(TypedDict):
    """What theorems grant a mechanism: level and δ as multiples of its parameters."""

    calibration: str
    neighbors: Literal["strong", "weak", "edge", "node", "establishment", "record"]
    queries: str
    level: dict[str, str]
    delta: dict[str, str]
    theorems: list[str]
    digest: Digest
    joined: str


class Entry(TypedDict):
    """What stands about one mechanism: it refers to claims, checks and definitions by name."""

    identity: Digest
    roots: list[str]
    claims: list[str]
    checks: list[str]
    checked_with: dict[str, str]
    grants: list[Grant]


class Certificates(TypedDict):
    """The certificates of all mechanisms. claims: the verdict, then what the claim reads. files: sha256 by
    name. definitions: sha256, then the definitions that it names."""

    format: Literal[3]
    claims: dict[str, list[str]]
    checks: dict[str, Check]
    files: dict[str, Digest]
    definitions: dict[str, list[str]]
    mechanisms: dict[str, Entry]
