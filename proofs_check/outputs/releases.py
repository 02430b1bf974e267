"""What plans cost, what ledgers hold, and the records that releases leave."""

from typing import Annotated, Literal, NotRequired, TypedDict

from establish.proofs_check.outputs.words import Digest, Keyword, NotNegative, Rational, Release, Whole


class Approximate(TypedDict):
    """Level and δ of a loss or a cap."""

    epsilon: Rational
    delta: Rational


class Gaussian(TypedDict):
    """The square of μ of a loss or a cap."""

    mu_squared: Rational


class PerRecord(TypedDict):
    """ρ by policies: what a record of size x loses is their sum."""

    rho: dict[str, Rational]


Loss = Approximate | Gaussian | PerRecord


class ToldApproximate(Approximate):
    """The same with its text."""

    text: str


class ToldGaussian(Gaussian):
    """The same with its text."""

    text: str


class ToldPerRecord(PerRecord):
    """The same with its text."""

    text: str


Told = ToldApproximate | ToldGaussian | ToldPerRecord


class Attribute(TypedDict):
    """How far an attribute of an establishment is protected."""

    psi: str
    gamma: Rational
    shift: Rational


class Defined(TypedDict):
    """A privacy definition, with what it is for."""

    definition: Literal[
        "edge-dp", "node-dp", "record-dp", "strong-er-ee", "weak-er-ee", "gedp", "per-record-zcdp"
    ]
    alpha: NotRequired[Rational]
    records_per_person: NotRequired[int]
    attributes: NotRequired[dict[str, Attribute]]


class Spending(Defined):
    """What a release spent, of what, and when."""

    release: Release
    time: str
    title: str
    plan: Digest
    queries: dict[str, Loss]
    loss: Loss
    seeded: bool
    dataset: str


class FirstLine(Defined):
    """The first line of a ledger."""

    number: Literal[0]
    ledger: str
    dataset: str
    cap: Loss | None
    checksum: Digest


class Line(Spending):
    """An entry of a ledger."""

    number: Annotated[int, Keyword("minimum", 1)]
    output: str
    checksum: Digest
    cap: NotRequired[Loss]


class Entry(Spending):
    """An entry, and what became of its release."""

    head: Digest
    state: Literal["published", "interrupted", "no output"]
    signed_by: NotRequired[str]


class BudgetLedger(Defined):
    """What a ledger holds."""

    ledger: str
    dataset: str
    cap: Loss | None
    spent: Told
    left: Told | None
    unpaid_drafts: list[str]
    entries: list[Entry]


class QueryCost(TypedDict):
    """What a query costs."""

    query: str
    each: Told
    times: int
    cost: Told
    rules: list[str]


class RestsOn(TypedDict):
    """A claim, and its verdict in the ledger of claims."""

    claim: str
    verdict: str


class ExpectedErrors(TypedDict):
    """The error of an answer, by a size that it follows."""

    query: str
    mechanism: str
    calibration: str
    of: str
    measured: Literal["E|out − n|", "standard deviation"]
    errors: dict[Whole, float | None]
    follows: Literal["nothing", "largest", "count", "sum", "largest bound", "value", "class"]
    over_limit_at_most: float | None
    why: list[str]
    shares: dict[Whole, float | None] | None


class Share(TypedDict):
    """What a query gets of a joint μ."""

    query: str
    of: str
    weight: NotNegative
    mu: NotNegative


class Joint(TypedDict):
    """A μ that queries share by weights."""

    mu: NotNegative
    error: Literal["absolute", "squared"]
    claim: str
    shares: list[Share]


class Budget(Defined):
    """What a plan costs, and what its ledger has left."""

    title: str
    plan_sha256: Digest
    queries: list[QueryCost]
    total: Told
    ledger: str
    cap: Told | None
    spent: Told
    left_before: Told | None
    within_cap: bool
    expected_errors: list[ExpectedErrors]
    joint: Joint | None
    rests_on: list[RestsOn]


class InLedger(TypedDict):
    """The entry that paid for a release, and the ledger's checksum after it."""

    entry: int
    head: Digest


class NoCertificate(TypedDict):
    """Why there is none."""

    status: str


class Stamp(NoCertificate):
    """The certificate under which a mechanism ran."""

    identity: Digest
    format: Literal[3]
    code: Digest


class Satisfied(TypedDict):
    """A guarantee, of what, and within which scope."""

    definition: str
    applies_to: str
    scope: str


class Answered(TypedDict):
    """The mechanism that answered, and what is known of it."""

    mechanism: str
    calibration: str
    parameters: dict[str, str | float | list[str | float] | None]
    noise: str
    constants: dict[str, float | list[float]]
    domain: str
    satisfies: list[Satisfied]
    rests_on: list[RestsOn]
    expected_error: dict[str, str]


class Published(Spending):
    """What every record of a release says."""

    tables: dict[str, Digest]
    ledger: str | InLedger
    signed_by: str
    certificates: dict[str, NoCertificate | Stamp]
    seed: str
    notes: list[str]
    production: bool
    versions: dict[str, str]


class Intervals(TypedDict):
    """Columns with the ends of intervals, and their level."""

    columns: tuple[str, str]
    level: str


class ReleasedCounts(Published, Answered):
    """The record of a table of counts."""

    rows: int
    count_column: str
    largest_column: str
    where: str | None
    kept_columns: list[str]
    left_out_columns: list[str]
    public_columns: list[str]
    disjoint: bool
    intervals: Intervals | None


class ReleasedEarnings(Published, Answered):
    """The record of a table of percentiles."""

    rows: int
    earnings_column: str
    cell_columns: list[str]
    cells: str
    person_column: str


class PlannedAnswer(Answered):
    """The answer to a query of a plan."""

    query: str
    by: list[str]
    where: NotRequired[dict[str, list[str]]]
    cells: NotRequired[int]
    groups: NotRequired[int]
    measure: NotRequired[str]


class Fitted(TypedDict):
    """How answers were made consistent."""

    method: str
    nonnegative: bool


class Additive(TypedDict):
    """The column in which tables add up."""

    column: Literal["additive"]
    numbers: Literal["real", "whole"]
    weights: dict[str, float]


class ReleasedPlan(Published):
    """The record of a plan."""

    rests_on: list[RestsOn]
    answers: list[PlannedAnswer]
    establishments: NotRequired[int]
    columns: NotRequired[dict[str, str]]
    fitted: NotRequired[Fitted | None]
    two_jobs: NotRequired[Literal["refuse", "first"]]
    cells: NotRequired[str]
    person_column: NotRequired[str]
    additive: NotRequired[Additive]
