"""Release plans, what they cost, and the ledger of what was spent."""
