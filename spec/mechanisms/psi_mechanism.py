"""The ψ-mechanism: ψ(group sum) + N(0, γ²/μ²) (Webb et al. 2025, Definition 6.4)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.gaussian import Gaussian, shift
from establish.spec.neighbor_functions.functions import NeighborFunction
from establish.spec.parameters import Rational, positive


class PsiMechanism:
    """One confidential attribute with distance parameter γ > 0, answered with budget μ > 0.

    Each group's sum is transformed by ψ and gets independent normal noise with standard deviation
    γ/μ. Raises ParameterError for γ or μ outside its domain.
    """

    def __init__(self, psi: NeighborFunction, gamma: Rational, mu: Rational) -> None:
        self.psi = psi
        self.gamma = positive("gamma", gamma)
        self.mu = positive("mu", mu)

    @property
    def sd(self) -> Fraction:
        """γ/μ, the standard deviation of the noise."""
        return self.gamma / self.mu

    def output(self, values: Sequence[Number], c: World = MP) -> Gaussian:
        """The law of the answer for one group; ``values`` are those of its establishments.

        For ψ = ln the sum must be greater than 0.
        """
        total = sum((c.number(value) for value in values), c.number(0))
        return Gaussian(self.psi.value(total, c), c.number(self.sd), c)

    def privacy_cost(self, values: Sequence[Number], other: Sequence[Number], c: World = MP) -> Number:
        """The least μ at which the answers for one group on two datasets are indistinguishable."""
        return shift(self.output(values, c), self.output(other, c))

    def query_cost(
        self, groups: Sequence[Hashable], values: Sequence[Number], other: Sequence[Number], c: World = MP
    ) -> Number:
        """The same for a whole group-by query: √Σ over its groups of the squares of their costs.

        groups: the group of each establishment. Groups get independent noise, so that their
        log likelihood ratios, normal each with half their variance as mean, add up to one of that
        kind. ValueError unless there is one group and one value of either dataset for each.
        """
        members: dict[Hashable, tuple[list[Number], list[Number]]] = {}
        for group, value, changed in zip(groups, values, other, strict=True):
            before, after = members.setdefault(group, ([], []))
            before.append(value)
            after.append(changed)
        costs = (self.privacy_cost(*pair, c) for pair in members.values())
        return c.sqrt(sum((c.power(cost, 2) for cost in costs), c.number(0)))
