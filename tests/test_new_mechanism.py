"""A mechanism is four files: specification, what runs, claims and card; nothing else is edited."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

SPECIFIED = '''
"""Wide Laplace: noise of twice the scale."""

from establish.spec.arithmetic import MP
from establish.spec.distributions.laplace import Laplace
from establish.spec.parameters import positive


class WideLaplaceMechanism:
    """A count with Laplace noise of scale 2/epsilon. Raises ParameterError unless epsilon > 0."""

    def __init__(self, epsilon):
        self.epsilon = positive("epsilon", epsilon)

    def output(self, sizes, c=MP):
        return Laplace(c.number(sum(sizes)), 2 / c.number(self.epsilon), c)
'''

RUNNING = '''
"""Wide Laplace in numpy."""

from __future__ import annotations

from establish.impl.mechanisms.on_counts import OnCounts
from establish.impl.sampling import laws
from establish.impl.sampling.reals import Reals
from establish.spec.domains import Domain
from establish.spec.mechanisms.wide_laplace import WideLaplaceMechanism
from establish.spec.parameters import positive


class WideLaplace(OnCounts):
    """n + η with η ~ Laplace(2/ε) per cell, rounded."""

    name = "wide-laplace"
    specified = {"tight": WideLaplaceMechanism}
    rests_on = ("establish/wide-laplace",)
    noise = "noisy = n + η, rounded to the nearest whole number, η ~ Laplace(2/ε)"
    domains = {"tight": Domain("ε > 0")}

    def __init__(self, epsilon, calibration="tight"):
        self.epsilon, self.calibration = positive("ε", epsilon), self._calibrated(calibration)
        self._require_defined(epsilon=self.epsilon)
        self.noise_scale = float(2 / self.epsilon)

    @property
    def parameters(self):
        return {"epsilon": str(self.epsilon)}

    @property
    def constants(self):
        return {"b": self.noise_scale}

    @property
    def expected_error(self):
        return {"mean absolute error": f"E|noisy − n| = {self.noise_scale:.4g}", "bias": "E[noisy] − n = 0"}

    def mean_error(self, count):
        return self.noise_scale

    def _noisy(self, counts, largest, bits):
        return laws.laplace(Reals.floats(counts), Reals.fraction(2 / self.epsilon), bits)
'''

CLAIMED = '''
"""Wide Laplace noise on counts of jobs loses half of epsilon."""

from __future__ import annotations

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import densities, pointwise
from establish.proofs_check.engine.statements import Private, Rational
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.mechanisms.wide_laplace import WideLaplaceMechanism

PRIVATE = Private(
    Rational("ε", above=0),
    name="wide Laplace",
    mechanism=lambda epsilon: WideLaplaceMechanism(epsilon),
    neighbors="edge",
    queries="worker",
    level=lambda c, epsilon: c.number(epsilon) LEVEL,
)


@claim(
    "establish/wide-laplace",
    where="Laplace noise on counts of jobs",
    says="A count of jobs with Laplace noise of scale 2/ε satisfies ε/2-differential privacy for one job.",
    states=PRIVATE,
)
def wide_noise_protects_one_job() -> Verdict:
    """One job changes the count by 1 at most, and so the log-density, of slope ±ε/2, by ε/2 at most."""
    return holds(pointwise(PRIVATE, *map(solver.proves, densities(PRIVATE))))
'''

CARD = '''
"""Wide Laplace: its card."""

from establish.impl.card import FIXED, Card, cell

CARD = Card(
    runs="mechanisms.wide_laplace.WideLaplace",
    under=("edge-dp",),
    takes=("epsilon",),
    cells=(cell(40, epsilon="1/2"),),
    definition="mechanisms.wide_laplace.WideLaplaceMechanism",
    density="distributions.laplace.Laplace",
    loss=("establish/wide-laplace",),
    admissibility=FIXED,
    bias=FIXED,
    moments=FIXED,
)
'''

CERTIFY = """
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from establish.proofs_check.certification import counts
from establish.proofs_check.certification.certify import certify
from establish.proofs_check.certification.decided import decided
from establish.proofs_check.certification.printed_domains import printed
from establish.proofs_check.certification.runs import runs
from establish.proofs_check.certification.subjects import subjects
from establish.proofs_check.commands.certify import seal, written

own = [cell for cell in counts.RUNS if cell.runs.name == "wide-laplace"]
domain = [each for each in runs() if each.name == "wide-laplace"]
checks = lambda: [
    *(cell.stated() for cell in own),
    *(decided(cell.runs, counts.specification(cell.runs), 50) for cell in own),
    *map(printed, domain),
]
folder = Path(str(files("establish.impl")))
written(folder, [certify(replace(subjects()["wide-laplace"], checks=checks))])
seal(folder, None)
"""

FILES = {
    "spec/mechanisms/wide_laplace.py": SPECIFIED,
    "impl/mechanisms/wide_laplace.py": RUNNING,
    "proofs_check/papers/ours/wide_laplace.py": CLAIMED,
    "impl/cards/wide_laplace.py": CARD,
}


class House:
    """A copy of the project in which files are added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "proofs_check" / "front_door", folder / "establish")
        for floor in ("spec", "impl", "proofs_check"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / floor, folder / "establish" / floor, ignore=ignored)

    def add(self, level: str) -> None:
        """The four files. level: what stands after ε in the theorem."""
        for name, text in FILES.items():
            (self.folder / "establish" / name).write_text(text.lstrip().replace("LEVEL", level), "utf-8")

    def run(self, *command: object, below: str = "") -> subprocess.CompletedProcess[str]:
        own = {"PYTHONPATH": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        kept = {key: value for key, value in os.environ.items() if key != "ESTABLISH_UNCERTIFIED"}
        given = [sys.executable, *map(str, command)]
        return subprocess.run(
            given, cwd=self.folder / below, capture_output=True, text=True, env={**kept, **own}
        )


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


@pytest.mark.campaign
def test_a_mechanism_of_four_files_is_certified_releases_a_table_and_is_verified(house):
    house.add("/ 2")
    certified = house.run("-c", CERTIFY)
    assert certified.returncode == 0, certified.stderr
    recorded = house.run("-m", "establish", "check", "--record", "establish/wide-laplace", below="establish")
    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    (house.folder / "in.csv").write_text("place,jobs\nNorth,40\nSouth,50\n")
    asked = ("--mechanism", "wide-laplace", "--epsilon", 1, "--count", "jobs", "--keep", "place")
    released = house.run("-m", "establish", "release", "counts", "in.csv", *asked, "--out", "out.csv")
    assert released.returncode == 0, released.stderr
    record = json.loads((house.folder / "out.csv.json").read_text("utf-8"))
    assert "edge differential privacy with ε = 1/2" in json.dumps(record, ensure_ascii=False)
    verified = house.run("-m", "establish", "verify", "out.csv.json")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    known = house.run("-c", "from establish import WideLaplace; print(WideLaplace(1).name)")
    assert known.stdout == "wide-laplace\n"
    assert "wide-laplace" in house.run("-m", "establish", "release", "counts", "--help").stdout


@pytest.mark.campaign
def test_a_mechanism_whose_theorem_says_less_than_is_true_is_not_certified(house):
    house.add("/ 3")
    certified = house.run("-c", CERTIFY)
    assert certified.returncode != 0
    assert "establish/wide-laplace" in certified.stderr
