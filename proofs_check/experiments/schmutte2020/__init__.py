"""The mechanisms of Schmutte 2020 on made-up data."""
