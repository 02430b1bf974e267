"""Which mechanisms run, at which calibrations, and which specification each of them draws."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from establish.impl.budget.queries import MECHANISMS
from establish.impl.cards import cards, names_under
from establish.impl.certificate import CertificateError
from establish.impl.earnings.bins import percentages
from establish.impl.earnings.mechanisms import NAMES as OF_EARNINGS
from establish.impl.earnings.mechanisms import earnings_mechanism
from establish.impl.guarantee import DEFINITIONS, Grant
from establish.impl.microdata.neighbor_functions import Root
from establish.proofs_check.certification import counts
from establish.proofs_check.certification.subject import of_specification
from establish.proofs_check.certification.theorems import Runs, grants


def _on_counts() -> Iterator[Runs]:
    """Each once at each calibration, as examples of it are drawn."""
    drawn = {(r.runs.name, r.runs.calibration): r.runs for r in counts.RUNS}
    for (name, calibration), runs in drawn.items():
        kind: Any = type(runs)
        if hasattr(kind, "guarantees"):
            raise CertificateError(
                f"{name} cannot be certified: {kind.__name__} states guarantees of its own, which "
                "nothing compares with a theorem: leave them out, they are made from its claims"
            )
        if "specified" not in vars(kind) or calibration not in kind.specified:
            raise CertificateError(
                f"{name} cannot be certified: {kind.__name__} does not say which mechanism of spec/ it "
                f"draws at calibration = {calibration}: give it its own specified"
            )
        if missing := [other for other in kind.specified if (name, other) not in drawn]:
            raise CertificateError(
                f"{name} cannot be certified: its card draws no cell at calibration = {missing[0]}, which "
                f"{kind.__name__} has"
            )
        if runs.scope:
            raise CertificateError(
                f"{name} cannot be certified: {kind.__name__} states a scope of its own, in place of that of "
                "the definition: leave it out"
            )
        make = partial(kind, calibration=calibration)
        yield Runs(name, calibration, kind.specified[calibration], runs.rests_on, make)


def _on_establishments() -> Iterator[Runs]:
    for name in names_under("gedp"):
        card = cards()[name]
        kind = card.load()
        made = kind(Root(), "1/2", "7/10")
        yield Runs(made.name, made.calibration, of_specification(card.definition), made.rests_on, kind)


def _on_records() -> Iterator[Runs]:
    for name in OF_EARNINGS:
        made = earnings_mechanism(name, 1, percentages((25, 50, 75)))
        yield Runs(name, made.calibration, None, made.rests_on, partial(earnings_mechanism, name))


def runs() -> tuple[Runs, ...]:
    """Every mechanism that runs, at every calibration that it has."""
    return (*_on_counts(), *_on_establishments(), *_on_records())


@cache
def granted(name: str) -> tuple[Grant, ...]:
    """What theorems grant to the mechanism ``name`` at its calibrations, read now from their objects.

    Raises CertificateError where that is nothing.
    """
    found = [grant for each in runs() if each.name == name for grant in grants(each)]
    if not found:
        raise CertificateError(f"{name} cannot be certified: it is not a mechanism whose claims are known")
    _require_plans(name, found)
    _require_loss(name, found)
    return tuple(found)


def _require_loss(name: str, found: list[Grant]) -> None:
    """Refuse a card whose loss is settled by claims on which the mechanism does not rest, or which leaves out
    a theorem that grants its guarantees.
    """
    loss = cards()[name].loss
    if isinstance(loss, str):
        raise CertificateError(
            f"{name} cannot be certified: its card tells no claims on its loss, but: {loss}"
        )
    rests_on = {claim for each in runs() if each.name == name for claim in each.rests_on}
    granting = {theorem for grant in found if not grant.joined for theorem in grant.theorems}
    if others := [id for id in loss if id not in rests_on]:
        raise CertificateError(
            f"{name} cannot be certified: its card tells of a loss by {', '.join(others)}, "
            "on which it does not rest"
        )
    if missing := sorted(granting - {*loss}):
        raise CertificateError(
            f"{name} cannot be certified: the card tells no loss by {', '.join(missing)}, "
            "which grants its guarantee"
        )


def _require_plans(name: str, found: list[Grant]) -> None:
    """Refuse a mechanism that answers plans under a definition which is not granted to it."""
    for calibration in dict.fromkeys(grant.calibration for grant in found):
        kinds = {grant.kind for grant in found if grant.calibration == calibration}
        for definition, names in MECHANISMS.items():
            if name in names and DEFINITIONS[definition] not in kinds:
                raise CertificateError(
                    f"{name} cannot be certified: plans under {definition} take it, and no theorem grants "
                    f"that to its {calibration} calibration"
                )
