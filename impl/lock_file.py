"""The certificates of all mechanisms, in one file: an entry a line, and nothing stands twice.

Claims, checks and definitions stand once each, and mechanisms refer to them. A definition tells its digest
and what it names, so that all that a mechanism reaches follows from where it begins. A mechanism keeps the
sha256 of its whole certificate: what was written for another one does not pass for its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from typing import Any

from establish.impl.definitions import Definition, defined, digest_of
from establish.impl.guarantee import Grant

FORMAT = 3
"""The version of the file's text. 2 was a file for each mechanism, which named whole files of ours."""


class CertificateError(Exception):
    """A certificate is missing, unreadable or stale."""


@dataclass(frozen=True)
class Certificate:
    """What was checked about one mechanism, and about which code.

    claims: verdict and evidence grade by claim id. checks: what else was shown, with its grade and scope.
    roots: the definitions with which its code begins, as ``impl/counts.py expanded``. definitions: digest by
    name of all that is reached from there, and from what its claims read. checked_with: versions of the
    libraries. grants: what the objects of its claims say of the mechanism at all its parameters. files:
    sha256 of the files in which the definitions stand, by which most need not be read; it says no more.
    """

    mechanism: str
    claims: Mapping[str, str]
    checks: tuple[Mapping[str, str], ...]
    roots: tuple[str, ...]
    definitions: Mapping[str, str]
    checked_with: Mapping[str, str]
    grants: tuple[Grant, ...]
    format: int = FORMAT
    files: Mapping[str, str] = field(default_factory=dict, compare=False)

    @cached_property
    def identity(self) -> str:
        """sha256 of what it says."""
        content = {one.name: getattr(self, one.name) for one in fields(self) if one.compare}
        text = json.dumps(content, ensure_ascii=False, sort_keys=True, default=asdict)
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def now(self) -> Mapping[str, str]:
        """The digests of its definitions as they are installed here; empty for one that is gone."""
        same = {source for source, digest in self.files.items() if digest_of(source) == digest}
        found = {}
        for name, digest in self.definitions.items():
            source, _, own = name.partition(" ")
            if source not in same:
                there = defined(source).get(own)
                digest = "" if there is None else there.digest
            found[name] = digest
        return found

    def changed(self) -> list[str]:
        """The definitions that are no longer what was checked, sorted."""
        return sorted(name for name, digest in self.definitions.items() if self.now[name] != digest)


def digest_of_definitions(digests: Mapping[str, str]) -> str:
    """One sha256 over definitions: two machines with the same one run the same code."""
    return hashlib.sha256(json.dumps(dict(digests), sort_keys=True).encode()).hexdigest()


MOST = 5
"""So many names are told."""


def some(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more


Nodes = Mapping[str, Definition]
"""Definitions by name, such as ``impl/counts.py expanded``; what else runs in a file, by that of the file."""


class Installed(dict[str, Definition]):
    """The definitions of files as they are installed here; a file is read when one of them is asked for."""

    def __missing__(self, node: str) -> Definition:
        source, _, _ = node.partition(" ")
        found = {f"{source} {name}".rstrip(): one for name, one in defined(source).items()}
        self.update(found)
        made = f"{source} __getattr__"  # a name that its module makes when it is asked for
        return found[made] if node not in found and made in found else found[node]


def reached(roots: Iterable[str], nodes: Nodes) -> dict[str, Definition]:
    """All that is reached from some definitions, by name.

    A class is reached with all that it has; wherever a name of a module is reached, so is what runs when the
    module and its packages are imported. Raises CertificateError for what is not there.
    """
    found: dict[str, Definition] = {}
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node not in found:
            try:
                found[node] = nodes[node]
            except KeyError:
                raise CertificateError(f"{node} is named, and is not there") from None
            waiting += [*found[node].names, *_around(node)]
    return {node: found[node] for node in sorted(found)}


def _around(node: str) -> Iterator[str]:
    """What runs in the file of a definition and in its packages, which are imported before it."""
    source, _, _ = node.partition(" ")
    yield source
    folders = source.split("/")[:-1]
    yield from ("/".join([*folders[:depth], "__init__.py"]) for depth in range(1, len(folders) + 1))


@dataclass(frozen=True)
class Lock:
    """entries: what stands about each mechanism. claims: verdict, then what of spec/ it reads. checks: by a
    short name. files: sha256 by name. nodes: the definitions that are reached.
    """

    entries: Mapping[str, Mapping[str, Any]]
    claims: Mapping[str, Sequence[str]]
    checks: Mapping[str, Mapping[str, str]]
    files: Mapping[str, str]
    nodes: Nodes

    @staticmethod
    def of(certificates: Iterable[Certificate], reads: Mapping[str, Sequence[str]]) -> Lock:
        """With the code as it is installed here. reads: what of spec/ every claim reads."""
        every = sorted(certificates, key=lambda each: each.mechanism)
        claims = {claim: [verdict, *reads[claim]] for each in every for claim, verdict in each.claims.items()}
        roots = {root: None for each in every for root in (*each.roots, *_read(each.claims, claims))}
        nodes = reached(roots, Installed())
        files = {source: digest_of(source) for source in sorted({_file(node) for node in nodes})}
        checks = {_short(check): check for each in every for check in each.checks}
        entries = {each.mechanism: _entry(each) for each in every}
        return Lock(entries, dict(sorted(claims.items())), dict(sorted(checks.items())), files, nodes)

    def certificate(self, mechanism: str) -> Certificate:
        """Raises CertificateError where it has none, or one that was written for what it no longer tells."""
        if mechanism not in self.entries:
            raise CertificateError(f"{mechanism} has no certificate")
        try:
            made = self._made(mechanism, self.entries[mechanism])
        except (ValueError, TypeError, KeyError, AttributeError, IndexError):
            raise CertificateError(NONE) from None
        if made.identity != self.entries[mechanism]["identity"]:
            raise CertificateError(
                f"the certificate of {mechanism} is stale: what it shares with others was certified anew, or "
                "somebody edited it"
            )
        return made

    def _made(self, mechanism: str, entry: Mapping[str, Any]) -> Certificate:
        claims = {claim: self.claims[claim][0] for claim in entry["claims"]}
        roots = tuple(entry["roots"])
        if not (claims and roots):
            raise ValueError
        nodes = reached((*roots, *_read(claims, self.claims)), self.nodes)
        return Certificate(
            mechanism=mechanism,
            claims=claims,
            checks=tuple(self.checks[check] for check in entry["checks"]),
            roots=roots,
            definitions={node: one.digest for node, one in nodes.items()},
            checked_with=entry["checked_with"],
            grants=tuple(map(Grant.parse, entry["grants"])),
            files={source: self.files[source] for source in {_file(node) for node in nodes}},
        )

    def text(self) -> str:
        """The content of the file."""
        parts: dict[str, Mapping[str, object]] = {
            "claims": self.claims,
            "checks": self.checks,
            "files": self.files,
            "definitions": {node: [one.digest, *one.names] for node, one in self.nodes.items()},
        }
        lines = [f'"format": {FORMAT}', *(f'"{title}": {_block(part)}' for title, part in parts.items())]
        of = (f"{_json(name)}: {_block(entry)}" for name, entry in self.entries.items())
        return "{" + ",\n".join([*lines, '"mechanisms": {\n' + ",\n".join(of) + "\n}"]) + "}\n"

    @staticmethod
    def parse(text: str) -> Lock:
        """The file's content. Raises CertificateError when it is none, or of another format."""
        try:
            data = json.loads(text)
            if data["format"] == FORMAT:
                nodes = {
                    node: Definition(one, tuple(names)) for node, (one, *names) in data["definitions"].items()
                }
                return Lock(data["mechanisms"], data["claims"], data["checks"], data["files"], nodes)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise CertificateError(NONE) from None
        raise CertificateError(
            f"these certificates have format {data['format']}, and format {FORMAT} is read here: run "
            f"establish certify, or use the version of establish that wrote them"
        )


NONE = "these are no certificates of establish"


def _read(claims: Iterable[str], known: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What of spec/ claims read."""
    return (node for claim in claims for node in known[claim][1:])


def _file(node: str) -> str:
    return node.partition(" ")[0]


def _entry(certificate: Certificate) -> dict[str, object]:
    return {
        "identity": certificate.identity,
        "roots": certificate.roots,
        "claims": list(certificate.claims),
        "checks": [_short(check) for check in certificate.checks],
        "checked_with": certificate.checked_with,
        "grants": [asdict(grant) for grant in certificate.grants],
    }


def _short(check: Mapping[str, str]) -> str:
    """The name of a check, from what it says."""
    return hashlib.sha256(_json(check).encode()).hexdigest()[:12]


def _block(part: Mapping[str, object]) -> str:
    return "{\n" + ",\n".join(f" {_json(key)}: {_json(value)}" for key, value in part.items()) + "\n}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
