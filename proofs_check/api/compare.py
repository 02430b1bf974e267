"""The mechanisms for counts beside the limit: expected errors by size of cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR
from fractions import Fraction
from typing import TYPE_CHECKING

from establish.proofs_check.api.asked import require_free
from establish.proofs_check.api.limit import require_small_certificate
from establish.proofs_check.api.progress import share_bar
from establish.proofs_check.api.python import FilePath, optional_path
from establish.proofs_check.api.told import Told, rounded_up
from establish.proofs_check.outputs.questions import Compared, LimitBeside
from establish.spec.parameters import Rational, positive, probability

if TYPE_CHECKING:
    from establish.proofs_check.api.compare_picture import Curve
    from establish.proofs_check.limits.limit import Limit as Enclosed


@dataclass(frozen=True, repr=False)
class Comparison(Told):
    """Expected errors of the mechanisms. rows: one for each mechanism and calibration, with the errors by n.

    limit: what no mechanism with δ = 0 can beat for one establishment as n grows. by_largest: no noise that
    follows the largest establishment, of one law for all cells, has less. with_delta: what none can beat at
    the δ that was given.
    """

    rows: Sequence[Compared]
    limit: Enclosed
    by_largest: Fraction
    with_delta: Fraction | None

    def to_json(self) -> list[LimitBeside | Compared]:
        """The limit, and the rows."""
        limit: LimitBeside = {
            "limit": {
                "lower": float(self.limit.lower),
                "upper": float(self.limit.upper),
                "lower_by_largest": float(self.by_largest),
                "lower_with_delta": None if self.with_delta is None else float(self.with_delta),
            }
        }
        return [limit, *self.rows]

    def lines(self) -> Iterator[str]:
        """The table that ``establish compare`` prints."""
        from establish.impl.mechanisms.growth_laplace import SIZES
        from establish.proofs_check.limits.limit import outward

        head = "".join(f"{f'n = {n:,}':>12}" for n in SIZES)
        yield f"{'mechanism':<36}{'follows':<9}{head}  over the limit, at most"
        for row in self.rows:
            name = f"{row['mechanism']} ({row['calibration']})"
            cells = "".join(f"{error:12.4g}" for error in row["errors"].values())
            yield f"{name:<36}{row['follows']:<9}{cells}  {rounded_up(row['over_limit_at_most'])}"
        yield "limit, one establishment, n → ∞, δ = 0: from {} to {}".format(*self.limit.printed)
        if self.with_delta is not None:
            yield f"the same with this δ: from {outward(self.with_delta, ROUND_FLOOR)}"
        least = outward(self.by_largest, ROUND_FLOOR)
        yield f"least E|Z| of noise S·Z that follows the largest establishment, δ = 0: {least}"


def compare(
    *,
    alpha: Rational,
    epsilon: Rational,
    delta: Rational | None = None,
    out: FilePath | None = None,
    force: bool = False,
) -> Comparison:
    """Expected errors E|out − n| of the mechanisms for counts, beside what no mechanism can beat.

    alpha, epsilon > 0, exact. delta: smooth-laplace too. Errors are in units of max(α·n, 1), before any
    rounding, for a cell of one establishment of n; where noise follows the largest establishment, in units
    of max(α·largest, 1) for cells of many. out: a picture, .svg or .png (extra report). force: whether one
    that is there is replaced. Raises ParameterError.
    """
    from establish.proofs_check.api.compare_picture import curve, draw, require_ending

    picture = optional_path("--out", out)
    if picture is not None:
        require_ending(picture)
        require_free({"--out": picture}, force)
        import matplotlib  # noqa: F401  # a library that is missing is told before any work
    α, ε = positive("alpha", alpha), positive("epsilon", epsilon)
    δ = None if delta is None else probability("delta", delta)
    require_small_certificate(α, ε)

    from establish.impl.mechanisms.growth_laplace import SIZES
    from establish.impl.mechanisms.least_error import rated
    from establish.proofs_check.limits.additive_errors import built, least_error
    from establish.proofs_check.limits.limit import enclosed
    from establish.proofs_check.limits.limit_with_delta import enclosed_with_delta

    with share_bar("building and checking certificates") as progress:
        found = enclosed(α, ε, progress=progress)
        with_delta = None if δ is None else enclosed_with_delta(α, ε, δ).lower
        by_largest = max(found.lower, least_error(built(α, ε)))
    rows: list[Compared] = []
    curves: list[Curve] = []
    for calibration in ("tight", "published"):
        for one in rated(α, ε, delta, calibration):
            last = one.errors[-1]
            least = with_delta if "delta" in one.mechanism.parameters else found.lower
            if picture is not None:
                curves.append(curve(one.mechanism, α, calibration, by_largest=one.by_largest))
            rows.append(
                {
                    "mechanism": one.mechanism.name,
                    "calibration": calibration,
                    "follows": "largest" if one.by_largest else "count",
                    "errors": dict(zip(map(str, SIZES), one.errors, strict=True)),
                    "over_limit_at_most": last / float(least) if least else None,
                }
            )
    if picture is not None:
        title = f"α = {alpha}, ε = {epsilon}" + ("" if delta is None else f", δ = {delta}")
        draw(picture, title, curves, (float(found.lower), float(found.upper)))
    return Comparison(rows, found, by_largest, with_delta)
