"""What a proof assistant's kernel accepted about a claim, as pages and grades read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Theorem:
    """One theorem as the kernel accepted it.

    name: ``file.name``. statement: closed, as Coq prints it. assumptions: the axioms that it rests on.
    """

    name: str
    statement: str
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class FormalEntry:
    """What a kernel accepted about one claim, for exactly the present text of spec/ and of the proofs.

    covers: the parts of the verdict that are proved, ``sentence`` and perhaps ``value``; nothing where the
    theorems are a step only. tried: what a second reader tried. rest: what is left to other evidence.
    checker: such as "coqc 8.16.1". date: of the run. outcome, value: how the claim came out when its theorems
    were compared with it; empty where they were not.
    """

    claim: str
    theorems: tuple[Theorem, ...]
    covers: tuple[str, ...]
    tried: str
    rest: str
    checker: str
    date: str
    outcome: str = ""
    value: str = ""

    @property
    def says(self) -> str:
        """The sentence that may stand beside the claim."""
        return f"accepted by {self.checker} on {self.date} for exactly this text; not re-run here"

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> FormalEntry:
        """The entry of which `dataclasses.asdict` made ``data``."""
        theorems = tuple(
            Theorem(each["name"], each["statement"], tuple(each["assumptions"])) for each in data["theorems"]
        )
        return FormalEntry(**{**data, "theorems": theorems, "covers": tuple(data["covers"])})
