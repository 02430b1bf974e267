"""Which theorems are about which claim, and what a second reader tried (theorems.toml)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Subject:
    """The theorems about one claim.

    claim: its id. sentence: the claim's own sentence that the second reader had before them. theorems:
    ``file.name`` of each. covers: what of the verdict they prove (``sentence``, ``value``). tried: how a
    second reader tried to satisfy or to break the closed statement emptily. rest: what they leave out.
    """

    claim: str
    sentence: str
    theorems: tuple[str, ...]
    covers: tuple[str, ...]
    tried: str
    rest: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The stems of the files that the theorems stand in."""
        return tuple(dict.fromkeys(theorem.partition(".")[0] for theorem in self.theorems))


def subjects() -> tuple[Subject, ...]:
    """Every claim that has theorems, in the order of the file."""
    entries = tomllib.loads((HERE / "theorems.toml").read_text("utf-8"))["claims"]
    return tuple(
        Subject(
            claim,
            entry["sentence"],
            tuple(entry["theorems"]),
            tuple(entry["covers"]),
            entry["tried"],
            entry.get("rest", ""),
        )
        for claim, entry in entries.items()
    )


def blocked() -> dict[str, str]:
    """By the id of a claim without a theorem, what blocks one."""
    lines: dict[str, str] = tomllib.loads((HERE / "theorems.toml").read_text("utf-8"))["open"]
    return lines


def sources() -> dict[str, str]:
    """The text of every Coq file of ours by its stem, without the generated one."""
    return {path.stem: path.read_text("utf-8") for path in sorted(HERE.glob("*.v"))}
