"""Haney et al., slides of October 25, 2016: an earlier text of the 2017 paper."""
