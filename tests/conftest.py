"""What every test may rely on: its own cache folder, no terminal, and working precision as it found it.

Hypothesis draws the same examples in every run, without a limit of time, so that a machine under load
and a rare example cannot fail a change that is right; ``make test ARGS=--hypothesis-profile=default``
looks further.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import flint
import mpmath
import pytest
from hypothesis import settings

settings.register_profile("reproducible", derandomize=True, deadline=None)
settings.load_profile("reproducible")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the results of the user."""
    monkeypatch.setenv("ESTABLISH_CACHE", str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are as wide as in a pipe, whatever the terminal or the test runner says."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def shows(tmp_path: Path) -> Callable[[str, object], bool]:
    """Whether a text holds a number by itself: not in a digest or a folder's name, where it may by chance."""

    def found(text: str, number: object) -> bool:
        return bool(re.search(rf"(?<!\w){number}(?!\w)", text.replace(str(tmp_path), "")))

    return found


@pytest.fixture(autouse=True)
def precision_is_restored() -> Iterator[None]:
    """Whatever a test calls must leave the working precision of mpmath and Arb as it was."""
    before = (mpmath.mp.prec, flint.ctx.prec)
    yield
    after = (mpmath.mp.prec, flint.ctx.prec)
    mpmath.mp.prec, flint.ctx.prec = before
    assert after == before, f"working precision was {before} bits before the test, {after} after"
