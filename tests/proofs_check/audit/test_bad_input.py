"""Mechanisms and targets that cannot be audited: one clear sentence each."""

import itertools
import math
import time

import numpy as np
import pytest

from establish import AuditError, ParameterError, custom, dp, edge, gedp, node, strong_er_ee, weak_er_ee
from establish.proofs_check.audit import audit
from establish.proofs_check.audit.question.target import load
from establish.spec.relations.universes import SizeUniverse


def raises(n, rng):
    raise KeyError("no such cell")


class Alternating:
    """Returns something else at every second call."""

    def __init__(self, *outputs):
        self.outputs = itertools.cycle(outputs)

    def __call__(self, n, rng):
        return next(self.outputs)


class WrongSize:
    def sample(self, n, size, rng):
        return rng.normal(size=size + 1)


class Ragged:
    def sample(self, n, size, rng):
        return [(1,)] * (size - 1) + [(1, 2)]


BAD = {
    "raises": (raises, r"raised KeyError on every dataset that was tried, the first of them 0: "),
    "has another signature": (lambda n: n, "raised TypeError on every dataset that was tried"),
    "returns NaN": (lambda n, rng: math.nan, "returned NaN on every dataset"),
    "returns NaN inside a tuple": (lambda n, rng: (n, math.nan), "returned NaN on every dataset"),
    "returns nothing": (lambda n, rng: None, "returned None on every dataset"),
    "returns complex numbers": (lambda n, rng: (1j, 2j), "returned an object of type complex on every"),
    "returns a number beyond floats": (
        lambda n, rng: 10**400,
        "a number beyond the largest float, 1.8e308 on",
    ),
    "returns one in a tuple": (lambda n, rng: (1, 10**400), "a number beyond the largest float, 1.8e308 on"),
    "changes its type": (Alternating(1.0, (1.0,)), "changes what it returns on 0"),
    "changes its shape": (Alternating((1.0, 2.0), (1.0,)), "changes what it returns on 0"),
    "returns a ragged tuple": (lambda n, rng: ((1,), (1, 2)), "different lengths"),
    "samples too many": (WrongSize(), "the first axis must have"),
    "samples raggedly": (Ragged(), "different lengths"),
    "is no callable": (7, "is not callable"),
    "runs forever": (lambda n, rng: time.sleep(60), r"ran longer than 0\.3 s on 0"),
}


@pytest.mark.parametrize(("mechanism", "said"), BAD.values(), ids=BAD)
def test_a_mechanism_that_cannot_be_audited_is_told_why(mechanism, said):
    seconds = 0.3 if "longer" in said else 5
    with pytest.raises(AuditError, match=said):
        audit(mechanism, dp(1), samples=10_000, seconds=seconds)


def test_a_mechanism_that_changes_its_dataset_is_told_so():
    class Table(list):
        def __hash__(self):
            return hash(tuple(self))

    def pops(table, rng):
        return float(len(table)) + (table.pop() if table else 0.0)

    with pytest.raises(AuditError, match=r"changed its dataset \[1, 2\] into \[1\]"):
        audit(pops, custom([(Table([1, 2]), Table([1]))], 1), samples=10_000)


@pytest.mark.parametrize("wrong", [{"samples": 10}, {"seconds": 0.0}, {"seconds": -1.0}])
def test_too_little_work_is_refused(wrong):
    with pytest.raises(AuditError, match="are not allowed"):
        audit(lambda n, rng: n, dp(1), **wrong)


def test_a_mechanism_that_is_slow_is_audited_as_far_as_time_allows():
    def slow(n, rng):
        time.sleep(0.002)
        return n + rng.laplace()

    result = audit(slow, dp(1), seconds=2)
    assert result.outcome == "too_weak"
    assert result.seconds < 4
    assert result.samples < 4 / 0.002
    assert result.enough_samples > result.samples


def test_targets_are_loaded_from_files_and_modules(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import beside\nclass M:\n    def sample(self): return beside.x\nm = M()\n")
    (tmp_path / "beside.py").write_text("x = 3\n")
    assert load(f"{file}:m").sample() == 3
    assert load(f"{file}:M").sample() == 3
    assert load("math:sqrt") is math.sqrt
    assert load("establish.impl.sample.audit_dp:count")(0, np.random.default_rng(0)) != 0


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("math", "write path/file.py:name"),
        ("math:", "write path/file.py:name"),
        ("missing.py:f", "there is no file missing.py"),
        ("no_such_module_at_all:f", "there is no module no_such_module_at_all"),
        ("establish.no_such:f", "there is no module establish.no_such"),
        ("math:cube", "math has no cube"),
        ("{tmp}/broken.py:f", "could not be read: SyntaxError"),
        ("{tmp}/needy.py:f", "could not be read: ModuleNotFoundError"),
        ("{tmp}/classes.py:Needs", "without arguments"),
    ],
)
def test_a_target_that_does_not_exist_or_cannot_be_read_is_named(target, said, tmp_path):
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "needy.py").write_text("import no_such_module_at_all\n")
    (tmp_path / "classes.py").write_text("class Needs:\n    def __init__(self, x): ...\n")
    with pytest.raises(AuditError, match=said):
        load(target.replace("{tmp}", str(tmp_path)))


@pytest.mark.parametrize("name", ["alpha", "epsilon", "mu", "gamma"])
def test_a_parameter_beyond_floats_is_refused(name):
    make = {"alpha": lambda x: strong_er_ee(x, 1), "epsilon": dp, "mu": gedp}.get(
        name, lambda x: gedp(1, "sqrt", x)
    )
    with pytest.raises(ParameterError, match=f"{name} = 1e400 is not allowed: .* at most 1e300"):
        make("1e400")


def test_large_levels_and_distances_have_weights_and_pairs():
    assert all(map(math.isfinite, gedp("1e20").level.weights()))
    assert list(gedp(1, "sqrt", "1e160").pairs())


@pytest.mark.parametrize(
    ("definition", "pair"),
    [
        (strong_er_ee("1/10", 1), ((-1,), (0,))),
        (strong_er_ee("1/10", 1), ((20.5,), (21.5,))),
        (edge(1), ((True,), (2,))),
        (node(1, attributes=2), (((1, -1),), ((1, 0),))),
        (dp(1), (-1, 0)),
        (dp(1), (0.5, 1.5)),
    ],
)
def test_no_dataset_has_a_part_of_a_worker(definition, pair):
    with pytest.raises(ParameterError, match="is not a pair of datasets"):
        definition.listed(pairs=[pair])
    with pytest.raises(ParameterError, match="is not a count: counts are whole numbers"):
        definition.related(*pair)


@pytest.mark.parametrize("wrong", [{"establishments": 2.5, "most": 1}, {"establishments": 1, "most": True}])
def test_the_numbers_of_a_universe_are_whole(wrong):
    with pytest.raises(ParameterError, match=r"is not allowed: .* is a whole number"):
        SizeUniverse(**wrong)


@pytest.mark.parametrize(("definition", "most"), [(strong_er_ee, 1000), (weak_er_ee, 12)])
def test_more_attributes_than_pairs_can_be_made_for_are_refused(definition, most):
    with pytest.raises(ParameterError, match=f"attributes = 99999 is not allowed: .* at most {most}"):
        definition("1/10", 1, attributes=99999)


def test_a_mechanism_without_enough_time_is_told_for_how_many_outputs_and_what_helps():
    def slow(n, rng):
        time.sleep(0.02)
        return n + rng.laplace()

    said = r"ran longer than 0\.2 s on .* for 32 outputs: give it up to 10 s by more seconds"
    with pytest.raises(AuditError, match=said):
        audit(slow, dp(1), seconds=0.2)
