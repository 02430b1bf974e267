"""A marginal query and its filters, checked against the tables and the domain."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from establish.impl.arrays import Flags
from establish.impl.tabulate.cells import Labels
from establish.impl.tabulate.domain import Domain, require_values
from establish.impl.tabulate.plan import LEFT_OUT, Digits
from establish.impl.tabulate.tables import OpenTables
from establish.spec.parameters import ParameterError

Where = Mapping[str, Sequence[str]]
"""Attribute → the values that count."""


@dataclass(frozen=True)
class Query:
    """Which attributes form cells, which jobs count, and all values that attributes may have.

    of_workers, of_workplaces: the attributes of ``by``, then those of ``where`` alone, which are
    summed out. domains: attribute → values, of all workers' and the listed workplaces' attributes.
    """

    by: tuple[str, ...]
    where: Mapping[str, frozenset[str]]
    of_workers: tuple[str, ...]
    of_workplaces: tuple[str, ...]
    domains: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, tables: OpenTables, by: Sequence[str], domain: Domain | None, where: Where) -> Query:
        """Raises ParameterError as :meth:`establish.impl.tabulate.Tabulator.tabulate` says."""
        of_workers, of_workplaces = tables.split("by", by)
        more_of_workers, more_of_workplaces = tables.split("where", list(where))
        of_workers += [a for a in more_of_workers if a not in by]
        of_workplaces += [a for a in more_of_workplaces if a not in by]
        known = {} if domain is None else domain.values
        domains = {a: known[a] for a in (*of_workers, *of_workplaces) if a in known}
        for attribute in of_workers:
            if attribute not in domains:
                raise ParameterError(
                    f"{'by' if attribute in by else 'where'} = {attribute} is an attribute of "
                    "workers: the domain must list its values, because which of them occur is "
                    "confidential"
                )
        for attribute, values in where.items():
            require_values(f"where {attribute}", values)
            allowed = frozenset(domains.get(attribute, values))
            for value in values:
                if value not in allowed:
                    raise ParameterError(f"where {attribute} = {value} is not in the domain of {attribute}")
        values_of = {a: frozenset(values) for a, values in where.items()}
        return cls(tuple(by), values_of, tuple(of_workers), tuple(of_workplaces), domains)

    def cell_values(self, attributes: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The values that form cells, of those of ``attributes`` that do and have a domain."""
        return {
            a: tuple(value for value in values if self._counts(a, value))
            for a, values in self.domains.items()
            if a in attributes and a in self.by
        }

    def digits(self, attributes: Sequence[str]) -> Digits:
        """The numbering of combinations of ``attributes``, which have domains; digit 0 if summed out."""
        found = {}
        for a in attributes:
            counted = [value for value in self.domains[a] if self._counts(a, value)]
            digits = {value: n if a in self.by else 0 for n, value in enumerate(counted)}
            found[a] = {value: digits.get(value, LEFT_OUT) for value in self.domains[a]}
        return found

    def chosen(self, existing: Mapping[str, Labels]) -> Flags:
        """Which of the combinations of workplace labels count.

        existing: all of them, every attribute of ``of_workplaces``. Raises ParameterError for a
        value outside its domain.
        """
        chosen = np.ones(next((c.rows.size for c in existing.values()), 1), dtype=np.bool_)
        for attribute, column in existing.items():
            if attribute in self.domains:
                column.require_in(attribute, self.domains[attribute])
            if attribute in self.where:
                chosen &= column.among(self.where[attribute])
        return chosen

    def _counts(self, attribute: str, value: str) -> bool:
        return attribute not in self.where or value in self.where[attribute]
