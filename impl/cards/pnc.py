"""Probably no clipping: its card."""

from establish.impl.card import Card

CARD = Card(
    runs="microdata.probably_no_clipping.ProbablyNoClipping",
    under=("gedp",),
    definition="mechanisms.probably_no_clipping.ProbablyNoClipping",
    density="distributions.gaussian.Gaussian",
    loss=("webb2025/def-6.8-corrected",),
    admissibility=("webb2025/def-5.1-class",),
    bias=("webb2025/sec4-unbiased",),
    moments="given the bounds, the answer is a clipped sum and normal noise of standard deviation Δ/μ",
)
