"""Establishment microdata rebuilt from published county × industry cells, in numpy."""
