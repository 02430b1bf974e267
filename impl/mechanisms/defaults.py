"""Which mechanism and calibration count where they are not both named, why, and what counted before."""

from __future__ import annotations

from dataclasses import dataclass

from establish.impl.cards import cards
from establish.impl.mechanisms.least_error import chosen
from establish.impl.mechanisms.on_counts import require_calibration
from establish.spec.parameters import ParameterError, Rational

RULE = max(card.since for card in cards().values())
"""The rule that counts: a card says by which one its mechanism came among those to choose from. By rule 1 a
mechanism had to be named, and counted as published unless a calibration was named, too; our own were tight in
a release of one table and had to be named so in a plan.
"""


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
    epsilon: Rational,
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
        choice = chosen(alpha, epsilon, delta, largest=largest, one=one, calibration=calibration or "tight")
        before: tuple[str, ...] = ()
        if choice.before is not None:
            rule, other = choice.before
            told = f"by rule {rule} of these defaults (now rule {RULE}) it was {other}"
            before = (f"{told}: name it to keep it",)
        return Settled(choice.mechanism.name, choice.mechanism.calibration, (choice.why, *before))
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
            f"calibration = tight was taken for {name}, the least noise that is proved, as none is named; "
            f"by rule 1 of these defaults (now rule {RULE}) it was published: name one to keep it",
        ),
    )
