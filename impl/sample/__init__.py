"""Examples to try the commands on: a table to release, and mechanisms to audit."""
