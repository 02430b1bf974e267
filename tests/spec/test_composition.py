"""Composition rules: exact sums, what one query costs, and what is refused."""

from fractions import Fraction
from itertools import pairwise, product

import pytest

from establish import ParameterError, ShapeUniverse, SizeUniverse
from establish.spec.composition import (
    Approximate,
    Attribute,
    DifferentialPrivacy,
    ErEe,
    Gaussian,
    Gedp,
    Marginal,
    cost_of_marginal,
    cost_of_sums,
    counted,
    in_sequence,
    read_definition,
    read_loss,
)
from establish.spec.composition.definitions import PSI
from establish.spec.composition.neighbor_functions import function_of, jointly
from establish.spec.indistinguishability import Distribution, likelihood_ratio_bound
from establish.spec.neighbor_functions.named import neighbor_function
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak

STRONG, WEAK = ErEe.of("strong-er-ee", "1/10"), ErEe.of("weak-er-ee", "1/10")
EDGE, NODE = DifferentialPrivacy("edge-dp"), DifferentialPrivacy("node-dp")
ONE = Approximate.of(1)


def gedp(**gammas: tuple[str, ...]) -> Gedp:
    """By attribute ψ, γ, and a if there is one."""
    return Gedp.of(Attribute.of(name, *psi_gamma) for name, psi_gamma in gammas.items())


ROOT = gedp(employment=("sqrt", "1/2"))
FUNCTIONS = {name: function_of(Attribute.of("x", name, 1)) for name in PSI}


def test_losses_add_up_without_rounding():
    tenths = [Approximate.of("0.1", "1e-7")] * 10
    assert in_sequence(tenths) == Approximate(Fraction(1), Fraction(1, 10**6))
    # 3² + 4² + 12² = 13², by hand
    assert str(in_sequence(map(Gaussian.of, (3, 4, 12)))) == "μ = 13"
    assert in_sequence([Gaussian.of("0.7"), Gaussian.of("0.15")]).mu_squared == Fraction("0.5125")


@pytest.mark.parametrize("wrong", ["nan", "inf", "-inf", "-1", "-1e-9", "", "1/0"])
def test_a_loss_is_a_finite_rational_of_at_least_0(wrong):
    for make in (Approximate.of, Gaussian.of, lambda text: Approximate.of(1, text)):
        with pytest.raises(ParameterError):
            make(wrong)


def test_a_delta_of_1_is_no_loss():
    with pytest.raises(ParameterError, match="less than 1"):
        Approximate.of(1, 1)


def test_epsilon_and_mu_do_not_add_up():
    for mixed in ((ONE, Gaussian.of(1)), (Gaussian.of(1), ONE)):
        with pytest.raises(ParameterError, match="different kinds"):
            in_sequence(mixed)
        with pytest.raises(ParameterError, match="different kinds"):
            mixed[0].within(mixed[1])


def test_of_releases_of_which_one_changes_the_largest_counts():
    few, sure = Approximate.of(1, "1/10"), Approximate.of(2, "1/100")
    assert few.either(sure) == sure.either(few) == Approximate.of(2, "1/10")
    assert Gaussian.of(3).either(Gaussian.of(4)) == Gaussian.of(4)
    with pytest.raises(ParameterError, match="different kinds"):
        few.either(Gaussian.of(1))


def test_a_cap_is_reached_exactly_and_not_passed():
    cap = Approximate.of("0.3", "1/100")
    assert in_sequence([Approximate.of("0.1")] * 3).within(cap)
    assert not Approximate(cap.epsilon + Fraction(1, 10**30)).within(cap)
    assert not Approximate(Fraction(0), Fraction(1, 99)).within(cap)
    # 2.31² = 5.3361
    assert Gaussian(Fraction("5.3361")).within(Gaussian.of("2.31"))
    assert not Gaussian(Fraction("5.33610001")).within(Gaussian.of("2.31"))


def coin(count: int, threshold: int) -> Distribution:
    """Whether count > threshold, with a loss of exactly ln 2 at every pair of different answers."""
    odds = Fraction(2, 3) if count > threshold else Fraction(1, 3)
    return {True: odds, False: 1 - odds}


def largest_factor(relation, answers) -> int:
    """The largest ratio of probabilities of all answers together, between any two neighbors: 2^k."""
    worst = Fraction(1)
    for d in relation.datasets():
        for e in relation.neighbors(d):
            factor = Fraction(1)
            for count, threshold in answers:
                before, after = coin(count(d), threshold), coin(count(e), threshold)
                factor *= Fraction(likelihood_ratio_bound(before, after))
            worst = max(worst, factor)
    assert worst.denominator == 1
    return int(worst)


@pytest.mark.parametrize("definition", [STRONG, WEAK, NODE])
def test_cells_of_establishments_cost_what_one_costs(definition):
    assert cost_of_marginal(definition, ONE, Marginal()).loss == ONE
    # all neighbors of three establishments of up to 3 workers, each its own cell: the factor is 2 = e^ε
    answers = [(lambda d, e=e: d[e], 1) for e in range(3)]
    assert largest_factor(Strong(SizeUniverse(3, 3), 1), answers) == 2


@pytest.mark.parametrize("kinds", [2, 3])
def test_cells_of_workers_cost_their_number(kinds):
    charge = cost_of_marginal(WEAK, Approximate.of(1, "1/100"), Marginal(kinds, uses_workers=True))
    assert charge.loss == Approximate(Fraction(kinds), Fraction(kinds, 100))
    # one worker of each kind may become two of each at α = 1: the factor is 2^d = e^(dε), and no more
    answers = [(lambda d, k=k: d[0][k], 1) for k in range(kinds)]
    assert largest_factor(Weak(ShapeUniverse(1, kinds, 2), 1), answers) == 2**kinds


def test_worker_attributes_are_refused_under_strong_privacy():
    with pytest.raises(ParameterError, match="use weak-er-ee"):
        cost_of_marginal(STRONG, ONE, Marginal(1, uses_workers=True))
    # why: at α = 1/2, one woman among four workers may become three, which is more than (1+α)·1
    assert Strong(ShapeUniverse(1, 2, 6), Fraction(1, 2)).related(((1, 3),), ((3, 3),))
    assert not Weak(ShapeUniverse(1, 2, 6), Fraction(1, 2)).related(((1, 3),), ((3, 3),))


def test_a_job_is_in_one_cell_whatever_the_attributes():
    assert cost_of_marginal(EDGE, ONE, Marginal(8, uses_workers=True)).loss == ONE


def test_a_person_pays_for_every_record():
    several = DifferentialPrivacy("record-dp", 3)
    assert cost_of_marginal(several, Approximate.of("1/2"), Marginal()).loss == Approximate.of("3/2")


def test_strong_privacy_counts_as_weak_and_not_the_other_way():
    assert counted(ONE, STRONG, WEAK) == ONE
    with pytest.raises(ParameterError, match="does not imply"):
        counted(ONE, WEAK, STRONG)


def test_definitions_without_a_rule_are_refused_in_every_pair():
    every = [EDGE, NODE, DifferentialPrivacy("record-dp"), STRONG, ROOT]
    for made, kept in product(every, every):
        if made != kept:
            with pytest.raises(ParameterError, match="does not compose"):
                counted(ONE, made, kept)


@pytest.mark.parametrize(
    ("made", "kept", "steps"),
    [("1/2", "1/2", 1), ("1/2", "1/4", 1), ("1/2", "1", 2), ("3/10", "1", 4), ("1/3", "1", 3)],
)
def test_another_gamma_costs_the_steps_that_it_takes(made, kept, steps):
    loss = counted(Gaussian.of(3), gedp(jobs=("sqrt", made)), gedp(jobs=("sqrt", kept)))
    assert loss == Gaussian.of(3 * steps)
    # between √x = 1 and √x = 1 + γ_kept equal steps are close under γ_made; with one step less they are not
    root, far, near = FUNCTIONS["sqrt"], Fraction(kept), Fraction(made)

    def close(number: int) -> bool:
        ways = [(1 + far * i / number) ** 2 for i in range(number + 1)]
        return all(root.close(x, y, near) for x, y in pairwise(ways))

    assert close(steps)
    assert steps == 1 or not close(steps - 1)


def test_the_attribute_that_needs_most_steps_decides():
    made = gedp(jobs=("sqrt", "1/2"), wages=("sqrt", "50"))
    kept = gedp(jobs=("sqrt", "1/2"), wages=("sqrt", "150"))
    assert counted(Gaussian.of(1), made, kept) == Gaussian.of(3)


def test_a_release_to_which_a_protected_attribute_is_public_does_not_compose():
    """It may have shown wages as the labels of its groups, which no budget for jobs pays for."""
    made, kept = gedp(jobs=("sqrt", 1)), gedp(jobs=("sqrt", 1), wages=("log", 1))
    with pytest.raises(ParameterError, match=r"attribute wages is protected by .* public to"):
        counted(Gaussian.of(1), made, kept)
    with pytest.raises(ParameterError, match="wages is not protected"):
        counted(Gaussian.of(1), kept, made)


def test_releases_under_two_functions_satisfy_the_one_inside_both():
    plain = gedp(employment=("identity", "1"))
    joint = jointly(ROOT, Gaussian.of(3), plain, Gaussian.of(4))
    assert joint.loss == Gaussian.of(5)
    star, seen = joint.psi["employment"], set()
    for x, y in product(range(13), repeat=2):
        both = FUNCTIONS["sqrt"].close(x, y, "1/2") and FUNCTIONS["identity"].close(x, y, 1)
        inside = star.close(x, y, 1)
        assert both or not inside
        seen.add(inside)
    assert seen == {True, False}


def test_no_function_is_inside_both_when_one_is_log():
    with pytest.raises(ParameterError, match="not integrable at 0"):
        jointly(ROOT, Gaussian.of(1), gedp(employment=("log", "1/10")), Gaussian.of(1))
    shifted = gedp(employment=("log", "1/10", "1"))
    assert jointly(ROOT, Gaussian.of(1), shifted, Gaussian.of(1)).loss == Gaussian(Fraction(2))
    with pytest.raises(ParameterError, match="do not compose"):
        jointly(ROOT, Gaussian.of(1), gedp(wages=("sqrt", "50")), Gaussian.of(1))


def test_the_names_of_neighbor_functions_are_those_of_the_relations():
    for name, (x, y) in product(PSI, [(1, 2), (4, 9), (100, 101)]):
        assert FUNCTIONS[name].close(x, y, 1) == neighbor_function(name).close(x, y, 1)


@pytest.mark.parametrize("loss", [ONE, Approximate.of("1/3", "1e-9"), Gaussian.of("2.31")])
def test_a_loss_is_read_back_as_it_was_written(loss):
    assert read_loss(loss.record()) == loss


@pytest.mark.parametrize(
    "record", [{}, {"epsilon": "1"}, {"mu": "1"}, {"mu_squared": "-1"}, {"epsilon": "nan", "delta": "0"}]
)
def test_what_is_no_loss_is_not_read(record):
    with pytest.raises(ParameterError):
        read_loss(record)


@pytest.mark.parametrize(
    "definition",
    [
        EDGE,
        NODE,
        DifferentialPrivacy("record-dp", 2),
        STRONG,
        WEAK,
        gedp(a=("log", "1/3", "1/2"), b=("sqrt", "2")),
    ],
)
def test_a_definition_is_read_back_as_it_was_written(definition):
    assert read_definition(definition.record()) == definition


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"definition": "magic"},
        {"definition": "weak-er-ee"},
        {"definition": "weak-er-ee", "alpha": "0"},
        {"definition": "gedp", "attributes": {}},
        {"definition": "gedp", "attributes": {"a": {"psi": "cube", "gamma": "1", "shift": "0"}}},
        {"definition": "gedp", "attributes": {"a": {"psi": "sqrt", "gamma": "0", "shift": "0"}}},
        {"definition": "gedp", "attributes": {"a": {"psi": "sqrt", "gamma": "1", "shift": "-1"}}},
        {"definition": "gedp", "attributes": {"a": {"psi": "identity", "gamma": "1", "shift": "1"}}},
        {"definition": "record-dp", "records_per_person": 0},
    ],
)
def test_what_is_no_definition_is_not_read(record):
    with pytest.raises(ParameterError):
        read_definition(record)


DELTA = Approximate.of(1, "1/100")
MU = Gaussian.of(1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        # δ where no rule is proved
        (lambda: cost_of_marginal(EDGE, DELTA, Marginal()), "delta"),
        (lambda: cost_of_marginal(NODE, DELTA, Marginal()), "delta"),
        (lambda: cost_of_marginal(DifferentialPrivacy("record-dp"), DELTA, Marginal()), "delta"),
        # counts and sums
        (lambda: cost_of_marginal(ROOT, ONE, Marginal()), "gedp"),
        (lambda: cost_of_sums(WEAK, {"employment": MU}), "gedp"),
        (lambda: cost_of_sums(ROOT, {"wages": MU}), "wages is not protected"),
        # parameters that are fixed
        (lambda: counted(ONE, ErEe.of("weak-er-ee", "1/5"), WEAK), "α = 1/5 does not compose with α = 1/10"),
        (
            lambda: counted(MU, gedp(employment=("log", "1/10")), ROOT),
            r"psi = log does not compose with psi = sqrt.*5\.11",
        ),
        (
            lambda: counted(MU, gedp(employment=("sqrt", "1/2", "1")), ROOT),
            "psi = sqrt shifted by 1 does not compose with psi = sqrt:",
        ),
        (lambda: counted(MU, gedp(hours=("sqrt", "1/2")), ROOT), "hours is not protected"),
        (lambda: DifferentialPrivacy("edge-dp", 2), "not used by edge-dp"),
    ],
)
def test_what_no_rule_covers_is_refused(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
