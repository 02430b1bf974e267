"""``establish certify``: check the mechanisms that run and write their certificates."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.impl.cards import NAMES
from establish.impl.certificate import (
    LOCK,
    SEAL,
    certificate_of,
    digest_of_all,
    read_seal,
    require_seal,
    text_of_lock,
    write_lock,
)
from establish.impl.lock_file import Certificate, CertificateError, Lock
from establish.proofs_check.api.asked import require_one_of
from establish.proofs_check.engine.misuse import Misuse
from establish.proofs_check.outputs.claims import Certified

if TYPE_CHECKING:
    from establish.proofs_check.certification.subject import Subject

HELP = """Check the mechanisms that run and write their certificates.

\b
Examples:
  establish certify                  every mechanism; writes impl/certificates.lock.gz of the checkout here
  establish certify smooth-gamma     one of them
  establish certify --check          compares them with the code; writes nothing
  establish certify --quick psi      a first answer in seconds while you develop; writes nothing
  establish certify --sign me.key    signs the digest that covers them, for a distribution that you build

\b
A mechanism is certified when the claims that it rests on are true and its sampler passes its checks. The
certificate names the definitions that were checked. If one of them changes, the mechanism refuses to run
until it is certified again. The command is for maintainers, in a checkout whose code is installed.

\b
Exit status: 0 everything is certified (or current); 1 something is not; 2 usage error; 3 --quick found
nothing wrong, and left out what it says.
"""


def certify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="MECHANISM", help="Mechanisms; all by default.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare the certificates with the code; write nothing.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Answer in seconds, by a few of the checks; write nothing.")
    ] = False,
    sign: Annotated[
        Path | None,
        typer.Option(metavar="KEY", help="Sign the digest of all certificates with this private key."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    if check and sign is not None:
        raise Misuse("--sign signs what is written, and --check writes nothing: leave one out")
    if quick and (check or sign is not None):
        raise Misuse("--quick compares and writes nothing: leave out --check and --sign")
    for name in names or ():
        require_one_of("mechanism", name, NAMES)
    folder = None if check or quick else _folder(Path.cwd())
    chosen = _chosen(names or NAMES)
    limited = False
    if folder is not None:
        results = _write(chosen, folder, sign)
    else:
        results, limited = _quick(chosen) if quick else (_compare(chosen), False)
    if as_json:
        print(json.dumps(results, ensure_ascii=False, indent=1))
    else:
        for result in results:
            print(f"{result['mechanism']}: {result['status']}")
    if any(not result["certified"] for result in results):
        raise typer.Exit(3 if limited else 1)


def _chosen(names: Iterable[str]) -> list[Subject]:
    from establish.proofs_check.certification.subjects import subjects

    known = subjects()
    return [known[name] for name in names]


def _folder(checkout: Path) -> Path:
    if not (checkout / "impl" / "certificate.py").is_file():
        raise Misuse(f"{checkout} is not a checkout of establish: it has no impl/certificate.py")
    return checkout / "impl"


def seal(folder: Path, sign: Path | None) -> None:
    """Write the digest that covers all certificates, signed with the private key ``sign``."""
    content: dict[str, object] = {"digest": digest_of_all(folder)}
    if sign is not None:
        from establish.impl.signing import signer

        key = signer(sign)
        signature = key.sign(str(content["digest"]).encode())
        content |= {"public_key": key.public.hex(), "signature": signature.hex()}
    (folder / SEAL).write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def written(folder: Path, certified: Iterable[Certificate]) -> None:
    """Put these among the others of the lock. Raises CertificateError where somebody edited it."""
    from establish.proofs_check.certification.certify import reads

    every = {each.mechanism: each for each in _others(folder)} | {each.mechanism: each for each in certified}
    claims = dict.fromkeys(claim for each in every.values() for claim in each.claims)
    write_lock(folder, Lock.of(every.values(), reads(claims)).text())


def _require_as_written(folder: Path) -> None:
    if (folder / LOCK).is_file() and read_seal(folder)["digest"] != digest_of_all(folder):
        raise CertificateError(f"{LOCK} was edited by hand: remove it, and certify every mechanism")


def _others(folder: Path) -> Iterator[Certificate]:
    """The current certificates that stand in the lock of a folder."""
    if not (folder / LOCK).is_file():
        return
    _require_as_written(folder)
    lock = Lock.parse(text_of_lock(folder))
    for name in lock.entries:
        with suppress(CertificateError):
            if not (found := lock.certificate(name)).changed():
                yield found


def _quick(chosen: list[Subject]) -> tuple[list[Certified], bool]:
    """What a few seconds show of each, none of them certified; and whether nothing failed."""
    from establish.proofs_check.certification.quick import quick

    results, failed = [], False
    for subject in chosen:
        try:
            status = quick(subject)
        except CertificateError as error:
            status, failed = str(error), True
        results.append(_result(subject.name, status))
    return results, not failed


def _compare(chosen: list[Subject]) -> list[Certified]:
    from establish.proofs_check.certification.certify import outdated

    results = []
    for subject in chosen:
        try:
            reasons = outdated(subject, certificate_of(subject.name))
            if not reasons:
                require_seal()
        except CertificateError as error:
            reasons = [str(error)]
        results.append(_result(subject.name, "; ".join(reasons)))
    return results


def _write(chosen: list[Subject], folder: Path, sign: Path | None) -> list[Certified]:
    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.certification.certify import certify as certified
    from establish.proofs_check.certification.certify import settled
    from establish.proofs_check.certification.pool import elsewhere

    _require_as_written(folder)
    results, made, jobs = [], [], os.cpu_count() or 1
    with progress_bar() as bar:
        task = bar.add_task("certifying", total=None)
        if len(chosen) > 1:  # on all processors; what is not true is told with the mechanism
            with suppress(CertificateError):
                settled(tuple(dict.fromkeys(claim for each in chosen for claim in each.rests_on)), jobs)
        with elsewhere(chosen, jobs, lambda n, of: bar.update(task, completed=n, total=of)) as subjects:
            for subject in subjects:
                start = time.perf_counter()
                try:
                    certificate = certified(subject)
                except CertificateError as error:
                    results.append(_result(subject.name, str(error)))
                else:
                    made.append(certificate)
                    results.append(_certified(certificate, time.perf_counter() - start))
    if made:
        written(folder, made)
        seal(folder, sign)
    return results


def _certified(certificate: Certificate, seconds: float) -> Certified:
    held = f"{len(certificate.claims)} claims, {len(certificate.checks)} checks"
    status = f"certified: {held}, {len(certificate.definitions)} definitions, {seconds:.1f} s"
    return {**_result(certificate.mechanism, ""), "status": status}


def _result(mechanism: str, reasons: str) -> Certified:
    return {"mechanism": mechanism, "certified": not reasons, "status": reasons or "current"}
