"""Data that are known under another name: a renamed, linked, gzipped or converted copy beside its original.

Every head beside data keeps the digest of their rows. So the heads in a folder tell whether rows that are
released now were released before, as another data set with a budget of its own.
"""

from dataclasses import dataclass
from pathlib import Path

from establish.impl.budget.heads import Head, beside, read_heads
from establish.impl.tables.files import place_of
from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Twin:
    """A file of heads beside other data with the same rows, and what it knows."""

    place: Path
    heads: tuple[Head, ...]

    def told(self, data: Path, dataset: str) -> str | None:
        """What to say to a release of ``data`` as ``dataset``; None where that is its name there, too."""
        names = sorted(head.dataset for head in self.heads)
        if not names or dataset in names:
            return None
        ledger = self.place.with_name(f"{self.place.name.removesuffix('.head')}.ledger")
        return (
            f"DATA = {data} has the rows of data set {names[0]}, by {self.place}: the same rows have one "
            f"budget; spend that with --dataset {names[0]} --ledger {ledger} (in a plan: dataset, ledger)"
        )


def twins_of(data: Path, digest: str) -> list[Twin]:
    """The heads in the folder of ``data`` that are beside others with the same rows."""
    own, found = beside(data, "head"), list[Twin]()
    for place in sorted(place_of(data).parent.glob("*.head")):
        try:
            known = read_heads(place)
        except ParameterError:
            continue  # it is no file of heads, or damaged, which a release of its own data says
        if place != own and known.rows == digest:
            found.append(Twin(place, tuple(known.heads.values())))
    return found
