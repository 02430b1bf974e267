"""Which code was checked: a mechanism runs only while its certificate is current.

A certificate names the claims that a mechanism rests on, what their theorems grant to it, what it was
checked for, and the sha256 of every source file that takes part: the implementation, the specification that
it implements, for counts the tabulation and the accountant, and all that they import of ours. ``establish
certify`` writes it. A file that changes, or that is gone, makes it stale; a file that is newly imported
changes the one that imports it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from establish.impl.guarantee import Grant

OVERRIDE = "ESTABLISH_UNCERTIFIED"
"""Environment variable, for development: when it is 1, mechanisms run without a current certificate,
and every record of a release says so."""

FLOORS = ("spec", "impl", "proofs_check")

FORMAT = 2
"""The version of a certificate's text. 1 had none, and did not say what theorems grant."""


class CertificateError(Exception):
    """A certificate is missing, unreadable or stale."""


@dataclass(frozen=True)
class Certificate:
    """What was checked about one mechanism, and about which code.

    claims: verdict and evidence grade by claim id. grants: what their objects say of the mechanism at all
    its parameters. checks: what else was shown, with its grade and scope. sources: sha256 by file, as
    ``impl/counts.py``. checked_with: versions of the libraries.
    """

    mechanism: str
    claims: Mapping[str, str]
    checks: tuple[Mapping[str, str], ...]
    sources: Mapping[str, str]
    checked_with: Mapping[str, str]
    grants: tuple[Grant, ...]
    format: int = FORMAT

    def text(self) -> str:
        """The content of the certificate's file."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1, sort_keys=True) + "\n"

    @property
    def identity(self) -> str:
        """sha256 of that content."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    @staticmethod
    def parse(text: str) -> Certificate:
        """The certificate in ``text``. Raises CertificateError when it is none, or of another format."""
        try:
            data = json.loads(text)
            version = data.get("format", 1)
            if version != FORMAT and {"mechanism", "sources"} <= data.keys():
                raise CertificateError(
                    f"this certificate has format {version}, and format {FORMAT} is read here: run establish "
                    f"certify, or use the version of establish that wrote it"
                )
            grants = tuple(map(Grant.parse, data["grants"]))
            found = Certificate(**{**data, "checks": tuple(data["checks"]), "grants": grants})
            filled = all(isinstance(own, dict) and own for own in (found.claims, found.sources))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            filled = False
        if not filled:
            raise CertificateError("this is not a certificate of establish")
        return found

    def changed(self) -> list[str]:
        """The files whose content is no longer the one that was checked, sorted."""
        return sorted(name for name, digest in self.sources.items() if digest_of(name) != digest)


def path_of(source: str) -> Path:
    """Where the installed file called ``source``, such as ``impl/counts.py``, lies."""
    floor, _, rest = source.partition("/")
    return Path(str(files(f"establish.{floor}"))) / rest


def digest_of(source: str) -> str:
    """sha256 of that file; empty when there is none."""
    try:
        return hashlib.sha256(path_of(source).read_bytes()).hexdigest()
    except (OSError, ValueError, ImportError):  # also for what is no file name, or no folder of ours
        return ""


def certificate_of(mechanism: str) -> Certificate:
    """The certificate that this installation carries. Raises CertificateError when it has none."""
    file = files("establish.impl").joinpath("certificates", f"{mechanism}.json")
    try:
        certificate = Certificate.parse(file.read_text("utf-8"))
    except (OSError, ValueError):
        raise CertificateError(
            f"{mechanism} has no certificate: run establish certify, or set {OVERRIDE}=1 to develop"
        ) from None
    if certificate.mechanism != mechanism:
        raise CertificateError(f"the certificate of {mechanism} is about another mechanism")
    return certificate


@cache
def digest_of_code(mechanism: str, *, certified: bool = True) -> str:
    """sha256 over the files that the certificate of ``mechanism`` names, as they are installed here.

    Two machines with the same one run the same code. certified: whether there must be such a certificate;
    else none is read, and every file counts that one could name. Raises CertificateError.
    """
    names = certificate_of(mechanism).sources if certified else _every_source()
    found = {name: digest_of(name) for name in names}
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()


def _every_source() -> list[str]:
    """The files that run and those that specify what runs."""
    homes = {floor: path_of(f"{floor}/__init__.py").parent for floor in ("spec", "impl")}
    return [
        f"{floor}/{file.relative_to(home).as_posix()}"
        for floor, home in homes.items()
        for file in home.rglob("*.py")
    ]


SEAL = "SEAL"
"""Beside the certificates: their digests, one digest of all, and the signature of who built this."""


def _folder() -> Traversable:
    return files("establish.impl").joinpath("certificates")


def digests_of_certificates(folder: Traversable) -> dict[str, str]:
    """sha256 of every certificate in ``folder``, by its file's name."""
    found = {}
    for file in folder.iterdir():
        if file.name.endswith(".json"):
            found[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
    return dict(sorted(found.items()))


def digest_of_all(digests: Mapping[str, str]) -> str:
    """One digest that covers all certificates."""
    lines = "".join(f"{name} {digest}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def read_seal(folder: Traversable) -> dict[str, Any]:
    """What the seal in ``folder`` says. Raises CertificateError when there is none, or it is damaged."""
    try:
        seal: dict[str, Any] = json.loads(folder.joinpath(SEAL).read_text("utf-8"))
        if seal["digest"] != digest_of_all(seal["certificates"]):
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


def require_seal(mechanism: str) -> None:
    """Raise CertificateError unless the certificate of ``mechanism`` is as it was written."""
    folder = _folder()
    name = f"{mechanism}.json"
    if read_seal(folder)["certificates"].get(name) != digests_of_certificates(folder).get(name):
        raise CertificateError(
            f"the certificate of {mechanism} is not the one that was written: somebody edited it; run "
            "establish certify"
        )


def seal() -> str:
    """The digest of all certificates and who signed it, in words."""
    try:
        folder = _folder()
        found = read_seal(folder)
        edited = [n for n, d in found["certificates"].items() if digests_of_certificates(folder).get(n) != d]
    except CertificateError as error:
        return str(error)
    except OSError:
        return "none"
    says = f"sha256:{found['digest']}, {signed_by(found)}"
    return says + (f"; EDITED since: {', '.join(edited)}" if edited else "")


def signed_by(found: Mapping[str, Any]) -> str:
    """Who signed the digest of a seal, in words."""
    if not found.get("signature"):
        return "not signed: a clone, or a distribution that nobody signed"
    from establish.impl.signing import signer_of  # cryptography is loaded where there is a signature

    name = signer_of(found["digest"].encode(), found.get("public_key"), found["signature"])
    return "with a signature that is WRONG" if name is None else f"signed by {name}"


@cache
def _current(mechanism: str) -> Certificate:
    certificate = certificate_of(mechanism)
    require_seal(mechanism)
    changed = certificate.changed()
    if changed:
        raise CertificateError(
            f"the certificate of {mechanism} is stale: {', '.join(changed)} changed since it was "
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
    return {"status": "current", "identity": certificate.identity, "sources": certificate.sources}
