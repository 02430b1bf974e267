"""What users call from Python, and what the commands call: one function for both."""

from establish.proofs_check.api import release
from establish.proofs_check.api.python import for_python

release_counts = for_python(release.release_counts)
release_earnings = for_python(release.release_earnings)
