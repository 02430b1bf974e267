"""What every rule shares: the list of rules, and how a statement is derived from what it owes."""

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

from establish.proofs_check.engine.methods.definedness import where_defined
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.statement import Statement, require_spec_only
from establish.proofs_check.engine.verdicts import Evidence, Grade, Made, require_evidence, weakest
from establish.proofs_check.terms.formula import Tree

RULES: dict[str, str] = {}
"""The argument of every rule by its name: what a reader is asked to trust."""

HOME = str(Path(__file__).parent)
"""The folder of the rules."""

F = TypeVar("F", bound=Callable[..., Evidence])


class RuleError(ValueError):
    """A rule was given a statement of another shape; the message says what it expects."""


def rule(function: F) -> F:
    """Enter a rule in the list, with its docstring as its argument; a formula that it is given must say the
    same in each of its proof obligations, as those of statements must. Raises RuleError for a rule that is
    written elsewhere than in this folder.
    """
    if not function.__code__.co_filename.startswith(HOME):
        raise RuleError(f"{function.__name__} is no rule of the engine: its argument would be trusted unread")
    RULES[function.__name__] = inspect.getdoc(function) or ""

    @wraps(function)
    def asked(*given: Any, **named: Any) -> Evidence:
        for formula in _formulas((*given, *named.values())):
            require_spec_only(formula, by_kind=True)
        return function(*given, **named)

    return cast(F, asked)


def _formulas(given: object) -> Iterator[Any]:
    """The functions among what a rule was given, in tuples, lists and tables too; a tree is read already."""
    if isinstance(given, list | tuple | Mapping):
        for each in given.values() if isinstance(given, Mapping) else given:
            yield from _formulas(each)
    elif callable(given) and not isinstance(given, Tree):
        yield given


def derived(
    statement: Statement,
    owed: Iterable[Statement],
    evidence: Iterable[Evidence],
    name: str,
    sampled: str = "",
    given: Mapping[str, Any] | None = None,
) -> Evidence:
    """``statement`` from the statements that a rule owes, each of which some piece must decide.

    The grade is the weakest among the pieces used, and ``steps`` at most where the rule reads a premise at a
    sample only, which ``sampled`` describes. A piece that is missing or was not shown leaves the
    statement undecided, and the witness says which. name: of a registered rule, and the method beside it.
    given: formulas that the rule was given by name, which `establish export` writes.
    """
    _require_rule(name)
    evidence = tuple(evidence)
    for given_piece in evidence:
        require_evidence(given_piece)
    pieces = {piece.identity: piece for piece in evidence if piece.identity and not piece.refutes}
    used: list[Evidence] = []
    for need in owed:
        piece = pieces.get(need.identity)
        if piece is None or piece.established is not True:
            state = (
                "has no proof" if piece is None else f"was not shown{piece.witness and ': '}{piece.witness}"
            )
            grade = weakest(p.grade for p in pieces.values())
            if grade is None:
                raise RuleError(f"{name}: no evidence was given for the proof obligation {need.text}")
            return Evidence(
                statement.text,
                None,
                grade,
                name,
                f"{need.text} {state}",
                decides=statement.text,
                identity=statement.identity,
            )
        used.append(piece)
    grade = weakest(piece.grade for piece in used)
    if grade is None:
        raise RuleError(f"{name}: there is no proof obligation, so nothing follows")
    if sampled:
        grade = max(grade, Grade.STEPS, key=list(Grade).index)
    methods = " + ".join(dict.fromkeys([name, *(piece.method for piece in used)]))
    scopes = "; ".join(dict.fromkeys(scope for scope in (sampled, *(p.scope for p in used)) if scope))
    found = Evidence(
        statement.text,
        True,
        grade,
        methods,
        scope=scopes,
        decides=statement.text,
        identity=statement.identity,
        made=Made(statement, tuple(used), given or {}),
    )
    return where_defined(found, statement) if isinstance(statement, Comparison) else found


def _require_rule(name: str) -> None:
    """Refuse a conclusion that no rule of this folder draws: it must be what calls the function that asks."""
    known = name.partition(" + ")[0]
    if known not in RULES:
        raise RuleError(f"{known} is not a registered rule")
    if not sys._getframe(2).f_code.co_filename.startswith(HOME):
        raise RuleError(f"{known}: only the rule itself draws its conclusion: call rules.{known}(...)")


def by_certificate(statement: Statement, enough: bool, name: str) -> Evidence:
    """``statement`` by a certificate that was checked exactly, undecided unless that was enough.

    name: of the rule that says why the certificate proves it.
    """
    _require_rule(name)
    return Evidence(
        statement.text,
        True if enough else None,
        Grade.PROOF,
        f"{name} + exact arithmetic",
        "" if enough else "the certificate does not show it",
        decides=statement.text,
        identity=statement.identity,
        made=Made(statement),
    )
