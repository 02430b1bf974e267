"""How authors state sums over the integers: what makes one finite is shown before anything is settled."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import Domain, number_or
from establish.proofs_check.engine.statements.on_integers import BITS, IntegerMean, OverIntegers, RenyiBound
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Side,
    StatementError,
    require_spec_only,
    where,
)
from establish.proofs_check.engine.statements.variables import Integer, Real, Variable
from establish.spec.arithmetic import Number, World

RELATIONS = ("<=", "==", ">=")

T = TypeVar("T", bound=OverIntegers)


def _checked(made: T) -> T:
    """The statement itself. Raises StatementError, with file and line, for formulas that read more than
    ``establish.spec``, another relation, or a sum that cannot be evaluated.
    """
    place = where(made.formulas[0])
    if made.relation not in RELATIONS:
        raise StatementError(f"{place}: relation = {made.relation!r} must be one of {', '.join(RELATIONS)}")
    for formula in made.formulas:
        require_spec_only(formula)
    try:
        made.identity  # noqa: B018 - its formulas are read as trees when it is written
    except StatementError as error:
        _, _, said = str(error).partition(": ")
        raise StatementError(f"{place}: {said}") from error
    except Exception as error:
        raise StatementError(f"{place}: cannot be evaluated: {type(error).__name__}: {error}") from error
    refused = ""
    for values in made.domain.simple_points(8):
        try:
            made.compared_at(values, BITS[:1])
            return made
        except ArithmeticError as error:
            refused = (
                refused or f"cannot be evaluated at {made.domain.told(values) or 'its only point'}: {error}"
            )
    raise StatementError(f"{place}: {refused or f'the domain is empty: {made.domain.said()}'}")


def _finite(statement: OverIntegers) -> None:
    """Raises StatementError, with file and line, unless the solver shows that each sum is finite."""
    for choices in statement.owed:
        missing = [next((one for one in each if not _shown(_Named(one))), None) for each in choices]
        if all(missing):
            words = ", nor that ".join(one.text for one in missing if one)
            raise StatementError(
                f"{where(statement.formulas[0])}: the sum is not shown to be finite: not that {words}; "
                "see `beyond`"
            )


class _Named:
    """A statement as the key of a question that is asked once."""

    def __init__(self, statement: Comparison) -> None:
        self.statement = statement

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named) and self.statement.identity == other.statement.identity

    def __hash__(self) -> int:
        return hash(self.statement.identity)


@shared
def _shown(named: _Named) -> bool:
    one = named.statement
    try:
        return solver.owed(one).established is True
    except TypeError:  # a function of which the solver is told nothing
        return False


def OnIntegers(
    *variables: Variable,
    law: Formula,
    closed: Side,
    of: Side = 1,
    exponent: Side = 0,
    relation: str = "==",
    degree: int = 0,
    size: Side = 1,
    beyond: Side = 0,
    given: Sequence[Any] = (),
) -> IntegerMean:
    """E of(X)·e^exponent(X) has the relation (<=, == or >=) to ``closed``, for X on the integers.

    law: a function of a world and the variables that gives a law with ``log_weight``, such as
    ``DiscreteGaussian(0, s, c)``; its weights need not sum to 1. of and exponent: formulas of a world, the
    variables and k. beyond: from which |k| on the logarithms of the weights, and these plus the exponent, are
    concave (and fall, or are as curved as at the start), and |of(k)| ≤ size·(1 + |k|)^degree: the solver
    shows both before the statement is settled. Where it does not, the claim is unsettled, with file and line.
    """
    sides = {"closed": closed, "of": of, "exponent": exponent, "size": size, "beyond": beyond}
    return _mean(Domain(tuple(variables), tuple(given)), law, relation, degree, True, sides)


def SumOnIntegers(
    *variables: Variable,
    law: Formula,
    closed: Side,
    of: Side = 1,
    exponent: Side = 0,
    relation: str = "==",
    degree: int = 0,
    size: Side = 1,
    beyond: Side = 0,
    given: Sequence[Any] = (),
) -> IntegerMean:
    """Σ of(k)·e^(exponent(k) + log_weight(k)) over all integers has the relation to ``closed``: weights as
    they are.

    Arguments as of `OnIntegers`.
    """
    sides = {"closed": closed, "of": of, "exponent": exponent, "size": size, "beyond": beyond}
    return _mean(Domain(tuple(variables), tuple(given)), law, relation, degree, False, sides)


def _mean(
    domain: Domain, law: Formula, relation: str, degree: int, normalized: bool, sides: Mapping[str, Side]
) -> IntegerMean:
    if not isinstance(degree, int) or degree < 0:
        raise StatementError(f"{where(law)}: degree = {degree!r} must be a whole number of at least 0")
    parts: dict[str, Any] = {name: number_or(side, name) for name, side in sides.items()}
    parts |= {"relation": relation, "degree": degree, "normalized": normalized}
    return _checked(IntegerMean(domain, law, finite_by=_finite, **parts))


def Renyi(
    *variables: Variable,
    first: Formula,
    second: Formula,
    order: Side,
    most: Side,
    relation: str = "<=",
    beyond: Side = 0,
    given: Sequence[Any] = (),
) -> RenyiBound:
    """D_order(P‖Q) ≤ ``most`` for two laws on the integers, or another relation to it.

    first, second: functions of a world and the variables that give laws with ``log_weight``. order: above 1.
    beyond: from which |k| on the logarithms of P, of Q and of P^a·Q^(1−a) are concave, as the solver shows
    before the statement is settled, or the claim is unsettled.
    """
    return _checked(_renyi(variables, first, second, order, most, relation, beyond, given))


def _renyi(
    variables: Sequence[Variable],
    first: Formula,
    second: Formula,
    order: Side,
    most: Side,
    relation: str,
    beyond: Side,
    given: Sequence[Any],
) -> RenyiBound:
    sides = (("order", order), ("most", most), ("beyond", beyond))
    parts: list[Any] = [number_or(side, name) for name, side in sides]
    domain = Domain(tuple(variables), tuple(given))
    return RenyiBound(domain, first, second, parts[0], relation, parts[1], parts[2], finite_by=_finite)


def Concentrated(
    *variables: Variable,
    law: Formula,
    sensitivity: Side,
    rho: Side,
    beyond: Side = 0,
    given: Sequence[Any] = (),
) -> RenyiBound:
    """ρ-zero-concentrated privacy of whole answers: D_a ≤ a·rho for every order a > 1 and all integers x, y
    with |x − y| ≤ sensitivity, between the laws around x and around y.

    law: a function of a world, the variables and x. sensitivity, rho: formulas of the variables. beyond: of
    the variables, x, y and a. So it is said of every query with whole answers and that sensitivity.
    """
    count = len(variables)
    far, bound = number_or(sensitivity, "sensitivity"), number_or(rho, "rho")

    def close(c: World, *v: Any) -> Number:
        return v[count] + far(c, *v[:count])  # type: ignore[operator]

    def far_below(c: World, *v: Any) -> Number:
        return v[count] - far(c, *v[:count])  # type: ignore[operator]

    made = _renyi(
        (*variables, Integer("x"), Integer("y", least=far_below, most=close), Real("a", above=1)),
        lambda c, *v: law(c, *v[: count + 1]),
        lambda c, *v: law(c, *v[:count], v[count + 1]),
        lambda c, *v: v[-1],
        lambda c, *v: v[-1] * bound(c, *v[:count]),  # type: ignore[operator]
        "<=",
        beyond,
        given,
    )
    return _checked(replace(made, written=(law, far, bound, made.beyond)))  # type: ignore[arg-type]


def PerRecord(
    *variables: Variable, law: Formula, policy: Side, beyond: Side = 0, given: Sequence[Any] = ()
) -> RenyiBound:
    """Per-record zero-concentrated privacy of whole totals: D_a ≤ a·policy for every order a > 1, between the
    laws around a total q + r and around q, for all integers q and r: with the record that counts |r|, and
    without it, either way round.

    law: a function of a world, the variables and the total. policy: of the variables and |r|, the ρ of such a
    record. beyond: of the variables, q, r and a.
    """
    count = len(variables)
    bound = number_or(policy, "policy")

    def with_record(c: World, *v: Any) -> Any:
        return law(c, *v[:count], v[count] + v[count + 1])

    made = _renyi(
        (*variables, Integer("q"), Integer("r"), Real("a", above=1)),
        with_record,
        lambda c, *v: law(c, *v[: count + 1]),
        lambda c, *v: v[-1],
        lambda c, *v: v[-1] * bound(c, *v[:count], c.absolute(v[count + 1])),  # type: ignore[operator]
        "<=",
        beyond,
        given,
    )
    return _checked(replace(made, written=(law, bound, made.beyond)))  # type: ignore[arg-type]
