"""Small proofs that the tests export, and then edit."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from establish import AtMost, Below, Equal, Evidence, Real, exact, solver, symbolic
from establish.proofs_check.engine.rules import chain, links, slope_and_end, slope_obligations, substitute
from establish.proofs_check.engine.rules.substitution import obligations
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.export.proofs import steps_of, with_identities
from establish.proofs_check.recheck.checking import VERSION, Report, recheck

Proof = dict[str, Any]

SQUARE = AtMost(
    Real("x", least=1), Real("y", above=0, most=1), left=lambda c, x, y: x * y, right=lambda c, x, y: x * x
)
FALSE = AtMost(Real("x", least=0), left=lambda c, x: x, right=lambda c, x: x * x)
IDENTITY = Equal(
    Real("x", above=0),
    Real("y", above=0),
    left=lambda c, x, y: c.log(x * c.exp(y) / 4) - c.log(x),
    right=lambda c, x, y: y - 2 * c.log(2),
)
ORDERED = Below(Real("x", above=0), left=lambda c, x: c.log(1 + x), right=lambda c, x: (1 + x) ** 2)
LEAST = AtMost(Real("x", least=0), left=lambda c, x: 1 + x, right=lambda c, x: c.exp(x))
APART = Below(
    Real("x", above=0),
    Real("y", above=lambda c, x: x),
    left=lambda c, x, y: c.log(x),
    right=lambda c, x, y: c.log(y),
)


def proof(statement: Statement, piece: Evidence) -> Proof:
    """The exported proof of a claim that states this, and has this evidence."""
    assert piece.established, piece
    return {
        "version": VERSION,
        "claim": "paper/one",
        "verdict": "fails" if piece.refutes else "holds",
        "decides": [statement.identity],
        "steps": with_identities(steps_of([piece])),
    }


def refutation() -> Proof:
    return proof(FALSE, exact.refuted(FALSE, x="1/2"))


def by_solver() -> Proof:
    return proof(SQUARE, solver.proves(SQUARE))


def by_identity() -> Proof:
    return proof(IDENTITY, symbolic.proves(IDENTITY))


def by_chain() -> Proof:
    middle = (lambda c, x: x, lambda c, x: 1 + x)
    steps = [solver.proves(link) for link in links(ORDERED, *middle)]
    return proof(ORDERED, chain(ORDERED, middle, *steps))


def by_substitution() -> Proof:
    values = {"x": lambda c, t: 1 + t * t, "y": lambda c, t: c.number(Fraction(1, 2))}
    own = AtMost(Real("t"), left=lambda c, t: (1 + t * t) / 2, right=lambda c, t: (1 + t * t) ** 2)
    pieces = [solver.proves(one) for one in obligations(own, SQUARE, values)]
    return proof(own, substitute(own, SQUARE, values, *pieces))


def by_slope() -> Proof:
    owed = slope_obligations(LEAST, "x")
    return proof(LEAST, slope_and_end(LEAST, "x", *(solver.proves(one) for one in owed)))


def by_logarithms() -> Proof:
    return proof(APART, solver.proves(APART))


ALL = (refutation, by_solver, by_identity, by_chain, by_substitution, by_slope, by_logarithms)


@pytest.fixture(scope="session")
def proofs() -> dict[str, Proof]:
    return {make.__name__: make() for make in ALL}


@pytest.fixture
def checked(tmp_path: Path) -> Callable[[Any], Report]:
    """What the small program says of a proof, or of a text in the place of one."""

    def told(data: Any) -> Report:
        file = tmp_path / "one.json"
        file.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        return recheck(file)

    return told
