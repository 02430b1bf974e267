"""Theorems 7.1 and 7.2 and their proofs: which requirements ER-EE privacy implies."""
