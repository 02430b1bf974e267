"""All answers of a plan: the queries by establishment first, then those that take bounds from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from establish.impl.arrays import Floats, Integers
from establish.impl.budget.queries import SumQuery
from establish.impl.microdata.establishments import Establishments
from establish.impl.microdata.estimates import Estimates, from_left, from_psi, from_sums
from establish.impl.microdata.group_by import Groups, sums
from establish.impl.microdata.least_squares import Answered, least_squares
from establish.impl.microdata.neighbor_functions import neighbor_function
from establish.impl.microdata.probably_no_clipping import Clipped, ProbablyNoClipping, margin, upper_bounds
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.impl.microdata.remainder import Left, pooled
from establish.impl.sampling.bits import Bits
from establish.spec.composition import Gedp
from establish.spec.parameters import ParameterError

Mechanism = PsiMechanism | ProbablyNoClipping


@dataclass(frozen=True)
class Answers:
    """What one query released about one measure, one number a group."""

    query: SumQuery
    measure: str
    mechanism: Mechanism
    formed: Groups
    released: Floats | Clipped

    @property
    def answers(self) -> Floats:
        """The released noisy numbers: ω of the ψ-mechanism, sums of pnc."""
        return self.released.answers if isinstance(self.released, Clipped) else self.released

    @property
    def left(self) -> Left | None:
        """The second answers by establishment, where the query gives them."""
        return self.released.left if isinstance(self.released, Clipped) else None

    def estimates(self) -> Estimates:
        if isinstance(self.released, Clipped):
            return from_sums(self.released)
        assert isinstance(self.mechanism, PsiMechanism)
        return from_psi(self.mechanism, self.released)


def mechanism_of(query: SumQuery, measure: str, definition: Gedp) -> Mechanism:
    """The mechanism that answers ``query`` about ``measure``. Raises ParameterError, naming the query."""
    try:
        return _mechanism_of(query, measure, definition)
    except ParameterError as error:
        raise ParameterError(f"query {query.name}: {error}") from None


def _mechanism_of(query: SumQuery, measure: str, definition: Gedp) -> Mechanism:
    protected = definition.by_name[measure]
    psi = neighbor_function(protected.psi, protected.shift)
    if query.mechanism == "psi":
        return PsiMechanism(psi, protected.gamma, query.mu[measure])
    if query.zeta is None:
        raise ParameterError("zeta is missing")
    return ProbablyNoClipping(psi, protected.gamma, query.mu[measure], query.zeta, remainder=query.remainder)


def answer(
    data: Establishments,
    queries: Sequence[SumQuery],
    definition: Gedp,
    bits: Bits,
    advance: Callable[[str], None] = lambda _: None,
) -> list[Answers]:
    """One entry per query and measure, in the order of the queries.

    The bounds of pnc come from the first query by establishment that answers its measure; all bounds
    of all measures hold at once with probability ≥ 1 − ζ. ``advance`` is called with the name of a
    query before it is answered. Raises ParameterError for a measure or level that there is not, and
    for a pnc query without an earlier one by establishment.
    """
    found: list[Answers] = []
    identities: dict[str, Answers] = {}
    bounded = len({name for query in queries if query.identity for name in query.mu}) * len(data)
    for query in queries:
        advance(query.name)
        formed = data.groups(query.by)
        for name in query.mu:
            mechanism = mechanism_of(query, name, definition)
            values = _values(data.measures, name)
            released: Floats | Clipped
            if isinstance(mechanism, PsiMechanism):
                totals = values if query.identity else sums(formed, values)
                released = mechanism.release(totals, bits)
            else:
                bounds = _bounds(identities.get(name), mechanism, bounded, query.name)
                released = mechanism.release(formed, values, bounds, bits)
            found.append(Answers(query, name, mechanism, formed, released))
            if query.identity and isinstance(mechanism, PsiMechanism):
                identities.setdefault(name, found[-1])
    return found


def fitted(answers: Sequence[Answers], *, nonnegative: bool = False) -> dict[str, Floats]:
    """By measure, the least-squares estimate of every group of the query that refines all others."""
    measures = dict.fromkeys(one.measure for one in answers)
    return {
        name: least_squares(
            _answered([one for one in answers if one.measure == name]), nonnegative=nonnegative
        )
        for name in measures
    }


def _answered(answers: Sequence[Answers]) -> list[Answered]:
    """What is known of one measure; second answers go with the first one by establishment."""
    left = [one.left for one in answers if one.left is not None]
    found = []
    for one in answers:
        estimates = one.estimates()
        if left and one.query.identity and isinstance(one.mechanism, PsiMechanism):
            together = pooled(one.mechanism, one.answers, left)
            estimates, left = from_left(one.mechanism.psi, together), []
        found.append(Answered(one.formed, estimates.values, estimates.variances))
    return found


def _values(measures: Mapping[str, Integers], name: str) -> Integers:
    if name not in measures:
        raise ParameterError(f"measure = {name} is not there: the data have {', '.join(measures)}")
    return measures[name]


def _bounds(identity: Answers | None, mechanism: ProbablyNoClipping, bounded: int, query: str) -> Integers:
    if identity is None:
        raise ParameterError(
            f"query {query}: pnc takes its bounds from an earlier psi query by establishment"
        )
    assert isinstance(identity.mechanism, PsiMechanism)
    return upper_bounds(identity.mechanism, identity.answers, margin(mechanism.zeta, bounded))
