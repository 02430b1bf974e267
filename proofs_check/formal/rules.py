"""The theorems that are the arguments of rules and of mechanisms, and whether they still are.

``rules.toml`` says which theorem is about which rule, about which mechanism whose claims are joined, or about
which function that draws.
``rules.json`` says what both were when somebody compared them (``establish formal --bind-rule``): a digest of
the rule's code, or of what the mechanism's guarantees rest on, and one of what its theorems say. When one of
them changes, or the record of the kernel does not speak of the present text, the link is lost.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from establish.proofs_check.formal.accepted import FormalEntry
from establish.proofs_check.formal.lines import text_of
from establish.proofs_check.formal.record import current, differences, theorems_say
from establish.proofs_check.formal.theorems import HERE, Subject, sources

FILE = HERE / "rules.json"


@dataclass(frozen=True)
class Argued:
    """What is written about the theorems of one rule, of one mechanism, or of one function that draws.

    theorems: ``file.name`` of each. owed: how their hypotheses are what the rule owes, or the claims of the
    mechanism. rest: what it does that they are not about. whole: whether they are all of its argument.
    reads: what of ``establish.spec`` the theorems on a mechanism are about.
    """

    rule: str
    theorems: tuple[str, ...]
    owed: str
    rest: str
    whole: bool
    reads: tuple[str, ...] = ()

    @property
    def subject(self) -> Subject:
        """As the record of the kernel asks for it."""
        return Subject(self.rule, "", self.theorems, (), "", self.rest)


@dataclass(frozen=True)
class Link:
    """Digests of a rule's code, and of what its theorems and the entry about it say."""

    code: str
    says: str


@cache
def argued() -> Mapping[str, Argued]:
    """By the name of the rule, of the mechanism, or of the function below ``establish``."""
    parts = tomllib.loads((HERE / "rules.toml").read_text("utf-8"))
    return {
        name: Argued(name, tuple(e["theorems"]), e["owed"], e["rest"], e["whole"], tuple(e.get("reads", ())))
        for name, e in {**parts["rules"], **parts["mechanisms"], **parts["draws"]}.items()
    }


@cache
def linked() -> Mapping[str, Link]:
    """By the same names, as they were compared."""
    data: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
    return {name: Link(**entry) for name, entry in data.items()}


def link_of(rule: str, code: str) -> Link:
    """What the rule with this code, or the mechanism, and its theorems say now."""
    argument = argued()[rule]
    written = (argument.owed, argument.rest, str(argument.whole))
    return Link(code, theorems_say(argument.subject, sources(), *written))


def write(links: Mapping[str, Link]) -> str:
    """The text from which `linked` reads ``links``."""
    return text_of({name: vars(link) for name, link in sorted(links.items())})


def lost(rule: str, code: str) -> list[str]:
    """What keeps the theorems from being the argument of what has this code; nothing where they are."""
    if rule not in argued():
        return ["no theorem is named"]
    found, before, now = differences(argued()[rule].subject), linked().get(rule), link_of(rule, code)
    if before is None:
        return [*found, "nobody has compared it with its theorem"]
    found += ["what its theorem is about has changed"] if before.code != now.code else []
    return [
        *found,
        *(
            ["what the theorem says, or what is written about it, has changed"]
            if before.says != now.says
            else []
        ),
    ]


def accepted_for(rule: str, code: str) -> FormalEntry | None:
    """The theorems of the rule with this code, as the kernel accepted them; None where the link is lost."""
    return None if lost(rule, code) else current(argued()[rule].subject)


def forget() -> None:
    """Read the files again at the next question; for tests."""
    for reader in (argued, linked):
        reader.cache_clear()
