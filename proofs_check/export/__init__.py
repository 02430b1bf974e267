"""Writes proofs as files that another program checks again."""
