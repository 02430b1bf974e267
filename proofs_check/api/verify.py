"""What a release claims, by which code, and whether that still holds."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from establish.proofs_check.api.asked import require_free, require_there
from establish.proofs_check.api.python import FilePath, optional_path, path_of
from establish.proofs_check.api.told import Told
from establish.proofs_check.engine.misuse import Misuse
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.proofs_check.api.released import Released
    from establish.proofs_check.certification.finding import Finding


@dataclass(frozen=True, repr=False)
class Verification(Told):
    """What was found of the record ``name``. claims: what it claims. findings: what holds, fails, or was not
    checked."""

    name: str
    claims: Sequence[str]
    findings: Sequence[Finding]

    @property
    def holds(self) -> bool:
        """Whether nothing that was checked fails."""
        return not any(finding.holds is False for finding in self.findings)

    @property
    def headline(self) -> str:
        """The findings in one sentence."""
        number = {holds: sum(each.holds is holds for each in self.findings) for holds in _TITLES}
        checks = "check" if number[False] == 1 else "checks"
        failed = f"{number[False]} {checks} failed" if number[False] else "No check failed"
        return f"{failed}, {number[True]} passed, {number[None]} could not be made here."

    def to_json(self) -> list[dict[str, Any]]:
        """The findings as ``establish verify --json`` prints them."""
        return [finding.to_json() for finding in self.findings]

    def lines(self) -> Iterator[str]:
        """What ``establish verify`` prints."""
        for claim in self.claims:
            yield f"claimed: {_visible(claim)}"
        for finding in self.findings:
            yield f"{_WORDS[finding.holds]}: {_visible(finding.says)}"

    def __repr__(self) -> str:
        failed = [line for line in self.lines() if line.startswith(_WORDS[False])]
        return "\n".join([f"{self.name}: {self.headline}", *failed[:4]])

    def report(self, file: FilePath, *, force: bool = False) -> None:
        """Write the findings as a page, .html. Raises Misuse, or ParameterError where it is there."""
        page = prepare_page(file, force)
        from establish.proofs_check.report import one_file

        groups = [
            (title, [(_visible(each.says), self._how(each)) for each in self.findings if each.holds is holds])
            for holds, title in _TITLES.items()
        ]
        figures = [(title.lower(), len(rows)) for title, rows in groups]
        content = {
            "about": f"Verification of {self.name}",
            "kind": "holds" if self.holds else "fails",
            "headline": self.headline,
            "figures": figures,
            "groups": groups,
            "claims": list(map(_visible, self.claims)),
        }
        one_file.write(page, "release.html", content)

    def _how(self, finding: Finding) -> tuple[str, str]:
        """The command that checks what was not checked, and a sentence where none does."""
        if finding.how.startswith("--"):
            return f"establish verify {quote(_visible(self.name))} {finding.how}", ""
        return "", finding.how


def prepare_page(file: FilePath, force: bool) -> Path:
    """The place of a page that can be written. Raises Misuse, or ParameterError where it is there."""
    from establish.proofs_check.report import one_file

    page = path_of("--report", file)
    one_file.prepare(page)
    require_free({"--report": page}, force)
    return page


def verify(
    record: FilePath | Released,
    *,
    plan: FilePath | None = None,
    ledger: FilePath | None = None,
    key: FilePath | None = None,
    head: FilePath | None = None,
) -> Verification:
    """Whether a release is what its record says, and whether what it rests on still holds.

    record: the .json file beside a released table, release.json of a plan, or what a release returned. plan:
    the plan that was released. ledger: where it was recorded. key: the public key of who signed. head: a
    second place that remembers the ledger's end. The claims on which the release rests are settled again
    where they changed, which may take a minute. Raises Misuse for a file that is no record, ParameterError
    for the others.
    """
    if isinstance(record, str | PathLike):
        return _verify(path_of("RECORD", record), plan, ledger, key, head)
    from establish.proofs_check.api.released import Released

    if not isinstance(record, Released):
        raise ParameterError(
            f"record = {type(record).__name__} is not a release: pass its .json file, or what a release "
            "returned"
        )
    if not record.files:
        return _verify(record.written.sidecar, plan, ledger, key, head)
    with tempfile.TemporaryDirectory(prefix="establish-verified-") as folder:
        record.save(folder)
        return _verify(Path(folder) / record.written.sidecar.name, plan, ledger, key, head)


def _verify(
    sidecar: Path, plan: FilePath | None, ledger: FilePath | None, key: FilePath | None, head: FilePath | None
) -> Verification:
    content = _read(sidecar)

    from establish.impl.signing import public_key

    public = None if key is None else public_key(path_of("--key", key))

    from establish.impl.budget.plan import read_plan
    from establish.proofs_check.certification.finding import Finding
    from establish.proofs_check.certification.record import NoRecord, read_record
    from establish.proofs_check.certification.verify import (
        not_checked,
        verify_head,
        verify_ledger,
        verify_plan,
        verify_release,
        verify_signature,
        verify_signer,
    )

    entered, second = optional_path("--ledger", ledger), optional_path("--head", head)
    for option, file in (("--ledger", entered), ("--head", second)):
        if file is not None:
            require_there(option, file)
    known = None if plan is None else read_plan(path_of("--plan", plan))
    try:
        record = read_record(content)
    except NoRecord as reason:
        return Verification(sidecar.name, [], [Finding(str(reason), False)])
    of_files = [] if known is None else verify_plan(record, known)
    of_files += [] if entered is None else verify_ledger(record, entered)
    findings = verify_release(record, sidecar.parent, known) + of_files  # settles claims again, so it is last
    if second is not None:
        findings += verify_head(record, second, public, entered)
    findings += [verify_signature(sidecar, public), verify_signer(record, sidecar, public)]
    findings += not_checked(record, plan=plan is not None, ledger=ledger is not None)
    return Verification(sidecar.name, list(dict.fromkeys(record.claimed())), findings)


_TITLES = {False: "Failed", True: "Passed", None: "Not checked"}
"""The headings of the page, what matters most first."""


_WORDS = {True: "OK", False: "FAILED", None: "not checked"}


def _visible(text: str) -> str:
    """``text`` of somebody else's record, with what moves the cursor or starts a line written out."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON. ValueError for a key that stands there twice: a reader would see one of them."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _read(sidecar: Path) -> dict[str, object]:
    try:
        content = json.loads(sidecar.read_text("utf-8"), object_pairs_hook=_once)
    except OSError as error:
        raise Misuse(f"{sidecar} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise Misuse(f"{sidecar} is not JSON: pass the .json file beside the table") from None
    if not isinstance(content, dict) or not {"mechanism", "answers"} & content.keys():
        raise Misuse(f"{sidecar} is not the record of a release")
    return content
