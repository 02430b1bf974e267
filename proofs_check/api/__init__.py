"""What users call from Python, and what the commands call: one function for both."""
