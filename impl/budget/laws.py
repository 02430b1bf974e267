"""The mechanisms that a plan's queries name, at the queries' parameters."""

from __future__ import annotations

from establish.impl.budget.queries import CountQuery, EarningsQuery
from establish.impl.earnings.bins import bins_of, percentages
from establish.impl.earnings.mechanism import HistogramPercentiles
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


def law_of_earnings(query: EarningsQuery, *, cells_given: bool) -> HistogramPercentiles:
    """Raises ParameterError for a budget, bins or percentiles that it does not allow."""
    shares = percentages(query.percentiles)
    return HistogramPercentiles(query.epsilon, bins_of(query.bins), shares, cells_given=cells_given)
