"""A table under per-record privacy: its loss is a function of the size of an establishment, and adds up."""

import json
from fractions import Fraction

import numpy as np
import pytest

from establish import ParameterError, mechanism
from establish.impl.budget.books import books_of
from establish.impl.budget.ledger import read_ledger
from establish.impl.guarantee import Grant
from establish.impl.publish import counts
from establish.impl.publish.counts import release_table
from establish.impl.publish.entered import cap_of_table, loss_of_table
from establish.impl.sampling.bits import Bits
from establish.spec.arithmetic import MP
from establish.spec.composition import Approximate, PerRecord, PerRecordConcentrated

POLICY = {
    "discrete-gaussian": "x²",
    "root-transformation": "x",
    "fourth-root-transformation": "√x",
    "log-transformation": "ln²(1 + x)",
}


def granted(name):
    """What the theorems grant, as certificates say it."""
    return (Grant("tight", "establishment", POLICY[name], {"rho": "1"}, {}, ("a claim",), ""),)


@pytest.fixture
def released(tmp_path, monkeypatch):
    monkeypatch.setenv("ESTABLISH_UNCERTIFIED", "1")
    monkeypatch.setattr(counts, "granted", granted)
    (tmp_path / "in.csv").write_text("place,jobs\nNorth,40\nSouth,50\n")
    books = books_of([tmp_path / "in.csv"])

    def release(name, rho, out, cap=None):
        limit = cap_of_table(books, cap, None, POLICY[name])
        made, source = mechanism(name, rho=rho), tmp_path / "in.csv"
        return release_table(
            source, tmp_path / out, made, count="jobs", keep=["place"], books=books, cap=limit
        )

    return release


def test_the_losses_of_two_mechanisms_add_up_by_their_policies(released, tmp_path):
    first = released("discrete-gaussian", "1/8", "a.csv")
    released("root-transformation", "1/3", "b.csv")
    released("discrete-gaussian", "1/8", "c.csv")
    assert first.record["definition"] == "per-record-zcdp"
    assert first.record["loss"] == {"rho": {"x²": "1/8"}}
    account = read_ledger(tmp_path / "in.csv.ledger")
    assert account.definition == PerRecordConcentrated()
    assert account.spent == PerRecord.of({"x²": "1/4", "x": "1/3"})
    assert json.loads((tmp_path / "b.csv.json").read_text("utf-8"))["loss"] == {"rho": {"x": "1/3"}}


def test_a_cap_refuses_what_is_above_it_and_by_how_much(released):
    released("discrete-gaussian", "1/8", "a.csv", cap="1/5")
    with pytest.raises(ParameterError, match=r"ρ\(x\) = 1/20·x² too much"):
        released("discrete-gaussian", "1/8", "b.csv")
    with pytest.raises(ParameterError, match=r"but the cap is \(ρ\(x\) = 1/5·x²\): ρ\(x\) = 1/8·x too much"):
        released("root-transformation", "1/8", "b.csv")


def test_the_record_says_what_an_establishment_costs_by_its_size():
    for name, policy in POLICY.items():
        (grant,) = granted(name)
        said = grant.at({"rho": "1/8"})
        assert said.definition.endswith(f"an establishment with x jobs costs ρ(x) = 1/8·{policy}")


def test_the_loss_is_by_the_policy_that_is_granted_and_by_the_largest_where_none_is():
    given = {"rho": "1/8"}
    assert loss_of_table(given, granted("root-transformation")) == PerRecord.of({"x": "1/8"})
    assert loss_of_table(given, ()) == PerRecord.of({"x²": "1/8"})
    assert loss_of_table({"epsilon": "1/2"}, ()) == Approximate.of("1/2")


def test_a_delta_has_no_place_beside_a_rho(tmp_path):
    (tmp_path / "in.csv").write_text("x")
    with pytest.raises(ParameterError, match="--cap-delta is not used with --rho"):
        cap_of_table(books_of([tmp_path / "in.csv"]), "1", "1/9", "x²")


@pytest.mark.parametrize("name", [name for name in POLICY if name != "discrete-gaussian"])
def test_an_estimate_is_that_of_the_specification_where_floats_do_not_tell(name, monkeypatch):
    made = mechanism(name, rho=2)
    answers = made.answers(np.array([0.0, 1, 7, 40, 10**6, 2**45]), Bits.seeded(5))
    exactly = [
        int(MP.mp.floor(made.made.estimate(MP.number(Fraction(one)), MP) + MP.number(1) / 2))
        for one in answers.tolist()
    ]
    assert made.estimates(answers).tolist() == exactly
    monkeypatch.setattr("establish.impl.mechanisms.transformation.ROUNDING", np.inf)  # balls decide all
    assert made.estimates(answers).tolist() == exactly


@pytest.mark.parametrize("name", [name for name in POLICY if name != "discrete-gaussian"])
def test_estimates_have_the_count_as_their_mean(name):
    """The mean of so many is off by more than 7 of its standard deviations with probability below 1e-10."""
    made, draws = mechanism(name, rho=2), 40_000
    noisy = made.release(np.full(draws, 30), Bits.seeded(9))
    off = 7 * (float(made.made.variance(30, MP)) ** 0.5 + 0.5) / draws**0.5
    assert abs(noisy.mean() - 30) < off
