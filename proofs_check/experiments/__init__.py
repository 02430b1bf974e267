"""The papers' experiments on synthetic or public data: seeded, in numpy, for error only, never a release."""
