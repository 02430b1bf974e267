"""The cells of one query, empty ones included, as columns."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from establish.spec.parameters import ParameterError

Codes = NDArray[np.int64]
"""Positions in a list of values, from 0."""


@dataclass(frozen=True)
class Tabulation:
    """One row per cell, in the order of the workplace labels, then of the worker labels.

    attributes: those tabulated, as they were asked for. values: attribute → its values. codes:
    attribute → for each cell the position of its value. count: jobs in the cell. establishments:
    those with a job in it. largest: the most jobs that one establishment has in it (x_v of Haney et
    al. 2017, Lemma 8.5), 0 in an empty cell.

    ``count``, ``establishments`` and ``largest`` are confidential and not shown by ``repr``; the
    last two are for the noise only and never written anywhere.
    """

    attributes: tuple[str, ...]
    values: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, NDArray[np.int32]] = field(repr=False)
    count: NDArray[np.int64] = field(repr=False)
    establishments: NDArray[np.int64] = field(repr=False)
    largest: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        """The number of cells."""
        return int(self.count.size)

    def labels(self, attribute: str) -> NDArray[np.object_]:
        """The text label of every cell. Raises KeyError for an attribute that was not tabulated."""
        return np.array(self.values[attribute], dtype=object)[self.codes[attribute]]


@dataclass(frozen=True)
class Labels:
    """A column of labels as an engine returned it: the distinct texts, and each row's."""

    texts: tuple[str, ...]
    rows: Codes

    def require_in(self, attribute: str, values: Collection[str]) -> None:
        """Raises ParameterError for a text that is not one of ``values``."""
        known = set(values)
        if not all(text in known for text in self.texts):
            raise ParameterError(f"column {attribute} has a value outside its domain")

    def coded(self, values: Sequence[str]) -> Codes:
        """Each row's position in ``values``, which have all texts."""
        position = {value: place for place, value in enumerate(values)}
        return np.array([position[text] for text in self.texts], dtype=np.int64)[self.rows]

    def among(self, values: Collection[str]) -> NDArray[np.bool_]:
        """Whether each row has one of ``values``."""
        return np.array([text in values for text in self.texts], dtype=np.bool_)[self.rows]

    def at(self, rows: NDArray[np.bool_]) -> Labels:
        """Those rows, and the texts that occur there."""
        used, codes = np.unique(self.rows[rows], return_inverse=True)
        return Labels(tuple(self.texts[place] for place in used), codes)


class Frame:
    """All cells: the combinations of workplace labels, times the values of worker attributes.

    of_workers: worker attribute → values. listed: workplace attribute → values, where a domain
    lists them. existing: every workplace attribute, in the combinations that exist. Those that are
    not listed take the combinations that they have there; these are crossed with the values of
    those that are. ``width`` is the number of combinations of worker values.

    Raises ParameterError for more than ``limit`` cells.
    """

    def __init__(
        self,
        of_workers: Mapping[str, tuple[str, ...]],
        listed: Mapping[str, tuple[str, ...]],
        existing: Mapping[str, Labels],
        limit: int,
    ) -> None:
        self._of_workers = of_workers
        self._of_workplaces = {
            a: listed[a] if a in listed else tuple(sorted(column.texts))
            for a, column in existing.items()
        }
        self.width = math.prod(map(len, of_workers.values()))
        self._weights = _weights([len(values) for values in self._of_workplaces.values()])
        self._keys = np.zeros(1, dtype=np.int64)
        digits = self._digits(existing)
        free = [digits[a] for a in existing if a not in listed]
        if free:
            self._keys = np.unique(np.sum(free, axis=0))
        crossed = math.prod(map(len, listed.values()))
        _require_at_most(limit, self.width * max(1, self._keys.size) * crossed)
        for (a, values), weight in zip(self._of_workplaces.items(), self._weights, strict=True):
            if a in listed:
                digit = np.arange(len(values), dtype=np.int64) * weight
                self._keys = np.add.outer(self._keys, digit).ravel()
        self._keys.sort()

    def __len__(self) -> int:
        return int(self._keys.size) * self.width

    @property
    def values(self) -> dict[str, tuple[str, ...]]:
        """Attribute → its values."""
        return {**self._of_workplaces, **self._of_workers}

    def positions(self, existing: Mapping[str, Labels]) -> Codes:
        """The numbers, among all of the frame, of combinations of workplace labels.

        Cell number n·width + m is the n-th of them with the m-th combination of worker values.
        """
        keys = np.zeros(next((c.rows.size for c in existing.values()), 1), dtype=np.int64)
        for digits in self._digits(existing).values():
            keys += digits
        return np.searchsorted(self._keys, keys)

    def codes(self) -> dict[str, NDArray[np.int32]]:
        """Attribute → for each cell the position of its value."""
        found = {}
        for (a, values), weight in zip(self._of_workplaces.items(), self._weights, strict=True):
            of_keys = (self._keys // weight % len(values)).astype(np.int32)
            found[a] = np.repeat(of_keys, self.width)
        weights = _weights([len(values) for values in self._of_workers.values()])
        inner = np.arange(self.width, dtype=np.int64)
        for (a, values), weight in zip(self._of_workers.items(), weights, strict=True):
            found[a] = np.tile((inner // weight % len(values)).astype(np.int32), self._keys.size)
        return found

    def _digits(self, public: Mapping[str, Labels]) -> dict[str, Codes]:
        """What each workplace label of every row adds to the number of its combination."""
        return {
            a: public[a].coded(values) * weight
            for (a, values), weight in zip(self._of_workplaces.items(), self._weights, strict=True)
        }


def _weights(sizes: Sequence[int]) -> list[int]:
    """The place values of a mixed-radix number, the first digit the largest."""
    if math.prod(sizes) >= 2**63:
        raise ParameterError("the attributes have too many values to number their combinations")
    return [math.prod(sizes[place + 1 :]) for place in range(len(sizes))]


def _require_at_most(limit: int, cells: int) -> None:
    if cells > limit:
        raise ParameterError(
            f"the domain has {cells} cells, more than {limit}: tabulate fewer attributes, or leave "
            "workplace attributes out of the domain, so that only existing combinations are cells"
        )
