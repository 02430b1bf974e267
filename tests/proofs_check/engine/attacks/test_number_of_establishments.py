"""Mechanisms that read how many establishments a cell has: cells of two show nothing of it."""

from pathlib import Path

import pytest

from establish.proofs_check.commands.cli import main

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
        return Laplace(c.number(sum(sizes) if len(sizes) >= LEAST else 0), 1 / c.number(self.epsilon), c)


S = Private(
    Real("ε", above=0), name="M", mechanism=Shown, reading=Shown, neighbors="edge", queries="establishment",
    level=lambda c, epsilon: c.number(epsilon) / 10,
)


@claim("own/shown-LEAST", where="1", says="Large cells are shown at a tenth of ε.", states=S)
def shown():
    """Nothing is lost in a cell of two."""
    return holds(pointwise(S, *map(solver.proves, densities(S))))
'''


@pytest.mark.usefixtures("own_register")
@pytest.mark.parametrize("least", [3, 4, 7, 11])
def test_the_adversary_sees_a_rule_on_the_number_of_establishments(
    least: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"shown_{least}.py"
    file.write_text(OWN.replace("LEAST", str(least)), "utf-8")
    with pytest.raises(SystemExit) as end:
        main(["check", str(file)])
    assert end.value.code == 1
    assert "beside establishments of 1, 1" in capsys.readouterr().out
