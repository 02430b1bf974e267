"""Samplers of exactly the ideal law, rounded to a public grid."""
