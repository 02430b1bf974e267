"""``establish certify``: what it writes, what it compares, and how it ends."""

import json
import shutil
from dataclasses import replace
from pathlib import Path, PosixPath

import pytest

from establish.impl import certificate as certificates
from establish.impl.certificate import CertificateError, certificate_of, path_of
from establish.proofs_check.certification import certify as certification
from establish.proofs_check.certification import releases
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence

pytestmark = pytest.mark.usefixtures("settled_once")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What looks like a checkout, whose certificates are those that this process carries."""
    (tmp_path / "impl").mkdir()
    shutil.copy(path_of("impl/certificate.py"), tmp_path / "impl")
    monkeypatch.chdir(tmp_path)
    installed = certificates.files

    class Carried(PosixPath):
        """The installed package, but for its certificates."""

        def joinpath(self, *parts: str) -> Path:
            return (tmp_path / "impl").joinpath(*parts)

    monkeypatch.setattr(certificates, "files", lambda package: Carried(str(installed(package))))
    return tmp_path


@pytest.fixture
def certified(run, checkout: Path) -> Path:
    """The certificate of psi in the checkout: that of what is installed, as the tests find it."""
    path = checkout / "impl" / "certificates" / "psi.json"
    path.parent.mkdir(exist_ok=True)
    shutil.copy(path_of("impl/certificates/psi.json"), path)
    return path


@pytest.mark.small_campaign
def test_a_mechanism_is_certified_and_its_certificate_is_then_current(run, checkout):
    status, printed, err = run("certify", "psi")
    assert (status, err) == (0, "")
    assert printed.startswith("psi: certified: ")
    written = json.loads((checkout / "impl" / "certificates" / "psi.json").read_text("utf-8"))
    assert written["mechanism"] == "psi"
    assert set(written["claims"]) == set(subjects()["psi"].rests_on)
    assert run("certify", "--check", "psi") == (0, "psi: current\n", "")


@pytest.mark.small_campaign
def test_certificates_of_an_older_format_are_made_anew(run, checkout):
    """What is drawn for a certificate, by executors, too, reads none of those that are carried."""
    folder = checkout / "impl" / "certificates"
    folder.mkdir()
    for name in subjects():
        (folder / f"{name}.json").write_text(f'{{"mechanism": "{name}", "sources": {{"a": "b"}}}}\n', "utf-8")
    status, printed, _ = run("certify", "--check", "laplace")
    assert (status, "has format 1, and format 2 is read here" in printed) == (1, True)

    def released() -> list[Evidence]:
        """A plan for laplace, whole and in parts, as one of its checks releases it."""
        triples = releases._is_released(releases.EDGE)
        return [exhaustive.for_all(triples, lambda t: t[1] == t[2], "a release", "one plan")]

    laplace = replace(subjects()["laplace"], checks=released)
    made = certification.certify(laplace)
    (folder / "laplace.json").write_text(made.text(), "utf-8")
    assert certificate_of("laplace") == made


def test_without_a_certificate_the_comparison_ends_with_1(run, checkout):
    status, printed, _ = run("certify", "--check", "laplace", "--json")
    (result,) = json.loads(printed)
    assert (status, result["certified"]) == (1, False)
    assert "has no certificate" in result["status"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"impl/certificate.py": "', '"impl/certificate.py": "0', "impl/certificate.py changed"),
        (subjects()["psi"].rests_on[0], "haney2017/thm-2.1", "it rests on other claims now"),
        ('"sources"', '"source"', "not a certificate"),
        ('"mechanism": "psi"', '"mechanism": "smooth-gamma"', "about another mechanism"),
    ],
)
def test_a_certificate_that_was_edited_is_no_longer_current(run, certified, old, new, says):
    assert old in certified.read_text("utf-8")
    certified.write_text(certified.read_text("utf-8").replace(old, new), "utf-8")
    status, printed, _ = run("certify", "--check", "psi")
    assert status == 1
    assert says in printed


def test_files_taken_out_of_a_certificate_are_missed(run, certified):
    content = json.loads(certified.read_text("utf-8"))
    content["sources"] = {"impl/certificate.py": content["sources"]["impl/certificate.py"]}
    certified.write_text(json.dumps(content), "utf-8")
    assert certificate_of("psi").changed() == []
    status, printed, _ = run("certify", "--check", "psi")
    assert (status, "impl/microdata/psi_mechanism.py changed" in printed) == (1, True)


def test_what_cannot_be_certified_is_not_written_and_ends_with_1(run, checkout, monkeypatch):
    def refuses(subject: object) -> None:
        raise CertificateError("laplace cannot be certified: a check fails")

    monkeypatch.setattr(certification, "certify", refuses)
    status, printed, _ = run("certify", "laplace", "--json")
    assert status == 1
    assert json.loads(printed)[0]["status"] == "laplace cannot be certified: a check fails"
    assert list((checkout / "impl" / "certificates").iterdir()) == []


@pytest.mark.parametrize("name", ["no-such", " ", "../laplace", "Laplace"])
def test_an_unknown_mechanism_is_misuse(run, checkout, name):
    status, printed, err = run("certify", name)
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert "is not known: use one of" in err
    assert not (checkout / "impl" / "certificates").exists()


def test_outside_a_checkout_nothing_is_written(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, printed, err = run("certify", "laplace")
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert "is not a checkout" in err
    assert list(tmp_path.iterdir()) == []
