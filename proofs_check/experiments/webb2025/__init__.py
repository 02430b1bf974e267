"""The experiments of Webb et al. 2025, Section 8 and Appendices B, C and H."""
