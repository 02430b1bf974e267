"""Claims of Webb et al. 2025."""
