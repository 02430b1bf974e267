"""Imported once by the process that the workers are forked from: they find the papers imported."""

import gc

from establish.proofs_check.engine.register import claims

claims()
gc.freeze()  # what was imported stays, so that the workers need not look through it for garbage
