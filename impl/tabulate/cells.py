"""The cells of one query, empty ones included, as columns."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Flags, Integers
from establish.spec.parameters import ParameterError

Codes = Integers
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
    count: Integers = field(repr=False)
    establishments: Integers = field(repr=False)
    largest: Integers = field(repr=False)

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

    def among(self, values: Collection[str]) -> Flags:
        """Whether each row has one of ``values``."""
        return np.array([text in values for text in self.texts], dtype=np.bool_)[self.rows]

    def at(self, rows: Flags) -> Labels:
        """Those rows, and the texts that occur there."""
        used, codes = np.unique(self.rows[rows], return_inverse=True)
        return Labels(tuple(self.texts[place] for place in used), codes)


@dataclass(frozen=True)
class Numbering:
    """The cells of a query by number: combinations of workplace values, each with all of worker values.

    of_workplaces, of_workers: attribute → values, the first attribute having the highest place. keys: the
    mixed-radix numbers of those combinations of workplace values that are cells, ascending; None where all
    are. Cell number n·width + m is the n-th of them with the m-th combination of worker values.
    """

    of_workplaces: Mapping[str, tuple[str, ...]]
    of_workers: Mapping[str, tuple[str, ...]]
    keys: Codes | None = field(default=None, repr=False)

    @property
    def width(self) -> int:
        """The number of combinations of worker values."""
        return math.prod(map(len, self.of_workers.values()))

    @property
    def weights(self) -> dict[str, int]:
        """What one step of each workplace attribute's position adds to the number of a combination."""
        sizes = [len(values) for values in self.of_workplaces.values()]
        return dict(zip(self.of_workplaces, _weights(sizes), strict=True))

    def __len__(self) -> int:
        every = math.prod(map(len, self.of_workplaces.values()))
        return self.width * (every if self.keys is None else int(self.keys.size))

    @property
    def values(self) -> dict[str, tuple[str, ...]]:
        """Attribute → its values."""
        return {**self.of_workplaces, **self.of_workers}

    def codes(self, first: int = 0, last: int | None = None) -> dict[str, NDArray[np.int32]]:
        """Attribute → the position of its value, for the cells from ``first`` to before ``last``."""
        last = len(self) if last is None else last
        width = self.width
        begin, end = first // width, -(-last // width)
        chosen = slice(first - begin * width, last - begin * width)
        own = np.arange(begin, end, dtype=np.int64) if self.keys is None else self.keys[begin:end]
        found = {}
        for a, weight in self.weights.items():
            of_keys = (own // weight % len(self.of_workplaces[a])).astype(np.int32)
            found[a] = np.repeat(of_keys, width)[chosen]
        sizes = [len(values) for values in self.of_workers.values()]
        inner = np.arange(width, dtype=np.int64)
        for (a, values), weight in zip(self.of_workers.items(), _weights(sizes), strict=True):
            of_workers = (inner // weight % len(values)).astype(np.int32)
            found[a] = np.tile(of_workers, end - begin)[chosen]
        return found


class Frame:
    """All cells: the combinations of workplace labels, times the values of worker attributes.

    of_workers: worker attribute → values. listed: workplace attribute → values, where a domain
    lists them. existing: every workplace attribute, in the combinations that exist. Those that are
    not listed take the combinations that they have there; these are crossed with the values of
    those that are. ``numbering`` says which number a cell has.

    Raises ParameterError for more than ``limit`` cells.
    """

    def __init__(
        self,
        of_workers: Mapping[str, tuple[str, ...]],
        listed: Mapping[str, tuple[str, ...]],
        existing: Mapping[str, Labels],
        limit: int,
    ) -> None:
        every = Numbering(
            {a: listed[a] if a in listed else tuple(sorted(column.texts)) for a, column in existing.items()},
            of_workers,
        )
        self._weights = every.weights
        self._of_workplaces = every.of_workplaces
        keys = np.zeros(1, dtype=np.int64)
        digits = self._digits(existing)
        free = [digits[a] for a in existing if a not in listed]
        if free:
            keys = np.unique(np.sum(free, axis=0))
        crossed = math.prod(map(len, listed.values()))
        require_at_most(limit, every.width * max(1, keys.size) * crossed)
        for a, weight in self._weights.items():
            if a in listed:
                digit = np.arange(len(listed[a]), dtype=np.int64) * weight
                keys = np.add.outer(keys, digit).ravel()
        keys.sort()
        self.numbering = replace(every, keys=keys)
        self._keys = keys

    def positions(self, existing: Mapping[str, Labels]) -> Codes:
        """The numbers, among all of the frame, of combinations of workplace labels."""
        keys = np.zeros(next((c.rows.size for c in existing.values()), 1), dtype=np.int64)
        for digits in self._digits(existing).values():
            keys += digits
        return np.searchsorted(self._keys, keys)

    def _digits(self, public: Mapping[str, Labels]) -> dict[str, Codes]:
        """What each workplace label of every row adds to the number of its combination."""
        return {a: public[a].coded(values) * self._weights[a] for a, values in self._of_workplaces.items()}


def _weights(sizes: Sequence[int]) -> list[int]:
    """The place values of a mixed-radix number, the first digit the largest."""
    if math.prod(sizes) >= 2**63:
        raise ParameterError("the attributes have too many values to number their combinations")
    return [math.prod(sizes[place + 1 :]) for place in range(len(sizes))]


def require_at_most(limit: int, cells: int) -> None:
    """Raises ParameterError for more cells than ``limit``."""
    if cells > limit:
        raise ParameterError(
            f"the domain has {cells} cells, more than {limit}: tabulate fewer attributes, or leave "
            "workplace attributes out of the domain, so that only existing combinations are cells"
        )
