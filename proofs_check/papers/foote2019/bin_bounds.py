"""Table 1 and footnote 18: bin bounds as percentiles of a log-normal law."""

from fractions import Fraction
from itertools import pairwise

from establish import (
    Every,
    Evidence,
    Grade,
    Verdict,
    aside,
    claim,
    enclosure,
    exact,
    exhaustive,
    fails,
    holds,
)
from establish.proofs_check.engine.conventions import by_convention
from establish.proofs_check.engine.statements import Comparison, Equal, Integer, Printed, computed
from establish.proofs_check.papers.foote2019.half_planes import HalfPlane, Point, clipped
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.distributions import gaussian
from establish.spec.earnings.bins import (
    BOTTOM,
    STATED_MEAN,
    STATED_SD,
    STATED_SHARES,
    TABLE_1,
    equal_log_normal_shares,
    log_normal_quantile,
    log_normal_share,
)

MEAN, SD = Fraction(1100255, 100000), Fraction(75275, 100000)
"""A mean and a standard deviation that round to the stated ones and reproduce Table 1."""

BOX = ((Fraction(10), Fraction(12)), (Fraction(1, 2), Fraction(1)))
"""Where (mean, sd) is looked for; the polygon that is found lies inside."""

HALF = Fraction(1, 2)


def bound(share: Fraction, mean: Fraction, sd: Fraction) -> enclosure.Constant:
    """The share-quantile of earnings, in dollars."""
    return lambda c: log_normal_quantile(share, mean, sd, c)


def _shown(share: Fraction, mean: Fraction, sd: Fraction) -> str:
    with enclosing():
        return enclosure.digits(bound(share, mean, sd)(ARB))


def rounds_to(dollars: int, share: Fraction, mean: Fraction, sd: Fraction) -> Comparison:
    """That the quantile rounds to ``dollars``."""
    return Printed(bound(share, mean, sd), str(dollars))


def _planes(below: Fraction, above: Fraction) -> list[HalfPlane]:
    """ln(v − below) ≤ mean + z·sd ≤ ln(v + above) for every bound v but the first."""
    planes = []
    one = ARB.number(1)
    for share, dollars in zip(STATED_SHARES, TABLE_1[1:], strict=True):
        z = gaussian.quantile(share, ARB)
        planes.append(HalfPlane(one, z, ARB.log(ARB.number(dollars + above))))
        planes.append(HalfPlane(-one, -z, -ARB.log(ARB.number(dollars - below))))
    return planes


def parameters(below: Fraction = HALF, above: Fraction = HALF) -> list[Point]:
    """The corners of the set of (mean, sd) for which every bound v lies in [v − below, v + above]."""
    with enclosing(256):
        return clipped(BOX, _planes(below, above))


def _range(corners: list[Point], axis: int) -> tuple[str, str]:
    with enclosing(256):
        values = [corner[axis] for corner in corners]
        low, high = values[0], values[0]
        for value in values[1:]:
            low, high = low.min(value), high.max(value)
        return enclosure.digits(low), enclosure.digits(high)


TABLE = (
    Printed(lambda c: c.number(MEAN), "11.003"),
    Printed(lambda c: c.number(SD), "0.753"),
    *(rounds_to(dollars, share, MEAN, SD) for share, dollars in zip(STATED_SHARES, TABLE_1[1:], strict=True)),
)
"""The parameters round to the stated ones, and every bound but 10000 is a percentile, to the dollar."""


EVERY_FIFTH = tuple(share for share in STATED_SHARES if (100 * share) % 5 == 0)
BINS_COUNTED = (
    Equal(left=lambda c: c.number(len(EVERY_FIFTH)), right=19),
    Equal(left=lambda c: c.number(1 + len(EVERY_FIFTH) + 1), right=21),
    Equal(left=lambda c: c.number(len(TABLE_1) - 1), right=21),
)
"""The percentiles that are multiples of 5, the lower bounds, and the bins of Table 1."""


@claim(
    "foote2019/table-1-parameters",
    where="Section 4.1.1, footnotes 18 and 24; Appendix B, Table 1 and its note",
    says="10000 and the 5th, 10th, …, 95th and 97.5th percentiles of a log-normal law with mean 11.003 and "
    "standard deviation 0.753 are the lower bounds of 21 bins, and the 99.9th closes the last.",
    states=(*BINS_COUNTED, *TABLE),
)
def table_1_determines_its_parameters() -> Verdict:
    """v − 1/2 ≤ e^(m + s·z) ≤ v + 1/2 means ln(v − 1/2) ≤ m + s·z ≤ ln(v + 1/2): two half-planes in
    (m, s) per bound. The 42 of them cut a pentagon out of the box 10 ≤ m ≤ 12, 1/2 ≤ s ≤ 1; its corners
    are enclosed, every side of every corner being certain. The value gives its extent: m to 3 millionths,
    s to 1.5. It lies inside m ∈ [11.0025, 11.0035), s ∈ [.7525, .7535). Cutting off or rounding up all
    cents instead leaves nothing. (At 11.003 and 0.753 taken as exact only the 5% quantile comes out; the
    others are off by $3 to $752, because three decimals of the mean fix a bound to 0.05% only.) Every 5th
    percentile from 5 to 95 is 19 of them; with 10000 and the 97.5th that is 21 lower bounds.
    """
    corners = parameters()
    means, sds = _range(corners, 0), _range(corners, 1)
    with enclosing(256):
        inside = all(
            ARB.number(Fraction(110025, 10000)) < m < ARB.number(Fraction(110035, 10000))
            and ARB.number(Fraction(7525, 10000)) < s < ARB.number(Fraction(7535, 10000))
            for m, s in corners
        )
    cut, raised = parameters(Fraction(0), Fraction(1)), parameters(Fraction(1), Fraction(0))

    def piece(says: str, shown: bool) -> Evidence:
        return Evidence(says, shown, Grade.ENCLOSURE, "enclosure")

    return holds(
        piece(f"the half-planes leave a polygon with {len(corners)} corners", len(corners) > 2),
        piece("every (mean, sd) in it rounds to 11.003 and 0.753", inside),
        *map(exact.decided, (*BINS_COUNTED, *TABLE)),
        aside(piece("if cents are cut off, no (mean, sd) is left", not cut)),
        aside(piece("if dollars are rounded up, no (mean, sd) is left", not raised)),
        condition=by_convention("rounding", "foote2019"),
        value=f"mean in [{means[0]}, {means[1]}], sd in [{sds[0]}, {sds[1]}]; corners (mean, sd): "
        + ", ".join(f"({_short(m)}, {_short(s)})" for m, s in corners),
    )


def _short(ball: Number) -> str:
    with enclosing(256):
        return enclosure.digits(ball, 12)


def _about(mean: Fraction, sd: Fraction) -> Comparison:
    """That the 97.5% quantile rounds to 26 times 10,000."""
    return Printed(lambda c: log_normal_quantile(STATED_SHARES[-2], mean, sd, c) / 10_000, "26")


ABOUT_260000 = (_about(STATED_MEAN, STATED_SD), _about(MEAN, SD))


@claim(
    "foote2019/fn18-97.5",
    where="Section 4.1.1, footnote 18",
    says="The 97.5th percentile of the log-normal law is about $260,000.",
    states=ABOUT_260000,
)
def last_inner_bound_is_about_260000() -> Verdict:
    """At the stated parameters it is 262722, at those of Table 1 262475: both round to 260,000."""
    value = _shown(STATED_SHARES[-2], STATED_MEAN, STATED_SD)
    return holds(*map(exact.decided, ABOUT_260000), value=value)


TOP = TABLE_1[-1], STATED_SHARES[-1]
TOP_BOUND = rounds_to(*TOP, MEAN, SD)
PARAMETERS = (Printed(lambda c: c.number(MEAN), "11.003"), Printed(lambda c: c.number(SD), "0.753"))
"""614597 comes of a mean and a standard deviation that are printed as 11.003 and 0.753."""


@claim(
    "foote2019/fn18-99.9",
    where="Section 4.1.1, footnote 18; Table 1",
    says="The 99.9th percentile of the log-normal law with mean 11.003 and sd 0.753 is 614597.",
    states=(TOP_BOUND, *PARAMETERS),
)
def top_bound_is_that_of_the_unrounded_parameters() -> Verdict:
    """614597 comes out of the parameters that reproduce Table 1; e^(11.003 + 0.753·3.0902…) is 615349."""
    return holds(
        *map(exact.decided, (TOP_BOUND, *PARAMETERS)),
        value=str(TABLE_1[-1]),
        condition=by_convention("rounding", "foote2019"),
    )


def _share_of_bin(number: int, c: World) -> Number:
    """The share of the population in bin 1, which begins at the bottom cutoff, to bin 21, open at the top."""
    above = (*STATED_SHARES[:-1], Fraction(1))[number - 1]
    if number == 1:
        return c.number(above) - log_normal_share(BOTTOM, MEAN, SD, c)
    return c.number(above - STATED_SHARES[number - 2])


EQUALLY_LIKELY = Equal(
    Integer("bin", least=1, most=20),
    left=computed(lambda c, number: _share_of_bin(number, c)),
    right=computed(lambda c, number: _share_of_bin(number + 1, c)),
)
"""Neighboring bins hold equal shares of the log-normal population."""


def _have_one_share(count: int) -> bool:
    """The bins between equally spaced percentiles, the first from 0 on and the last without an end."""
    through = (Fraction(0), *equal_log_normal_shares(count), Fraction(1))
    return all(high - low == Fraction(1, count) for low, high in pairwise(through))


EQUALLY_SPACED = Every("number of bins", lambda: range(1, 41), _have_one_share)


@claim(
    "foote2019/equal-likely-bins",
    where="Section 4.1.1 and footnote 18",
    says="With the percentiles of a log-normal law as bin bounds an observation is equally likely to be in "
    "any of the bins.",
    states=EQUALLY_LIKELY,
)
def bins_are_not_equally_likely() -> Verdict:
    """Bins 2 to 19 hold 5% of a log-normal population each. Bin 1 starts at $10,000 and holds less, bins 20
    and 21 hold 2.5% each, and 0.9% lie below the bottom cutoff, in no bin. The ratio stays the same among
    those who earn at least $10,000.
    """
    first, last = Fraction(1, 20), 1 - STATED_SHARES[-2]

    def bottom(c: World) -> Number:
        return log_normal_share(BOTTOM, MEAN, SD, c)

    with enclosing():
        left_out = ARB.number(bottom(ARB))
        in_first = ARB.number(first) - left_out
        shown, missing = enclosure.digits(in_first), enclosure.digits(left_out)
    return fails(
        exact.refuted(EQUALLY_LIKELY, bin=19),
        exact.compare(STATED_SHARES[-2] - STATED_SHARES[-3], "==", last, "bin 20 and bin 21"),
        enclosure.compare(
            lambda c: c.number(first) - bottom(c),
            "<",
            enclosure.rational(Fraction(42, 1000)),
            "bin 1 against 4.2%",
        ),
        aside(exhaustive.each(EQUALLY_SPACED, "1 to 40 bins")),
        counterexample="bin 19 holds 5% and bin 21 holds 2.5% of a log-normal population",
        value=f"bin 1: {shown}; bins 2 to 19: 1/20 each; bins 20 and 21: 1/40 each; below: {missing}",
        condition="true with M − 1 equally spaced percentiles and no bottom cutoff",
    )
