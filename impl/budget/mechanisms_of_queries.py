"""The mechanisms that a plan's queries name, at the queries' parameters."""

from establish.impl.budget.queries import CountQuery, EarningsQuery
from establish.impl.earnings.bins import percentages
from establish.impl.earnings.described import EarningsMechanism
from establish.impl.earnings.mechanisms import earnings_mechanism
from establish.impl.mechanisms import Mechanism, mechanism
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.spec.composition import Definition, ErEe


def law_of_counts(query: CountQuery, definition: Definition) -> Mechanism | TruncatedLaplace:
    """Raises ParameterError where the mechanism is not proved at these parameters."""
    if query.theta is not None:
        return TruncatedLaplace(query.epsilon, query.theta, calibration=query.calibration)
    return mechanism(
        query.mechanism,
        epsilon=query.epsilon,
        alpha=definition.alpha if isinstance(definition, ErEe) else None,
        delta=query.delta or None,
        calibration=query.calibration,
    )


def law_of_earnings(query: EarningsQuery, *, cells_given: bool) -> EarningsMechanism:
    """Raises ParameterError for a budget, bins or percentiles that it does not allow."""
    return earnings_mechanism(
        query.mechanism,
        query.epsilon,
        percentages(query.percentiles),
        bins=query.bins,
        cells_given=cells_given,
    )
