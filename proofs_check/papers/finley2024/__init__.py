"""Finley et al. 2024, on per-record privacy that scales slowly: only its abstract and opening were read."""
