"""Ed25519 signatures of records: whoever has the public key can check them, with this package or without.

A key is a PEM file (PKCS #8), its public part another (SubjectPublicKeyInfo), and a signature the 64 bytes
over the signed file as it is, so that other programs read all three.
"""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Signer:
    """A private key, ready to sign. name: the fingerprint of its public part."""

    key: Ed25519PrivateKey

    @property
    def name(self) -> str:
        return fingerprint(self.key.public_key())

    @property
    def public(self) -> bytes:
        """The 32 bytes of the public key."""
        return self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, content: bytes) -> bytes:
        """64 bytes."""
        return self.key.sign(content)


def fingerprint(key: Ed25519PublicKey) -> str:
    """What people compare: sha256 of the 32 bytes of the key."""
    raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return f"ed25519:{hashlib.sha256(raw).hexdigest()}"


def new_key(path: Path) -> str:
    """Write a new key to ``path``, for this user's eyes only, and its public part to ``path``.pub.

    Its fingerprint. Raises ParameterError when one of the files is there, or cannot be written.
    """
    key, public = Ed25519PrivateKey.generate(), path.with_name(f"{path.name}.pub")
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    shown = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    if os.path.lexists(public):
        raise ParameterError(f"KEY = {public} exists: choose another name")
    for file, content, mode in ((path, secret, 0o600), (public, shown, 0o644)):
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
            with os.fdopen(descriptor, "wb") as opened:
                opened.write(content)
        except FileExistsError:
            raise ParameterError(f"KEY = {file} exists: choose another name") from None
        except OSError as error:
            raise ParameterError(f"KEY = {file} cannot be written: {error.strerror}") from None
    return fingerprint(key.public_key())


def signer(path: Path) -> Signer:
    """The private key in ``path``. Raises ParameterError for another file, or one that others can read."""
    try:
        others = path.stat().st_mode & 0o077
        key = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise ParameterError(f"--sign = {path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise ParameterError(f"--sign = {path} is not a private key of establish keys new")
    if others:
        raise ParameterError(f"--sign = {path} can be read by others: chmod 600 it first")
    return Signer(key)


def public_key(path: Path) -> Ed25519PublicKey:
    """The public key in ``path``. Raises ParameterError for another file."""
    try:
        key = load_pem_public_key(path.read_bytes())
    except OSError as error:
        raise ParameterError(f"--key = {path} cannot be read: {error.strerror}") from None
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise ParameterError(f"--key = {path} is not a public key of establish keys new")
    return key


def is_signed(key: Ed25519PublicKey, content: bytes, signature: bytes) -> bool:
    """Whether ``signature`` was made over ``content`` with the private part of ``key``."""
    try:
        key.verify(signature, content)
    except InvalidSignature:
        return False
    return True


def signer_of(content: bytes, public: object, signature: object) -> str | None:
    """The fingerprint of the key that signed ``content``; None unless both are hexadecimal and fit."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(str(public)))
        fits = is_signed(key, content, bytes.fromhex(str(signature)))
    except ValueError:
        return None
    return fingerprint(key) if fits else None
