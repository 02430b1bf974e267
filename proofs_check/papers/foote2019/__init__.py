"""Claims of Foote, Machanavajjhala and McKinney 2019 (Post-Secondary Employment Outcomes)."""
