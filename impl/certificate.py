"""Which code was checked: a mechanism runs only while its certificate is current.

A certificate names the claims that a mechanism rests on, what their theorems grant to it, what it was
checked for, and the sha256 of every definition that takes part: of the implementation, of the specification
that it implements and that its claims read, for counts of the tabulation and the accountant, and of all that
these reach. ``establish certify`` writes it. A definition that changes, or that is gone, makes it stale; one
that is newly reached changes the one that reaches it.
"""

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from establish.impl.definitions import digest_of, path_of
from establish.impl.guarantee import Grant
from establish.impl.lock_file import Certificate, Lock, digest_of_definitions, some
from establish.impl.lock_file import CertificateError as CertificateError  # what users catch

OVERRIDE = "ESTABLISH_UNCERTIFIED"
"""Environment variable, for development: when it is 1, mechanisms run without a current certificate,
and every record of a release says so."""

LOCK = "certificates.lock.gz"
"""The certificates of all mechanisms, compressed, in establish.impl."""

SEAL = "certificates.seal"
"""Beside it: the digest of its text, and the signature of who built this."""


def _folder() -> Traversable:
    return files("establish.impl")


def read_lock() -> Lock:
    """The certificates that this installation carries. Raises CertificateError when it has none."""
    return _parsed(_text())


def _text() -> str:
    if not (text := text_of_lock(_folder())):
        raise CertificateError(
            f"there are no certificates: run establish certify, or set {OVERRIDE}=1 to develop"
        )
    return text


def text_of_lock(folder: Traversable) -> str:
    """What the certificates in ``folder`` say; empty where there are none, or they are damaged."""
    try:
        return _unpacked(folder.joinpath(LOCK).read_bytes())
    except (OSError, ValueError, EOFError, zlib.error):
        return ""


@cache
def _unpacked(content: bytes) -> str:
    return gzip.decompress(content).decode("utf-8")


def write_lock(folder: Path, text: str) -> None:
    """Put certificates into ``folder`` that say ``text``."""
    (folder / LOCK).write_bytes(gzip.compress(text.encode("utf-8"), mtime=0))


@cache
def _parsed(text: str) -> Lock:
    return Lock.parse(text)


@cache
def _made(text: str, mechanism: str) -> Certificate:
    return _parsed(text).certificate(mechanism)


def certificate_of(mechanism: str) -> Certificate:
    """The certificate that this installation carries. Raises CertificateError when it has none."""
    try:
        return _made(_text(), mechanism)
    except CertificateError as error:
        raise CertificateError(f"{error}: run establish certify, or set {OVERRIDE}=1 to develop") from None


@cache
def digest_of_code(mechanism: str, *, certified: bool = True) -> str:
    """sha256 over the definitions that the certificate of ``mechanism`` names, as they are installed here.

    Two machines with the same one run the same code. certified: whether there must be such a certificate;
    else none is read, and every file counts that one could name. Raises CertificateError.
    """
    if certified:
        return digest_of_definitions(certificate_of(mechanism).now)
    return digest_of_definitions({name: digest_of(name) for name in _every_source()})


def _every_source() -> list[str]:
    """The files that run and those that specify what runs."""
    homes = {floor: path_of(f"{floor}/__init__.py").parent for floor in ("spec", "impl")}
    return [
        f"{floor}/{file.relative_to(home).as_posix()}"
        for floor, home in homes.items()
        for file in home.rglob("*.py")
    ]


def digest_of_all(folder: Traversable) -> str:
    """sha256 of what the certificates in ``folder`` say; empty where there are none."""
    text = text_of_lock(folder)
    return hashlib.sha256(text.encode("utf-8")).hexdigest() if text else ""


def read_seal(folder: Traversable) -> dict[str, Any]:
    """What the seal in ``folder`` says. Raises CertificateError when there is none, or it is damaged."""
    try:
        seal: dict[str, Any] = json.loads(folder.joinpath(SEAL).read_text("utf-8"))
        if len(seal["digest"]) != len(hashlib.sha256().hexdigest()):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CertificateError(
            f"the certificates have no digest that covers them, or a damaged one: run establish certify, or "
            f"set {OVERRIDE}=1 to develop"
        ) from None
    return seal


def digest_of_seal() -> str:
    """The digest of all certificates that this installation carries. Raises CertificateError without one."""
    return str(read_seal(_folder())["digest"])


def require_seal() -> None:
    """Raise CertificateError unless the certificates are as they were written."""
    if digest_of_seal() != digest_of_all(_folder()):
        raise CertificateError(
            "the certificates are not those that were written: somebody edited them; run establish certify"
        )


def seal() -> str:
    """The digest of all certificates and who signed it, in words."""
    try:
        found = read_seal(_folder())
    except CertificateError as error:
        return str(error)
    edited = "" if found["digest"] == digest_of_all(_folder()) else "; EDITED since"
    return f"sha256:{found['digest']}, {signed_by(found)}{edited}"


def signed_by(found: Mapping[str, Any]) -> str:
    """Who signed the digest of a seal, in words."""
    if not found.get("signature"):
        return "not signed: a clone, or a distribution that nobody signed"
    from establish.impl.signing import signer_of  # cryptography is loaded where there is a signature

    name = signer_of(found["digest"].encode(), found.get("public_key"), found["signature"])
    return "with a signature that is WRONG" if name is None else f"signed by {name}"


@cache
def _current(mechanism: str) -> Certificate:
    require_seal()
    certificate = certificate_of(mechanism)
    changed = certificate.changed()
    if changed:
        raise CertificateError(
            f"the certificate of {mechanism} is stale: {some(changed)} changed since it was "
            f"written; run establish certify, or set {OVERRIDE}=1 to develop"
        )
    return certificate


Granted = Callable[[str], tuple[Grant, ...]]
"""What theorems grant to the mechanism of that name."""

_certifying: ContextVar[Granted | None] = ContextVar("certifying", default=None)


def nothing(mechanism: str) -> tuple[Grant, ...]:
    """What is granted where nobody asks for it."""
    return ()


@contextmanager
def certifying(granted: Granted = nothing) -> Iterator[None]:
    """Inside the block mechanisms run without a certificate: they are being checked for one.

    granted: what theorems grant, which certificates that are not written yet do not tell.
    """
    token = _certifying.set(granted)
    try:
        yield
    finally:
        _certifying.reset(token)


def overridden() -> bool:
    """Whether mechanisms may run uncertified: for development, or to be certified."""
    return _certifying.get() is not None or os.environ.get(OVERRIDE) == "1"


def granted(mechanism: str) -> tuple[Grant, ...]:
    """What theorems grant to ``mechanism``, by its certificate: nothing where it runs without one.

    Raises CertificateError without a certificate, unless overridden.
    """
    told = _certifying.get()
    if told is not None:
        return told(mechanism)
    try:
        return certificate_of(mechanism).grants
    except CertificateError:
        if overridden():
            return ()
        raise


def require_certificate(mechanism: str) -> None:
    """Raise CertificateError unless the certificate of ``mechanism`` is current, or overridden."""
    if not overridden():
        _current(mechanism)


def stamp(mechanism: str) -> dict[str, object]:
    """What the record of a release says about the certificate."""
    try:
        certificate = _current(mechanism)
    except CertificateError as reason:
        if not overridden():
            raise
        return {"status": f"not certified ({OVERRIDE}=1): {reason}"}
    return {
        "status": "current",
        "format": certificate.format,
        "identity": certificate.identity,
        "code": digest_of_definitions(certificate.definitions),
    }
