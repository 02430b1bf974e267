"""Uniform bits from a cipher's keystream: secret from the system's entropy, or reproducible from a seed.

The stream is AES-256 in counter mode over zeros, with a 128-bit counter: the high half numbers the
stream, the low half the block in it. Stream 0 is what :meth:`Bits.words` reads; stream j + 1 extends the
j-th of those words (:meth:`Bits.further`), so that what a word is extended by depends on its position
alone. Streams cannot overlap: none reaches 2^64 blocks. Telling n blocks of one key from independent
uniform bits succeeds with advantage at most n²/2^129 over breaking the cipher (distinct blocks of a
permutation): 2^−69 for 2^31 samples.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext, algorithms, modes
from numpy.typing import NDArray

from establish.spec.parameters import ParameterError

BLOCK = 16
"""Bytes of one block of the cipher: two words."""

_forks = 0
"""How many forks lie between the first process and this one."""


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):  # where processes fork at all
    os.register_at_fork(after_in_child=_count_fork)


class Bits:
    """A keystream of uniform 64-bit words; build it with :meth:`secret` or :meth:`seeded`.

    ``is_secret``: whether the key came from the system's entropy. No two processes share a stream:
    after a fork a secret one takes a new key in the child, and a seeded one refuses to go on there
    (RuntimeError). Copying and pickling are refused (TypeError). Threads may share one.
    """

    def __init__(self, key: bytes, is_secret: bool) -> None:
        self.is_secret = is_secret
        self._lock = threading.Lock()
        self._start(key)

    @classmethod
    def secret(cls) -> Bits:
        """A stream that nobody can reproduce, keyed with 256 bits from the operating system."""
        return cls(os.urandom(32), is_secret=True)

    @classmethod
    def seeded(cls, seed: int) -> Bits:
        """The stream that ``seed`` ≥ 0 always gives: for tests, never for a release.

        The key is the SHA-256 of the seed's decimal digits. Raises ParameterError unless seed is an
        integer ≥ 0.
        """
        if not isinstance(seed, int) or seed < 0:
            raise ParameterError(f"seed = {seed} is not allowed: it must be an integer ≥ 0")
        return cls(hashlib.sha256(b"establish seed %d" % seed).digest(), is_secret=False)

    def _start(self, key: bytes) -> None:
        self._key, self._born = key, _forks
        self._zeros = b""
        self._go_to(0)

    def _go_to(self, position: int) -> None:
        """The next word is the one at ``position``."""
        counter = modes.CTR((position // 2).to_bytes(BLOCK, "big"))
        self._main = Cipher(algorithms.AES(self._key), counter).encryptor()
        self._main.update(bytes(8 * (position % 2)))
        self._position = position

    def _stream(self, number: int) -> CipherContext:
        counter = modes.CTR((number << 64).to_bytes(BLOCK, "big"))
        return Cipher(algorithms.AES(self._key), counter).encryptor()

    def _after_fork(self) -> None:
        if self._born == _forks:
            return
        if not self.is_secret:
            raise RuntimeError(
                "a seeded stream does not continue in a forked process: make one there, with its own seed"
            )
        self._start(os.urandom(32))

    def words(self, count: int) -> NDArray[np.uint64]:
        """The next ``count`` words."""
        words = np.empty(count, np.uint64)
        self.fill(words)
        return words

    def fill(self, words: NDArray[np.uint64]) -> int:
        """Overwrite ``words`` (contiguous) with the next words; the position of the first one."""
        with self._lock:
            self._after_fork()
            if len(self._zeros) < words.nbytes:
                self._zeros = bytes(words.nbytes)
            if words.size:
                zeros = memoryview(self._zeros)[: words.nbytes]
                self._main.update_into(zeros, words.view(np.uint8).data)
            first = self._position
            self._position += words.size
            return first

    def further(self, position: int) -> Iterator[int]:
        """The words that extend the one at ``position``, without end; always the same ones."""
        with self._lock:
            self._after_fork()
            stream = self._stream(position + 1)
        while True:
            yield int.from_bytes(stream.update(bytes(8)), "little")

    def for_parts(self, table: str, cells: int) -> PartKeys:
        """Where the parts of one table draw, a word for each of its ``cells``; these words are used up.

        table: its name, which no other of the same release has.
        """
        with self._lock:
            self._after_fork()
            key, first = self._key, self._position
            if self.is_secret:
                key, first = _derived(key, f"table {table}"), 0
            else:
                self._go_to(first + cells)
            return PartKeys(key, self.is_secret, first)

    def __reduce__(self) -> str:
        raise TypeError("a stream of bits cannot be copied or pickled: both copies would be equal")


@dataclass(frozen=True)
class PartKeys:
    """Where the parts of a table draw; it can be sent to executors, and is as secret as the noise.

    A secret one derives a key for each part (HMAC-SHA256), so that no two parts share a stream, and a part
    that is drawn again has the same one. A seeded one gives every cell the word that it has where one
    process draws them all.
    """

    key: bytes = field(repr=False)
    is_secret: bool
    first: int

    def bits(self, part: int, cell: int) -> Bits:
        """The stream of part number ``part``, whose first cell has the number ``cell``."""
        if self.is_secret:
            return Bits(_derived(self.key, f"part {part}"), True)
        found = Bits(self.key, False)
        found._go_to(self.first + cell)
        return found


def _derived(key: bytes, name: str) -> bytes:
    """A key that tells nothing about ``key``, nor about those of other names."""
    return hmac.digest(key, f"establish {name}".encode(), "sha256")
