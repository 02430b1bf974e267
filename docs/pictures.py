"""Draw the picture of the README again: ``python docs/pictures.py``, with the extra ``report`` installed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from establish.proofs_check.papers.haney2017.smooth_laplace.privacy import LEMMA_STRONG
from establish.proofs_check.report.drawings import laws

PICTURE = Path(__file__).parent / "pages" / "pictures" / "lemma-9.2.svg"
POINT = {"α": 1, "ε": 10, "δ": Fraction(3, 4000), "x": 2, "y": 1, "rest": 0, "o": Fraction(43, 10)}


def drawn() -> str:
    """The refutation of Lemma 9.2 as a file of its own, on white."""
    drawing = laws.of_mechanism(LEMMA_STRONG, POINT)
    assert drawing is not None
    head = '<svg xmlns="http://www.w3.org/2000/svg" style="color:black;background:white" '
    return str(drawing.svg).replace("<svg ", head, 1) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawn(), "utf-8")
