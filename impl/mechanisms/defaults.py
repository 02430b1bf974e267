"""Which mechanism and calibration are used when they are not both named, and why."""

from dataclasses import dataclass

from establish.impl.cards import cards
from establish.impl.mechanisms.least_error import chosen
from establish.impl.mechanisms.on_counts import require_calibration
from establish.spec.parameters import ParameterError, Rational


@dataclass(frozen=True)
class Settled:
    """A mechanism and a calibration, and why it is those; nothing where both were named."""

    name: str
    calibration: str
    why: tuple[str, ...] = ()


def settled(
    name: str | None,
    calibration: str | None,
    *,
    alpha: Rational | None,
    epsilon: Rational | None,
    delta: Rational | None = None,
    largest: bool,
    one: bool = False,
) -> Settled:
    """What was named, completed by the least noise that is proved.

    Of a mechanism that is named, the tight calibration; otherwise what
    :func:`establish.impl.mechanisms.least_error.chosen` says, with the same arguments. Raises ParameterError
    for an unknown calibration, and where α is missing.
    """
    if calibration is not None:
        require_calibration(calibration)
    if name is None:
        if alpha is None:
            raise ParameterError("α is missing: it is needed to choose a mechanism")
        if epsilon is None:
            raise ParameterError("ε is missing: it is needed to choose a mechanism")
        choice = chosen(alpha, epsilon, delta, largest=largest, one=one, calibration=calibration or "tight")
        return Settled(choice.mechanism.name, choice.mechanism.calibration, (choice.why,))
    if calibration is not None:
        return Settled(name, calibration)
    kind = cards()[name].load() if name in cards() else None
    own = getattr(kind, "unnamed", "tight")
    if own == "published" or "published" not in getattr(kind, "specified", {}):
        return Settled(name, own)
    return Settled(
        name,
        "tight",
        (
            f"calibration = tight is the default for {name}: the least noise that is proved private; "
            "calibration = published is the noise as printed",
        ),
    )
