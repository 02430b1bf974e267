"""Where the output of a mechanism changes, along lines of datasets."""
