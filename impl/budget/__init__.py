"""Release plans, what they cost, and the ledger of what was spent."""

from __future__ import annotations

from establish.impl.budget.accountant import PlanCost, QueryCost, cost
from establish.impl.budget.plan import Plan, read_plan
from establish.impl.budget.queries import CountQuery, EarningsQuery, Query, SumQuery
from establish.impl.budget.sources import Establishments, JobTables, Persons

__all__ = [
    "CountQuery",
    "EarningsQuery",
    "Establishments",
    "JobTables",
    "Persons",
    "Plan",
    "PlanCost",
    "Query",
    "QueryCost",
    "SumQuery",
    "cost",
    "read_plan",
]
