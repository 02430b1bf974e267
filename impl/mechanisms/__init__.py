"""The mechanisms that run, in numpy: they draw exactly the ideal law, rounded to whole numbers."""

from establish.impl.cards import cards, of_counts
from establish.impl.mechanisms.on_counts import OnCounts
from establish.spec.parameters import ParameterError, Rational, positive

Mechanism = OnCounts

NAMES = tuple(of_counts())
"""What ``--mechanism`` accepts."""

SYMBOLS = {"alpha": "α", "epsilon": "ε", "delta": "δ"}
"""What messages call a parameter."""


def mechanism(
    name: str,
    *,
    epsilon: Rational,
    alpha: Rational | None = None,
    delta: Rational | None = None,
    calibration: str | None = None,
) -> Mechanism:
    """The mechanism called ``name``, one of NAMES, at exact parameters.

    Without a calibration it is that of :mod:`establish.impl.mechanisms.defaults`: tight.
    Raises ParameterError for an unknown name, a parameter outside its domain, α missing
    (``laplace`` checks a given α and does not use it), δ missing for ``smooth-laplace`` or given to
    another.
    """
    if name not in NAMES:
        raise ParameterError(f"mechanism = {name} is not known: use one of {', '.join(NAMES)}")
    takes = cards()[name].takes
    if delta is not None and "delta" not in takes:
        takers = ", ".join(other for other, card in of_counts().items() if "delta" in card.takes)
        raise ParameterError(f"δ = {delta} is not used by {name}: only {takers} takes δ")
    if alpha is not None:
        positive("α", alpha)
    given = {"alpha": alpha, "epsilon": epsilon, "delta": delta}
    for parameter in takes:
        if given[parameter] is None:
            raise ParameterError(f"{SYMBOLS[parameter]} is missing: {name} needs it")
    kind = cards()[name].load()
    taken = {parameter: given[parameter] for parameter in takes}
    made: Mechanism = kind(**taken, calibration=calibration or kind.unnamed)
    return made
