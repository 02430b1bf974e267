"""Equal gaps: its card."""

from establish.impl.card import FIXED, PERCENTILES, Card, of_records

CARD = Card(
    runs="earnings.equal_gaps.EqualGaps",
    under=("record-dp",),
    definition="earnings.equal_gaps.EqualGaps",
    density="distributions.laplace.Laplace",
    loss=("establish/equal-gaps-loss",),
    admissibility=FIXED,
    bias=PERCENTILES,
    moments="it draws from finitely many candidates; the Laplace law is what it tends to in large cells",
    joined=of_records(
        "establish/equal-gaps-loss",
        because="A record is in one gap of one cell; the draw of that cell alone has another law.",
    ),
)
