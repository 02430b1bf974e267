"""Section 5.2 and Table 1: what attackers infer from noise-infused tables."""
