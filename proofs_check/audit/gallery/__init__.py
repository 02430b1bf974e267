"""Mechanisms with planted faults and correct ones, to measure an audit by.

Every correct entry is correct up to the rounding of floating-point noise.
"""

from importlib import import_module
from pkgutil import iter_modules

from establish.proofs_check.audit.gallery.entry import ENTRIES, Drawn, Entry

__all__ = ["ENTRIES", "Drawn", "Entry"]

for _shelf in iter_modules(__path__):
    import_module(f"{__name__}.{_shelf.name}")
