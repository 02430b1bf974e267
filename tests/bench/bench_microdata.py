"""Print seconds and peak memory of Gaussian establishment privacy on many establishments.

The establishments are invented: counties, industries and sizes with heavy tails, four measures, and the five
queries of Webb et al. 2025, Table 7. Each row is a process of its own, so that its peak memory is its
own. Arguments: numbers of establishments, 1000000 by default; the aim is 10000000 in 60 s and 8 GiB.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np

from establish.impl.budget.plan import read_plan
from establish.impl.budget.queries import SumQuery
from establish.impl.microdata.establishments import Establishments, measure
from establish.impl.microdata.group_by import Codes, sums
from establish.impl.publish.establishment_answers import answer, fitted
from establish.impl.publish.establishments import MicrodataAnswerer
from establish.impl.publish.plan import release_plan
from establish.impl.sampling.bits import Bits
from establish.spec.composition import Attribute, Gedp

COUNTIES, INDUSTRIES = 3200, 1000
"""About as many as the United States have, with 5-digit industries."""

MEASURES = ("month1", "month2", "month3", "wages")

DEFINITION = Gedp.of(Attribute.of(name, "sqrt", "50" if name == "wages" else "1/2") for name in MEASURES)

TABLE_7 = (
    ("identity", ("id",), "0.7", "0.15"),
    ("state", (), "0.2", "0.1"),
    ("naics5", ("naics[:5]",), "0.6", "0.15"),
    ("county", ("county",), "0.6", "0.15"),
    ("county-naics5", ("county", "naics[:5]"), "0.7", "0.15"),
)


def queries(mechanism: str) -> list[SumQuery]:
    """Table 7: by establishment with the ψ-mechanism, the others with ``mechanism``."""
    found = []
    for name, by, months, wages in TABLE_7:
        mu = {m: Fraction(wages if m == "wages" else months) for m in MEASURES}
        kind = "psi" if name == "identity" else mechanism
        zeta = Fraction(1, 100) if kind == "pnc" else None
        found.append(SumQuery(name, by, kind, mu, name == "identity", zeta))
    return found


def invented(number: int) -> Establishments:
    rng = np.random.default_rng(2025)

    def codes(names: list[str]) -> Codes:
        skewed = rng.beta(0.5, 2.5, number) * len(names)
        return Codes(skewed.astype(np.int32), np.array(names, dtype=object))

    jobs = np.minimum(rng.pareto(1.1, number) * 4, 30_000)
    months = {name: measure(name, np.rint(jobs * rng.uniform(0.9, 1.1, number))) for name in MEASURES[:3]}
    wages = measure("wages", np.rint(jobs * rng.lognormal(9, 0.5, number)))
    attributes = {
        "county": codes([f"{i:05}" for i in range(COUNTIES)]),
        "naics": codes([f"{110_000 + 10 * i}" for i in range(INDUSTRIES)]),
    }
    return Establishments("id", np.arange(number), attributes, {**months, "wages": wages})


def group_by(data: Establishments, folder: Path) -> None:
    for _, by, *_ in TABLE_7:
        formed = data.groups(by)
        for values in data.measures.values():
            sums(formed, values)


def answers_by(mechanism: str) -> Callable[[Establishments, Path], None]:
    def run(data: Establishments, folder: Path) -> None:
        answer(data, queries(mechanism), DEFINITION, Bits.secret())

    return run


def with_least_squares(data: Establishments, folder: Path) -> None:
    fitted(answer(data, queries("pnc"), DEFINITION, Bits.secret()))


def whole_release(data: Establishments, folder: Path) -> None:
    plan = read_plan(folder / "plan.toml")
    release_plan(plan, MicrodataAnswerer(plan, fit=False), folder / "out", verdicts={})


STEPS: dict[str, Callable[[Establishments, Path], None]] = {
    "sums alone": group_by,
    "psi answers": answers_by("psi"),
    "pnc answers": answers_by("pnc"),
    "pnc, fitted": with_least_squares,
    "file to files": whole_release,
}


def write_project(data: Establishments, folder: Path) -> None:
    """The establishments as Parquet, and the plan."""
    columns = {name: codes.labels[codes.codes] for name, codes in data.attributes.items()}
    with duckdb.connect() as db:
        db.register("made", {"id": data.identifiers, **columns, **data.measures})
        db.execute(f"COPY (FROM made) TO '{folder / 'establishments.parquet'}' (FORMAT parquet)")
    lines = ['title = "Table 7"', "[budget]", 'definition = "gedp"', "cap = { mu = 3 }"]
    lines += ['ledger = "table7.ledger"', "[budget.attributes]"]
    lines += [f'{a.name} = {{ psi = "{a.psi}", gamma = "{a.gamma}" }}' for a in DEFINITION.attributes]
    lines += ["[data]", 'establishments = "establishments.parquet"', 'id = "id"']
    for query in queries("pnc"):
        by = ", ".join(f'"{level}"' for level in query.by)
        mu = ", ".join(f'{name} = "{value}"' for name, value in query.mu.items())
        lines += ["[[query]]", f'name = "{query.name}"', f"by = [{by}]"]
        lines += [f'mechanism = "{query.mechanism}"', f"mu = {{ {mu} }}"]
    (folder / "plan.toml").write_text("\n".join(lines), encoding="utf-8")


def one(step: str, number: int) -> None:
    data = invented(number)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as name:
        if step == "file to files":
            write_project(data, Path(name))
        start, used = time.perf_counter(), time.process_time()
        STEPS[step](data, Path(name))
        seconds, used = time.perf_counter() - start, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times = f"{seconds:8.2f} s, {used:7.2f} s of processors"
    memory = f"{peak / 2**20:6.2f} GiB, {before / 2**20:.2f} before"
    print(f"{number:>10} {step:<14} {times}, {memory}", flush=True)


def main() -> None:
    if len(sys.argv) == 3 and sys.argv[1] in STEPS:
        one(sys.argv[1], int(sys.argv[2]))
        return
    for number in sys.argv[1:] or ["1000000"]:
        for step in STEPS:
            subprocess.run([sys.executable, __file__, step, number], check=True)


if __name__ == "__main__":
    main()
