"""Section 7.1: neighboring tables, and what their definitions hide."""
