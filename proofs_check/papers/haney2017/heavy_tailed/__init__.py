"""Section 8.2, Lemma 8.6: the law with density proportional to 1/(1+|z|^γ)."""
