"""A release that is entered in its ledger: tables, the record that names its entry, and nothing before."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace as with_changes
from pathlib import Path
from typing import TYPE_CHECKING

from establish.impl.budget.books import NO_LEDGER, Books
from establish.impl.budget.ledger import Receipt
from establish.impl.budget.spending import Spending
from establish.impl.guarantee import DEFINITIONS, Grant, policy_of
from establish.impl.publish.leftovers import homes_of, look
from establish.impl.tables.drafts import home_of, mark_of
from establish.impl.tables.files import place_of
from establish.impl.tables.outputs import signature_of, write_record
from establish.impl.tables.publishing import Drafts, publish, require_free
from establish.spec.composition import (
    Approximate,
    Definition,
    DifferentialPrivacy,
    ErEe,
    Loss,
    PerRecord,
    PerRecordConcentrated,
)
from establish.spec.composition.definitions import STRENGTHS
from establish.spec.parameters import ParameterError, positive, probability

if TYPE_CHECKING:
    from establish.impl.signing import Signer

Writer = Callable[[Path], None]


@dataclass(frozen=True)
class Entered:
    """A release that is visible: its entry, None without a ledger, and what its record says.

    told: what killed releases had left, for whoever releases.
    """

    receipt: Receipt | None
    record: Mapping[str, object]
    told: Sequence[str]


NOBODY = "nobody"
"""Who signed a record that is not signed."""

TABLE = "table"
"""What the only query of a release of one table is called."""


def spending_of_table(
    books: Books,
    out: Path,
    definition: Definition,
    parameters: Mapping[str, object],
    asked: Mapping[str, object],
    *,
    seeded: bool,
    grants: Sequence[Grant] = (),
) -> Spending:
    """What a release of one table spends, whose cells are disjoint sets of whoever is protected.

    parameters: of the mechanism. asked: what the release was asked for, of which only a digest is kept.
    grants: what is granted to the mechanism.
    """
    loss = loss_of_table(parameters, grants)
    text = json.dumps({**asked, **parameters}, sort_keys=True, ensure_ascii=False, default=str)
    return Spending(
        f"{out.name} from {books.dataset}",
        hashlib.sha256(text.encode()).hexdigest(),
        definition,
        {TABLE: loss},
        loss,
        seeded=seeded,
        dataset=books.dataset,
        output=str(place_of(out.with_name(f"{out.name}.json"))),
    )


def loss_of_table(parameters: Mapping[str, object], grants: Iterable[Grant]) -> Loss:
    """The loss at a mechanism's parameters: ρ by the policy that is granted, or ε and δ."""
    if "rho" in parameters:
        return PerRecord.of({policy_of(grants): str(parameters["rho"])})
    return Approximate.of(str(parameters["epsilon"]), str(parameters.get("delta", 0)))


def cap_of_table(
    books: Books, level: str | None, delta: str | None, policy: str | None = None
) -> Loss | None:
    """What all releases of the data set may lose together, if this one says so; it fixes the ledger's cap.

    level: ε > 0, or with a policy ρ > 0; 0 <= delta < 1, exact. Raises ParameterError for others, for a delta
    alone or with a policy, and for a cap that nobody would keep, as there is no ledger.
    """
    if policy is not None and delta is not None:
        raise ParameterError("--cap-delta is not used with --rho: leave it out")
    if level is None:
        if delta is not None:
            raise ParameterError("--cap-delta is given without --cap: give both, or none")
        return None
    if books.ledger is None:
        raise ParameterError("--cap needs the ledger that keeps it: leave out --without-ledger")
    if policy is not None:
        return PerRecord.of({policy: positive("--cap", level)})
    return Approximate.of(positive("--cap", level), 0 if delta is None else probability("--cap-delta", delta))


def definition_of_counts(grants: Iterable[Grant], parameters: Mapping[str, object]) -> Definition:
    """What the budget of a table of counts is kept for: the first of DEFINITIONS that is granted.

    That is weak ER-EE privacy where it is proved: the table may be about some workers only, and then only the
    weak one holds. Where nothing is granted, to a mechanism that is tried out without a certificate, it is
    what its parameters name, and the record says that nothing is satisfied.
    """
    if "rho" in parameters:
        return PerRecordConcentrated()
    kinds = {grant.kind for grant in grants}
    for name, kind in DEFINITIONS.items():
        if kind in kinds:
            return ErEe.of(name, str(parameters["alpha"])) if name in STRENGTHS else DifferentialPrivacy(name)
    if "alpha" in parameters:
        return ErEe.of("weak-er-ee", str(parameters["alpha"]))
    return DifferentialPrivacy("edge-dp")


def publish_entered(
    books: Books,
    entry: Spending,
    cap: Loss | None,
    tables: Mapping[Path, Writer],
    record_path: Path,
    record: Mapping[str, object],
    *,
    replace: bool,
    sign: Signer | None = None,
    first: Callable[[], None] = lambda: None,
    elsewhere: bool = False,
) -> Entered:
    """Write the tables and their record: all visible, or none, and only after the entry is on disk.

    record: what it says besides the entry, its place in the ledger and the digests of the tables. sign: the
    key with which it is signed, as it is, in a file beside it, and the heads of the ledger, too. first:
    called while nobody else publishes in the folder. elsewhere: whether other machines write the tables, who
    may reach the folder of the outputs only; else drafts wait beside the ledger, if they can be moved from
    there. What releases that were killed before their entry left is removed. Raises ParameterError, and
    spends nothing, when the ledger refuses or a file cannot be written.
    """
    if sign is not None:
        entry = with_changes(entry, signed_by=sign.name)
    folder, names = record_path.parent, [path.name for path in tables]
    content: dict[str, object] = {}
    told: list[str] = []
    confidential = folder if books.ledger is None or elsewhere else place_of(books.ledger).parent
    signature = signature_of(record_path)

    def described(drafts: Drafts, ledger: object) -> None:
        signed_by = NOBODY if sign is None else sign.name
        content.update({**entry.record(), "ledger": ledger, "signed_by": signed_by, **record})
        try:
            drafts.add(record_path, lambda path: write_record(path, content, names))
            if sign is not None:
                signed = sign.sign(drafts.read(record_path))
                drafts.add(signature, lambda path: _write(path, signed))
                drafts.last(record_path)
        except OSError as error:
            raise ParameterError(f"the outputs in {folder} cannot be written: {error.strerror}") from None

    def spending(drafts: Drafts) -> Receipt | None:
        first()
        told.extend(look(homes_of(books, folder), books.ledger, remove=True).told(removed=True))
        require_free(() if replace else (record_path, signature))
        if books.ledger is None:
            described(drafts, NO_LEDGER)
        return books.spend(
            entry,
            cap,
            folder,
            lambda receipt: described(drafts, {"entry": receipt.number, "head": receipt.checksum}),
            drafts.keep,
            sign,
        )

    home, mark = home_of(folder, confidential), mark_of(books.ledger)
    receipt = publish(tables, spending, replace=replace, home=home, mark=mark)
    if sign is None and replace:
        with suppress(OSError):
            signature.unlink(missing_ok=True)  # of the record that was replaced
    return Entered(receipt, content, told)


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)
