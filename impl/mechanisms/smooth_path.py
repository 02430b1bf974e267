"""Smooth Path, a mechanism of our own: noise whose density is the length of the shortest path, scaled."""

from typing import ClassVar

from establish.impl.mechanisms.smooth_scale import LEMMAS
from establish.impl.mechanisms.smooth_staircase import SmoothStaircase
from establish.spec.mechanisms.smooth_path import SmoothPathMechanism, fine_steps


class SmoothPath(SmoothStaircase):
    """n + S·Z, rounded, S = max(α·largest, 1), −ln of Z's density the length of the shortest path, per cell.

    alpha: α > 0 and epsilon: ε > 3·ln(1+α), at least 1/1000, both exact. A path consists of moves to
    neighbors, each of which costs what it may, so the privacy loss is ε. The noise is a little biased. The
    one calibration is ``tight``. Raises ParameterError outside the domain.
    """

    name = "smooth-path"
    specified: ClassVar = {"tight": SmoothPathMechanism}
    noise = (
        "noisy = n + S·Z, rounded to the nearest whole number, S = max(α·largest, 1), Z with a density that "
        "is flat from −r1 to r2; on step k below, from r1 + k − 1 to r1 + k, it is lower by e^(−k·ε)·p for "
        "the largest p ≤ (1 + α)^k with p·|Z| ≤ r1 + Σ_(i<k) min((1 + α)^i, p), and on step k above, up to "
        "b_k = (1 + α)·b_(k−1) + 1 from b_0 = r2, by e^(−k·ε)/q for the least q ≥ 1 with Z ≤ q·r2 + "
        "Σ_(i<k) min((1 + α)^i, q); beyond the fine steps it goes on as that of smooth-staircase"
    )
    rests_on = ("establish/smooth-path", "establish/smooth-path-error", *LEMMAS)

    @property
    def constants(self) -> dict[str, float]:
        fine, _ = fine_steps(self.alpha, self.epsilon, self.ends[0])
        return super().constants | {"fine steps": float(fine)}
