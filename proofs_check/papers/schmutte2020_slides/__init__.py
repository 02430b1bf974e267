"""Schmutte, slides of July 17, 2020: formal privacy in census data."""
