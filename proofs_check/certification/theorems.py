"""What settled theorems grant to a mechanism: read from the objects of its claims, never from words.

A grant is made from a statement object about the very specification that the mechanism runs, at its own
parameters: the neighbors, the queries, the level and δ are those of the object. Names play no part. Where one
object does not say it, JOINED names the claims and the argument that joins them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from inspect import signature
from itertools import islice, product
from typing import Any

import sympy

from establish.impl.card import Joined
from establish.impl.certificate import CertificateError
from establish.impl.guarantee import KINDS, Grant
from establish.proofs_check.certification.joined import JOINED, cost
from establish.proofs_check.engine import ledger
from establish.proofs_check.engine.index import hasty, index
from establish.proofs_check.engine.register import Claim, imported
from establish.proofs_check.engine.statements import Satisfies
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.statements.gaussian import EstablishmentPrivate
from establish.proofs_check.engine.statements.per_record import RecordsPrivate
from establish.spec.arithmetic import SYM
from establish.spec.domains import Unreadable
from establish.spec.neighbor_functions.arbitrary import Arbitrary
from establish.spec.parameters import ParameterError
from establish.spec.policies import POLICIES

PARAMETERS = {"α": "alpha", "ε": "epsilon", "δ": "delta", "γ": "gamma", "μ": "mu", "ν": "nu", "ρ": "rho"}
"""What a mechanism calls the variables of a statement."""

OnPrivacy = Satisfies | EstablishmentPrivate | RecordsPrivate
"""The kinds of statements that grant."""

TRIED = 24
"""At so many points of its domain a statement is asked which mechanism it is about."""


class Otherwise(Exception):
    """What an object says that a mechanism's guarantee cannot be made from; the message says what differs."""


@dataclass(frozen=True)
class Runs:
    """A mechanism that runs, at one calibration.

    specified: the ideal mechanism that it draws; None where JOINED says what it is granted. make: the
    mechanism at parameters by name; rests_on: its claims.
    """

    name: str
    calibration: str
    specified: type[Any] | None
    rests_on: tuple[str, ...]
    make: Callable[..., Any]


def grants(runs: Runs) -> tuple[Grant, ...]:
    """What the claims of ``runs`` grant. Raises CertificateError where that is nothing, or cannot be read."""
    return tuple(_joined(runs) if runs.name in JOINED else _from_objects(runs))


def _from_objects(runs: Runs) -> Iterator[Grant]:
    found: dict[tuple[str, str], Grant] = {}
    differs, by_psi = [], set()
    for id, statement in _about_privacy(runs.rests_on):
        try:
            grant = _grant(runs, id, statement)
            by_psi.add(getattr(statement, "real", None))
            found.setdefault(grant.kind, grant)
        except Otherwise as error:
            differs.append(f"{id}: {error}")
    if found.keys() & {("establishment", "sum")} and by_psi != {True, False}:
        found, differs = (
            {},
            ["every ψ is taken, with ψ(0) real and with ψ(0) = −∞, and it is about one of them"],
        )
    if not found:
        raise CertificateError(
            f"{runs.name} cannot be certified: no theorem among its claims grants anything to its "
            f"{runs.calibration} calibration ({'; '.join(differs) or 'none of them is about privacy'})"
        )
    yield from found.values()


def known() -> Mapping[str, Claim]:
    """The claims by id, looked up once in a process."""
    return _known(_in_haste.get())


@cache
def _known(haste: bool) -> Mapping[str, Claim]:
    return hasty() if haste else index().claims


_in_haste: ContextVar[bool] = ContextVar("in_haste", default=False)


@contextmanager
def in_haste() -> Iterator[None]:
    """Inside the block claims are looked up where they stood when somebody last looked."""
    token = _in_haste.set(True)
    try:
        yield
    finally:
        _in_haste.reset(token)


def _about_privacy(ids: Sequence[str]) -> Iterator[tuple[str, OnPrivacy]]:
    """What claims state about privacy; not what is meant instead, and not that a value is tight."""
    for id in ids:
        if id not in known():
            raise CertificateError(f"no claim is registered as {id}")
        for statement in imported(known()[id]).stated.printed:
            if isinstance(statement, OnPrivacy):
                yield id, statement


def _grant(runs: Runs, id: str, statement: OnPrivacy) -> Grant:
    domain = statement.domain
    if not set(domain.names) <= set(PARAMETERS):
        raise Otherwise(f"it is about {', '.join(domain.names)}")
    delta = None
    if isinstance(statement, RecordsPrivate):
        kind, level = _by_policy(statement)
    elif isinstance(statement, Satisfies):
        kind, delta = (statement.neighbors, statement.queries), statement.delta
        if statement.alpha is not None:
            _require_own(_symbolic(lambda c, *v: statement.alpha(*v), domain), "α")  # type: ignore[misc]
    else:
        kind = ("establishment", "sum")
        _require_own(_symbolic(lambda c, *v: statement.gamma(*v), domain), "γ")
    if kind not in KINDS:
        raise Otherwise(f"no record tells of {kind[0]} neighbors with queries: {kind[1]}")
    _require_about(runs, statement)
    if not isinstance(statement, RecordsPrivate):
        level = _multiples(_symbolic(statement.level, domain), "level")
    slack = {} if delta is None else _multiples(_symbolic(delta, domain), "δ")
    _require_inside(runs, domain)
    assert runs.specified is not None
    says = {
        "claim": id,
        "text": statement.text,
        "about": f"{runs.specified.__module__}.{runs.specified.__qualname__}",
        "kind": kind,
        "level": level,
        "delta": slack,
    }
    return Grant(runs.calibration, *kind, level, slack, (id,), _digest(says))


def _by_policy(statement: RecordsPrivate) -> tuple[tuple[str, str], dict[str, str]]:
    """The one of POLICIES of which what a record costs is a multiple, and the multiple."""
    size = sympy.Symbol("x", positive=True)
    cost = _symbolic(lambda c, *v: statement.policy(c, *v, size), statement.domain)
    for name, policy in POLICIES.items():
        share = sympy.simplify(cost / policy(size, SYM))
        if size not in share.free_symbols:
            return ("establishment", name), _multiples(share, "level")
    raise Otherwise(f"a record of size x costs {cost}, which is by none of {', '.join(POLICIES)}")


def _digest(says: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(says, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _symbols(domain: Domain) -> list[sympy.Symbol]:
    return [sympy.Symbol(PARAMETERS[name], positive=True) for name in domain.names]


def _symbolic(formula: Callable[..., Any], domain: Domain) -> sympy.Expr:
    """The formula as a term of its parameters."""
    try:
        return sympy.sympify(formula(SYM, *_symbols(domain)))
    except (TypeError, ValueError, ParameterError, AttributeError) as error:
        raise Otherwise(f"a formula of it cannot be read: {error}") from None


def _require_own(term: sympy.Expr, name: str) -> None:
    if term != sympy.Symbol(PARAMETERS[name], positive=True):
        raise Otherwise(f"its neighbors differ by {term}, not by {name}")


def _multiples(term: sympy.Expr, what: str) -> dict[str, str]:
    """The term as a sum of rational multiples of parameters."""
    found = {}
    for symbol, multiple in sympy.expand(term).as_coefficients_dict().items():
        share = sympy.nsimplify(multiple, rational=True) if multiple.is_Rational else multiple
        if not (symbol.is_Symbol and share.is_Rational and share > 0):
            raise Otherwise(f"its {what}, {term}, is not a sum of multiples of the parameters")
        found[str(symbol)] = str(Fraction(int(share.p), int(share.q)))
    return dict(sorted(found.items()))


def _require_about(runs: Runs, statement: OnPrivacy) -> None:
    """Refuse a statement about another mechanism than the specification at these very parameters."""
    assert runs.specified is not None
    if isinstance(statement, EstablishmentPrivate):
        _require_answer(runs.specified, statement)
        return
    made = statement.made
    if made.kind is not runs.specified:
        raise Otherwise(f"it is about {made.kind.__name__}, and {runs.specified.__name__} runs")
    for name, text in made.parameters:
        if PARAMETERS.get(text) != name:
            raise Otherwise(f"it is about {name} = {text}")


def _require_answer(specified: type[Any], statement: EstablishmentPrivate) -> None:
    """The same of the one answer of a statement for every ψ, at TRIED points of its domain."""
    names = [PARAMETERS[name] for name in statement.domain.names]
    for values in islice(statement.domain.simple_points(TRIED), TRIED):
        answers = statement.answers(Arbitrary(statement.real), *values)
        if len(answers) != 1 or statement.repeated:
            raise Otherwise(f"it is about {len(answers)} answers together, and one is released")
        ((_, made),) = answers
        if type(made) is not specified:
            raise Otherwise(f"it is about {type(made).__name__}, and {specified.__name__} runs")
        for name, value in zip(names, values, strict=True):
            # more noise than that of μ does no harm, and the level is told by itself
            if name != "mu" and name in vars(made) and vars(made)[name] != value:
                raise Otherwise(f"it is about {name} = {vars(made)[name]} at {statement.domain.told(values)}")


SHARES = tuple(map(Fraction, ("1/1000000", "1/2000", "1/1000", "1/20", "1/10", "1/3", "1", "5")))
TIMES = tuple(Fraction(k) * near for k in (1, 2, 3, 5) for near in map(Fraction, ("999/1000", "1001/1000")))
LEVELS = tuple(map(Fraction, ("1/100000", "1/1000", "1/10", "1", "4", "50", "60")))
SMALL = tuple(map(Fraction, ("1/10000000", "999/1000000000", "1/1000000")))
SLACKS = tuple(map(Fraction, ("1/1000000000", "1/100", "999/1000")))
"""Parameters at which a mechanism is asked whether it runs: α, multiples of ln(1+α) for ε, ε, δ, and ρ."""


def _given(names: Sequence[str]) -> Iterator[dict[str, Fraction]]:
    if "rho" in names:
        yield from ({"rho": level} for level in (*SMALL, *LEVELS))
        return
    for alpha in SHARES if "alpha" in names else (Fraction(1),):
        growth = Fraction(str(float(sympy.log(1 + sympy.Rational(alpha.numerator, alpha.denominator)))))
        near = [growth * times for times in TIMES] if "alpha" in names else []
        for epsilon, delta in product((*near, *LEVELS), SLACKS if "delta" in names else (Fraction(1),)):
            point = {"alpha": alpha, "epsilon": epsilon, "delta": delta}
            yield {name: point[name] for name in names}


@cache
def tried(runs: Runs) -> tuple[tuple[dict[str, Fraction], Any], ...]:
    """Parameters on both sides of the bounds of a domain, each with the mechanism, None where it refuses.

    Nothing for a mechanism that has other parameters than α, ε and δ, or ρ alone.
    """
    names = () if runs.specified is None else tuple(signature(runs.specified).parameters)
    if not names or (names != ("rho",) and not set(names) <= {"alpha", "epsilon", "delta"}):
        return ()
    return tuple((at, _made_at(runs, at)) for at in _given(names))


def _made_at(runs: Runs, at: Mapping[str, Fraction]) -> Any:
    try:
        return runs.make(**at)
    except ParameterError:
        return None


def _require_inside(runs: Runs, domain: Domain) -> None:
    """Refuse a theorem that does not hold wherever the mechanism runs."""
    names = [PARAMETERS[name] for name in domain.names]
    for at, made in tried(runs):
        if made is not None and not domain.includes(values := tuple(at[name] for name in names)):
            raise Otherwise(f"it says nothing at {domain.told(values)}, where {runs.name} runs")


def _level(joined: Joined) -> dict[str, str]:
    """What a joined guarantee costs, by its claims. Raises CertificateError where they do not say it."""
    values = {id: entry.value for id, entry in ledger.recorded().items() if id in joined.claims}
    said = {id: (imported(known()[id]).stated.printed, values.get(id, "")) for id in joined.claims}
    try:
        return _multiples(cost(joined, said), "level")
    except (Otherwise, Unreadable) as error:
        ids = ", ".join(joined.claims)
        raise CertificateError(f"{ids} do not say what they cost together: {error}") from None


def _joined(runs: Runs) -> Iterator[Grant]:
    for joined in JOINED[runs.name]:
        missing = ", ".join(id for id in joined.claims if id not in runs.rests_on)
        if missing:
            raise CertificateError(f"{runs.name} cannot be certified: it does not rest on {missing}")
        level = _level(joined)
        says = {
            "claims": {id: list(known()[id].quantified) or known()[id].derivation for id in joined.claims},
            "kind": joined.kind,
            "level": level,
            "because": joined.because,
        }
        yield Grant(runs.calibration, *joined.kind, level, {}, joined.claims, _digest(says), joined.because)
