"""Laws beyond those of ``establish.spec``: normal, finite, with atoms, clipped, moved, mixtures."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from establish.proofs_check.audit.white.laws import Atom, NotComparableError, Reading, Tail, TailFrom
from establish.proofs_check.audit.white.spec_laws import Law, reading
from establish.spec.arithmetic import ARB, MP, Number, World
from establish.spec.parameters import ParameterError


def normal(center: Number, deviation: Number, c: World) -> Reading:
    """The normal law; deviation > 0. Its distribution function is read in ARB and in MP."""
    constant = -c.log(deviation) - c.log(2 * c.pi) / 2

    def log_density(x: Number, _: int) -> Number:
        z = (x - center) / deviation
        return constant - z * z / 2

    def cdf(x: Number) -> Number:
        z = (x - center) / (deviation * c.sqrt(c.number(2)))
        return (-z).erfc() / 2 if c is ARB else MP.mp.erfc(-z) / 2

    def tail(side: int) -> TailFrom:
        variance = deviation * deviation

        def of(anchor: Number) -> Tail:
            offset = side * (anchor - center)
            shift = constant - offset * offset / (2 * variance)
            return Tail(-1 / (2 * variance), -offset / variance, 0, lambda u: shift)

        return of

    return Reading(log_density, cdf, (center,), left=tail(-1), right=tail(1), normal=(center, deviation))


def finite(masses: dict[int, Number]) -> Reading:
    """A law on finitely many integers; values of probability 0 are left out of the support.

    Probabilities are Fractions or numbers of the world, and must sum to 1.
    """
    # A ball around 0 is neither equal to 0 nor different from it, and stays.
    kept = [one for one in sorted(masses.items()) if not one[1] == 0]  # noqa: SIM201  # != would drop it
    atoms = tuple(kept)
    return Reading(lambda x, _: 0, lambda x: 0, atoms=atoms, weight=0)


def point(value: int | Fraction) -> Reading:
    """The law of an output that is always ``value``."""
    return replace(finite({0: 1}), atoms=((value, 1),))


def mixed(law: Law, atoms: tuple[Atom, ...], weight: Number, c: World) -> Reading:
    """``law`` with probability ``weight``, and otherwise one of the point masses.

    The weight and the masses must sum to 1. Raises ParameterError for a law that has atoms already.
    """
    read = reading(law, c)
    if read.atoms:
        raise ParameterError("the law has atoms already: give all of them at once")
    return replace(read, atoms=atoms, weight=weight, normal=None)


def clipped(law: Law, low: int | Fraction, high: int | Fraction, c: World) -> Reading:
    """The law of the output moved to the nearest point of [low, high].

    Probability beyond an end becomes an atom there. Raises ParameterError for a law with atoms or ends,
    on the integers, or in a chart.
    """
    read = reading(law, c)
    if read.atoms or read.whole or read.chart.name or (read.low, read.high) != (None, None):
        raise ParameterError(
            "only a law with a density on the whole line in plain coordinates can be clipped"
        )
    below, up_to = read.cdf(c.number(low)), read.cdf(c.number(high))
    inside = up_to - below
    log_inside = c.log(inside)
    return Reading(
        lambda x, k: read.log_density(x, k) - log_inside,
        lambda x: (read.cdf(x) - below) / inside,
        read.breaks,
        c.number(low),
        c.number(high),
        atoms=((low, below), (high, 1 - up_to)),
        weight=inside,
    )


def shifted(law: Law, by: Number, c: World) -> Reading:
    """The law of the output plus ``by``, exact: a number of the world, or of Python.

    Raises ParameterError for a law in a chart, and for atoms or integers that do not move to such.
    """
    read = reading(law, c)
    if read.chart.name:
        raise ParameterError("only a law in plain coordinates can be shifted")
    exact = isinstance(by, int) or (isinstance(by, Fraction) and not read.whole)
    if (read.atoms or read.whole) and not exact:
        raise ParameterError(f"by = {by} is not allowed: atoms move by an int or a Fraction")
    step = c.number(by)

    def moved(tail: TailFrom | None) -> TailFrom | None:
        return None if tail is None else lambda anchor: tail(anchor - step)

    return replace(
        read,
        log_density=lambda x, k: read.log_density(x - step, k),
        cdf=lambda x: read.cdf(x - (by if read.whole else step)),
        breaks=tuple(at + (by if read.whole else step) for at in read.breaks),
        low=None if read.low is None else read.low + step,
        high=None if read.high is None else read.high + step,
        left=moved(read.left),
        right=moved(read.right),
        atoms=tuple((value + by, mass) for value, mass in read.atoms),
        normal=None if read.normal is None else (read.normal[0] + step, read.normal[1]),
    )


def mixture(laws: Sequence[tuple[Fraction, Law]], c: World) -> Reading:
    """One of the laws, drawn with these probabilities, which are positive, exact, and sum to 1.

    Every law has a density on the whole line in plain coordinates. Its tails are known where all of them
    fall alike, such as Laplace laws of one scale; elsewhere no pure level is certified. Raises
    ParameterError for other laws or weights, NotComparableError when the order of breaks is not decided.
    """
    read = [reading(law, c) for _, law in laws]
    weights = [Fraction(weight) for weight, _ in laws]
    if not laws or sum(weights) != 1 or min(weights) <= 0:
        raise ParameterError(f"the weights {list(map(str, weights))} must be positive and sum to 1")
    if any(r.atoms or r.whole or r.chart.name or (r.low, r.high) != (None, None) for r in read):
        raise ParameterError("a mixture needs densities on the whole line, without atoms")
    shares = [c.number(weight) for weight in weights]
    merged = _merged([at for one in read for at in one.breaks])
    counts = [[sum(_order(at, end) <= 0 for at in one.breaks) for end in merged] for one in read]

    def log_density(x: Number, k: int) -> Number:
        return c.log(
            sum(
                share * c.exp(one.log_density(x, count[k - 1] if k else 0))
                for share, one, count in zip(shares, read, counts, strict=True)
            )
        )

    def tail(of: Callable[[Reading], TailFrom | None]) -> tuple[TailFrom | None, list[Number]]:
        known = [one for one in map(of, read) if one is not None]
        if len(known) < len(read):
            return None, []
        first, *others = (one(merged[0]) for one in known)
        names = ("quadratic", "linear", "power")
        owed = [getattr(one, name) - getattr(first, name) for one in others for name in names]

        def from_anchor(anchor: Number) -> Tail:
            tails = [one(anchor) for one in known]

            def rest(u: Number) -> Number:
                parts = zip(shares, tails, strict=True)
                return c.log(sum(share * c.exp(one.rest(u)) for share, one in parts))

            return Tail(tails[0].quadratic, tails[0].linear, tails[0].power, rest)

        return from_anchor, owed

    (left, owed_left), (right, owed_right) = tail(lambda r: r.left), tail(lambda r: r.right)
    return Reading(
        log_density,
        lambda x: sum(share * one.cdf(x) for share, one in zip(shares, read, strict=True)),
        tuple(merged),
        left=left,
        right=right,
        owed=(*owed_left, *owed_right, *(number for one in read for number in one.owed)),
    )


def _order(a: Number, b: Number) -> int:
    """The sign of a − b. Raises NotComparableError when it is not decided."""
    if a == b:
        return 0
    if a < b:
        return -1
    if a > b:
        return 1
    raise NotComparableError("the order of two breaks is not decided")


def _merged(breaks: Sequence[Number]) -> list[Number]:
    ordered: list[Number] = []
    for at in breaks:
        place = sum(_order(other, at) < 0 for other in ordered)
        if place == len(ordered) or _order(ordered[place], at) != 0:
            ordered.insert(place, at)
    return ordered
