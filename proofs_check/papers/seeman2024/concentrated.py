"""Per-record zero-concentrated privacy: noise on totals, units that are split, records of bounded size."""

from functools import partial
from typing import Any

from establish import Concentrated, Evidence, PerRecord, Verdict, claim, guarantees, holds, repeats, solver
from establish.proofs_check.engine.rules import follows, gaussian_shift, shifted
from establish.proofs_check.engine.statements import AtMost, Equal, EveryPair, Integer, Real
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian
from establish.spec.mechanisms.transformation import identity, policy
from establish.spec.privacy_conversions import concentrated_to_renyi, gaussian_to_concentrated

entered = partial(claim, origin="unread", where="Per-record privacy")
SQUARE = Real("s", above=0)


def _square(c: Any, s: Any, *_: Any) -> Any:
    return s


def _between(statement: Any, first: Any, second: Any) -> Evidence:
    """The divergence between discrete Gaussians around two whole numbers."""

    def center(c: Any, *v: Any) -> Any:
        a = v[-1]
        return a * first(c, *v) + (1 - a) * second(c, *v)

    def height(c: Any, s: Any, *v: Any) -> Any:
        a, gap = v[-1], first(c, s, *v) - second(c, s, *v)
        return a * (a - 1) * gap * gap / (2 * s)

    owed = shifted(statement, _square, center, height, first, second)
    return gaussian_shift(statement, _square, center, height, (first, second), *map(solver.owed, owed))


TOTALS = PerRecord(
    SQUARE, law=lambda c, s, q: DiscreteGaussian(q, s, c), policy=lambda c, s, r: r * r / (2 * s)
)


@entered(
    "seeman2024/discrete-gaussian-total",
    says="A total of whole values with discrete Gaussian noise satisfies per-record zCDP with the policy "
    "r²/(2σ²), for every record of size r and every total.",
    states=TOTALS,
)
def discrete_gaussian_total() -> Verdict:
    """P^a·Q^(1−a) has Gaussian weights around q + a·r."""
    return holds(_between(TOTALS, lambda c, *v: v[-3] + v[-2], lambda c, *v: v[-3]))


NORMAL_TOTAL = Equal(
    Real("x", least=0),
    Real("σ", above=0),
    left=lambda c, x, sd: gaussian_to_concentrated(x / sd, c),
    right=lambda c, x, sd: policy(identity, x, c.number(0), sd, c),
)


@entered(
    "seeman2024/normal-total",
    says="A total with normal noise satisfies per-record zCDP with the policy x²/(2σ²) for a size x.",
    states=NORMAL_TOTAL,
)
def normal_total() -> Verdict:
    """The laws with and without the record lie x/σ standard deviations apart."""
    return holds(solver.proves(NORMAL_TOTAL))


BOUNDED = Concentrated(
    SQUARE,
    Integer("R", least=1),
    law=lambda c, s, most, x: DiscreteGaussian(x, s, c),
    sensitivity=lambda c, s, most: most,
    rho=lambda c, s, most: most * most / (2 * s),
)


@entered(
    "seeman2024/bounded-is-concentrated",
    says="Where no record is larger than R, the policy r²/(2σ²) gives zCDP with its value at R.",
    states=BOUNDED,
)
def bounded_is_concentrated() -> Verdict:
    """The policy increases."""
    return holds(_between(BOUNDED, lambda c, *v: v[-3], lambda c, *v: v[-2]))


SPLIT = Concentrated(
    SQUARE,
    Integer("L", least=1),
    Integer("m", least=1),
    law=lambda c, s, most, m, x: DiscreteGaussian(x, s, c),
    sensitivity=lambda c, s, most, m: m * most,
    rho=lambda c, s, most, m: m * m * (most * most / (2 * s)),
)


@entered(
    "seeman2024/split-units",
    says="A unit that is split into m pieces of at most L each costs at most m² times what one piece costs, "
    "L²/(2σ²), by discrete Gaussian noise on the total.",
    states=SPLIT,
)
def split_units() -> Verdict:
    """The m pieces together move the total by at most m·L."""
    return holds(_between(SPLIT, lambda c, *v: v[-3], lambda c, *v: v[-2]))


PIECES = AtMost(
    Real("x", least=0),
    Real("L", above=0),
    Real("ρ", least=0),
    Integer("m", least=0, below=lambda c, x, most, rho: x / most + 1),
    left=lambda c, x, most, rho, m: m * m * rho,
    right=lambda c, x, most, rho, m: rho * (x / most + 1) * (x / most + 1),
)


@entered(
    "seeman2024/number-of-pieces",
    says="A record of size x has ⌈x/L⌉ < x/L + 1 pieces, so that its policy is at most ρ·(x/L + 1)², which "
    "is quadratic in its size.",
    states=PIECES,
)
def number_of_pieces() -> Verdict:
    """m < x/L + 1."""
    return holds(solver.proves(PIECES))


ADDED = Equal(
    Real("x", least=0),
    Real("σ", above=0),
    Real("τ", above=0),
    left=lambda c, x, one, two: (
        policy(identity, x, c.number(0), one, c) + policy(identity, x, c.number(0), two, c)
    ),
    right=lambda c, x, one, two: gaussian_to_concentrated(
        x * c.sqrt(1 / c.power(one, 2) + 1 / c.power(two, 2)), c
    ),
)


@entered(
    "seeman2024/policies-add-up",
    says="Two totals with normal noise of σ and τ cost a record what one total costs with 1/σ² + 1/τ² as its "
    "precision: the policies add up.",
    states=ADDED,
)
def policies_add_up() -> Verdict:
    """x²/(2σ²) + x²/(2τ²)."""
    return holds(solver.proves(ADDED))


CONSTANT = Equal(
    Real("ρ", least=0),
    Real("a", above=1),
    left=lambda c, rho, a: concentrated_to_renyi(a, rho, c),
    right=lambda c, rho, a: a * gaussian_to_concentrated(c.sqrt(2 * rho), c),
)


@entered(
    "seeman2024/same-as-normal",
    says="At every record with ρ the bound on the Rényi divergence of each order is that of normal noise "
    "with the record √(2ρ) standard deviations large.",
    states=CONSTANT,
)
def same_as_normal() -> Verdict:
    """(√(2ρ))²/2 = ρ."""
    return holds(solver.proves(CONSTANT))


FIRST, SECOND, TIMES = Real("ρ_1", least=0), Real("ρ_2", least=0), Integer("k", least=1)
ONE, TWO = guarantees.concentrated(lambda c, one, two: one), guarantees.concentrated(lambda c, one, two: two)
SAME = guarantees.concentrated(lambda c, rho, *_: rho)


def _settled(label: str, says: str, statement: Any) -> None:
    """A claim about every two laws, which one rule settles."""

    @entered(f"seeman2024/{label}", says=says, states=statement)
    def check() -> Verdict:
        """By what concentrated privacy of one record implies, for any mechanism and any two data sets."""
        return holds(follows(statement))


_settled(
    "composition",
    "A release with a policy that gives a record ρ_1, then one that, whatever the first output is, has a "
    "policy that gives it ρ_2, has the policy ρ_1 + ρ_2.",
    EveryPair(
        FIRST,
        SECOND,
        laws="in turn",
        has=[ONE, TWO],
        then=guarantees.concentrated(lambda c, one, two: one + two),
    ),
)
_settled(
    "post-processing",
    "A randomized map of the output has the same policy.",
    EveryPair(FIRST, laws="mapped", has=SAME, then=SAME),
)
_settled(
    "two-records",
    "Two records with ρ_1 and ρ_2 together have (√ρ_1 + √ρ_2)².",
    EveryPair(
        FIRST,
        SECOND,
        laws="in a row",
        has=[ONE, TWO],
        then=guarantees.concentrated(lambda c, one, two: c.power(c.sqrt(one) + c.sqrt(two), 2)),
    ),
)
_settled(
    "group",
    "A group of k records with at most ρ each has k²·ρ.",
    EveryPair(
        FIRST,
        TIMES,
        laws="in a row",
        times=lambda c, rho, k: k,
        has=SAME,
        then=guarantees.concentrated(lambda c, rho, k: k * k * rho),
    ),
)
_settled(
    "k-fold",
    "k releases in turn, each with ρ for a record whatever the outputs before are, have kρ for it.",
    EveryPair(
        FIRST,
        TIMES,
        laws="in turn",
        times=lambda c, rho, k: k,
        has=SAME,
        then=guarantees.concentrated(lambda c, rho, k: k * rho),
    ),
)
_settled(
    "mean-loss",
    "The mean privacy loss of a record, the divergence of order 1, is at most its ρ.",
    EveryPair(FIRST, has=SAME, then=guarantees.mean_loss(lambda c, rho: rho)),
)

repeats(
    "seeman2024/approximate",
    where="Per-record privacy",
    says="A record with ρ has (ρ + 2·√(ρ·ln(1/δ)), δ)-differential privacy for every δ > 0.",
    same_as="canonne2020/concentrated-is-approximate",
    origin="unread",
)
