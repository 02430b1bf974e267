"""``establish certify``: what it writes, what it compares, and how it ends."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from establish import CertificateError, Evidence, Laplace, exhaustive
from establish.impl import certificate as certificates
from establish.impl.certificate import LOCK, SEAL, certificate_of, path_of, text_of_lock, write_lock
from establish.impl.lock_file import Lock
from establish.proofs_check.certification import certify as certification
from establish.proofs_check.certification import releases
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.commands.certify import written

pytestmark = pytest.mark.usefixtures("settled_once")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What looks like a checkout, whose certificates are those that this process carries."""
    (tmp_path / "impl").mkdir()
    shutil.copy(path_of("impl/certificate.py"), tmp_path / "impl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(certificates, "_folder", lambda: tmp_path / "impl")
    return tmp_path


@pytest.fixture
def certified(checkout: Path) -> Path:
    """The certificates of what is installed, as the tests find it, in the checkout."""
    for name in (LOCK, SEAL):
        shutil.copy(path_of(f"impl/{name}"), checkout / "impl")
    return checkout / "impl"


@pytest.mark.small_campaign
def test_a_mechanism_is_certified_and_its_certificate_is_then_current(run, checkout):
    status, printed, err = run("certify", "psi")
    assert (status, err) == (0, "")
    assert printed.startswith("psi: certified: ")
    written = json.loads(text_of_lock(checkout / "impl"))
    assert set(written["mechanisms"]["psi"]["claims"]) == set(subjects()["psi"].rests_on)
    assert run("certify", "--check", "psi") == (0, "psi: current\n", "")


def test_a_mechanism_is_certified_among_the_others(run, certified, monkeypatch):
    """What stands about the others stays, line by line."""
    before = text_of_lock(certified)
    psi = certificate_of("psi")
    monkeypatch.setattr(certification, "certify", lambda *_: psi)
    assert run("certify", "psi")[0] == 0
    assert text_of_lock(certified) == before
    assert run("certify", "--check", "psi", "laplace") == (0, "psi: current\nlaplace: current\n", "")


def test_what_was_edited_by_hand_is_not_written_over(run, certified, monkeypatch):
    write_lock(certified, text_of_lock(certified).replace("2000000", "9000000"))
    psi = Lock.parse(text_of_lock(path_of("impl/certificate.py").parent)).certificate("psi")
    monkeypatch.setattr(certification, "certify", lambda *_: psi)
    status, _, err = run("certify", "psi")
    assert (status != 0, "was edited by hand: remove it, and certify every mechanism" in err) == (True, True)


@pytest.mark.small_campaign
def test_certificates_of_an_older_format_are_made_anew(run, checkout):
    """What is drawn for a certificate, by executors, too, reads none of those that are carried."""
    write_lock(checkout / "impl", '{"format": 2}')
    status, printed, _ = run("certify", "--check", "laplace")
    assert (status, "have format 2, and format 3 is read here" in printed) == (1, True)

    def released() -> list[Evidence]:
        """A plan for laplace, whole and in parts, as one of its checks releases it."""
        triples = releases._is_released(releases.EDGE)
        return [exhaustive.for_all(triples, lambda t: t[1] == t[2], "a release", "one plan")]

    made = certification.certify(replace(subjects()["laplace"], checks=released))
    (checkout / "impl" / LOCK).unlink()
    written(checkout / "impl", [made])
    assert certificate_of("laplace") == made


def test_without_a_certificate_the_comparison_ends_with_1(run, checkout):
    status, printed, _ = run("certify", "--check", "laplace", "--json")
    (result,) = json.loads(printed)
    assert (status, result["certified"]) == (1, False)
    assert "there are no certificates" in result["status"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (subjects()["psi"].rests_on[0], "haney2017/thm-2.1", "psi is stale: what it shares"),
        ('"impl/microdata/psi_mechanism.py *"', '"impl/counts.py"', "psi is stale: what it shares"),
        ('"format": 3', '"format": 4', "have format 4"),
        ('"claims"', '"claim"', "no certificates of establish"),
        ('"psi": {', '"toy": {', "psi has no certificate"),
        ('"psi": {', ' "psi": {', "somebody edited them"),
    ],
)
def test_a_certificate_that_was_edited_is_no_longer_current(run, certified, old, new, says):
    assert old in text_of_lock(certified)
    write_lock(certified, text_of_lock(certified).replace(old, new))
    status, printed, _ = run("certify", "--check", "psi")
    assert status == 1
    assert says in printed


def test_what_cannot_be_certified_is_not_written_and_ends_with_1(run, checkout, monkeypatch):
    def refuses(*_: object) -> None:
        raise CertificateError("laplace cannot be certified: a check fails")

    monkeypatch.setattr(certification, "certify", refuses)
    status, printed, _ = run("certify", "laplace", "--json")
    assert status == 1
    assert json.loads(printed)[0]["status"] == "laplace cannot be certified: a check fails"
    assert not (checkout / "impl" / LOCK).exists()


@pytest.mark.parametrize("name", ["no-such", " ", "../laplace", "Laplace"])
def test_an_unknown_mechanism_is_misuse(refusal, checkout, name):
    assert "is not known: use one of" in refusal("certify", name)
    assert not (checkout / "impl" / LOCK).exists()


def test_outside_a_checkout_nothing_is_written(refusal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "is not a checkout" in refusal("certify", "laplace")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["laplace", "histogram-percentiles"])
def test_a_quick_answer_says_what_it_leaves_out_and_writes_nothing(run, checkout, name):
    status, printed, err = run("certify", "--quick", name)
    assert (status, err, list((checkout / "impl").iterdir())) == (
        3,
        "",
        [checkout / "impl" / "certificate.py"],
    )
    assert "nothing is certified: its claims were not settled again" in printed


def test_a_quick_answer_refuses_a_lie(run, checkout, monkeypatch):
    monkeypatch.setattr(Laplace, "expected_error", {"mean absolute error": "E|noisy − n| = 0", "bias": "0"})
    status, printed, _ = run("certify", "--quick", "laplace")
    assert (status, "laplace cannot be certified: laplace (" in printed) == (1, True)
    assert "states the errors" in printed


def test_a_quick_answer_neither_compares_nor_signs(refusal, checkout):
    assert "leave out --check and --sign" in refusal("certify", "--quick", "--check")
