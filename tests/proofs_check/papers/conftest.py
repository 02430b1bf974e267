"""Claims of the papers whose modules are run again, and numbers of thirty digits."""

from collections.abc import Callable
from importlib.util import find_spec, module_from_spec

import mpmath
import pytest

from establish.proofs_check.engine import register
from establish.proofs_check.engine.register import Claim


@pytest.fixture
def stated_anew(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Claim]:
    """A claim whose module is run again: its statements are read when that is imported, and never after."""

    def anew(id: str) -> Claim:
        known = register.claims()
        home = known[id].module
        spec = find_spec(home)
        assert spec is not None
        assert spec.loader is not None
        monkeypatch.setattr(register, "_claims", {k: e for k, e in known.items() if e.module != home})
        spec.loader.exec_module(module_from_spec(spec))
        found = register._claims[id]
        monkeypatch.setattr(register, "_claims", known)
        return found

    return anew


@pytest.fixture
def thirty_digits():
    with mpmath.workdps(30):
        yield
