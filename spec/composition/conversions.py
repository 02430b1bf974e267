"""What a release made under one definition costs where the budget is kept for another one."""

from math import ceil

from establish.spec.composition.definitions import Definition, ErEe, Gedp
from establish.spec.composition.losses import Gaussian, Loss
from establish.spec.parameters import ParameterError


def counted(loss: Loss, made: Definition, kept: Definition) -> Loss:
    """The loss under the definition ``kept`` of a release with ``loss`` under ``made``.

    The same for equal definitions, and for strong ER-EE privacy counted as weak at the same α. Under
    GEDP with the same ψ an attribute, steps·μ, where steps = max ⌈γ_kept/γ_made⌉ over the attributes.
    Raises ParameterError where nothing is proved, naming what differs.
    """
    if made == kept:
        return loss
    if isinstance(made, ErEe) and isinstance(kept, ErEe):
        return _er_ee(loss, made, kept)
    if isinstance(made, Gedp) and isinstance(kept, Gedp) and isinstance(loss, Gaussian):
        return loss.over(steps(made, kept))
    raise ParameterError(f"({made}) does not compose with ({kept}): no rule is proved")


def _er_ee(loss: Loss, made: ErEe, kept: ErEe) -> Loss:
    if made.alpha != kept.alpha:
        raise ParameterError(
            f"α = {made.alpha} does not compose with α = {kept.alpha}: α is fixed for all releases"
        )
    if not made.strong:
        raise ParameterError(
            "weak-er-ee does not compose with strong-er-ee: weak privacy does not imply strong privacy"
        )
    return loss


def steps(made: Gedp, kept: Gedp) -> int:
    """How many steps of ``made`` one step of ``kept`` is at most (Section 5.4.2 of Webb et al.).

    Raises ParameterError for an attribute that only one of them protects, or each by another ψ. To ``made``
    an attribute that it does not protect is public: its releases may show it, as the label of a group.
    """
    longest = 1
    for attribute in made.attributes:
        own = kept.by_name.get(attribute.name)
        if own is None:
            raise ParameterError(f"attribute {attribute.name} is not protected by ({kept})")
        if own.function != attribute.function:
            raise ParameterError(
                f"attribute {attribute.name}: psi = {attribute.function} does not compose with psi = "
                f"{own.function}: together they satisfy the definition for the ψ* of Theorem 5.11 of Webb et "
                "al. 2025 only, and only where both are real at 0"
            )
        longest = max(longest, ceil(own.gamma / attribute.gamma))
    for name in kept.by_name:
        if name not in made.by_name:
            raise ParameterError(
                f"attribute {name} is protected by ({kept}) and public to ({made}): protect it here as well"
            )
    return longest
