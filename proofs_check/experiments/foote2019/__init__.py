"""The experiment of Foote, Machanavajjhala and McKinney 2019, Section 5."""
