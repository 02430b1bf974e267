"""Buffers of one chunk, allocated once: small enough to stay in the processor's cache."""

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers

CHUNK = 16384
"""Samples that are worked on together."""


class Workspace:
    """Named arrays of ``size`` ≤ CHUNK elements, the same memory at each request of a size."""

    def __init__(self) -> None:
        self.size = CHUNK
        self._arrays: dict[str, NDArray[np.uint64]] = {}

    def words(self, name: str) -> NDArray[np.uint64]:
        found = self._arrays.get(name)
        if found is None or found.size < self.size:
            found = self._arrays[name] = np.empty(self.size, np.uint64)
        return found if found.size == self.size else found[: self.size]

    def integers(self, name: str) -> Integers:
        return self.words(name).view(np.int64)

    def floats(self, name: str) -> Floats:
        return self.words(name).view(np.float64)
