"""The ψ-mechanism: its card."""

from establish.impl.card import Card

CARD = Card(
    runs="microdata.psi_mechanism.PsiMechanism",
    under=("gedp",),
    definition="mechanisms.psi_mechanism.PsiMechanism",
    density="distributions.gaussian.Gaussian",
    loss=("webb2025/thm-6.5", "webb2025/def-5.6"),
    admissibility=("webb2025/def-5.1-class",),
    bias=("webb2025/thm-6.6-sqrt-mean", "webb2025/thm-6.6-log-mean"),
    moments=("webb2025/thm-6.6-sqrt-var", "webb2025/thm-6.6-log-var"),
)
