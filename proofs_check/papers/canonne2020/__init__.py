"""Canonne, Kamath and Steinke 2020, on the discrete Gaussian: said from knowledge of it, its text was not
read.
"""
