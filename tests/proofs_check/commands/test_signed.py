"""Records that a stranger can check, and certificates that nobody edits unnoticed."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from establish.impl import certificate as certificates
from establish.impl.certificate import LOCK, OVERRIDE, SEAL, path_of, text_of_lock, write_lock
from establish.proofs_check.commands.certify import seal as seal_of_all
from tests.proofs_check.commands.cells import LOG_LAPLACE
from tests.proofs_check.files import read_json

pytestmark = pytest.mark.usefixtures("as_recorded")


@pytest.fixture
def record(tmp_path: Path, succeeds, key) -> Path:
    (tmp_path / "in.csv").write_text("sector,jobs\nA,10\nB,20\n")
    out = tmp_path / "o.csv"
    succeeds("release", "counts", tmp_path / "in.csv", *LOG_LAPLACE, "--out", out, "--sign", key)
    return tmp_path / "o.csv.json"


def public(key: Path) -> Path:
    return key.with_name(f"{key.name}.pub")


def test_a_signed_record_holds_for_its_key_and_says_what_was_not_checked(run, record, key):
    status, printed, _ = run("verify", record, "--key", public(key))
    assert status == 0
    assert "OK: the whole record, with title, time and notes, was signed by ed25519:" in printed
    for open_question in (
        "whether this code was really run",
        "with --ledger",
        "certificates in this installation",
    ):
        assert any(
            line.startswith("not checked: ") and open_question in line for line in printed.splitlines()
        )
    assert "not checked: who wrote this record: pass the signer's public key" in run("verify", record)[1]
    assert read_json(record)["signed_by"].startswith("ed25519:")


def test_openssl_checks_the_signature_without_this_package(record, key):
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", public(key), "-rawin"]
    done = subprocess.run(
        [*command, "-in", record, "-sigfile", f"{record}.sig"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("old", "new"), [('"title": "', '"title": "x'), ('"time": "2', '"time": "1'), ("may be", "are")]
)
def test_title_time_and_notes_are_inside_what_is_signed(run, record, key, old, new):
    text = record.read_text("utf-8")
    assert old in text
    record.write_text(text.replace(old, new), "utf-8")
    status, printed, _ = run("verify", record, "--key", public(key))
    assert status == 1
    assert "FAILED: the whole record, with title, time and notes, was signed" in printed


def test_another_key_and_a_lost_signature_are_found(run, record, key, tmp_path, succeeds):
    succeeds("keys", "new", tmp_path / "other.key")
    assert run("verify", record, "--key", tmp_path / "other.key.pub")[0] == 1
    record.with_name(f"{record.name}.sig").unlink()
    assert run("verify", record, "--key", public(key))[0] == 1
    assert "who wrote this record: it is not signed" in run("verify", record)[1]


def test_a_record_that_replaces_a_signed_one_unsigned_has_no_signature(succeeds, record, tmp_path):
    release = ("release", "counts", tmp_path / "in.csv", *LOG_LAPLACE, "--out", tmp_path / "o.csv")
    succeeds(*release, "--force")
    assert sorted(path.name for path in tmp_path.glob("o.csv*")) == ["o.csv", "o.csv.json"]


def test_a_record_is_seen_after_its_signature(succeeds, record, key, tmp_path, monkeypatch):
    replace, named = os.replace, []

    def remembered(old: Path, new: Path) -> None:
        named.append(Path(new).name)
        replace(old, new)

    monkeypatch.setattr(os, "replace", remembered)
    release = ("release", "counts", tmp_path / "in.csv", *LOG_LAPLACE, "--out", tmp_path / "p.csv")
    succeeds(*release, "--sign", key)
    assert [name for name in named if name.startswith("p.csv")] == ["p.csv", "p.csv.json.sig", "p.csv.json"]


def test_a_record_that_says_a_thing_twice_is_none(run, record):
    text = record.read_text("utf-8")
    record.write_text(text.replace("{", '{"title": "for the reader",', 1), "utf-8")
    assert run("verify", record)[0] == 2


def test_a_key_is_its_owners_alone_and_is_not_overwritten(refusal, key, record, tmp_path):
    assert key.stat().st_mode & 0o077 == 0
    assert "exists: choose another name" in refusal("keys", "new", key)
    call = ("release", "counts", tmp_path / "in.csv", *LOG_LAPLACE, "--out", tmp_path / "p.csv")
    for mode in (0o640, 0o604):
        key.chmod(mode)
        assert "can be read by others: chmod 600 it first" in refusal(*call, "--sign", key)
    (tmp_path / "in.csv").chmod(0o600)
    assert "is not a private key" in refusal(*call, "--sign", tmp_path / "in.csv")
    assert "is not a public key" in refusal("verify", record, "--key", tmp_path / "in.csv")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the certificates that this process carries, which a test may edit."""
    copy = tmp_path / "impl"
    copy.mkdir()
    for name in (LOCK, SEAL):
        shutil.copy(path_of(f"impl/{name}"), copy)
    monkeypatch.setattr(certificates, "_folder", lambda: copy)
    monkeypatch.delenv(OVERRIDE, raising=False)
    certificates._current.cache_clear()
    yield copy
    certificates._current.cache_clear()


def test_a_certificate_that_was_edited_by_hand_is_noticed_by_the_release_itself(refusal, installed, tmp_path):
    (tmp_path / "in.csv").write_text("sector,jobs\nA,10\nB,20\n")
    text = text_of_lock(installed)
    write_lock(installed, text.replace("2000000", "9000000"))
    call = ("release", "counts", tmp_path / "in.csv", *LOG_LAPLACE, "--out", tmp_path / "o.csv")
    assert "what it shares with others was certified anew, or somebody edited it" in refusal(*call)
    write_lock(installed, text.replace('"laplace": {', '"toy": {'))
    assert "the certificates are not those that were written: somebody edited them" in refusal(*call)
    (installed / LOCK).write_bytes((installed / LOCK).read_bytes()[:-9])
    assert "there are no certificates: run establish certify" in refusal(*call)


def test_the_version_prints_one_digest_that_covers_the_certificates(succeeds, installed):
    seal = read_json(installed / SEAL)
    printed = succeeds("--version")
    assert f"certificates: sha256:{seal['digest']}, not signed: a clone" in printed
    write_lock(installed, text_of_lock(installed) + "\n")
    assert "not signed: a clone, or a distribution that nobody signed; EDITED since" in succeeds("--version")
    seal["digest"] = "0"
    (installed / SEAL).write_text(json.dumps(seal))
    assert "no digest that covers them, or a damaged one" in succeeds("--version")


def test_whoever_builds_a_distribution_signs_the_digest(succeeds, installed, key):
    seal_of_all(installed, key)
    assert certificates.seal().rpartition("signed by ")[2].startswith("ed25519:")
    seal = read_json(installed / SEAL)
    seal["signature"] = "00" * 64
    (installed / SEAL).write_text(json.dumps(seal))
    assert "with a signature that is WRONG" in succeeds("--version")


@pytest.mark.parametrize("option", ["--key", "--sign"])
def test_a_key_of_a_kind_that_nobody_knows_is_refused_in_one_line(refusal, key, record, option):
    path = key if option == "--sign" else key.with_name(f"{key.name}.pub")
    path.write_bytes(path.read_bytes().replace(b"K2Vw", b"K2Vn"))
    if option == "--key":
        told = refusal("verify", record, option, path)
    else:
        cells = key.with_name("cells.csv")
        law = ("--mechanism", "laplace", "--epsilon", "1", "--count", "jobs")
        cells.write_text("place,jobs\nNorth,60\n")
        told = refusal("release", "counts", cells, *law, "--out", key.with_name("o.csv"), option, path)
    assert "key of establish keys new" in told
