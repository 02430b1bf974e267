"""Releases under different neighbor functions: the definition that they satisfy together."""

from dataclasses import dataclass

from establish.spec.composition.definitions import Attribute, Gedp
from establish.spec.composition.losses import Gaussian
from establish.spec.neighbor_functions.combinations import Combination, combined
from establish.spec.neighbor_functions.functions import Expression, identity, logarithm, root
from establish.spec.parameters import ParameterError


def function_of(attribute: Attribute) -> Expression:
    """The ψ of an attribute."""
    if attribute.psi == "identity":
        return identity()
    return (root if attribute.psi == "sqrt" else logarithm)(attribute.shift)


@dataclass(frozen=True)
class Joint:
    """GEDP for one ψ* an attribute at distance 1, with the loss of both releases."""

    psi: dict[str, Combination]
    loss: Gaussian


def jointly(first: Gedp, first_loss: Gaussian, second: Gedp, second_loss: Gaussian) -> Joint:
    """What two releases about the same attributes satisfy together (Section 5.4.5, Theorem 5.11).

    ψ* of an attribute has the larger of the slopes ψ_A'/γ_A and ψ_B'/γ_B, so that its neighbors are
    neighbors under both; the squares of μ add up. Raises ParameterError for other attributes, and where
    ψ* does not exist: as soon as one of the two is log without a shift, which is not real at 0.
    """
    if set(first.by_name) != set(second.by_name):
        raise ParameterError(
            f"attributes {', '.join(first.by_name)} do not compose with {', '.join(second.by_name)}"
        )
    psi = {name: _star(own, second.by_name[name]) for name, own in first.by_name.items()}
    return Joint(psi, first_loss.plus(second_loss))


def _star(a: Attribute, b: Attribute) -> Combination:
    return combined(function_of(a), a.gamma, function_of(b), b.gamma, contains=False)
