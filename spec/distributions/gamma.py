"""The Gamma law, the law of its inverse, and the Beta law of its shares, on the positive numbers."""

from dataclasses import dataclass

from establish.spec.arithmetic import MP, Number, World


@dataclass(frozen=True)
class Gamma:
    """Gamma(shape, rate) in the world c, with the density ∝ x^(shape − 1)·e^(−rate·x); shape, rate > 0."""

    shape: Number
    rate: Number
    c: World = MP

    def log_density(self, x: Number) -> Number:
        """For x > 0."""
        c, power = self.c, self.shape - 1
        return _height(self.shape, self.rate, c) + power * c.log(x) - self.rate * x


@dataclass(frozen=True)
class InverseGamma:
    """The law of 1/X for X ~ Gamma(shape, rate), in the world c."""

    shape: Number
    rate: Number
    c: World = MP

    def log_density(self, x: Number) -> Number:
        """For x > 0."""
        c, power = self.c, self.shape + 1
        return _height(self.shape, self.rate, c) - power * c.log(x) - self.rate / x


@dataclass(frozen=True)
class InverseShare:
    """The law of Y/X for independent X ~ Gamma(a, rate) and Y ~ Gamma(b, rate), of any one rate.

    X/(X + Y) = 1/(1 + Y/X) is Beta(a, b): a component of a Dirichlet vector, b the sum of the others.
    """

    own: Number
    others: Number
    c: World = MP

    def log_density(self, x: Number) -> Number:
        """For x > 0."""
        c, total, power = self.c, self.own + self.others, self.others - 1
        height = c.log_gamma(total) - c.log_gamma(self.own) - c.log_gamma(self.others)
        return height + power * c.log(x) - total * c.log(1 + x)


def _height(shape: Number, rate: Number, c: World) -> Number:
    """ln of rate^shape/Γ(shape)."""
    return shape * c.log(rate) - c.log_gamma(shape)
