"""Release plans, what they cost, and the ledger of what was spent."""

from establish.impl.budget.accountant import OverCap, PlanCost, QueryCost, cost, require_within
from establish.impl.budget.books import Books, books_of, books_of_plan
from establish.impl.budget.heads import LedgerLost
from establish.impl.budget.ledger import Entry, Receipt, entries_of, read_ledger, require_left, spend
from establish.impl.budget.mechanisms_of_queries import law_of_counts, law_of_earnings
from establish.impl.budget.plan import Plan, read_plan
from establish.impl.budget.queries import CountQuery, EarningsQuery, Query, SumQuery
from establish.impl.budget.sources import Establishments, JobTables, Persons
from establish.impl.budget.spending import Account, Spending, spending_of

__all__ = [
    "Account",
    "Books",
    "CountQuery",
    "EarningsQuery",
    "Entry",
    "Establishments",
    "JobTables",
    "LedgerLost",
    "OverCap",
    "Persons",
    "Plan",
    "PlanCost",
    "Query",
    "QueryCost",
    "Receipt",
    "Spending",
    "SumQuery",
    "books_of",
    "books_of_plan",
    "cost",
    "entries_of",
    "law_of_counts",
    "law_of_earnings",
    "read_ledger",
    "read_plan",
    "require_left",
    "require_within",
    "spend",
    "spending_of",
]
