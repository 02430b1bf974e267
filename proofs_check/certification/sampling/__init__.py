"""Why the samplers draw from the ideal laws: error bounds by enclosure."""

from establish.proofs_check.certification.sampling.error_bounds import certify_bounds

__all__ = ["certify_bounds"]
