"""Section 4.1: noisy counts in bins, and their privacy."""
