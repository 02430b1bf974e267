"""The floats that are used are those that were certified: they are compared by their digest.

The constants are computed with Arb when they are first needed. Another version of it, or another thread that
changes its precision meanwhile, must not go unnoticed.
"""

import hashlib
from collections.abc import Iterable

import numpy as np

from establish.impl.arrays import Floats

DIGESTS = {
    "Laplace": "f627aa3eb1c25e61a058ea52ae8884975df5d31756eb97361126392429895187",
    "Gaussian": "6de52a33f6629288aed2726ee8e1e3573afb37e62817cb2b7d61a66c1c1a680c",
    "heavy-tailed": "f17428226df70e0a2d518e1cfbe46b73d383b2c95b223d6e0e7d42e0d107bdae",
    "exponential": "ff9971e2b28ce3646e051037f5900d5a867158658adfa9cd0feb6b558090b89d",
}
"""SHA-256 of the constants as little-endian float64, by kernel."""


def digest(constants: Iterable[Floats | float]) -> str:
    """SHA-256 of the constants in order."""
    hashed = hashlib.sha256()
    for values in constants:
        hashed.update(np.asarray(values, dtype="<f8").tobytes())
    return hashed.hexdigest()


def require_certified(name: str, constants: Iterable[Floats | float]) -> None:
    """Raise ArithmeticError unless these are the constants of ``name`` that were certified."""
    if digest(constants) != DIGESTS[name]:
        raise ArithmeticError(
            f"the constants of the {name} sampler are not the certified ones: "
            "python-flint computed other floats here"
        )
