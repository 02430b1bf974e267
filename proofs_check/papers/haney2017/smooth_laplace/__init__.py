"""Section 9: the privacy and the error of Smooth Laplace."""
