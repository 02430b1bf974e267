"""Sections 4 and 6: what edge and node differential privacy protect."""
