"""Buffers of one chunk, allocated once: small enough to stay in the processor's cache."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CHUNK = 16384
"""Samples that are worked on together."""


class Workspace:
    """Named arrays of ``size`` ≤ CHUNK elements, the same memory at each request."""

    def __init__(self) -> None:
        self.size = CHUNK
        self._arrays: dict[str, NDArray[np.uint64]] = {}

    def words(self, name: str) -> NDArray[np.uint64]:
        if name not in self._arrays:
            self._arrays[name] = np.empty(CHUNK, np.uint64)
        return self._arrays[name][: self.size]

    def integers(self, name: str) -> NDArray[np.int64]:
        return self.words(name).view(np.int64)

    def floats(self, name: str) -> NDArray[np.float64]:
        return self.words(name).view(np.float64)
