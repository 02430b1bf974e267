"""Claims about mechanisms of our own, which no paper states."""
