"""Every cell that is drawn is decided again: any change that one of them meets is seen."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from establish import Evidence, GrowthStaircase, LogLaplace, SmoothLaplace, TruncatedLaplace, WholeStaircase
from establish.impl.certificate import certifying
from establish.impl.mechanisms.on_counts import OnCounts
from establish.impl.sampling.reals import Reals
from establish.proofs_check.certification import counts
from establish.proofs_check.certification.decided import LARGEST, decided, magnitudes, sizes

MECHANISMS: dict[str, Any] = {
    "log-laplace": lambda: LogLaplace("1/10", 2, "tight"),
    "smooth-laplace": lambda: SmoothLaplace("1/10", 2, "1/100", "tight"),
    "growth-staircase": lambda: GrowthStaircase("1/10", 2),
    "whole-staircase": lambda: WholeStaircase("1/10", 2),
}


def shown(runs: Any, number: int = 100) -> Evidence:
    with certifying():
        return decided(runs, counts.specification(runs), number)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", [*MECHANISMS, "truncated-laplace"])
def test_every_cell_is_the_quantile_at_its_word(name: str):
    runs = TruncatedLaplace(1, 10) if name == "truncated-laplace" else MECHANISMS[name]()
    assert shown(runs).established is True


def test_cells_are_of_all_magnitudes_and_of_one_and_many_establishments():
    cells, largest = magnitudes(1000, 1)
    assert {0, 1, 2**20 - 1, 2**20, 10**6 + 1, LARGEST} <= set(cells.tolist())
    assert all((cells > 10**k).sum() > 100 for k in range(14))
    assert np.all((largest <= cells) & (largest * 50 >= cells))
    assert ((largest < cells).sum(), (largest == cells).sum()) > (100, 100)
    for count, most in zip(cells.tolist(), largest.tolist(), strict=True):
        assert (sum(sizes(count, most)), max(sizes(count, most))) == (count, most)


def planted(change: Callable[[Any, Any], Any]) -> Callable[[pytest.MonkeyPatch, type[OnCounts]], None]:
    """A change of what is released for checked counts."""

    def plant(monkeypatch: pytest.MonkeyPatch, kind: type[OnCounts]) -> None:
        of = kind._noisy
        monkeypatch.setattr(kind, "_noisy", lambda self, n, top, bits: change(n, of(self, n, top, bits)))

    return plant


def of_other_counts(change: Callable[[Any], Any]) -> Callable[[pytest.MonkeyPatch, type[OnCounts]], None]:
    """A change of the counts to which noise is added."""

    def plant(monkeypatch: pytest.MonkeyPatch, kind: type[OnCounts]) -> None:
        of = kind._noisy
        monkeypatch.setattr(kind, "_noisy", lambda self, n, top, bits: of(self, change(n), top, bits))

    return plant


CHANGES = {
    "1% more above 10,000": of_other_counts(lambda n: np.where(n > 10_000, np.floor(n * 1.01), n)),
    "1% more above 10^12": of_other_counts(lambda n: np.where(n > 1e12, np.floor(n * 1.01), n)),
    "another count at one power of 2": of_other_counts(lambda n: np.where(n == 4096, n + 500, n)),
    "one worker more at 0": of_other_counts(lambda n: np.where(n == 0, 1, n)),
    "a cap at 10^9": of_other_counts(lambda n: np.minimum(n, 1e9)),
    "counts below 10 told as they are": planted(lambda n, out: np.where(n < 10, n, out)),
    "one more": planted(lambda n, out: out + 1),
    "one more from 10^6 on": planted(lambda n, out: np.where(n > 1e6, out + 1, out)),
    "an even number": planted(lambda n, out: 2 * np.round(out / 2)),
    "a billionth more": planted(lambda n, out: np.round(out * (1 + 1e-9))),
}


@pytest.mark.few(6)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", MECHANISMS)
def test_a_change_at_any_magnitude_is_refused(name: str, change: str, monkeypatch: pytest.MonkeyPatch):
    runs = MECHANISMS[name]()
    CHANGES[change](monkeypatch, type(runs))
    assert shown(runs).established is False


@pytest.mark.few(2)
@pytest.mark.parametrize("name", MECHANISMS)
def test_noise_of_another_stream_is_refused(name: str, monkeypatch: pytest.MonkeyPatch):
    """The first word is thrown away."""
    runs = MECHANISMS[name]()
    of = type(runs)._noisy

    def later(self: Any, n: Any, top: Any, bits: Any) -> Any:
        bits.words(1)
        return of(self, n, top, bits)

    monkeypatch.setattr(type(runs), "_noisy", later)
    assert shown(runs).established is False


def test_noise_by_the_count_where_the_largest_establishment_is_given_is_refused(
    monkeypatch: pytest.MonkeyPatch,
):
    of = SmoothLaplace._noisy
    monkeypatch.setattr(SmoothLaplace, "_noisy", lambda self, n, top, bits: of(self, n, n, bits))
    assert shown(MECHANISMS["smooth-laplace"]()).established is False


def test_a_scale_that_is_off_by_one_in_a_billion_is_refused():
    runs = LogLaplace("1/10", 2, "tight")
    runs._scale = runs._scale.times(Reals.fraction(1 + Fraction(1, 10**9)))
    assert shown(runs).established is False
