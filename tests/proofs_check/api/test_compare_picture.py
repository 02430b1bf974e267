"""The picture of ``establish compare``: every line is named once, apart from others, the best in color."""

from itertools import pairwise
from math import inf

import pytest

from establish.proofs_check.api.compare_picture import BEST, SIZES, Curve, _name, draw

pytest.importorskip("matplotlib", reason="matplotlib comes with the extra report")


def test_forty_sizes_from_one_worker_to_ten_thousand():
    assert len(SIZES) == 40
    assert (SIZES[0], SIZES[-1]) == (1, 10_000)
    assert sorted(set(SIZES)) == SIZES


@pytest.mark.parametrize(
    "heights", [[1.0] * 14, [0.4, 0.401, 0.402, 2.0], [0.3] * 20 + [3.0] * 20, [1e-9, 1.0]]
)
def test_names_stand_apart_inside_the_picture_in_the_order_of_their_lines(heights):
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    axes.set_yscale("log")
    axes.set_ylim(min(heights) / 1.25, max(heights) * 1.15)
    _name(axes, [(height, f"line {n}", "0.35") for n, height in enumerate(heights)])
    at = [text.xyann[1] for text in axes.texts]
    gaps = [above - below for below, above in pairwise(at)]
    assert [text.get_text() for text in axes.texts] == [
        f"line {n}" for n in sorted(range(len(heights)), key=lambda n: (heights[n], f"line {n}"))
    ]
    assert min(gaps) > 0.99 / max(24, len(heights))
    assert -0.01 <= at[0] <= at[-1] <= 1.01


def test_the_three_with_the_least_error_are_in_color_and_the_limit_is_rounded_outward(tmp_path):
    out = tmp_path / "a.svg"
    curves = [Curve(f"line-{n}", (0.5 + n,) * len(SIZES), n % 2 == 0) for n in range(6)]
    endless = Curve("endless", (inf,) * len(SIZES), by_largest=False)
    draw(out, "α = 1", [*reversed(curves), endless], (0.405464, 0.406114))
    text = out.read_text("utf-8")
    for n, color in enumerate(BEST):
        assert f"fill: {color}" in text.partition(f"line-{n}<")[0][-400:]
    assert all(text.count(f"line-{n}<") == 1 for n in range(6))
    assert "limit as n → ∞, δ = 0: 0.4054 to 0.4062" in text
    assert "without a mean error: endless<" in text
