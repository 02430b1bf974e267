"""A definition implies a requirement: the statement evaluates itself, and its adversary sees one ε."""

from fractions import Fraction as F

import pytest

from establish import StatementError, Universe, exact
from establish.proofs_check.engine.statements import Implies
from establish.spec import requirements
from establish.spec.priors import JointPrior, ProductPrior, place_of, two_point_prior, weak_prior
from establish.spec.relations.edge import Edge
from establish.spec.relations.strong import Strong
from establish.spec.tables import Workplace

E, G = ("e", ()), ("f", ())
ONE = Universe((Workplace("e"), Workplace("f")), ("w1",))
ABSENT, AT_E, AT_F = ONE.datasets()
MOVE = requirements.Comparison(requirements.RecordIs("w1", E), requirements.RecordIs("w1", G))


def made(**changes):
    fields = {
        "neighbors": lambda universe, alpha: Strong(universe, alpha),
        "requirement": lambda universe, alpha: requirements.IndividualRequirement(universe),
    }
    return Implies("(α, ε)-ER-EE privacy", **{**fields, **changes})


def point(**changes):
    """By hand: P(yes) = 1/2 at e, 1/4 absent, 1/8 at f is private at e^ε = 2, and 1/2 is 4 times 1/8."""
    told = {AT_E: F(1, 2), ABSENT: F(1, 4), AT_F: F(1, 8)}
    prior = two_point_prior(ONE, AT_E, AT_F)
    return {
        "α": 1,
        "c": 2,
        "universe": ONE,
        "likelihood": told,
        "prior": prior,
        "comparison": MOVE,
        **changes,
    }


def test_a_worker_who_moves_refutes_the_level_of_the_definition_and_not_its_double():
    assert exact.refuted(made(), **point()).established is True
    assert exact.refuted(made(multiple=2), **point()).established is False


def test_a_belief_that_correlates_workers_is_one_of_correlated_attackers_alone():
    """By hand: one worker at e and one at f, or nobody: 1/2 against 1/8 is 4 = c^2 for either record."""
    two = Universe((Workplace("e"), Workplace("f")), ("w1", "w2"))
    nobody, both = (
        next(d for d in two.datasets() if (place_of(d, "w1"), place_of(d, "w2")) == places)
        for places in ((None, None), (E, G))
    )
    told = {d: F(1, 2 * 2 ** Edge(two).distance(both, d)) for d in two.datasets()}
    absent = requirements.Comparison(requirements.RecordIs("w1", E), requirements.RecordIs("w1", None))
    at = point(universe=two, likelihood=told, comparison=absent)
    at["prior"] = JointPrior(two, {both: F(1, 2), nobody: F(1, 2)})
    assert exact.refuted(made(attackers="correlated"), **at).established is True
    assert made(attackers="correlated", multiple=2).at(at).value is True
    for attackers in ("informed", "weak"):
        with pytest.raises(StatementError, match="not an attacker"):
            made(attackers=attackers).at(at)


def test_the_text_names_the_quantifiers_first_and_the_level_last():
    text = made(employers=1).text
    assert text.startswith("for all α > 0, c = e^ε > 1, finite universes with at most 1 employer(s)")
    assert text.endswith("the Bayes factor is at most c^1")
    assert made(employers=1).text != made().text != made(multiple=2).text
    assert "establish.spec.relations.strong.Strong" in made().reads


@pytest.mark.parametrize(
    "changes",
    [
        {"likelihood": {AT_E: F(1), ABSENT: F(1, 4), AT_F: F(1, 8)}},  # 1 > 2·(1/4): not private
        {
            "comparison": requirements.Comparison(requirements.SizeIs("e", 1), requirements.SizeIs("e", 0))
        },  # of another requirement
        {"prior": ProductPrior(Universe((Workplace("e"),), ("w1",)), {"w1": {E: 1}})},
    ],
)
def test_a_mechanism_or_a_comparison_that_is_not_meant_is_no_counterexample(changes):
    with pytest.raises(StatementError, match="outside the domain"):
        made().at(point(**changes))


def test_an_informed_attacker_is_no_counterexample_among_weak_ones():
    weak = made(attackers="weak")
    two = Universe((Workplace("e"), Workplace("f")), ("w1", "w2"))
    told = dict.fromkeys(two.datasets(), F(1, 2))
    alike = weak_prior(two, {"e": F(1, 2), "f": F(1, 2)})
    known = ProductPrior(two, {"w1": {E: F(1, 2), G: F(1, 2)}, "w2": {E: 1}})
    at = point(universe=two, likelihood=told)
    assert weak.at({**at, "prior": alike}).value is True
    with pytest.raises(StatementError, match="not an attacker"):
        weak.at({**at, "prior": known})


def test_a_universe_with_more_employers_is_no_counterexample_for_one():
    with pytest.raises(StatementError, match="2 employers"):
        made(employers=1).at(point())


@pytest.mark.parametrize(
    ("changes", "refuted"),
    [
        ({}, "4 against c^1 = 2"),
        ({"requirement": lambda u, a: requirements.SizeRequirement(u, a)}, "4 against c^1 = 2"),
        ({"requirement": lambda u, a: requirements.ShapeRequirement(u, a)}, "4 against c^1 = 2"),
        ({"multiple": 2}, ""),
        ({"multiple": 2, "neighbors": lambda u, a: Edge(u)}, ""),
    ],
)
def test_the_adversary_finds_what_theorem_7_1_overlooks_and_sees_one_epsilon_less(changes, refuted):
    found = made(**changes).search(effort=100)
    assert refuted in found.refuted
    assert bool(refuted) or (found.refuted, found.found) == ("", ("one ε less",))


def test_nonsense_is_refused():
    with pytest.raises(StatementError, match="is not one of informed, weak"):
        made(attackers="strong")
    with pytest.raises(StatementError, match=r"reads only establish\.spec"):
        made(requirement=lambda universe, alpha: exact)
