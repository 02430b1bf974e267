"""Losses and definitions are read as they were written, and nothing else is."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Every, ParameterError, Verdict, claim, exhaustive, holds
from establish.proofs_check.papers.ours.composition.cases import DEFINITIONS, PARTS, PLACE
from establish.spec.composition import (
    Approximate,
    DifferentialPrivacy,
    ErEe,
    Gaussian,
    Gedp,
    read_definition,
    read_loss,
)


def _written() -> Iterator[tuple[str, str, bool]]:
    """ε, δ, and whether they are a loss; and μ, with δ empty."""
    for epsilon, delta in product(("-1", "-1/1000", "0", "1/3", "7"), ("-1/9", "0", "1/2")):
        yield epsilon, delta, Fraction(epsilon) >= 0 and Fraction(delta) >= 0
    for delta in ("999/1000", "1", "1001/1000", "2"):
        yield "1", delta, Fraction(delta) < 1
    for mu in ("-1", "-1/1000", "0", "1/3", "7"):
        yield mu, "", Fraction(mu) >= 0


def _is_read_as_written(case: tuple[str, str, bool]) -> bool:
    first, second, allowed = case
    try:
        if second:
            same = Approximate.of(first, second) == Approximate(Fraction(first), Fraction(second))
        else:
            same = Gaussian.of(first) == Gaussian(Fraction(first) ** 2)
    except ParameterError:
        return not allowed
    return same and allowed


Kept = Approximate | Gaussian | DifferentialPrivacy | ErEe | Gedp


def _kept() -> Iterator[Kept]:
    yield from (Approximate(e, d) for e, d in product(PARTS, repeat=2))
    yield from map(Gaussian, PARTS)
    yield from DEFINITIONS


def _is_read_back(kept: Kept) -> bool:
    """Whether it comes back from its record, and no other one has that record."""
    record = kept.record()
    loss = isinstance(kept, Approximate | Gaussian)
    same = [other for other in _kept() if other.record() == record]
    return same == [kept] and (read_loss(record) if loss else read_definition(record)) == kept


def _refused_records() -> Iterator[dict[str, object]]:
    yield {}
    yield {"epsilon": "1"}
    yield {"mu_squared": "-1"}
    yield {"epsilon": "1", "delta": "1"}
    yield {"definition": "weak-er-ee", "alpha": "0"}
    yield {"definition": "weak-er-ee"}
    yield {"definition": "gedp", "attributes": {}}
    yield {"definition": "record-dp", "records_per_person": 0}
    yield {"definition": "record-dp", "records_per_person": True}
    yield {"definition": "edge-dp", "records_per_person": 2}
    yield {"definition": "dp"}
    for key, wrong in (("psi", "root"), ("gamma", "0"), ("shift", "-1")):
        one = {"psi": "sqrt", "gamma": "1", "shift": "0", key: wrong}
        yield {"definition": "gedp", "attributes": {"jobs": one}}
    identity = {"psi": "identity", "gamma": "1", "shift": "1"}
    yield {"definition": "gedp", "attributes": {"jobs": identity}}


def _is_refused(record: dict[str, object]) -> bool:
    for read in (read_definition, read_loss):
        try:
            read(record)
        except ParameterError:
            continue
        return False
    return True


READ = Every("loss as it is written", _written, _is_read_as_written)
READ_BACK = Every("loss or definition", _kept, _is_read_back)
REFUSED = Every("record", _refused_records, _is_refused)


@claim(
    "establish/records-say-what-was-spent",
    where=PLACE,
    says="Losses and definitions are read from what a user writes exactly where they are in their domain, "
    "and from their own records as they were; nothing else is read.",
    states=(READ, READ_BACK, REFUSED),
)
def records_are_read_as_they_were_written() -> Verdict:
    """ε ≥ 0, 0 ≤ δ < 1, μ ≥ 0, α > 0, γ > 0, a shift of at least 0, at least one record of a person."""
    return holds(
        exhaustive.each(READ, "24 losses, at and beyond the ends of the domain"),
        exhaustive.each(READ_BACK, "losses on a grid, and definitions of all kinds"),
        exhaustive.each(REFUSED, "records with a part missing or outside its domain"),
    )
