"""Mechanisms that read how many establishments a cell has: cells of two show nothing of it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from establish import Rational, RuleError
from establish.proofs_check.commands.cli import main
from establish.proofs_check.engine.rules.cells import require_cell_law, require_of_specification
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.statements.privacy import Satisfies
from establish.spec.arithmetic import MP, World
from establish.spec.distributions.laplace import Laplace
from establish.spec.mechanisms.probably_no_clipping import ProbablyNoClipping, clipped_at_own
from establish.spec.mechanisms.smooth_lomax import SmoothLomaxMechanism
from establish.spec.neighbor_functions.arbitrary import Arbitrary
from tests.proofs_check.files import read_json

OWN = '''
from dataclasses import dataclass

from establish import Private, Real, claim, holds, solver
from establish.proofs_check.engine.rules import pointwise
from establish.proofs_check.engine.rules.privacy import densities
from establish.spec.arithmetic import MP
from establish.spec.distributions.laplace import Laplace


@dataclass(frozen=True)
class Shown:
    epsilon: object

    def output(self, sizes, c=MP):
        return Laplace(c.number(READ), 1 / c.number(self.epsilon), c)


S = Private(
    Real("ε", above=0), name="M", mechanism=Shown, neighbors="edge", queries="establishment",
    level=lambda c, epsilon: c.number(epsilon) / 10,
)


@claim("own/shown-LEAST", where="1", says="Large cells are shown at a tenth of ε.", states=S)
def shown():
    """Nothing is lost in a cell of two."""
    return holds(pointwise(S, *map(solver.proves, densities(S))))
'''


@dataclass(frozen=True)
class Shown:
    """Cells of so many establishments are shown, others are not."""

    epsilon: Any
    least: int

    def output(self, sizes: Any, c: World = MP) -> Laplace:
        return Laplace(c.number(sum(sizes) if len(sizes) >= self.least else 0), 1 / c.number(self.epsilon), c)


@pytest.mark.parametrize("least", [3, 4, 7, 11])
def test_the_adversary_sees_a_rule_on_the_number_of_establishments(least):
    def level(c: World, epsilon: Any) -> Any:
        return c.number(epsilon) / 10

    domain = Domain((Rational("ε", above=0),))
    statement = Satisfies("M", domain, lambda epsilon: Shown(epsilon, least), "edge", "establishment", level)
    assert "beside establishments of 1, 1" in statement.counterexample(50)[1]


READS = (
    "sum(sizes) if len(sizes) >= 12 else 0",
    "sum(sizes) if len(sizes) >= 1000 else 0",
    "sum(sizes) if sizes[11:] else 0",
    "sum(sizes) if list(sizes)[11:] else 0",
    "sum(sizes) if max(sizes, default=0) < 10**9 else 0",
    "sum(sizes) if 1 not in sizes[2:] else 0",
    "sum(x for x in sizes[:12])",
    "sum(sizes, len(sizes))",
    "sum(sizes) if sizes.__class__ == tuple and len(sizes) > 11 else 0",
    "sum(sizes) if sizes.__len__() > 11 else 0",
    "(lambda all: sum(all) if all != (1,) * 12 else 0)(sizes)",
)
"""What reads more of a cell than its total."""


@pytest.mark.small_campaign
@pytest.mark.usefixtures("own_register")
def test_a_rule_refuses_what_reads_more_than_the_total(tmp_path):
    file, out = tmp_path / "shown.py", tmp_path / "shown.json"
    begin, _, rest = OWN.partition("@dataclass")
    own = [f"@dataclass{rest}".replace("READ", read).replace("LEAST", str(n)) for n, read in enumerate(READS)]
    file.write_text(begin + "\n\n".join(own), "utf-8")
    with pytest.raises(SystemExit) as end:
        main(["check", "--jobs", "1", "--json", str(out), str(file)])
    assert end.value.code == 1
    found = read_json(out)
    assert [record["verdict"] for record in found] == ["unsettled"] * len(READS)
    owed = "this rule knows its neighbors only where output reads them by sum(sizes)"
    assert all(owed in record["condition"] for record in found)


@dataclass(frozen=True)
class Leaks(SmoothLomaxMechanism):
    """Its law is that of the specification, and in cells of many establishments its output another."""

    alpha: Any
    epsilon: Any

    def output(self, sizes: Any, c: World = MP) -> Any:
        return self.cell_law(2 * sum(sizes), max(sizes, default=0), c)


@dataclass(frozen=True)
class Counts(Leaks):
    def output(self, sizes: Any, c: World = MP) -> Any:
        return self.cell_law(sum(sizes) + (len(sizes) > 12), max(sizes, default=0), c)


@dataclass(frozen=True)
class Looks(Leaks):
    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, "cell_law" if name == "output" else name)


@dataclass(frozen=True)
class Adds(Leaks):
    output = sum


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        (Looks, "no plain"),
        (Adds, "no plain"),
        (Leaks, "not the law"),
        (Counts, "only where output reads them by"),
    ],
)
def test_the_law_of_a_cell_is_that_of_the_output(mechanism, words):
    with pytest.raises(RuleError, match=words):
        require_cell_law(mechanism, ("α", "ε"))
    require_cell_law(SmoothLomaxMechanism, ("α", "ε"))


def clipped_by_many(values: Any, bounds: Any, c: World) -> Any:
    return clipped_at_own(values, bounds, c) if len(values) < 12 else c.number(0)


def test_an_answer_of_a_group_is_of_the_specification():
    one = Fraction(1)
    require_of_specification(ProbablyNoClipping(Arbitrary(True), one, one))
    for made in (Leaks(one, one), ProbablyNoClipping(Arbitrary(True), one, one, clipped_by_many)):
        with pytest.raises(RuleError, match=r"is not of establish\.spec"):
            require_of_specification(made)


@dataclass(frozen=True)
class Beside:
    """Beside an establishment of one worker the noise is so many times as narrow."""

    epsilon: Any
    times: Fraction

    def output(self, sizes: Any, c: World = MP) -> Laplace:
        times = self.times if sizes[1:] == (1,) else 1
        return Laplace(c.number(sum(sizes)), 1 / (c.number(times) * c.number(self.epsilon)), c)


@pytest.mark.parametrize(("times", "others"), [(Fraction(1, 2), ""), (Fraction(2), ", 1 in others: ")])
def test_cells_of_one_total_have_each_its_own_law(times, others):
    """The law of 0 workers and 1 is not that of 1 and 0: with that the first mechanism loses too much."""
    domain = Domain((Rational("ε", above=0),))
    at = domain, lambda epsilon: Beside(epsilon, times), "edge", "establishment"
    told = Satisfies("M", *at, lambda c, epsilon: c.number(epsilon)).counterexample(1)[1]
    assert bool(told) == bool(others)
    assert others in told
