"""Identities that stand in a file beside a step: of each only the arithmetic is checked."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import flint

from establish.proofs_check.recheck.goals import Close, Known
from establish.proofs_check.recheck.quotients import ONE, ZERO
from establish.proofs_check.recheck.sentences import Refused, rational


def closes(identities: Mapping[str, Any]) -> Close:
    """Decides by identities that are given by path. Raises Refused for a wrong one."""

    def close(path: str, known: Callable[[], Known]) -> bool:
        if path in identities:
            check_identity(known(), identities[path])
        return path in identities

    return close


def check_identity(known: Known, identity: Any) -> None:
    """A sum of products of hypotheses, with weights above 0, is 0 though one of the products is above 0.

    Raises Refused otherwise: then it is no proof that the hypotheses contradict each other.
    """
    total, strict = ZERO, False
    for entry in identity if isinstance(identity, list) else [None]:
        match entry:
            case [weight, [*places]] if all(type(i) is int and 0 <= i < len(known) for i in places):
                share = rational(weight)
            case _:
                share, places = Fraction(0), []
        if share <= 0:
            raise Refused("an identity is a list of weights above 0, each with the places of hypotheses")
        product = ONE
        for place in places:
            product = product * known[place][0]
        strict |= all(known[place][1] for place in places)
        total += product * flint.fmpq(share.numerator, share.denominator)
    if total != 0 or not strict:
        raise Refused("an identity does not add up to 0, or nothing in it is above 0")
