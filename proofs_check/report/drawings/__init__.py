"""Drawings of refutations and constants, from the statement objects and their points."""
