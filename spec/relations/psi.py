"""ψ-neighbors of establishment values (Webb et al. 2025, Definitions 5.1 and 5.5).

A neighbor function ψ on the nonnegative reals says how far apart two values of one attribute may be
and still count as close: |ψ(x) − ψ(y)| ≤ γ. Datasets are ψ-neighbors when they differ in the record
of one establishment, and its two records are close in every attribute, attribute number i with its
own distance parameter γ_i. A mechanism that keeps all ψ-neighbors μ-Gaussian indistinguishable is
μ-GEDP (Definition 5.6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from establish.spec import strategies as st
from establish.spec.neighbor_functions.distance import Closeness, close_records
from establish.spec.neighbor_functions.named import Given, distance_parameters, neighbor_function
from establish.spec.parameters import ParameterError, Rational
from establish.spec.relations.relation import NeighborRelation

Value = int | float | Fraction
"""A nonnegative value of an establishment; a float means the binary rational that it is."""

Record = Value | tuple[Value, ...]
"""One establishment: a value, or one value per confidential attribute."""

Records = tuple[Record, ...]
"""A dataset: the record of each establishment."""


class Psi(NeighborRelation[Records]):
    """The record of one establishment is replaced by another one that is ψ-close to it.

    psi: one neighbor function, or one per attribute (Remark 5.4), as ``neighbor_function`` reads it.
    gamma: one distance parameter, or a sequence with one per attribute (records are then tuples).
    values, establishments: the finite universe, all datasets of that many records over these values.
    Raises ParameterError for a parameter outside its domain.
    """

    def __init__(
        self,
        psi: Given | Sequence[Given],
        gamma: Rational | Sequence[Rational],
        values: Sequence[Value] = (),
        establishments: int = 1,
    ) -> None:
        gammas = distance_parameters(gamma)
        given = [psi] * len(gammas) if not isinstance(psi, (tuple, list)) else list(psi)
        if len(given) != len(gammas):
            raise ParameterError(
                f"psi, gamma: {len(given)} neighbor functions and {len(gammas)} distance parameters "
                "are not allowed: give one of each per attribute"
            )
        self.attributes: tuple[Closeness, ...] = tuple(
            (neighbor_function(function), bound) for function, bound in zip(given, gammas, strict=True)
        )
        self.several = not isinstance(gamma, (int, str, float, Fraction))
        self.values, self.establishments = tuple(values), establishments
        if establishments < 1 or any(value < 0 for value in values):
            raise ParameterError(
                f"establishments = {establishments}, values = {values!r} are not allowed: "
                "establishments is at least 1, values at least 0"
            )

    def close(self, record: Record, other: Record) -> bool:
        """Whether two records are ψ-close in every attribute. ValueError for a wrong number."""
        return close_records(self.attributes, _exact(record), _exact(other))

    def related(self, d: Records, d2: Records) -> bool:
        if len(d) != len(d2):
            return False
        changed = [(r, r2) for r, r2 in zip(d, d2, strict=True) if r != r2]
        return len(changed) == 1 and self.close(*changed[0])

    def neighbors(self, d: Records) -> Iterator[Records]:
        for e, own in enumerate(d):
            for record in self._records():
                if record != own and self.close(own, record):
                    yield (*d[:e], record, *d[e + 1 :])

    def datasets(self) -> Iterator[Records]:
        yield from product(self._records(), repeat=self.establishments)

    def dataset_strategy(self) -> st.SearchStrategy[Records]:
        records = st.sampled_from(list(self._records()))
        return st.tuples(*[records for _ in range(self.establishments)])

    def _records(self) -> Iterator[Record]:
        if self.several:
            yield from product(self.values, repeat=len(self.attributes))
        else:
            yield from self.values


def _exact(record: Record) -> tuple[Fraction, ...]:
    values = record if isinstance(record, tuple) else (record,)
    return tuple(Fraction(value) for value in values)
