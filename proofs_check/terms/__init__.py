"""Formulas as trees: read once, identified by a digest, and read by every method."""
