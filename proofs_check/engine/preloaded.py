"""Imported once by the process that the workers are forked from: they find the papers imported."""

import gc
import os

command = os.getppid()

from establish.proofs_check.engine.register import claims  # noqa: E402

claims()
gc.freeze()  # what was imported stays, so that the workers need not look through it for garbage
if os.getppid() != command:
    os._exit(0)  # it was ended meanwhile, and workers would find nothing that it left to them
