"""Datasets, beliefs and factors in words, shared by the story and the record."""

from collections import defaultdict
from fractions import Fraction
from math import inf

from establish.proofs_check.implications.attacks import Attack
from establish.proofs_check.implications.space import Space
from establish.spec.requirements import Factor
from establish.spec.tables import Tables
from establish.spec.universe import Place


def dataset(d: Tables) -> str:
    """``e1: w1 v1, w2 v2; e2: nobody``."""
    parts = []
    for workplace in d.workplaces:
        workers = sorted(d.workforce(workplace.id))
        names = [" ".join((worker.id, *worker.attributes)) for worker in workers]
        parts.append(f"{workplace.id}: {', '.join(names) or 'nobody'}")
    return "; ".join(parts)


def place(where: Place) -> str:
    """``absent``, or ``at e1 with v1``."""
    if where is None:
        return "absent"
    workplace, values = where
    return f"at {workplace}" + (f" with {' '.join(values)}" if values else "")


def factor(value: Factor) -> str:
    """The rational, with a decimal beside it unless it is a whole number."""
    if value == inf:
        return "infinite"
    exact = Fraction(value)
    return str(exact) if exact.denominator == 1 else f"{exact} (about {float(exact):.6g})"


def in_c(space: Space, found: Attack) -> str:
    """The Bayes factor of the worst mechanism's labels, for every c: a rational function of c."""
    if found.factor == inf:
        return "infinite"
    weights = space.weights(found.prior)
    sums = []
    for event in (found.comparison.first, found.comparison.second):
        powers: dict[int, Fraction] = defaultdict(Fraction)
        for at, weight in space.given(weights, event).items():
            k = found.worst.label(at, space.distance)
            if k is not None:
                powers[k] += weight
        sums.append(powers)
    least = min(min(powers) for powers in sums)
    numerator, denominator = (
        " + ".join(_term(weight, k - least) for k, weight in sorted(powers.items())) for powers in sums
    )
    if denominator == "1":
        return numerator
    above, below = (f"({s})" if " " in s else s for s in (numerator, denominator))
    return f"{above} / {below}"


def _term(weight: Fraction, k: int) -> str:
    power = "" if k == 0 else "c" if k == 1 else f"c^{k}"
    return power if power and weight == 1 else f"{weight} {power}".strip()
