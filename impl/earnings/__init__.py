"""Percentiles of earnings, in numpy: written apart from the exact laws and checked against them."""
