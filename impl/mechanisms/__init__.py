"""The mechanisms that run, in numpy: they draw exactly the ideal law, rounded to whole numbers."""

from establish.impl.cards import cards, of_counts
from establish.impl.mechanisms.on_counts import OnCounts
from establish.spec.parameters import ParameterError, Rational, positive

Mechanism = OnCounts

NAMES = tuple(of_counts())
"""What ``--mechanism`` accepts."""

SYMBOLS = {"alpha": "α", "epsilon": "ε", "delta": "δ", "rho": "ρ"}
"""What messages call a parameter."""


def mechanism(
    name: str,
    *,
    epsilon: Rational | None = None,
    alpha: Rational | None = None,
    delta: Rational | None = None,
    rho: Rational | None = None,
    calibration: str | None = None,
) -> Mechanism:
    """The mechanism called ``name``, one of NAMES, at exact parameters.

    Without a calibration it is that of :mod:`establish.impl.mechanisms.defaults`: tight.
    Raises ParameterError for an unknown name, and for a parameter that is outside its domain, missing, or not
    used by the mechanism; an α that is not used is checked only.
    """
    if name not in NAMES:
        raise ParameterError(f"mechanism = {name} is not known: use one of {', '.join(NAMES)}")
    takes = cards()[name].takes
    given = {"alpha": alpha, "epsilon": epsilon, "delta": delta, "rho": rho}
    for parameter, value in given.items():
        if value is not None and parameter not in (*takes, "alpha"):
            takers = ", ".join(other for other, card in of_counts().items() if parameter in card.takes)
            symbol = SYMBOLS[parameter]
            raise ParameterError(f"{symbol} = {value} is not used by {name}: {symbol} is for {takers}")
    if alpha is not None:
        positive("α", alpha)
    for parameter in takes:
        if given[parameter] is None:
            raise ParameterError(f"{SYMBOLS[parameter]} is missing: {name} needs it")
    kind = cards()[name].load()
    taken = {parameter: given[parameter] for parameter in takes}
    made: Mechanism = kind(**taken, calibration=calibration or kind.unnamed)
    return made
