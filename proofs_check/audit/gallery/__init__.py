"""Mechanisms with planted faults and correct ones, to measure an audit by.

Every correct entry is correct up to the rounding of floating-point noise.
"""

from establish.proofs_check.audit.gallery import (
    budget_faults,
    calibration_faults,
    correct_counts,
    correct_establishments,
    leak_faults,
    published_noise,
    published_sparse_vector,
    scale_faults,
    smooth_faults,
    support_faults,
)
from establish.proofs_check.audit.gallery.entry import ENTRIES, Drawn, Entry

__all__ = ["ENTRIES", "Drawn", "Entry"]
_ = (
    scale_faults,
    calibration_faults,
    smooth_faults,
    budget_faults,
    leak_faults,
    support_faults,
    correct_counts,
    correct_establishments,
    published_noise,
    published_sparse_vector,
)
