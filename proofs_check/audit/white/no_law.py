"""What is certainly no law, though it was given as one: a lost outcome, or a density without its factor.

A certificate about it would speak of a mechanism that nobody runs. The probabilities of the atoms and of the
continuous part sum to 1, that part's distribution function ends at 0 and 1, and between two outputs x < y
without a break it grows by y − x times a value that the density takes between them.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from flint import arb

from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.spec_laws import Law
from establish.spec.arithmetic import ARB, Number
from establish.spec.parameters import ParameterError

NEAR = arb(2) ** -40
"""How far apart two outputs lie between which density and distribution function are compared."""

SETTLED = "establish.spec.distributions."
"""Where the laws of the specification stand, which have tests and claims of their own."""


def require_law(law: Law, read: Reading) -> None:
    """Raises ParameterError for a law, as it is read in ARB, that certainly is none."""
    if type(law).__module__.startswith(SETTLED):
        return
    for value, times in Counter(value for value, _ in read.atoms).items():
        if times > 1:
            raise ParameterError(f"law gives the atom {value} twice: give each value one probability")
    total = sum((ARB.number(mass) for _, mass in read.atoms), ARB.number(read.weight))
    if _differ(total, 1):
        raise ParameterError(
            f"law gives probabilities that sum to {total.str(6, radius=False)}, and not to 1"
        )
    if not ARB.number(read.weight) > 0:
        return
    for end, share in ((read.low, 0), (read.high, 1)):
        if end is not None and not read.whole and _differ(read.cdf(ARB.number(end)), share):
            raise ParameterError(f"cdf(x) of the law is not {share} at the end of its support")
    for x, breaks in _between(read):
        if read.whole:
            k = int(x.unique_fmpz())
            found, grown = ARB.exp(read.log_density(x, breaks)), read.cdf(k) - read.cdf(k - 1)
        else:
            found = ARB.exp(read.log_density(x.union(x + NEAR), breaks)) * NEAR
            grown = read.cdf(x + NEAR) - read.cdf(x)
        if _differ(found, grown):
            raise ParameterError(
                f"log_density(x) of the law is not the logarithm of the slope of its cdf(x), near x = "
                f"{x.str(6, radius=False)}: a density has the integral 1"
            )


def _differ(one: Number, other: Number) -> bool:
    """Whether two numbers certainly are different; a ball that is not finite tells nothing."""
    difference = ARB.number(one) - ARB.number(other)
    return bool(difference < 0) or bool(difference > 0)


def _between(read: Reading) -> Iterator[tuple[arb, int]]:
    """An output between each two breaks or ends, and how many breaks lie below."""
    ends = [None if end is None else ARB.number(end) for end in (read.low, *read.breaks, read.high)]
    for below, (low, high) in enumerate(pairwise(ends)):
        if low is not None and high is not None:
            middle = (low + high) / 2
        elif low is not None:
            middle = low + 1
        elif high is not None:
            middle = high - 1
        else:
            continue
        x = arb(middle).mid().floor() if read.whole else arb(middle).mid()
        if _is_inside(x, low, high) and _is_inside(x, ends[0], ends[-1]):
            yield x, below


def _is_inside(x: arb, low: arb | None, high: arb | None) -> bool:
    """Whether an output lies between two ends, and what is near to it."""
    return bool((low is None or x - low > 2 * NEAR) and (high is None or high - x > 2 * NEAR))
