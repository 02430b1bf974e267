"""The methods that settle claims; each returns Evidence."""
