"""Print the errors of the ψ-mechanism and of pnc on rebuilt Rhode Island, by aggregation level.

The establishments are rebuilt from the disclosed county × NAICS-6 cells of 2016 Q1 (Webb et al. 2025,
Algorithm 7, as corrected), the queries, budgets and distances those of Table 7 (μ = √5.32 ≈ 2.31; ψ = √;
γ = 1/2 for employment, 50 for wages; ζ = 1/100). Every replication answers the five queries, fits
microdata (Equation 1) and adds them up by level. A group's bias is its mean error over REPLICATIONS, with
the standard error of the mean over groups of it; printed are the mean over groups, and the medians over
groups and replications of |error| and of |error|/(true + 1). The median error of the direct answer, where
the level was asked about, is beside. Wages are in dollars; the paper does not say
in which unit it took γ = 50.

The last table sets signed differences of employment beside those of the paper's Table 3, which are of one run
on confidential data of a larger state: signs and ratios compare, sizes do not. The figures of its
experiments on synthetic data are plots. Arguments: the number of replications, and shares of dominant
establishments to try as well.
"""

import os
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

import numpy as np
from bench_microdata import DEFINITION, queries
from numpy.typing import NDArray

from establish.impl.microdata.establishments import Establishments, read
from establish.impl.microdata.group_by import Groups
from establish.impl.publish.establishment_answers import answer, fitted
from establish.impl.sampling.bits import Bits
from establish.impl.synthetic.synthesize import synthesize

FILE = "qcew_2016q1_rhode_island_all_agglvl.csv.gz"
HOME = Path(os.environ.get("ESTABLISH_DATA", Path(__file__).parents[3] / "shared" / "data"))
REPLICATIONS = 34

LEVELS: dict[str, tuple[str, ...]] = {
    "state": (),
    "sector": ("sector(naics)",),
    "NAICS-3": ("naics[:3]",),
    "NAICS-5": ("naics[:5]",),
    "county": ("county",),
    "county × sector": ("county", "sector(naics)"),
    "county × NAICS-3": ("county", "naics[:3]"),
    "county × NAICS-5": ("county", "naics[:5]"),
    "establishment": ("id",),
}

SHOWN = ("month3", "wages")

TABLE_3 = {
    "state": ((-6198, -6198), (-118, -118)),
    "sector": ((-293, -563), (-48, -11)),
    "NAICS-5": ((-9, -9), (-1, 0)),
    "county": ((-252, -4604), (-11, -4331)),
    "county × sector": ((-18, -419), (-4, -394)),
    "county × NAICS-5": ((-1, -10), (-1, -9)),
}
"""Median and mean over groups of the signed difference, by the ψ-mechanism and by pnc, as printed there."""

NAMES = {"id": "primary_key", "county": "cnty", "naics": "naics"}
MEASURES = {"month1": "m1emp", "month2": "m2emp", "month3": "m3emp", "wages": "wage"}


def rebuilt(dominant: Fraction | None) -> Establishments:
    """Rhode Island's establishments, with the names that the queries use."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "establishments.parquet"
        synthesize(HOME / FILE, path, seed=2016, dominant=dominant)
        data = read(
            path,
            identifier=NAMES["id"],
            attributes=[NAMES["county"], NAMES["naics"]],
            measures=list(MEASURES.values()),
        )
    attributes = {name: data.attributes[NAMES[name]] for name in ("county", "naics")}
    measures = {name: data.measures[column] for name, column in MEASURES.items()}
    return Establishments("id", data.identifiers, attributes, measures)


def added(formed: Groups, values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.bincount(formed.index, weights=values, minlength=formed.number)


def errors(
    data: Establishments, mechanism: str, replications: int
) -> dict[tuple[str, str, str], NDArray[np.float64]]:
    """By measure, level and source (fitted or direct): errors by replication and group."""
    formed = {level: data.groups(by) for level, by in LEVELS.items()}
    asked = {query.by: query for query in queries(mechanism)}
    found: dict[tuple[str, str, str], list[NDArray[np.float64]]] = {}
    for replication in range(replications):
        answers = answer(data, queries(mechanism), DEFINITION, Bits.seeded(replication))
        cells = fitted(answers)
        for measure in SHOWN:
            for level, by in LEVELS.items():
                true = added(formed[level], data.measures[measure].astype(np.float64))
                estimates = {"fitted": added(formed[level], cells[measure])}
                if by in asked:
                    (own,) = (a for a in answers if a.query.by == by and a.measure == measure)
                    estimates["direct"] = own.estimates().values
                for source, values in estimates.items():
                    found.setdefault((measure, level, source), []).append(values - true)
    return {key: np.array(several) for key, several in found.items()}


def report(data: Establishments, replications: int) -> None:
    print(f"{len(data)} establishments, {replications} replications")
    totals = {name: int(data.measures[name].sum()) for name in SHOWN}
    print("true totals of the synthetic data:", totals)
    start = time.perf_counter()
    by_mechanism = {name: errors(data, name, replications) for name in ("psi", "pnc")}
    print(f"{(time.perf_counter() - start) / replications / 2:.2f} s a replication")
    heading = f"{'measure':<7} {'level':<17} {'groups':>6} "
    heading += "".join(
        f"| {name}: {'bias':>9} {'± se':>9} {'|error|':>9} {'rel.':>7} {'direct':>9} "
        for name in by_mechanism
    )
    print(heading)
    for measure in SHOWN:
        for level, by in LEVELS.items():
            formed = data.groups(by)
            true = added(formed, data.measures[measure].astype(np.float64))
            line = f"{measure:<7} {level:<17} {formed.number:>6} "
            for found in by_mechanism.values():
                error = found[measure, level, "fitted"]
                means = error.mean(axis=1)
                spread = means.std(ddof=1) / np.sqrt(replications)
                relative = float(np.median(np.abs(error) / (true + 1)))
                direct = found.get((measure, level, "direct"))
                asked = "" if direct is None else f"{np.median(np.abs(direct)):.1f}"
                line += f"|      {means.mean():>9.1f} {spread:>9.1f} {np.median(np.abs(error)):>9.1f} "
                line += f"{relative:>7.4f} {asked:>9} "
            print(line)
    print("signed differences of month3, median and mean over groups: ours, and the paper's Table 3")
    for level, printed in TABLE_3.items():
        line = f"{level:<17} "
        for (name, found), (median, mean) in zip(by_mechanism.items(), printed, strict=True):
            error = found["month3", level, "fitted"]
            line += f"| {name}: {np.median(error):>8.1f} {error.mean():>8.1f}  paper {median:>6} {mean:>6} "
        print(line)


def main() -> None:
    replications = int(sys.argv[1]) if len(sys.argv) > 1 else REPLICATIONS
    for share in (None, *map(Fraction, sys.argv[2:])):
        print(f"dominant establishments: {share or 'none'}")
        report(rebuilt(share), replications)


if __name__ == "__main__":
    main()
