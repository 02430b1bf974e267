"""The black wing: search the outputs of a mechanism that can only be run."""
