"""Synthetic confidential data: made up by a seed, shaped like the real tables."""
