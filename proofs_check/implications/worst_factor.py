"""The largest Bayes factor that any private mechanism gives one attacker, with an exact certificate.

For one output a private mechanism is a vector p ≥ 0 of likelihoods with p(D) ≤ c p(D') for neighbors,
so p(D) ≤ c^d(D, D') p(D') for the distance d of the relation. With the prior conditioned on the two
compared events, a and b, the Bayes factor is Σ a(D)p(D) / Σ b(D')p(D'). Its maximum is a linear program
(normalize the denominator), and both sides of it can be read.

Upper bound. Split a into a plan f ≥ 0 with Σ_D' f(D, D') = a(D). If Σ_D f(D, D') c^d(D, D') ≤ t b(D')
for every D', then Σ a p ≤ Σ f c^d p(D') ≤ t Σ b p: no mechanism exceeds t.

Mechanism. Give each D' in the second event a label l, and every dataset k(D) = min (l(D') + d(D, D')).
Then p = c^k is private, because k changes by at most 1 between neighbors.

They meet. Let t be the factor of the current labels. Ship supplies a(D) p(D) to demands t b(D') p(D')
over tight pairs, k(D) = l(D') + d(D, D'). If all is shipped, f = shipment / p(D) is a plan that proves
t. If not, some set S of datasets supplies more than its tight partners N demand; adding 1 to the labels
of N multiplies p on S by c and raises the factor. Labels are integers with bounded differences, so this
ends.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from establish.proofs_check.implications.transport import ship
from establish.spec.parameters import ParameterError
from establish.spec.requirements import Factor

N = TypeVar("N")
"""A dataset, or its number."""

Distance = Callable[[N, N], int | float]
"""The length of the shortest chain of neighbors; math.inf when there is none."""

Conditional = Mapping[N, Fraction]
"""A prior conditioned on an event: positive weights."""


@dataclass(frozen=True)
class Worst(Generic[N]):
    """factor: the maximum. labels: exponents l of p = c^l on the second event, None for p = 0.

    plan: the split f of the first event that proves the maximum, empty when it is infinite.
    alone: when it is infinite, a dataset of the first event that no chain leads to the second.
    """

    factor: Factor
    labels: dict[N, int | None]
    plan: dict[tuple[N, N], Fraction]
    alone: N | None = None

    def label(self, d: N, distance: Distance[N]) -> int | None:
        """The exponent k of p(d) = c^k in the worst mechanism, for any dataset; None for p = 0."""
        if self.alone is not None:
            return 0 if distance(d, self.alone) < math.inf else None
        found = [label + distance(d, j) for j, label in self.labels.items() if label is not None]
        least = min(found, default=math.inf)
        return None if least == math.inf else int(least)


def worst_factor(
    first: Conditional[N], second: Conditional[N], distance: Distance[N], c: Fraction
) -> Worst[N]:
    """The exact maximum over all mechanisms of Σ first·p / Σ second·p. c: e^ε, a rational > 1.

    Raises ParameterError for c ≤ 1 or an event without datasets.
    """
    if c <= 1:
        raise ParameterError(f"c = {c} is not allowed: c = e^ε must be greater than 1")
    if not first or not second:
        raise ParameterError("an event of prior probability 0 cannot be compared")
    components: dict[N, list[N]] = {}
    for j in second:
        head = next((h for h in components if distance(h, j) < math.inf), j)
        components.setdefault(head, []).append(j)
    best: Worst[N] | None = None
    rows: dict[N, list[N]] = {head: [] for head in components}
    for i in first:
        near = next((h for h in components if distance(i, h) < math.inf), None)
        if near is None:
            return Worst(math.inf, dict.fromkeys(second), {}, alone=i)
        rows[near].append(i)
    plan: dict[tuple[N, N], Fraction] = {}
    for head, columns in components.items():
        if rows[head]:
            found = _climb(rows[head], columns, first, second, distance, c)
            plan |= found.plan
            if best is None or found.factor > best.factor:
                best = found
    assert best is not None
    labels = {j: best.labels.get(j) for j in second}
    return Worst(best.factor, labels, plan)


def _climb(
    rows: list[N],
    columns: list[N],
    first: Conditional[N],
    second: Conditional[N],
    distance: Distance[N],
    c: Fraction,
) -> Worst[N]:
    """The maximum inside one connected part."""
    d = [[int(distance(i, j)) for j in columns] for i in rows]
    labels = [0] * len(columns)
    while True:
        k = [min(label + step for label, step in zip(labels, row, strict=True)) for row in d]
        tight = [
            [j for j, step in enumerate(row) if labels[j] + step == top]
            for row, top in zip(d, k, strict=True)
        ]
        supply = [first[i] * c**top for i, top in zip(rows, k, strict=True)]
        masses = [second[j] * c**label for j, label in zip(columns, labels, strict=True)]
        factor = sum(supply, Fraction(0)) / sum(masses, Fraction(0))
        demand = [factor * mass for mass in masses]
        scale = math.lcm(*(x.denominator for x in (*supply, *demand)))
        shipped = ship([int(x * scale) for x in supply], [int(x * scale) for x in demand], tight)
        if not shipped.stuck:
            plan = {
                (rows[i], columns[j]): Fraction(amount, scale) / c ** k[i]
                for (i, j), amount in shipped.amounts.items()
            }
            return Worst(factor, dict(zip(columns, labels, strict=True)), plan)
        for j in {j for i in shipped.stuck for j in tight[i]}:
            labels[j] += 1
