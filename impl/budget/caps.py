"""What costs more than a cap, and by how much."""

from establish.spec.composition import Approximate, Gaussian, Loss, PerRecord
from establish.spec.parameters import ParameterError


class OverCap(ParameterError):
    """A plan costs more than is left; the message says by how much."""


def over(what: str, needed: Loss, allowed: Loss) -> str:
    """The sentence that says by how much ``needed`` is above ``allowed``. what: subject and verb."""
    return f"{what} ({needed}), but the cap is ({allowed}): {_excess(needed, allowed)} too much"


def _excess(needed: Loss, allowed: Loss) -> str:
    if isinstance(needed, Gaussian) and isinstance(allowed, Gaussian):
        return f"μ² = {needed.mu_squared - allowed.mu_squared}"
    if isinstance(needed, PerRecord) and isinstance(allowed, PerRecord):
        return str(needed.left(needed.both(allowed)))
    assert isinstance(needed, Approximate)
    assert isinstance(allowed, Approximate)
    gaps = {"ε": needed.epsilon - allowed.epsilon, "δ": needed.delta - allowed.delta}
    return " and ".join(f"{symbol} = {gap}" for symbol, gap in gaps.items() if gap > 0)
