"""What shows some steps only, a file for each kind: who reads a proof reads the kinds that it is of."""
