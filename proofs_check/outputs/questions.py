"""Answers: audits, implications, conversions, and how much noise privacy makes necessary."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict, final

from establish.proofs_check.outputs.words import Grade, Keyword, Rational, one_of

Ends = tuple[float, float]
Some = Annotated[list[Ends], Keyword("minItems", 1)]


class Replayed(TypedDict):
    """What a replay saw, one row for each pair."""

    definition: str
    pair: tuple[str, str]
    faults: list[str]
    remarks: list[str]
    loss: float | None
    draws: int


class TradeOff(TypedDict):
    """How well tests tell the outputs on one dataset from those on its neighbor."""

    pair: Any
    test: str
    outputs: int
    type_1: Some
    type_2: Some
    mu: float
    epsilon: float
    profile: Some


class Audited(TypedDict):
    """What an audit found."""

    outcome: str
    definition: str
    universe: str
    pair: Any
    event: str
    probabilities: list[tuple[float | None, float | None] | float | str] | None
    epsilon_lower_bound: float | str
    confidence: float
    samples: int
    power: float | None
    evidence: Grade
    seconds: float
    pairs_listed: int
    pairs_tried: int
    detection: float | None
    detection_worst: float | None
    enough_samples: int | None
    tried: list[str]
    scanned: list[str]
    caution: str
    claimed: str | None
    bound: str
    range: str
    limited: bool
    trade_off: TradeOff | None
    notes: list[str]


class Universe(TypedDict):
    """The datasets that an answer speaks of."""

    workers: list[str]
    establishments: list[str]
    attribute_values: list[str]
    datasets: int


class Level(TypedDict):
    """A factor, and the multiple of ε that it is, between two decimals."""

    factor: str
    times_epsilon: tuple[str, str]


class Belief(TypedDict):
    """Where an attacker places a worker, and with which probability."""

    place: list[str] | None
    probability: Rational


class Shipment(TypedDict):
    """An amount of the dual plan, and the chain of neighbors that allows it."""

    amount: Rational
    chain: list[str]


class Witness(TypedDict):
    """An attacker, a mechanism and what the attacker learns."""

    prior: dict[str, list[Belief]]
    first: str
    second: str
    odds_before: str
    odds_after: str
    factor: str
    factor_in_c: str
    labels: dict[str, int | None]
    plan: list[Shipment]


class Hardest(TypedDict):
    """The class of attackers that needs the bound."""

    first: str
    second: str
    value: str
    pairs: list[tuple[str, str]]
    plan: list[Shipment]


class Bound(TypedDict):
    """The bound over all attackers, and how it was found."""

    factor: str
    classes: int
    linear_programs: int
    largest_program: list[int]
    hardest_class: NotRequired[Hardest]


class Implied(TypedDict):
    """The answer, the witness with its dual plan, and the bound over all attackers."""

    definition: str
    alpha: Rational
    c: Rational
    requirement: str
    priors: str
    universe: Universe
    verdict: str
    evidence: Literal["exhaustive"]
    at_least: Level | None
    at_most: Level
    witness: Witness | None
    bound: Bound


class Enclosed(TypedDict):
    """The two ends of a least error, and how each is proved."""

    lower: float
    lower_exact: Rational
    lower_by: str
    upper: float
    upper_exact: Rational
    upper_by: str


@final
class Limit(Enclosed):
    """The least error for counts of one establishment, and what follows at a count and up to it."""

    alpha: Rational
    epsilon: Rational
    delta: Rational
    many_establishments_lower: float
    many_establishments_lower_exact: str
    many_establishments_lower_by: str
    many_establishments_upper: float | None
    many_establishments_by: NotRequired[str]
    n: NotRequired[int]
    growth_laplace_at_n: NotRequired[float]
    whole_staircase_at_n: NotRequired[float | None]
    mean_up_to_n_lower: NotRequired[float]
    mean_up_to_n_upper: NotRequired[float | None]
    mean_up_to_n_by: NotRequired[str]


@final
class GaussianLimit(Enclosed):
    """The least error of an estimate of ψ(x), for Gaussian establishment privacy."""

    mu: Rational


@final
class Converted(TypedDict):
    """What a guarantee implies under another definition of privacy, and by which theorem."""

    given: dict[str, Rational]
    to: Annotated[str, one_of("epsilon", "delta", "mu", "rho", "renyi")]
    at: dict[str, Rational]
    lower: float
    lower_exact: Rational
    upper: float
    upper_exact: Rational
    least: bool
    attained_by: str
    order: str
    by: str
    claim: str
    evidence: str


class Ranges(TypedDict):
    """Enclosed least errors, without what proves them."""

    lower: float
    upper: float
    lower_by_largest: float
    lower_with_delta: float | None


class LimitBeside(TypedDict):
    """The limit with which mechanisms are compared."""

    limit: Ranges


class Compared(TypedDict):
    """The limit, then one row for each mechanism."""

    mechanism: str
    calibration: Annotated[str, one_of("tight", "published")]
    follows: Annotated[str, one_of("largest", "count")]
    errors: dict[str, float]
    over_limit_at_most: float | None
