"""The discrete Gaussian: its weights, moments, tails, privacy, and how it is drawn."""
