"""What protection costs: ways to protect one table of jobs, side by side."""
