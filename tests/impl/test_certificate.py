"""A mechanism runs only while its certificate is current, and the record of a release says which it was."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from establish.impl import certificate as certificates
from establish.impl.certificate import (
    OVERRIDE,
    Certificate,
    CertificateError,
    certificate_of,
    digest_of,
    require_certificate,
    stamp,
)
from establish.impl.earnings.bins import log_normal, percentages
from establish.impl.earnings.chosen_by_size import ChosenBySize
from establish.impl.earnings.histogram_percentiles import HistogramPercentiles
from establish.impl.guarantee import Grant
from establish.impl.mechanisms.laplace import Laplace
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_gamma import SmoothGamma
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.sampling.bits import Bits

QUARTILES = percentages((25, 50, 75))
ONE = np.zeros(1, np.int64)

RELEASES: dict[str, Callable[[], object]] = {
    "laplace": lambda: Laplace(1).release([3], Bits.seeded(1)),
    "log-laplace": lambda: LogLaplace("1/10", 2, "published").release([3], Bits.seeded(1)),
    "smooth-gamma": lambda: SmoothGamma("1/10", 2, "published").release([3], Bits.seeded(1)),
    "smooth-laplace": lambda: SmoothLaplace("1/10", 2, "1/9", "published").release([3], Bits.seeded(1)),
    "truncated-laplace": lambda: TruncatedLaplace(1, 9).release([3], [0], Bits.seeded(1)),
    "histogram-percentiles": lambda: HistogramPercentiles(1, log_normal(), QUARTILES).release(
        ONE, ONE + 5e4, 1, Bits.seeded(1)
    ),
    "chosen-by-size": lambda: ChosenBySize(1, QUARTILES).release(ONE, ONE + 5e4, 1, Bits.seeded(1)),
}
each = pytest.mark.parametrize("name", RELEASES)

GRANT = Grant("tight", "edge", "worker", {"epsilon": "1"}, {}, ("haney2017/def-2.4-scale",), "0" * 64)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is overridden, and nothing remembered from one test to the next."""
    monkeypatch.delenv(OVERRIDE, raising=False)
    certificates._current.cache_clear()
    yield
    certificates._current.cache_clear()


def certificate(name: str, **sources: str) -> Certificate:
    return Certificate(
        mechanism=name,
        claims={"haney2017/def-2.4-scale": "holds (proof)"},
        checks=({"says": "it draws the law", "evidence": "statistical", "scope": "2 draws"},),
        sources=sources or {"impl/counts.py": digest_of("impl/counts.py")},
        checked_with={"python": "3.11"},
        grants=(GRANT,),
    )


def carried(monkeypatch: pytest.MonkeyPatch, found: Callable[[str], Certificate]) -> None:
    """What the installation carries, instead of the real certificates."""
    monkeypatch.setattr(certificates, "certificate_of", found)


def missing(name: str) -> Certificate:
    return certificate_of(f"no-such-{name}")


def stale(name: str) -> Certificate:
    return certificate(name, **{"impl/counts.py": "0" * 64, "impl/gone.py": "1" * 64})


@each
def test_a_mechanism_with_a_current_certificate_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    carried(monkeypatch, certificate)
    assert RELEASES[name]() is not None


@each
def test_a_mechanism_without_a_certificate_refuses_to_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    carried(monkeypatch, missing)
    with pytest.raises(CertificateError, match=f"{name} has no certificate: run establish certify"):
        RELEASES[name]()


@each
def test_a_mechanism_with_a_stale_certificate_names_the_changed_files_and_refuses_to_run(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried(monkeypatch, stale)
    with pytest.raises(CertificateError) as refused:
        RELEASES[name]()
    message = str(refused.value)
    assert f"{name} is stale: impl/counts.py, impl/gone.py changed" in message


@each
@pytest.mark.parametrize("found", [missing, stale])
def test_the_override_lets_it_run(
    name: str, found: Callable[[str], Certificate], monkeypatch: pytest.MonkeyPatch
) -> None:
    carried(monkeypatch, found)
    monkeypatch.setenv(OVERRIDE, "1")
    assert RELEASES[name]() is not None


@pytest.mark.parametrize("value", ["", "0", "yes", "true"])
def test_only_1_overrides(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    carried(monkeypatch, stale)
    monkeypatch.setenv(OVERRIDE, value)
    with pytest.raises(CertificateError):
        require_certificate("laplace")


def test_the_stamp_of_a_current_certificate_has_its_identity_and_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    carried(monkeypatch, certificate)
    monkeypatch.setenv(OVERRIDE, "1")
    found = stamp("laplace")
    assert found["status"] == "current"
    assert found["identity"] == certificate("laplace").identity
    assert found["sources"] == {"impl/counts.py": digest_of("impl/counts.py")}


def test_the_stamp_without_one_is_refused_or_says_that_nothing_was_certified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    carried(monkeypatch, stale)
    with pytest.raises(CertificateError):
        stamp("laplace")
    monkeypatch.setenv(OVERRIDE, "1")
    found = stamp("laplace")
    assert str(found["status"]).startswith("not certified (ESTABLISH_UNCERTIFIED=1): ")
    assert "impl/counts.py" in str(found["status"])
    assert "identity" not in found


@pytest.mark.parametrize(
    "options",
    [
        ("--mechanism", "laplace", "--count", "jobs"),
        ("--mechanism", "histogram-percentiles", "--earnings", "jobs", "--cell", "cell"),
        ("--mechanism", "chosen-by-size", "--earnings", "jobs", "--cell", "cell"),
    ],
)
def test_the_sidecar_of_an_uncertified_release_says_so_and_without_the_override_there_is_none(
    options: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run, succeeds
) -> None:
    carried(monkeypatch, stale)
    source, out = tmp_path / "cells.csv", tmp_path / "noisy.csv"
    source.write_text("cell,jobs\na,30\nb,17\n", encoding="utf-8")
    kind = "earnings" if "--earnings" in options else "counts"
    arguments = ("release", kind, source, *options, "--epsilon", "1", "--out", out)
    status, _, err = run(*arguments)
    assert status != 0
    assert "impl/counts.py" in err
    assert sorted(path.name for path in tmp_path.glob("noisy*")) == []
    monkeypatch.setenv(OVERRIDE, "1")
    succeeds(*arguments)
    record = json.loads((tmp_path / "noisy.csv.json").read_text(encoding="utf-8"))
    assert record["certificates"][record["mechanism"]]["status"].startswith("not certified")


def test_a_certificate_is_read_back_as_it_was_written() -> None:
    written = certificate("laplace")
    assert Certificate.parse(written.text()) == written
    assert Certificate.parse(written.text()).identity == written.identity


@pytest.mark.parametrize(
    "change",
    [
        {"mechanism": "log-laplace"},
        {"claims": {"haney2017/def-2.4-scale": "holds (exhaustive)"}},
        {"checks": ()},
        {"sources": {"impl/counts.py": "0" * 64}},
        {"checked_with": {"python": "3.12"}},
    ],
)
def test_another_content_has_another_identity(change: dict[str, object]) -> None:
    written = certificate("laplace")
    assert replace(written, **change).identity != written.identity  # type: ignore[arg-type]  # any field


@pytest.mark.parametrize("text", ["", "laplace", "[]", "null", "{}", '{"checks": []}', '{"checks": 3}'])
def test_what_is_no_certificate_is_refused(text: str) -> None:
    with pytest.raises(CertificateError, match="this is not a certificate"):
        Certificate.parse(text)
    more = json.loads(certificate("laplace").text()) | {"unknown": 1}
    with pytest.raises(CertificateError, match="this is not a certificate"):
        Certificate.parse(json.dumps(more))


def test_a_file_that_is_gone_has_no_digest_and_makes_the_certificate_stale() -> None:
    assert digest_of("impl/gone.py") == ""
    assert len(digest_of("spec/arithmetic.py")) == 64
    assert certificate("laplace").changed() == []
    assert stale("laplace").changed() == ["impl/counts.py", "impl/gone.py"]


@pytest.mark.parametrize("emptied", ["claims", "sources"])
def test_a_certificate_that_names_no_code_or_no_claim_is_none(emptied: str) -> None:
    text = replace(certificate("laplace"), **{emptied: {}}).text()  # type: ignore[arg-type]  # one of two
    with pytest.raises(CertificateError, match="not a certificate"):
        Certificate.parse(text)


def test_the_certificate_of_another_mechanism_does_not_let_one_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "certificates").mkdir()
    (tmp_path / "certificates" / "laplace.json").write_text(certificate("smooth-gamma").text())
    monkeypatch.setattr(certificates, "files", lambda package: tmp_path)
    with pytest.raises(CertificateError, match="the certificate of laplace is about another"):
        require_certificate("laplace")


@pytest.mark.parametrize("name", ["nowhere/counts.py", "impl/a\0b", "", "impl/mechanisms"])
def test_what_is_no_file_of_ours_has_no_digest(name: str) -> None:
    assert digest_of(name) == ""
