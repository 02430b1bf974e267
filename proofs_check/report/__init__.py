"""The reviewer's site: all claims, one page for each, counts, drawings of refutations and a graph."""
