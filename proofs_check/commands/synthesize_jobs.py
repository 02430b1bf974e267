"""``establish synthesize-jobs``: job tables of any size, with a plan to release from them."""

import csv
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from establish.spec.parameters import ParameterError

HELP = """Generate synthetic Job, Worker and Workplace tables shaped like LODES, and a plan for them.

\b
Examples:
  establish synthesize-jobs small --jobs 100000 --establishments 5000 --places 50 --seed 1
  establish budget small/plan.toml
  establish release plan small/plan.toml --out small/published

\b
FOLDER gets jobs.parquet, workers.parquet, workplaces.parquet, places.csv (the public list of places) and
plan.toml: Workloads 1 to 3 of Haney et al. 2017. The data describe nobody. Establishment sizes have a heavy
right tail, and most cells of place, sector and ownership are small or empty.

\b
Exit status: 0 done; 2 usage error.
"""

PLAN = "plan.toml"


def synthesize_jobs(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the files go.")],
    jobs: Annotated[int, typer.Option(help="How many jobs; as many workers.")],
    establishments: Annotated[int, typer.Option(help="How many workplaces.")],
    seed: Annotated[int, typer.Option(help="A whole number >= 0; the same seed, the same tables.")],
    places: Annotated[int, typer.Option(help="How many places they are in.")] = 3000,
    force: Annotated[bool, typer.Option("--force", help="Replace what FOLDER holds.")] = False,
) -> None:
    names = ("jobs.parquet", "workers.parquet", "workplaces.parquet", "places.csv", PLAN)
    for name in names:
        if (folder / name).exists() and not force:
            raise ParameterError(f"FOLDER = {folder}: {name} exists: choose another or use --force")

    from establish.impl.synthetic import lodes
    from establish.proofs_check.api.progress import progress_bar

    with progress_bar() as bar:
        task = bar.add_task("generating", total=2 * jobs + establishments)
        lodes.write_lodes(
            folder,
            jobs=jobs,
            establishments=establishments,
            places=places,
            seed=seed,
            progress=lambda rows: bar.advance(task, rows),
        )
    with (folder / "places.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["place"])
        rows.writerows([place] for place in lodes.place_names(places))
    plan = files("establish.impl").joinpath("sample", "plan_workloads.toml").read_text("utf-8")
    (folder / PLAN).write_text(plan, encoding="utf-8")
    for name in names:
        print(f"written: {folder / name}")
