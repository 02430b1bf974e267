"""The grey wing: record what a mechanism draws on one dataset, and replay it on a neighbor."""
