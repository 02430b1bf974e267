"""Neighbor functions ψ of Gaussian Establishment DP (Webb et al. 2025, Section 5)."""
