"""The production switch: what may be convenient while one tries things out is refused."""

import os
from collections.abc import Iterable
from pathlib import Path

from establish.impl.certificate import OVERRIDE, CertificateError, overridden
from establish.spec.parameters import ParameterError

SWITCH = "ESTABLISH_PRODUCTION"
"""Environment variable: when it is on, every release is one in production. A plan says production = true."""

ON, OFF = ("1", "true", "yes", "on"), ("0", "false", "no", "off")
"""What the switch may say, in capitals, too; empty is off."""


def in_production(asked: bool = False) -> bool:
    """Whether a release is held to the rules of production. asked: whether its plan says so.

    Raises ParameterError where the switch says neither.
    """
    said = os.environ.get(SWITCH) or OFF[0]
    if said.lower() not in (*ON, *OFF):
        raise ParameterError(f"{SWITCH} = {said} is not known: use one of {', '.join((*ON, *OFF))}")
    return asked or said.lower() in ON


def require_production(*, seed: int | None, ledger: Path | None, signed: bool, paths: Iterable[Path]) -> None:
    """Refuse what production does not allow, before anything is read.

    paths: every file that is read or written. Raises ParameterError, or CertificateError for code
    that need not be certified.
    """
    if seed is not None:
        raise ParameterError(
            f"--seed = {seed} is not allowed in production: noise that can be repeated is not secret"
        )
    if overridden():
        raise CertificateError(f"{OVERRIDE}=1 is not allowed in production: unset it")
    if ledger is None:
        raise ParameterError("--without-ledger is not allowed in production")
    if not signed:
        raise ParameterError("--sign is missing: in production every record is signed")
    for path in paths:
        require_no_link(path)


def require_no_link(path: Path) -> None:
    """Raise ParameterError where a symbolic link leads to a file."""
    if Path(os.path.realpath(path)) != Path(os.path.abspath(path)):
        raise ParameterError(
            f"{path} leads through a symbolic link, which is not followed in production: name the file"
        )
