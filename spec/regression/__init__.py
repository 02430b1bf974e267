"""Predictions of a least-squares line in small groups, and noise scaled to their sensitivity."""
