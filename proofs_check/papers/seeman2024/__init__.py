"""Seeman, Sexton, Pujol and Machanavajjhala 2024, on per-record privacy: only its opening was read."""
