"""Cells that a table with suppressed ones gives away (Webb et al., Appendix E), by second methods."""

from itertools import combinations, product

import mpmath
import pytest

from establish.proofs_check.engine.verdicts import UnsettledError
from establish.proofs_check.papers.webb2025 import suppression


def test_the_rank_of_the_four_equations_by_determinant():
    # columns ℂ, 𝔾, 𝔽, 𝔸; rows County Y, County Z, Sector 23, Sector 11
    matrix = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    assert mpmath.det(mpmath.matrix(matrix)) == 0


def test_recoverable_cells_by_search_over_small_coefficients():
    def row(cell):
        return [int(name in suppression.CELLS.get(cell, cell)) for name in suppression.WAGES]

    def spans(target, published):
        rows = [row(cell) for cell in published]
        return any(
            all(
                sum(w * row[i] for w, row in zip(weights, rows, strict=True)) == row_of_target[i]
                for i in range(5)
            )
            for row_of_target in [row(target)]
            for weights in product((-1, 0, 1), repeat=len(rows))
        )

    cells = [cell for cell in suppression.CELLS if cell not in ("County X", "Sector 52")]
    for size in (1, 2, 3, 4, 5):
        for published in combinations(cells, size):
            for target in ("B", "C", "County Y", "total"):
                found = suppression.recoverable(target, list(published))
                assert found == spans(target, published), (target, published)


def test_an_establishment_that_is_published_leaves_the_safety_of_the_rest_unsettled(monkeypatch):
    monkeypatch.setattr(suppression, "SUPPRESSED", ("Sector 52", "total", "County Y"))
    with pytest.raises(UnsettledError, match="an outsider can compute"):
        suppression.remaining_cells_are_sensitive_themselves()
