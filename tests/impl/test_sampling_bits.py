"""The keystream: reproducible or secret, never shared by two processes."""

import copy
import os
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from establish.impl.sampling.bits import Bits
from establish.spec.parameters import ParameterError

KEY = bytes(range(32))


def block(counter: int) -> list[int]:
    """The two words of one block, straight from the cipher: AES-256 of the counter, as two halves."""
    one = Cipher(algorithms.AES(KEY), modes.ECB()).encryptor().update(counter.to_bytes(16, "big"))
    return [int.from_bytes(one[:8], "little"), int.from_bytes(one[8:], "little")]


def test_the_words_are_the_cipher_of_the_counter():
    assert Bits(KEY, is_secret=False).words(4).tolist() == block(0) + block(1)


def test_what_extends_a_word_is_the_stream_of_its_position():
    further = Bits(KEY, is_secret=False).further(6)
    assert [next(further) for _ in range(3)] == (block(7 << 64) + block((7 << 64) + 1))[:3]


def test_what_extends_a_word_is_the_same_before_and_after_other_reads():
    bits = Bits.seeded(3)
    before = next(bits.further(2))
    bits.words(9)
    assert next(bits.further(2)) == before
    assert next(bits.further(3)) != before


def test_the_stream_does_not_depend_on_how_it_is_read():
    whole, parts = Bits.seeded(7).words(12), Bits.seeded(7)
    read = [parts.words(count) for count in (1, 0, 4, 3, 4)]
    assert np.concatenate(read).tolist() == whole.tolist()


def test_the_position_of_the_first_word_is_told():
    bits = Bits.seeded(7)
    assert [bits.fill(np.empty(count, np.uint64)) for count in (3, 0, 5, 1)] == [0, 3, 3, 8]


def test_one_seed_gives_one_stream_and_two_give_two():
    assert Bits.seeded(0).words(8).tolist() == Bits.seeded(0).words(8).tolist()
    assert not set(Bits.seeded(0).words(8).tolist()) & set(Bits.seeded(1).words(8).tolist())


def test_a_negative_seed_is_refused():
    with pytest.raises(ParameterError, match="seed = -1"):
        Bits.seeded(-1)


def test_secret_streams_differ_and_say_that_they_are_secret():
    first, second = Bits.secret(), Bits.secret()
    assert first.is_secret
    assert not Bits.seeded(1).is_secret
    assert not set(first.words(8).tolist()) & set(second.words(8).tolist())


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_stream_cannot_be_duplicated(duplicate):
    with pytest.raises(TypeError, match="cannot be copied"):
        duplicate(Bits.secret())


def in_a_child(act: Callable[[], bytes]) -> bytes:
    """What ``act`` returns in a forked process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, act())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def test_a_secret_stream_takes_a_new_key_after_a_fork():
    bits = Bits.secret()
    bits.words(1)
    child = np.frombuffer(in_a_child(lambda: bits.words(8).tobytes()), np.uint64)
    assert child.size == 8
    assert not set(child.tolist()) & set(bits.words(8).tolist())


def test_what_extends_a_word_takes_the_new_key_after_a_fork_too():
    bits = Bits.secret()
    child = in_a_child(lambda: next(bits.further(0)).to_bytes(8, "little"))
    assert len(child) == 8
    assert int.from_bytes(child, "little") != next(bits.further(0))


def test_a_seeded_stream_does_not_go_on_in_a_forked_process():
    bits = Bits.seeded(5)

    def act() -> bytes:
        try:
            bits.words(1)
        except RuntimeError as error:
            return str(error).encode()
        return b"went on"

    assert b"does not continue in a forked process" in in_a_child(act)
    assert bits.words(1).size == 1, "the parent goes on"


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_seeded_parts_together_are_the_stream_of_one_process(size):
    one, spread = Bits.seeded(4), Bits.seeded(4)
    for table, cells in (("a", 5), ("b", 6)):
        expected = one.words(cells)
        extended = [next(one.further(place + (5 if table == "b" else 0))) for place in range(cells)]
        keys = pickle.loads(pickle.dumps(spread.for_parts(table, cells)))
        words, further = [], []
        for part, first in enumerate(range(0, cells, size)):
            bits = keys.bits(part, first)
            own = np.empty(min(size, cells - first), np.uint64)
            position = bits.fill(own)
            words += own.tolist()
            further += [next(bits.further(position + j)) for j in range(own.size)]
        assert words == expected.tolist()
        assert further == extended
    assert one.words(3).tolist() == spread.words(3).tolist()


def test_a_part_that_is_drawn_again_has_its_stream_and_no_two_parts_share_one():
    bits = Bits.secret()
    keys = {table: bits.for_parts(table, 4) for table in ("a", "b", "a ", "part 1")}
    streams = {
        (table, part): tuple(own.bits(part, 4 * part).words(4).tolist())
        for table, own in keys.items()
        for part in (0, 1, 11)
    }
    assert streams["a", 1] == tuple(bits.for_parts("a", 4).bits(1, 4).words(4).tolist())
    words = [word for stream in (*streams.values(), bits.words(4).tolist()) for word in stream]
    # 52 words coincide with probability 52²/2^65 < 1e-15.
    assert len(set(words)) == len(words)
    assert all(own.is_secret and own.bits(0, 0).is_secret for own in keys.values())
    assert not set(Bits.secret().for_parts("a", 4).bits(1, 4).words(4).tolist()) & set(words)


def test_the_keys_of_parts_are_not_shown():
    assert repr(Bits.secret().for_parts("a", 4)) == "PartKeys(is_secret=True, first=0)"
