"""What an audit is asked: a mechanism, a definition, pairs of neighbors, and how an answer reads."""
