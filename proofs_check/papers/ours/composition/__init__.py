"""What spends a budget: the sums, the remainders, and what one query or another definition costs."""
