"""Gaussian Establishment DP on establishment microdata (Webb et al. 2025), in numpy."""
