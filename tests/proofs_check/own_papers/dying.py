"""A reviewer's file with a check that ends its process, as a fault in a library would."""

import os

from establish import Verdict, claim, not_checkable


@claim("dying/now", where="Section 1", says="This check ends its process.")
def end() -> Verdict:
    """End."""
    os._exit(3)


@claim("dying/next", where="Section 1", says="This check is next.")
def follow() -> Verdict:
    """Follow."""
    return not_checkable("data")
