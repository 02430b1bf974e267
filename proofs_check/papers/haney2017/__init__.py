"""Haney et al. 2017, "Utility Cost of Formal Privacy for Releasing National Employer-Employee Statistics"."""
