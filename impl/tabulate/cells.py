"""The cells of one query, empty ones included, as columns."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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

    def coded(self, attribute: str, values: Sequence[str], public: bool) -> Codes:
        """Each row's position in ``values``. Raises ParameterError for a text that is not there.

        public: whether the message may quote it.
        """
        position = {value: place for place, value in enumerate(values)}
        for text in self.texts:
            if text not in position:
                shown = f" ({text!r})" if public else ""
                raise ParameterError(f"column {attribute} has a value outside its domain{shown}")
        return np.array([position[text] for text in self.texts], dtype=np.int64)[self.rows]


class Frame:
    """All cells: the combinations of workplace labels, times the values of worker attributes.

    listed: attribute → values, for every worker attribute and for the workplace attributes that a
    domain lists. existing: the combinations of workplace attributes that exist. A workplace
    attribute that is not listed takes the combinations that it has there with the others not
    listed; these are crossed with the values of those that are.

    Raises ParameterError when there are more than ``limit`` cells.
    """

    def __init__(
        self,
        of_workplaces: Sequence[str],
        of_workers: Sequence[str],
        listed: Mapping[str, tuple[str, ...]],
        existing: Mapping[str, Labels],
        limit: int,
    ) -> None:
        self.values = {a: listed.get(a) or tuple(sorted(existing[a].texts)) for a in of_workplaces}
        self.values |= {a: listed[a] for a in of_workers}
        self._of_workplaces = of_workplaces
        self._of_workers = of_workers
        self._width = math.prod(len(self.values[a]) for a in of_workers)
        _require_at_most(
            limit, self._width * math.prod(len(listed.get(a, " ")) for a in of_workplaces)
        )
        self._weights = _weights([len(self.values[a]) for a in of_workplaces])
        combined = np.zeros(1, dtype=np.int64)
        rest = np.zeros(_length(existing), dtype=np.int64)
        for a, weight in zip(of_workplaces, self._weights, strict=True):
            codes = existing[a].coded(a, self.values[a], public=True)
            if a in listed:
                steps = np.arange(len(self.values[a]), dtype=np.int64) * weight
                combined = np.add.outer(combined, steps).ravel()
            else:
                rest += codes * weight
        if any(a not in listed for a in of_workplaces):
            rest = np.unique(rest)
            _require_at_most(limit, self._width * combined.size * rest.size)
            combined = np.sort(np.add.outer(combined, rest).ravel())
        self._keys = combined

    def __len__(self) -> int:
        return int(self._keys.size) * self._width

    def positions(self, found: Mapping[str, Labels]) -> Codes:
        """The cell of every row of ``found``. Raises ParameterError for a value outside the domain."""
        public = np.zeros(_length(found), dtype=np.int64)
        for a, weight in zip(self._of_workplaces, self._weights, strict=True):
            public += found[a].coded(a, self.values[a], public=True) * weight
        cell = np.searchsorted(self._keys, public)
        for a in self._of_workers:
            cell = cell * len(self.values[a]) + found[a].coded(a, self.values[a], public=False)
        return cell

    def codes(self) -> dict[str, NDArray[np.int32]]:
        """Attribute → for each cell the position of its value."""
        found = {}
        for a, weight in zip(self._of_workplaces, self._weights, strict=True):
            of_keys = (self._keys // weight % len(self.values[a])).astype(np.int32)
            found[a] = np.repeat(of_keys, self._width)
        inner = self._width
        for a in self._of_workers:
            size = len(self.values[a])
            inner //= size
            once = np.repeat(np.arange(size, dtype=np.int32), inner)
            found[a] = np.tile(once, len(self) // once.size)
        return found


def _length(columns: Mapping[str, Labels]) -> int:
    """Rows of a table of labels; a table without columns has the one combination ()."""
    return next((column.rows.size for column in columns.values()), 1)


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
