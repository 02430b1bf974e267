"""Certificates of the mechanisms that run: what they rest on, and for which code it was checked."""
