"""What an executor refuses to draw with: other code, other certificates, looser rules than the release's."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from establish.impl import certificate, definitions
from establish.impl.budget.queries import CountQuery
from establish.impl.certificate import OVERRIDE, CertificateError
from establish.impl.production import SWITCH
from establish.impl.publish import parts
from establish.impl.publish.parts import Code, Noise
from establish.impl.sampling.bits import Bits
from establish.spec.composition import DifferentialPrivacy
from establish.spec.parameters import ParameterError

COUNTS = np.array([5, 0, 7])
QUERY = CountQuery("q", ("place",), {}, "laplace", "tight", Fraction(1), Fraction(0), None, ())


@pytest.fixture(autouse=True)
def certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the certificates were current, which another test looks at."""
    monkeypatch.delenv(OVERRIDE, raising=False)
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(certificate, "_current", lambda mechanism: None)


def noise(*, production: bool = False, seed: int | None = None) -> Noise:
    bits = Bits.secret() if seed is None else Bits.seeded(seed)
    code = Code.here("laplace", production=production)
    return Noise(QUERY, DifferentialPrivacy("edge-dp"), bits.for_parts("q", 3), code)


def forget() -> None:
    """Another machine reads the certificates and its code itself."""
    certificate.digest_of_code.cache_clear()
    certificate._parsed.cache_clear()
    certificate._made.cache_clear()


def drawn(own: Noise) -> list[int]:
    return own(0, 0, COUNTS, COUNTS).tolist()


@pytest.mark.parametrize("production", [False, True])
def test_the_same_code_draws_and_a_second_attempt_draws_the_same(production):
    own = noise(production=production)
    assert drawn(own) == drawn(own)


def test_other_code_and_other_certificates_are_refused(monkeypatch):
    own = noise()
    with pytest.raises(CertificateError, match="an executor has other code for laplace"):
        drawn(replace(own, code=replace(own.code, digest="0" * 64)))
    monkeypatch.setattr(parts, "digest_of_seal", lambda: "0" * 64)
    with pytest.raises(CertificateError, match="an executor has other certificates"):
        drawn(own)


def test_one_constant_on_the_executor_is_enough(tmp_path, monkeypatch):
    own, path = noise(), definitions.path_of
    (tmp_path / "parts.py").write_text(path("impl/tabulate/parts.py").read_text("utf-8") + "\nSIZE = 7\n")

    def elsewhere(source: str) -> Path:
        return tmp_path / "parts.py" if source == "impl/tabulate/parts.py" else path(source)

    monkeypatch.setattr(definitions, "path_of", elsewhere)
    forget()
    try:
        with pytest.raises(CertificateError, match="an executor has other code for laplace"):
            drawn(own)
    finally:
        forget()


def test_an_executor_that_may_run_uncertified_code_is_refused(monkeypatch):
    own = noise()
    monkeypatch.setenv(OVERRIDE, "1")
    with pytest.raises(CertificateError, match=f"an executor runs with {OVERRIDE}=1"):
        drawn(own)


@pytest.mark.parametrize("where", ["the release", "the executor"])
def test_production_allows_neither_seeds_nor_uncertified_code(monkeypatch, where):
    seeded = noise(seed=7, production=where == "the release")
    with monkeypatch.context() as context:
        context.setenv(OVERRIDE, "1")
        free = noise(production=where == "the release")
    if where == "the executor":
        assert drawn(seeded)
        monkeypatch.setenv(SWITCH, "1")
    with pytest.raises(ParameterError, match="--seed is not allowed in production"):
        drawn(seeded)
    with pytest.raises(CertificateError, match=f"{OVERRIDE}=1 is not allowed in production"):
        drawn(free)
