"""Examples to try the commands on: made-up tables to release, plans, and mechanisms to audit."""
