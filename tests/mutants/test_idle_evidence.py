"""A piece of evidence is idle where all grades rest on the objects, and nowhere else."""

import sys
from pathlib import Path

from establish import AtMost, Evidence, Grade, Real, aside, holds, solver
from establish.proofs_check.engine.grades import Stated

sys.path.insert(0, str(Path(__file__).parent))
from idle_evidence import idle

BOUND = AtMost(Real("x", least=0), left=lambda c, x: x, right=lambda c, x: 2 * x)
SHOWN = solver.proves(BOUND)
BESIDE = Evidence("a case beside it", True, Grade.EXHAUSTIVE, "planted", scope="one case")


def test_what_decides_no_object_is_idle():
    assert idle(holds(SHOWN, BESIDE), Stated(printed=(BOUND,))) == [BESIDE]
    assert idle(holds(SHOWN, aside(BESIDE)), Stated(printed=(BOUND,))) == [aside(BESIDE)]
    assert idle(holds(SHOWN), Stated(printed=(BOUND,))) == []


def test_nothing_is_idle_where_prose_joins_the_pieces():
    assert idle(holds(SHOWN, BESIDE), Stated()) == []
    assert idle(holds(SHOWN, BESIDE, value="3"), Stated(printed=(BOUND,))) == []
    assert idle(holds(SHOWN, BESIDE, value="2x"), Stated(printed=(BOUND,), tight=(BOUND,))) == [BESIDE]
