"""The four-point inequality on which Theorem 5.3 rests."""

import sympy
import z3

from establish import Evidence, solver, symbolic


def concave_steps_shrink() -> tuple[Evidence, ...]:
    """For concave f, p < q and t > 0: f(q+t) − f(q) ≤ f(p+t) − f(p). For convex f apply it to −f.

    With w = t/(q−p+t) both inner points are means of the outer ones: p+t = (1−w)p + w(q+t) and
    q = wp + (1−w)(q+t). Concavity bounds f at both from below; add the two bounds.
    """
    p, q, t = sympy.symbols("p q t", positive=True)
    w = t / (q - p + t)
    f_p, f_pt, f_q, f_qt, weight = z3.Reals("f_p f_pt f_q f_qt w")
    return (
        symbolic.identity((1 - w) * p + w * (q + t), p + t, "p+t is a mean of p and q+t"),
        symbolic.identity(w * p + (1 - w) * (q + t), q, "q is the opposite mean of p and q+t"),
        solver.for_all(
            [
                weight >= 0,
                weight <= 1,
                f_pt >= (1 - weight) * f_p + weight * f_qt,
                f_q >= weight * f_p + (1 - weight) * f_qt,
            ],
            f_qt - f_q <= f_pt - f_p,
            "a concave function grows less from q to q+t than from p to p+t",
        ),
    )


def inverse_of_concave_is_convex() -> Evidence:
    """For increasing concave ψ, the mean m of X and Y has ψ(m) ≥ the mean w of ψ(X) and ψ(Y).

    So ψ⁻¹(w) ≤ m. With the roles exchanged, the inverse of an increasing convex function is concave.
    """
    m, inverse, psi_m, w = z3.Reals("m inverse psi_m w")
    return solver.for_all(
        [psi_m >= w, z3.Implies(m < inverse, psi_m < w)],
        inverse <= m,
        "the inverse at a mean is at most the mean of the inverses",
    )
