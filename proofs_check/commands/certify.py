"""``establish certify``: check the mechanisms that run and write their certificates."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.impl.cards import NAMES
from establish.impl.certificate import (
    SEAL,
    Certificate,
    CertificateError,
    certificate_of,
    digest_of_all,
    digests_of_certificates,
    read_seal,
    require_seal,
)
from establish.proofs_check.api.asked import require_one_of
from establish.proofs_check.engine.misuse import Misuse
from establish.proofs_check.outputs.claims import Certified

if TYPE_CHECKING:
    from establish.proofs_check.certification.subject import Subject

HELP = """Check the mechanisms that run and write their certificates.

\b
Examples:
  establish certify                  every mechanism; writes impl/certificates of the checkout here
  establish certify smooth-gamma     one of them
  establish certify --check          compares them with the code; writes nothing
  establish certify --sign me.key    signs the digest that covers them, for a distribution that you build

\b
A mechanism is certified when the claims that it rests on are true and its sampler passes its checks. The
certificate names the source files that were checked. If one of them changes, the mechanism refuses to run
until it is certified again. The command is for maintainers, in a checkout whose code is installed.

\b
Exit status: 0 everything is certified (or current); 1 something is not; 2 usage error.
"""


def certify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="MECHANISM", help="Mechanisms; all by default.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Compare the certificates with the code; write nothing.")
    ] = False,
    sign: Annotated[
        Path | None,
        typer.Option(metavar="KEY", help="Sign the digest of all certificates with this private key."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    if check and sign is not None:
        raise Misuse("--sign signs what is written, and --check writes nothing: leave one out")
    for name in names or ():
        require_one_of("mechanism", name, NAMES)
    folder = None if check else _folder(Path.cwd())
    chosen = _chosen(names or NAMES)
    results = _compare(chosen) if folder is None else _write(chosen, folder)
    if folder is not None and any(result["certified"] for result in results):
        _seal(folder, {f"{subject.name}.json" for subject in chosen}, sign)
    if as_json:
        print(json.dumps(results, ensure_ascii=False, indent=1))
    else:
        for result in results:
            print(f"{result['mechanism']}: {result['status']}")
    if any(not result["certified"] for result in results):
        raise typer.Exit(1)


def _chosen(names: Iterable[str]) -> list[Subject]:
    from establish.proofs_check.certification.subjects import subjects

    known = subjects()
    return [known[name] for name in names]


def _folder(checkout: Path) -> Path:
    if not (checkout / "impl" / "certificate.py").is_file():
        raise Misuse(f"{checkout} is not a checkout of establish: it has no impl/certificate.py")
    folder = checkout / "impl" / "certificates"
    folder.mkdir(exist_ok=True)
    return folder


def _seal(folder: Path, written: set[str], sign: Path | None) -> None:
    """Write the digest that covers all certificates. Raises CertificateError when another was edited."""
    digests = digests_of_certificates(folder)
    others = {name: digest for name, digest in digests.items() if name not in written}
    try:
        known = read_seal(folder)["certificates"]
    except CertificateError:
        known = others
    edited = [name for name, digest in others.items() if known.get(name) != digest]
    if edited:
        raise CertificateError(f"{', '.join(edited)} was edited by hand: certify every mechanism")
    seal: dict[str, object] = {"certificates": digests, "digest": digest_of_all(digests)}
    if sign is not None:
        from establish.impl.signing import signer

        key = signer(sign)
        signature = key.sign(str(seal["digest"]).encode())
        seal |= {"public_key": key.public.hex(), "signature": signature.hex()}
    (folder / SEAL).write_text(json.dumps(seal, indent=1) + "\n", "utf-8")


def _compare(chosen: list[Subject]) -> list[Certified]:
    from establish.proofs_check.certification.certify import outdated

    results = []
    for subject in chosen:
        try:
            reasons = outdated(subject, certificate_of(subject.name))
            if not reasons:
                require_seal(subject.name)
        except CertificateError as error:
            reasons = [str(error)]
        results.append(_result(subject.name, "; ".join(reasons)))
    return results


def _write(chosen: list[Subject], folder: Path) -> list[Certified]:
    from establish.proofs_check.api.progress import progress_bar
    from establish.proofs_check.certification.certify import certify as certified

    results = []
    with progress_bar() as bar:
        task = bar.add_task("certifying", total=len(chosen))
        for subject in chosen:
            start = time.perf_counter()
            try:
                certificate = certified(subject)
            except CertificateError as error:
                results.append(_result(subject.name, str(error)))
            else:
                (folder / f"{subject.name}.json").write_text(certificate.text(), "utf-8")
                results.append(_certified(certificate, time.perf_counter() - start))
            bar.advance(task)
    return results


def _certified(certificate: Certificate, seconds: float) -> Certified:
    held = f"{len(certificate.claims)} claims, {len(certificate.checks)} checks"
    status = f"certified: {held}, {len(certificate.sources)} files, {seconds:.1f} s"
    return {**_result(certificate.mechanism, ""), "status": status}


def _result(mechanism: str, reasons: str) -> Certified:
    return {"mechanism": mechanism, "certified": not reasons, "status": reasons or "current"}
