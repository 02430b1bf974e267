"""Section 5 by simulation: protected percentiles of log-normal cells."""
