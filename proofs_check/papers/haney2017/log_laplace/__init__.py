"""Section 8.1: the privacy, the error and the support of Log-Laplace."""
