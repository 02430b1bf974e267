"""Which mechanism would serve where another is not defined."""

from fractions import Fraction

from establish.impl.cards import cards


def serving(alpha: Fraction, epsilon: Fraction) -> str:
    """One that is defined here: first those that follow the largest establishment, the newest first."""
    at = {"alpha": alpha, "epsilon": epsilon}
    known = [
        (card.since, card.load()) for card in cards().values() if card.since and at.keys() == {*card.takes}
    ]
    known.sort(key=lambda each: (not each[1].follows_largest, -each[0]))
    domains = ((kind.name, kind.domains["tight"]) for _, kind in known)
    found: str = next(name for name, own in domains if not own.besides and own.includes(at))
    return found
