"""Conversions between pure, concentrated and approximate privacy."""

from __future__ import annotations

from establish.proofs_check.engine.register import repeats

repeats(
    "canonne2020/greatest-share",
    where="Concentrated privacy",
    says="For a > 1 the greatest (1 − t)·t^(a − 1) over 0 < t < 1 is (1 − 1/a)^(a − 1)/a, by which a Rényi "
    "bound is turned into δ.",
    same_as="establish/greatest-share",
    origin="unread",
)
