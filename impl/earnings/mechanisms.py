"""The mechanisms for percentiles of earnings, by name."""

from establish.impl.cards import cards, names_under
from establish.impl.earnings.bins import bins_of
from establish.impl.earnings.described import EarningsMechanism
from establish.impl.earnings.histogram_percentiles import HistogramPercentiles
from establish.impl.earnings.percentiles import Shares
from establish.spec.parameters import ParameterError, Rational

NAMES = names_under("record-dp")
"""What :func:`earnings_mechanism` knows."""


def earnings_mechanism(
    name: str,
    epsilon: Rational,
    shares: Shares,
    *,
    bins: str | None = None,
    post_process: str | None = None,
    cells_given: bool = False,
) -> EarningsMechanism:
    """The mechanism ``name`` of NAMES.

    bins: as bins_of reads it, log-normal unless given; post_process: a name of POST_PROCESS, none unless
    given; both for histogram-percentiles only. Raises ParameterError for a parameter outside its domain,
    or one that the mechanism does not use.
    """
    if name == HistogramPercentiles.name:
        return HistogramPercentiles(
            epsilon,
            bins_of(bins or "log-normal"),
            shares,
            cells_given=cells_given,
            post_process=post_process or "none",
        )
    if name not in NAMES:
        raise ParameterError(f"mechanism = {name} is not known: use one of {', '.join(NAMES)}")
    for option, value in (("--bins", bins), ("--post-process", post_process)):
        if value is not None:
            raise ParameterError(f"{option} is not used by {name}: leave it out")
    made: EarningsMechanism = cards()[name].load()(epsilon, shares, cells_given=cells_given)
    return made
