"""Section 8.2, Algorithm 2: the privacy, the exact loss and the error of Smooth Gamma."""
