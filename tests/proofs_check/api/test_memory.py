"""A table that is too large for the memory that is free is refused with a clear message."""

import numpy as np
import pytest

from establish.proofs_check.api import memory
from establish.spec.parameters import ParameterError


def test_the_system_tells_how_much_is_free():
    free = memory.free_memory()
    assert free is None or 10**6 < free < 10**15


def test_what_needs_more_than_is_free_is_refused_by_name_and_the_limit_is_gone_afterwards(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: memory.SPARE + 10**8)
    with (
        pytest.raises(ParameterError, match=r"^the audit needs more memory than the 0\.3 GB that are free"),
        memory.within_memory("the audit"),
    ):
        np.empty(10**9, np.uint8)
    assert np.empty(10**9, np.uint8).size == 10**9
    with memory.within_memory("the audit"):
        assert np.empty(10**7, np.uint8).size == 10**7


def test_where_the_system_tells_nothing_nothing_is_refused(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    with memory.within_memory("the audit"):
        assert np.empty(10**9, np.uint8).size == 10**9
