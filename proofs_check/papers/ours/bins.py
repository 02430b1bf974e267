"""Log-normal bins that are equally likely."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Every
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.arithmetic import MP
from establish.spec.earnings.bins import (
    BOTTOM,
    STATED_MEAN,
    STATED_SD,
    equal_log_normal_shares,
    log_normal_edges,
    log_normal_share,
)


def _are_equally_likely(bins: int) -> bool:
    """Each of them, the first from 0 on and the last open, has the share 1/M, to 40 digits."""
    law = MP.number(STATED_MEAN), MP.number(STATED_SD), MP
    _, *inner = log_normal_edges(BOTTOM, equal_log_normal_shares(bins), *law)
    through = [MP.number(0), *(log_normal_share(edge, *law) for edge in inner), MP.number(1)]
    share, tiny = MP.number(Fraction(1, bins)), MP.number(10) ** -40
    return all(abs(high - low - share) < tiny for low, high in pairwise(through))


EQUALLY_LIKELY = Every("number of bins", lambda: range(1, 41), _are_equally_likely)


@claim(
    "establish/equal-bins-are-equally-likely",
    where="Log-normal bins",
    says="M log-normal bins between the quantiles that are chosen for them have the share 1/M each, for M "
    "from 1 to 40.",
    states=EQUALLY_LIKELY,
)
def equal_bins_are_equally_likely() -> Verdict:
    """The quantiles are those of 1/M, …, (M − 1)/M."""
    return holds(exhaustive.each(EQUALLY_LIKELY, "1 to 40 bins"))
