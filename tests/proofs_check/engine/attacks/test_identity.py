"""A statement is what it is made of, and not its text: evidence of another statement decides nothing."""

from dataclasses import replace
from fractions import Fraction as F

import pytest

from establish import AtMost, Evidence, Grade, Integer, Private, Rational, Real, StatementError, holds
from establish.proofs_check.engine.grades import Stated, graded
from establish.proofs_check.engine.methods import exhaustive, solver
from establish.proofs_check.engine.rules import RuleError, densities, derived
from establish.proofs_check.engine.statements import EveryCase
from establish.spec.mechanisms.growth_laplace import GrowthLaplaceMechanism
from establish.spec.mechanisms.laplace import EdgeLaplaceMechanism
from tests.proofs_check.engine.private import private

NEVER_SHOWN = (Grade.STEPS, Grade.EXHAUSTIVE, Grade.STATISTICAL)


BASE = private(lambda alpha, epsilon: GrowthLaplaceMechanism(alpha, epsilon))
SCALE = F(2)


def _doubled(alpha, epsilon):
    return GrowthLaplaceMechanism(alpha, SCALE * epsilon)


OTHERS = {
    "a doubled budget": lambda: private(lambda alpha, epsilon: GrowthLaplaceMechanism(alpha, 2 * epsilon)),
    "a constant of the file": lambda: private(_doubled),
    "arguments in the other order": lambda: private(
        lambda alpha, epsilon: GrowthLaplaceMechanism(epsilon, alpha)
    ),
    "another growth": lambda: private(BASE.mechanism, alpha=lambda alpha, epsilon: 2 * alpha),
    "a growth that doubles far away": lambda: private(
        BASE.mechanism, alpha=lambda alpha, epsilon: alpha if alpha < 2000 else 2 * alpha
    ),
}


def test_a_budget_that_doubles_far_away_is_no_formula():
    with pytest.raises(StatementError, match="it branches or compares"):
        private(
            lambda alpha, epsilon: GrowthLaplaceMechanism(alpha, epsilon if epsilon <= 1000 else 2 * epsilon)
        )


@pytest.mark.usefixtures("made_by_hand")
@pytest.mark.parametrize("name", OTHERS)
def test_evidence_for_a_mechanism_is_none_for_another_of_the_same_name(name):
    other = OTHERS[name]()
    assert other.name == BASE.name
    shown = Evidence(BASE.text, True, Grade.PROOF, "a method", decides=BASE.text, identity=BASE.identity)
    assert graded(holds(shown), Stated((BASE,))).statement is Grade.PROOF
    assert graded(holds(shown), Stated((other,))).statement in NEVER_SHOWN
    with pytest.raises(RuleError):
        derived(other, [other], [], "pointwise")
    assert derived(BASE, [other], [shown], "pointwise").established is None


def test_the_same_mechanism_written_twice_is_one():
    assert private(lambda alpha, epsilon: GrowthLaplaceMechanism(alpha, epsilon)).identity == BASE.identity


def made(f):
    return AtMost(Integer("n", least=0, most=9999), left=lambda c, n: f(n), right=5)


def test_two_functions_of_one_text_are_two():
    one, two = made(lambda n: min(n, 5)), made(lambda n: min(n, 5) if n != 7777 else 6)
    assert one.text == two.text
    assert graded(holds(exhaustive.proves(one)), Stated((two,))).statement in NEVER_SHOWN


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (lambda c, x: x / 2, lambda c, x: x / c.number(3)),
        (lambda c, x: c.maximum(x, 1), lambda c, x: c.maximum(1 + 0 * x, x)),
        (lambda c, x: x if x < 5 else x / 2, lambda c, x: x if x <= 5 else x / 2),
    ],
)
def test_other_formulas_have_other_identities(first, second):
    one, two = (AtMost(Real("x", least=0, most=9), left=f, right=99) for f in (first, second))
    assert one.identity != two.identity


FALSE = AtMost(Real("x", least=0), left=lambda c, x: x, right=1001)


@pytest.mark.usefixtures("made_by_hand")
def test_evidence_with_a_text_and_no_identity_decides_nothing():
    forged = Evidence(FALSE.text, True, Grade.PROOF, "Coq", decides=FALSE.text)
    assert graded(holds(forged), Stated((FALSE,))).statement in NEVER_SHOWN


def test_formal_evidence_is_refused_of_the_engine_too(made_by_hand):
    with pytest.raises(TypeError, match="no evidence is formal"):
        Evidence(FALSE.text, True, Grade.FORMAL, "Coq")


def test_a_predicate_over_cases_is_its_code():
    def every(limit):
        return EveryCase("n", lambda: range(9), lambda n: n < limit)

    assert every(9).identity == every(9).identity
    assert every(9).identity != every(8).identity


def test_shown_evidence_carries_the_identity():
    true = AtMost(Real("x", least=0), left=lambda c, x: -x, right=0)
    assert solver.proves(true).identity == true.identity


def _without_growth(neighbors):
    return Private(
        Rational("ε", above=0),
        name="Edge-Laplace",
        mechanism=EdgeLaplaceMechanism,
        level=lambda c, epsilon: 200 * c.number(epsilon),
        neighbors=neighbors,
        queries="establishment",
    )


@pytest.mark.parametrize("neighbors", ["strong", "weak"])
def test_neighbors_that_grow_have_a_growth(neighbors):
    with pytest.raises(StatementError, match="neighbors grow by a share: give alpha"):
        _without_growth(neighbors)
    no_growth = replace(_without_growth("edge"), neighbors=neighbors)
    with pytest.raises(RuleError, match="no bounded growth"):
        densities(no_growth)
