"""Counterexamples of haney2017 by second methods, and planted faults that unsettle them."""

from fractions import Fraction
from functools import wraps

import pytest
from mpmath import fabs, linspace, log, mpf, quad

from establish import StatementError, UnsettledError
from establish.proofs_check.engine.register import claims
from establish.proofs_check.papers.haney2017 import admissible, local_noise, parameter_settings
from establish.proofs_check.papers.haney2017.heavy_tailed import admissible as heavy_tailed
from establish.spec.arithmetic import SYM
from establish.spec.relations import growth

ENTRIES = claims()


def on_interval(z):
    """The density proportional to 2^(−|z|) on [−6, 6]; ∫ 2^(−z) dz from 0 to 6 is (63/64)/ln 2."""
    return log(2) / (2 * mpf(63) / 64) * mpf(2) ** -fabs(z) if fabs(z) <= 6 else mpf(0)


def excess(p, q, level, ends):
    """∫ max(p − level·q, 0), piece by piece between the points where it may break."""
    pieces = sorted({float(end) for end in ends})
    return quad(lambda z: max(p(z) - level * q(z), mpf(0)), pieces)


def test_the_noise_against_theorem_8_4_is_admissible_and_breaks_the_sum_of_its_deltas():
    # slides by at most 3 at e^ε1 = 8 and dilations by at most 3/2 at e^ε2 = 4 lose at most δ/2 = 1/18
    half = mpf(1) / 18
    for slide in linspace(-3, 3, 7):
        ends = (-6, 0, 6, -slide, 6 - slide, -6 - slide)
        lost = excess(on_interval, lambda z, s=slide: on_interval(z + s), 8, ends)
        assert lost <= half + mpf(10) ** -10
    for factor in (mpf(2) / 3, mpf(4) / 5, mpf(1), mpf(5) / 4, mpf(3) / 2):
        ends = (-6, 0, 6, 6 / factor, -6 / factor)
        lost = excess(on_interval, lambda z, f=factor: f * on_interval(f * z), 4, ends)
        assert lost <= half + mpf(10) ** -10
    # the releases of 3 and of 2 workers at α = 1/2, where S is 3/2 and 1, in steps of S/3
    three = lambda o: 2 * on_interval(2 * (o - 3))  # noqa: E731 (two densities side by side)
    two = lambda o: 3 * on_interval(3 * (o - 2))  # noqa: E731
    ends = (0, 2, 3, 4, 6)
    assert excess(three, two, 32, ends) > 2 * half
    assert abs(quad(three, [4, 6]) - mpf(5) / 42) < mpf(10) ** -12
    assert quad(two, [4, 6]) < mpf(10) ** -12
    assert "5/42 > 1/9" in ENTRIES["haney2017/thm-8.4-delta-positive"].check().counterexample


def off(value):
    return value * Fraction(19, 20) if isinstance(value, Fraction) else value * 19 / 20


def only_at(gamma, formula):
    """The formula as it is at the given γ, and 5% off elsewhere."""
    return lambda g, c: formula(g, c) if g in gamma else formula(g, c) * SYM.number(21) / 20


FAULTS = {
    "thm-8.4-delta-positive": (admissible, "_beyond", lambda f: lambda k: off(f(k))),
    "lemma-8.6-normalizer": (heavy_tailed.heavy_tailed, "normalizer", lambda f: only_at((3, 4), f)),
    "sec10-smooth-gamma-grid": (parameter_settings, "mean_absolute_error", lambda f: lambda *a: off(f(*a))),
    "lemma-8.5-proof": (growth, "largest_after", lambda f: wraps(f)(lambda x, a, c: x * (1 + a))),
    "sec8.2-local-not-private": (local_noise, "local_sensitivity", lambda _: lambda *_: 1),
}


@pytest.mark.parametrize("label", FAULTS)
def test_a_planted_fault_unsettles_the_claim(label, monkeypatch, stated_anew):
    check = ENTRIES[f"haney2017/{label}"].check
    check()
    module, name, fault = FAULTS[label]
    monkeypatch.setattr(module, name, fault(getattr(module, name)))

    def settle():
        check()
        stated_anew(f"haney2017/{label}").check()

    with pytest.raises((UnsettledError, StatementError)):  # neighbors that are none lie outside a domain
        settle()
