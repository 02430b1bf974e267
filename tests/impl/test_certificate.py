"""A mechanism runs only while its certificate is current, and the record of a release says which it was."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from establish import CertificateError, Laplace, LogLaplace, SmoothGamma, SmoothLaplace, TruncatedLaplace
from establish.impl import certificate as certificates
from establish.impl.certificate import OVERRIDE, certificate_of, require_certificate, stamp
from establish.impl.definitions import digest_of
from establish.impl.earnings.bins import log_normal, percentages
from establish.impl.earnings.chosen_by_size import ChosenBySize
from establish.impl.earnings.histogram_percentiles import HistogramPercentiles
from establish.impl.guarantee import Grant
from establish.impl.lock_file import FORMAT, Certificate, Installed, Lock, digest_of_definitions, reached
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


REACHED = "impl/counts.py whole_counts"
READS: dict[str, tuple[str, ...]] = {"haney2017/def-2.4-scale": ()}
DEFINITIONS = {node: one.digest for node, one in reached([REACHED], Installed()).items()}


def certificate(name: str, **definitions: str) -> Certificate:
    return Certificate(
        mechanism=name,
        claims={"haney2017/def-2.4-scale": "holds (proof)"},
        checks=({"says": "it draws the law", "evidence": "statistical", "scope": "2 draws"},),
        roots=(REACHED,),
        definitions=definitions or DEFINITIONS,
        checked_with={"python": "3.11"},
        grants=(GRANT,),
    )


def carried(monkeypatch: pytest.MonkeyPatch, found: Callable[[str], Certificate]) -> None:
    """What the installation carries, instead of the real certificates."""
    monkeypatch.setattr(certificates, "certificate_of", found)


def missing(name: str) -> Certificate:
    return certificate_of(f"no-such-{name}")


def stale(name: str) -> Certificate:
    return certificate(name, **{REACHED: "0" * 64, "impl/gone.py gone": "1" * 64})


@each
def test_a_mechanism_with_a_current_certificate_runs(name, monkeypatch):
    carried(monkeypatch, certificate)
    assert RELEASES[name]() is not None


@each
def test_a_mechanism_without_a_certificate_refuses_to_run(name, monkeypatch):
    carried(monkeypatch, missing)
    with pytest.raises(CertificateError, match=f"{name} has no certificate: run establish certify"):
        RELEASES[name]()


@each
def test_a_mechanism_with_a_stale_certificate_names_what_changed_and_refuses_to_run(name, monkeypatch):
    carried(monkeypatch, stale)
    with pytest.raises(CertificateError) as refused:
        RELEASES[name]()
    message = str(refused.value)
    assert f"{name} is stale: {REACHED}, impl/gone.py gone changed" in message


@each
@pytest.mark.parametrize("found", [missing, stale])
def test_the_override_lets_it_run(name, found, monkeypatch):
    carried(monkeypatch, found)
    monkeypatch.setenv(OVERRIDE, "1")
    assert RELEASES[name]() is not None


@pytest.mark.parametrize("value", ["", "0", "yes", "true"])
def test_only_1_overrides(value, monkeypatch):
    carried(monkeypatch, stale)
    monkeypatch.setenv(OVERRIDE, value)
    with pytest.raises(CertificateError):
        require_certificate("laplace")


def test_the_stamp_of_a_current_certificate_has_its_identity_and_code(monkeypatch):
    carried(monkeypatch, certificate)
    monkeypatch.setenv(OVERRIDE, "1")
    found = stamp("laplace")
    assert found["status"] == "current"
    assert found["identity"] == certificate("laplace").identity
    assert (found["format"], found["code"]) == (FORMAT, digest_of_definitions(DEFINITIONS))


def test_the_stamp_without_one_is_refused_or_says_that_nothing_was_certified(monkeypatch):
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
    options, tmp_path, monkeypatch, run, succeeds
):
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


def test_a_certificate_is_read_back_as_it_was_written():
    written = certificate("laplace")
    lock = Lock.of([written], READS)
    assert Lock.parse(lock.text()).text() == lock.text()
    again = Lock.parse(lock.text()).certificate("laplace")
    assert (again, again.identity) == (written, written.identity)
    assert {REACHED, "impl/counts.py", "impl/__init__.py"} <= again.definitions.keys()


@pytest.mark.parametrize(
    "change",
    [
        {"mechanism": "log-laplace"},
        {"claims": {"haney2017/def-2.4-scale": "holds (exhaustive)"}},
        {"checks": ()},
        {"roots": ("impl/counts.py",)},
        {"definitions": {REACHED: "0" * 64}},
        {"checked_with": {"python": "3.12"}},
    ],
)
def test_another_content_has_another_identity(change):
    written = certificate("laplace")
    assert replace(written, **change).identity != written.identity  # type: ignore[arg-type]  # any field


@pytest.mark.parametrize("text", ["", "laplace", "[]", "null", "{}", '{"format": 3}', '{"format": []'])
def test_what_are_no_certificates_is_refused(text):
    with pytest.raises(CertificateError, match="these are no certificates"):
        Lock.parse(text)


def test_certificates_of_another_format_are_told_by_it():
    with pytest.raises(
        CertificateError, match="have format 2, and format 3 is read here: run establish cert"
    ):
        Lock.parse('{"format": 2}')


def test_a_file_that_is_gone_has_no_digest_and_makes_the_certificate_stale():
    assert digest_of("impl/gone.py") == ""
    assert len(digest_of("spec/arithmetic.py")) == 64
    assert certificate("laplace").changed() == []
    assert stale("laplace").changed() == [REACHED, "impl/gone.py gone"]


def carried_as(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    certificates.write_lock(folder, text)
    monkeypatch.setattr(certificates, "_folder", lambda: folder)


@pytest.mark.parametrize("emptied", ["claims", "roots"])
def test_a_certificate_that_names_no_code_or_no_claim_is_none(emptied, tmp_path, monkeypatch):
    content = json.loads(Lock.of([certificate("laplace")], READS).text())
    content["mechanisms"]["laplace"][emptied] = []
    carried_as(monkeypatch, tmp_path, json.dumps(content))
    with pytest.raises(CertificateError, match="no certificates of establish: run establish certify"):
        certificate_of("laplace")


def test_a_mechanism_that_the_lock_does_not_name_has_no_certificate(tmp_path, monkeypatch):
    carried_as(monkeypatch, tmp_path, Lock.of([certificate("laplace")], READS).text())
    assert certificate_of("laplace").mechanism == "laplace"
    with pytest.raises(CertificateError, match="smooth-gamma has no certificate"):
        certificate_of("smooth-gamma")


@pytest.mark.parametrize("part", ["claims", "checks", "definitions"])
def test_what_others_share_and_was_certified_anew_for_them_makes_a_certificate_stale(
    part, tmp_path, monkeypatch
):
    content = json.loads(Lock.of([certificate("laplace")], READS).text())
    key, value = next(iter(content[part].items()))
    content[part][key] = {**value, "scope": "9"} if isinstance(value, dict) else ["other", *value[1:]]
    carried_as(monkeypatch, tmp_path, json.dumps(content))
    with pytest.raises(CertificateError, match="laplace is stale: what it shares with others was certified"):
        certificate_of("laplace")


@pytest.mark.parametrize("name", ["nowhere/counts.py", "impl/a\0b", "", "impl/mechanisms"])
def test_what_is_no_file_of_ours_has_no_digest(name):
    assert digest_of(name) == ""
