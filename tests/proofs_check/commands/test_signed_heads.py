"""Heads of the ledger that are signed: nobody without the key can put another one in their place."""

import json
from pathlib import Path

import pytest

from establish.impl.certificate import OVERRIDE
from establish.impl.production import SWITCH
from tests.proofs_check.commands.cells import LOG_LAPLACE
from tests.proofs_check.files import read_json

pytestmark = pytest.mark.usefixtures("as_recorded")


@pytest.fixture
def folder(tmp_path: Path, succeeds, once) -> Path:
    """Two signed releases, with a second place for the head."""

    def release() -> None:
        (tmp_path / "in.csv").write_text("sector,jobs\nA,10\nB,20\n")
        succeeds("keys", "new", tmp_path / "k")
        for name in ("1.csv", "2.csv"):
            succeeds(*call(tmp_path, name, "--sign", tmp_path / "k"))

    once("signed heads", release)
    return tmp_path


def call(folder: Path, name: str, *options: object) -> tuple[object, ...]:
    places = ("--out", folder / name, "--head", folder / "heads")
    return ("release", "counts", folder / "in.csv", *LOG_LAPLACE, *places, *options)


def places(folder: Path) -> tuple[Path, Path]:
    return folder / "in.csv.head", folder / "heads"


def change(path: Path, **fields: object) -> None:
    """Change the head of the only data set in the file; None takes a field away."""
    content = read_json(path)
    own = {**content["heads"]["in.csv"], **fields}
    content["heads"]["in.csv"] = {key: value for key, value in own.items() if value is not None}
    path.write_text(json.dumps(content), "utf-8")


def head(path: Path) -> dict:
    return read_json(path)["heads"]["in.csv"]


def test_every_place_has_the_signature_and_the_entry_names_the_key(folder):
    entry = json.loads((folder / "in.csv.ledger").read_text("utf-8").splitlines()[-1])
    for place in places(folder):
        assert head(place)["entry"] == 2
        assert len(bytes.fromhex(head(place)["signature"])) == 64
    assert entry["signed_by"].startswith("ed25519:")
    assert read_json(folder / "2.csv.json")["signed_by"] == entry["signed_by"]


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"entry": 1}, "the signature of the head of in.csv is wrong: somebody edited it"),
        ({"head": "0" * 64}, "the signature of the head of in.csv is wrong"),
        ({"signature": None}, "the signature of the head of in.csv is wrong"),
        ({"public_key": "00" * 32}, "the signature of the head of in.csv is wrong"),
        ({"signature": None, "public_key": None}, "is signed by nobody, and entry 2 of the ledger"),
    ],
)
def test_an_edited_head_is_refused_by_the_next_release(folder, refusal, which, fields, says):
    change(places(folder)[which], **fields)
    assert says in refusal(*call(folder, "3.csv", "--sign", folder / "k"))
    assert not (folder / "3.csv").exists()


def test_a_head_that_another_key_signed_is_refused(folder, refusal, succeeds):
    other = folder / "other"
    other.mkdir()
    (other / "in.csv").write_text("sector,jobs\nA,10\nB,20\n")
    succeeds("keys", "new", other / "k")
    for name in ("1.csv", "2.csv"):
        succeeds(*call(other, name, "--sign", other / "k"))
    (folder / "heads").write_bytes((other / "heads").read_bytes())
    told = refusal(*call(folder, "3.csv", "--sign", folder / "k"))
    assert "the ledger was deleted, cut, rolled back or exchanged" in told


def test_an_unsigned_release_continues_the_chain_and_production_refuses_its_head(
    folder, succeeds, refusal, monkeypatch
):
    succeeds(*call(folder, "3.csv"))
    assert all("signature" not in head(place) for place in places(folder))
    with monkeypatch.context() as context:
        context.delenv(OVERRIDE, raising=False)
        context.setenv(SWITCH, "1")
        told = refusal(*call(folder, "4.csv", "--sign", folder / "k"))
        assert "is not signed, as all are in production" in told
    succeeds(*call(folder, "4.csv", "--sign", folder / "k"))
    assert all(head(place)["entry"] == 4 for place in places(folder))


def test_a_second_place_keeps_the_signatures_of_other_data_sets(folder, succeeds):
    before = head(folder / "heads")
    (folder / "b.csv").write_text("sector,jobs\nA,10\n")
    options = ("--out", folder / "b_out.csv", "--head", folder / "heads")
    succeeds("release", "counts", folder / "b.csv", *LOG_LAPLACE, *options)
    assert head(folder / "heads") == before
    succeeds(*call(folder, "3.csv", "--sign", folder / "k"))


def test_verify_says_who_signed_the_end_of_the_ledger(folder, run, succeeds):
    ledger = ("--ledger", folder / "in.csv.ledger", "--head", folder / "heads")
    own = ("--key", folder / "k.pub")
    told = run("verify", folder / "2.csv.json", *ledger, *own)[1]
    assert "OK: the head in heads was signed by ed25519:" in told
    assert "OK: in.csv.ledger has the entry 2 that heads names, signed by ed25519:" in told
    assert "not checked: who signed the head in heads" in run("verify", folder / "2.csv.json", *ledger)[1]
    succeeds("keys", "new", folder / "other")
    status, told, _ = run("verify", folder / "2.csv.json", *ledger, "--key", folder / "other.pub")
    assert status == 1
    assert "FAILED: the head in heads was signed by" in told
    lines = (folder / "in.csv.ledger").read_text("utf-8").splitlines(keepends=True)
    (folder / "in.csv.ledger").write_text("".join(lines[:-1]), "utf-8")
    told = run("verify", folder / "2.csv.json", *ledger, *own)[1]
    assert "FAILED: in.csv.ledger has the entry 2 that heads names" in told
