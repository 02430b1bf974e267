"""The experiments of Haney et al. 2017, Section 10."""
