"""Table 11: the mean squared errors of three strategies for choosing weights."""
