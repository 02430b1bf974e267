"""Checks exported proofs again: a program of its own, which imports nothing of the engine."""
