"""Euler's integrals over the positive numbers, which sympy is slow to find by itself."""

import sympy


def integral(log_density: sympy.Expr, value: sympy.Expr, t: sympy.Symbol) -> sympy.Expr | None:
    """∫ e^log_density·value dt from 0 to ∞, or None for another form, or where it is not known to be finite.

    Every term of the integrand must be a constant times t^(s−1)·e^(−rt), whose integral is Γ(s)/r^s for
    s, r > 0; t^(−s−1)·e^(−r/t), with the same integral; or t^(a−1)·(1+t)^(−a−b), with Γ(a)·Γ(b)/Γ(a+b) for
    a, b > 0.
    """
    total = sympy.Integer(0)
    expanded = sympy.expand(value) if value.is_polynomial(t) else sympy.expand_mul(value)
    for term in sympy.Add.make_args(expanded):
        logarithm = sympy.expand_log(sympy.log(term), force=True) if term != 0 else None
        found = None if logarithm is None else _of_exponent(log_density + logarithm, t)
        if term != 0 and found is None:
            signed = _of_exponent(log_density + sympy.expand_log(sympy.log(-term), force=True), t)
            found = None if signed is None else -signed
        if term != 0 and found is None:
            return None
        total += 0 if found is None else found
    return total


def _of_exponent(exponent: sympy.Expr, t: sympy.Symbol) -> sympy.Expr | None:
    """∫ e^exponent dt for a sum of constants and of multiples of ln t, t, 1/t and ln(1+t)."""
    exponent = sympy.expand(sympy.expand_log(exponent, force=True))
    parts = (sympy.log(t), t, 1 / t, sympy.log(1 + t))
    factors = [sympy.simplify(exponent.coeff(part)) for part in parts]
    rest = sympy.simplify(exponent - sum(f * part for f, part in zip(factors, parts, strict=True)))
    if rest.has(t) or rest.has(sympy.I) or any(factor.has(t) for factor in factors):
        return None
    power, rate, inverse_rate, share = factors
    height = sympy.exp(rest)
    if share == 0 and inverse_rate == 0:
        return _gamma(height, power + 1, -rate)
    if share == 0 and rate == 0:
        return _gamma(height, -power - 1, -inverse_rate)
    if rate == 0 and inverse_rate == 0:
        own, other = power + 1, sympy.simplify(-share - power - 1)
        if own.is_positive and other.is_positive:
            return height * sympy.gamma(own) * sympy.gamma(other) / sympy.gamma(own + other)
    return None


def _gamma(height: sympy.Expr, shape: sympy.Expr, rate: sympy.Expr) -> sympy.Expr | None:
    shape, rate = sympy.simplify(shape), sympy.simplify(rate)
    if not (shape.is_positive and rate.is_positive):
        return None
    return height * sympy.gamma(shape) / rate**shape
