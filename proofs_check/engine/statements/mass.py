"""Whether what is called a law is one: its density integrates to 1, as far as quadrature tells."""

from typing import Any

from establish.proofs_check.engine.statements.quadrature import closely
from establish.spec.arithmetic import MP

CLOSE = MP.mp.mpf(10) ** -6
"""How far from 1 a mass certainly is no mass of a law, beside what quadrature doubts."""

SETTLED = "establish.spec.distributions."
"""Where the laws of the specification stand."""

DOUBT = 1000
"""How many times its estimated error an integral may be away as well."""


def is_other(mass: Any, error: Any) -> bool:
    """Whether a mass by quadrature certainly is not 1."""
    return bool(abs(mass - 1) > CLOSE + DOUBT * error)


def no_law(law: Any) -> str:
    """Why a law of the world MP is none, in words; empty where its mass may be 1, or it has no density.

    Quadrature refutes and never shows: a law that passes may still have another mass. The laws of the
    specification are not weighed: their masses have tests and claims of their own, and some have a thousand
    breaks.
    """
    mp = MP.mp
    if not hasattr(law, "log_density") or type(law).__module__.startswith(SETTLED):
        return ""
    low = getattr(law, "low", None)
    center = getattr(law, "center", None)
    cuts = [
        -mp.inf if low is None else mp.mpf(low),
        *([] if center is None or low is not None else [mp.mpf(center)]),
    ]
    try:
        with mp.workdps(30):
            mass, error = closely(lambda x: mp.exp(law.log_density(x)), [*cuts, mp.inf])
    except (ArithmeticError, ValueError, TypeError):
        return ""
    if not mp.isfinite(error):
        grows = mp.exp(
            law.log_density(cuts[-1] + mp.mpf(10) ** 9 if not mp.isinf(cuts[-1]) else mp.mpf(10) ** 9)
        )
        return "its density does not fall, so that it has no finite mass" if grows > CLOSE else ""
    if is_other(mass, error):
        return f"its density has the mass {mp.nstr(mass, 6)}, and a law has mass 1"
    return ""
