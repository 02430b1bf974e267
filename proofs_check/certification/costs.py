"""What plans on job tables cost, against going through all establishments."""

from __future__ import annotations

import tempfile
from functools import cache
from itertools import product
from pathlib import Path

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.composition import Approximate

PLAN = """title = "t"
[budget]
definition = "weak-er-ee"
alpha = "1/10"
cap = { epsilon = 9 }
ledger = "l"
[data]
jobs = "j"
workers = "k"
workplaces = "w"
[domain.establishment]
place = ["a", "b"]
sector = ["x", "y"]
"""


@cache
def costed() -> Evidence:
    """Evidence that plans cost what the establishment in the costliest of their queries costs."""
    from establish.impl.budget.accountant import cost
    from establish.impl.budget.plan import read_plan

    filters = [
        {name: value for name, value in (("place", place), ("sector", sector)) if value}
        for place, sector in product(("", "a", "b"), ("", "x", "y"))
    ]
    establishments = [{"place": place, "sector": sector} for place, sector in product("ab", "xy")]

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "plan.toml")

        def agrees(wheres: tuple[dict[str, str], ...]) -> bool:
            text = PLAN
            for number, where in enumerate(wheres):
                named = ", ".join(f'{name} = "{value}"' for name, value in where.items())
                text += (
                    f'[[query]]\nname = "q{number}"\nby = []\nwhere = {{ {named} }}\n'
                    f'mechanism = "log-laplace"\nepsilon = {2**number}\n'
                )
            path.write_text(text, encoding="utf-8")
            most = max(
                sum(2**i for i, where in enumerate(wheres) if where.items() <= own.items())
                for own in establishments
            )
            return cost(read_plan(path)).total == Approximate(most)

        return exhaustive.for_all(
            product(filters, repeat=3),
            agrees,
            "a plan costs what the establishment in the costliest queries costs",
            "three queries with ε = 1, 2, 4, each with any filter on two attributes of two values",
        )
