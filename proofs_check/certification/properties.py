"""What is known of every mechanism that runs: one line each, and no empty field."""

from __future__ import annotations

import inspect
from itertools import chain
from pathlib import Path

from establish.impl.card import Known
from establish.impl.cards import cards
from establish.impl.certificate import LOCK, read_lock
from establish.proofs_check.certification.joined import why_prose
from establish.proofs_check.certification.subject import of_specification
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.ours import home, name_of
from establish.proofs_check.engine.references import mechanism_classes
from establish.proofs_check.engine.verdicts import Grade
from establish.proofs_check.formal.theorems import blocked

COLUMNS = ("definition", "density", "loss", "admissibility", "bias", "moments")
"""The fields of a card that are told; a row has the sampler, the certificate and its claims as well."""


def table() -> list[dict[str, object]]:
    """One row for each mechanism: ids of claims, places in our source, or why there is nothing to settle."""
    rows: list[dict[str, object]] = []
    recorded, lock = ledger.recorded(), read_lock()
    for name, known in cards().items():
        certified = lock.certificate(name)
        theorems = chain(*(grant.theorems for grant in certified.grants))
        loss = known.loss if isinstance(known.loss, str) else (*known.loss, *theorems)
        rows.append(
            {
                "mechanism": name,
                "definition": _place(known.definition),
                "density": _place(known.density),
                "privacy": privacy(loss, recorded, joined=why_prose(name)),
                **{each: _told(getattr(known, each)) for each in COLUMNS[2:]},
                "sampler": [place for own, place in mechanism_classes() if own == name],
                "certificate": name_of(home("impl") / LOCK),
                "claims": sorted(certified.claims),
            }
        )
    return rows


def privacy(loss: Known, recorded: ledger.Ledger, *, joined: str = "") -> str:
    """``formal`` where a proof assistant's kernel accepted every claim on the loss; else which claims the
    ledger records with other evidence and what blocks a theorem, and why no claim settles it where none does.

    joined: what keeps the argument that joins the claims from being a theorem; empty where nothing does.
    """
    if isinstance(loss, str):
        return loss
    grades = {id: recorded[id].evidence if id in recorded else "not recorded" for id in loss}
    others, lines = [id for id, grade in grades.items() if grade != Grade.FORMAL], blocked()
    missing = [*(f"{id} ({grades[id]})" for id in others), *([joined] if joined else ())]
    why = " ".join(dict.fromkeys(lines[id] for id in others if id in lines))
    told = f"no kernel accepted {', '.join(missing)}" + (f": {why}" if why else "")
    return told if missing else str(Grade.FORMAL)


def _told(known: Known) -> str | list[str]:
    return known if isinstance(known, str) else list(known)


def _place(dotted: str) -> str:
    """File and line of a class of ``establish.spec``."""
    defined = of_specification(dotted)
    return f"{name_of(Path(inspect.getfile(defined)))}:{inspect.getsourcelines(defined)[1]}"
