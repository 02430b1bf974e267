"""The queries of a plan, by the kind of data that they read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

from establish.impl.budget.joint import Joint
from establish.impl.budget.section import NAME, Section
from establish.impl.budget.sources import Establishments, JobTables, Source
from establish.impl.cards import cards, names_under
from establish.impl.earnings.bins_or_gaps import BinsOrGaps
from establish.impl.earnings.histogram_percentiles import HistogramPercentiles
from establish.impl.guarantee import DEFINITIONS
from establish.impl.mechanisms.defaults import settled
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.microdata.group_by import base_of
from establish.spec.composition import Definition, ErEe, Gedp, Marginal
from establish.spec.parameters import ParameterError, positive, probability

MECHANISMS: Mapping[str, tuple[str, ...]] = {name: names_under(name) for name in DEFINITIONS}
"""The mechanisms that run, by the definition for which they are proved."""


@dataclass(frozen=True)
class CountQuery:
    """The counts of jobs in all cells that the attributes ``by`` form.

    where: for some attributes the values that count; others are left out. epsilon, delta: the
    parameters of the mechanism for one count, δ = 0 unless it takes one. theta: for truncated-laplace. why:
    why it is this mechanism and calibration, where the plan does not name both.
    """

    name: str
    by: tuple[str, ...]
    where: Mapping[str, tuple[str, ...]]
    mechanism: str
    calibration: str
    epsilon: Fraction
    delta: Fraction
    theta: int | None
    why: tuple[str, ...] = ()

    def marginal(self, source: JobTables) -> Marginal:
        """The query as its cost sees it: cells of worker attributes in ``by``, narrowed by ``where``."""
        cells = prod(
            len(self.where.get(name, source.worker[name])) for name in self.by if name in source.worker
        )
        uses = any(name in source.worker for name in (*self.by, *self.where))
        return Marginal(cells, uses)


@dataclass(frozen=True)
class SumQuery:
    """The sums of confidential attributes over the groups that ``by`` forms.

    mu: by attribute, the budget of its sums over all groups. identity: whether the groups are single
    establishments. zeta: for pnc, the probability that anything is clipped. weights: by attribute, where they
    and the plan's joint budget give mu. remainder: whether pnc answers every establishment once more with
    what the sums leave of mu.
    """

    name: str
    by: tuple[str, ...]
    mechanism: str
    mu: Mapping[str, Fraction]
    identity: bool
    zeta: Fraction | None
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    remainder: bool = False

    @property
    def tables(self) -> tuple[str, ...]:
        """What it answers, but for their endings: its sums, and second answers by establishment."""
        return (self.name, f"{self.name}-each") if self.remainder else (self.name,)


@dataclass(frozen=True)
class EarningsQuery:
    """Protected percentiles of earnings in the cells that ``by`` forms.

    epsilon: for one record. percentiles: between 0 and 100. bins: as text, for
    :func:`establish.impl.earnings.bins.bins_of`; None for a mechanism that has its own. why: why it is this
    mechanism, where the plan names none.
    """

    name: str
    by: tuple[str, ...]
    mechanism: str
    epsilon: Fraction
    percentiles: tuple[Fraction, ...]
    bins: str | None
    why: tuple[str, ...] = ()


Query = CountQuery | SumQuery | EarningsQuery


def read_queries(
    sections: list[Section], source: Source, definition: Definition, joint: Joint | None = None
) -> tuple[Query, ...]:
    """joint: what queries with weights share. Raises ParameterError for no query, a name twice, weights
    without a joint budget or the reverse, or what one query does not allow.
    """
    if not sections:
        raise ParameterError("plan: there is no [[query]]")
    queries = tuple(_query(section, source, definition) for section in sections)
    seen: set[str] = set()
    for query in queries:
        for table in query.tables if isinstance(query, SumQuery) else (query.name,):
            if table.lower() in seen:
                raise ParameterError(f"query {table}: another query has this name")
            seen.add(table.lower())
    queries = _allotted(queries, joint)
    _require_identity_before_pnc(queries)
    return queries


def _allotted(queries: tuple[Query, ...], joint: Joint | None) -> tuple[Query, ...]:
    """The queries, with budgets for those that give weights."""
    weights = [
        (query.name, key, weight)
        for query in queries
        if isinstance(query, SumQuery)
        for key, weight in query.weights.items()
    ]
    if joint is None:
        if weights:
            raise ParameterError(
                f"query {weights[0][0]}: weights share a joint budget: write joint = {{ mu = 2 }} in "
                "[budget], or mu in place of weights"
            )
        return queries
    if not weights:
        raise ParameterError(
            "[budget]: joint: no query gives weights, which share it: write weights in place of mu"
        )
    budgets = joint.budgets([weight for *_, weight in weights])
    mu: dict[str, dict[str, Fraction]] = {}
    for (name, key, _), budget in zip(weights, budgets, strict=True):
        mu.setdefault(name, {})[key] = budget
    return tuple(
        replace(query, mu=mu[query.name]) if isinstance(query, SumQuery) and query.weights else query
        for query in queries
    )


def _query(section: Section, source: Source, definition: Definition) -> Query:
    name = section.text("name")
    if not NAME.fullmatch(name):
        raise ParameterError(
            f"{section.place}: name = {name!r} is not allowed: letters, digits, - and _ (it names a file)"
        )
    section.place = f"query {name}"
    by = section.texts("by")
    chooses = not isinstance(definition, Gedp) and len(MECHANISMS[definition.name]) > 1
    chooses = chooses and "mechanism" not in section
    mechanism = section.text_or("mechanism", "") if chooses else section.text("mechanism")
    if mechanism in cards() and "rho" in cards()[mechanism].takes:
        raise ParameterError(
            f"query {name}: mechanism = {mechanism} keeps per-record privacy, and plans do not: release its "
            "table by establish release counts with --rho"
        )
    if not chooses and mechanism not in MECHANISMS[definition.name]:
        raise ParameterError(
            f"query {name}: mechanism = {mechanism} is not allowed under {definition.name}: use "
            f"{' or '.join(MECHANISMS[definition.name])}"
        )
    if isinstance(source, JobTables):
        query: Query = _counts(section, name, by, mechanism or None, source, definition)
    elif isinstance(source, Establishments):
        assert isinstance(definition, Gedp)
        query = _sums(section, name, by, mechanism, source, definition)
    else:
        query = _earnings(section, name, by, mechanism or None)
    section.end()
    return query


def _counts(
    section: Section,
    name: str,
    by: tuple[str, ...],
    mechanism: str | None,
    source: JobTables,
    definition: Definition,
) -> CountQuery:
    filters = section.section_or_empty("where")
    where = {key: filters.text_or_texts(key) for key in filters.names()}
    for key in (*by, *where):
        if key not in source.attributes:
            raise ParameterError(
                f"query {name}: {key} is not an attribute of [domain]: these are "
                f"{', '.join(source.attributes)}"
            )
    for key, values in where.items():
        known = source.worker.get(key, source.establishment.get(key))
        for value in values:
            if isinstance(known, tuple) and value not in known:
                raise ParameterError(f"query {name}: where {key} = {value} is not in [domain]")
        if not values:
            raise ParameterError(f"query {name}: where {key} has no value, so nothing is counted")
    epsilon = positive(f"query {name}: epsilon", section.number("epsilon"))
    delta = Fraction(0)
    if _takes_delta(mechanism) or (mechanism is None and "delta" in section):
        delta = probability(f"query {name}: delta", section.number("delta"))
    theta = section.whole("theta") if mechanism == TruncatedLaplace.name else None
    one = section.flag("one_establishment") if mechanism is None else False
    given = section.text_or("calibration", "") or None
    try:
        taken = settled(
            mechanism,
            given,
            alpha=definition.alpha if isinstance(definition, ErEe) else None,
            epsilon=epsilon,
            delta=delta or None,
            largest=True,
            one=one,
        )
    except ParameterError as error:
        raise ParameterError(f"query {name}: {error}") from None
    if not _takes_delta(taken.name):
        delta = Fraction(0)
    return CountQuery(name, by, where, taken.name, taken.calibration, epsilon, delta, theta, taken.why)


def _takes_delta(mechanism: str | None) -> bool:
    return mechanism is not None and "delta" in cards()[mechanism].takes


DEFAULT_EARNINGS = (
    f"{BinsOrGaps.name} was taken, as no mechanism is named: few bins or equal gaps for each cell, by ε and "
    "a noisy total alone"
)


def _earnings(section: Section, name: str, by: tuple[str, ...], mechanism: str | None) -> EarningsQuery:
    if not by:
        raise ParameterError(f"query {name}: by is empty: name the columns that form the cells")
    epsilon = positive(f"query {name}: epsilon", section.number("epsilon"))
    percentiles = section.numbers_or("percentiles", (25, 50, 75))
    taken = mechanism or BinsOrGaps.name
    bins: str | None = None
    if taken == HistogramPercentiles.name:
        bins = section.text_or("bins", "log-normal")
    elif "bins" in section:
        raise ParameterError(
            f"query {name}: bins is not used by {taken}: leave it out, or name mechanism = "
            f"{HistogramPercentiles.name}"
        )
    why = () if mechanism else (DEFAULT_EARNINGS,)
    return EarningsQuery(name, by, taken, epsilon, percentiles, bins, why)


def _sums(
    section: Section, name: str, by: tuple[str, ...], mechanism: str, source: Establishments, definition: Gedp
) -> SumQuery:
    given = "weights" if "weights" in section else "mu"
    if given == "weights" and "mu" in section:
        raise ParameterError(f"query {name}: it gives mu and weights: leave one of them out")
    values = section.section(given)
    of = {key: positive(f"query {name}: {given} of {key}", values.number(key)) for key in values.names()}
    if not of:
        raise ParameterError(f'query {name}: {given} is empty: write {given} = {{ employment = "1/2" }}')
    for key in of:
        if key not in definition.by_name:
            raise ParameterError(
                f"query {name}: {key} is not protected by [budget.attributes]: these are "
                f"{', '.join(definition.by_name)}"
            )
    for key in by:
        if base_of(key) in definition.by_name:
            raise ParameterError(f"query {name}: {key} is confidential and cannot form groups")
    zeta, remainder = None, section.flag("remainder")
    if mechanism == "pnc":
        zeta = probability(f"query {name}: zeta", section.number_or("zeta", Fraction(1, 100)))
    elif remainder:
        raise ParameterError(
            f"query {name}: remainder = true is not used by {mechanism}: sums by pnc leave a part of their "
            "budget, others do not"
        )
    mu, weights = (of, {}) if given == "mu" else ({}, of)
    return SumQuery(name, by, mechanism, mu, source.id in by, zeta, weights, remainder)


def _require_identity_before_pnc(queries: tuple[Query, ...]) -> None:
    answered: set[str] = set()
    for query in queries:
        if not isinstance(query, SumQuery):
            continue
        if query.mechanism == "pnc":
            missing = [name for name in query.mu if name not in answered]
            if missing:
                raise ParameterError(
                    f"query {query.name}: pnc takes its bounds from an earlier psi query by "
                    f"establishment, and none answers {missing[0]}"
                )
        elif query.identity:
            answered |= set(query.mu)
