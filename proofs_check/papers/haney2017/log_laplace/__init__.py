"""Section 8.1: the privacy and the error of Log-Laplace."""
