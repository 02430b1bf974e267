"""Proofs that a proof assistant's kernel accepted, and the record of what it accepted."""
