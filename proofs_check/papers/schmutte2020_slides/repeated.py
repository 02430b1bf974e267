"""Statements of the slides that Haney et al. 2017 make with the same content."""

from establish.proofs_check.engine.register import repeats

REPEATED: tuple[tuple[str, str, str, str], ...] = (
    (
        "laplace-global",
        "Slides, Calibrating Noise to Sensitivity",
        "def-2.4-scale",
        "q(D) + Lap(0, Δq/ε) noise satisfies ε-differential privacy.",
    ),
    (
        "def-4.1",
        "Slides, Definition 4.1",
        "def-4.1",
        "The requirement on workers bounds posterior over prior odds, which are a likelihood ratio.",
    ),
    (
        "option1",
        "Slides, Differential Privacy, Option 1",
        "sec6-edge-size",
        "Privacy for single workers fails the employer size requirement.",
    ),
    (
        "option1/sensitivity",
        "Slides, Differential Privacy, Option 1",
        "sec6-edge-laplace",
        "Counts have sensitivity 1 when neighbors add or remove a single worker.",
    ),
    (
        "option2",
        "Slides, Differential Privacy, Option 2",
        "sec6-node-requirements",
        "Privacy for single employers can satisfy all requirements.",
    ),
    (
        "size-requirement",
        "Slides, Definition 4.2 and New privacy concept",
        "table-1/er-ee-size",
        "(α, ε)-ER-EE privacy is sufficient for the establishment size requirement.",
    ),
    (
        "size-requirement/ceiling",
        "Slides, Definition 4.2",
        "thm-7.1-req2/ceiling",
        "With one employer it is sufficient at level ε for x ≤ y ≤ ⌈(1+α)x⌉.",
    ),
    (
        "worker-requirement",
        "Slides, Definition 4.1 and New privacy concept",
        "table-1/er-ee-individuals",
        "(α, ε)-ER-EE privacy is sufficient for the worker requirement (no level is named).",
    ),
    (
        "worker-requirement/same-level",
        "Slides, Definition 4.1 and New privacy concept",
        "thm-7.1-req1",
        "(α, ε)-ER-EE privacy is sufficient for the worker requirement at the same level ε.",
    ),
    (
        "def-7.2",
        "Slides, Definition 7.2 and Strong α-Neighbors",
        "def-7.1-symmetry",
        "Neighbors D, D' have x ≤ x', and privacy asks P(M(D)∈S) ≤ e^ε·P(M(D')∈S) for them.",
    ),
    (
        "composition-eree/sequential",
        "Slides, New privacy concept",
        "thm-7.3",
        "ER-EE privacy satisfies sequential composition in ε.",
    ),
    (
        "composition-eree/establishments",
        "Slides, New privacy concept",
        "thm-7.4",
        "ER-EE privacy satisfies parallel composition in ε, which is that over distinct establishments.",
    ),
    ("unbounded", "Slides, Application", "sec8.1-gs", "The sensitivity of a count is essentially unbounded."),
    (
        "loglaplace-private",
        "Slides, Algorithm 1",
        "thm-8.1-strong",
        "Log-Laplace satisfies strong (α, ε)-privacy for employer attributes.",
    ),
    ("loglaplace-biased", "Slides, Algorithm 1", "sec8.1-biased", "Log-Laplace is biased."),
    ("alg-2", "Slides, Algorithm 2", "lemma-8.7", "Smooth Gamma satisfies strong (α, ε)-privacy."),
    ("alg-3", "Slides, Algorithm 3", "lemma-9.2", "Smooth Laplace satisfies strong (α, ε, δ)-privacy."),
)
"""Label, place, the claim of haney2017 that it repeats, and what it is."""


NOT_PRINTED = {
    "worker-requirement/same-level": "ours",
    "def-4.1": "implied",
    "def-7.2": "implied",
    "size-requirement/ceiling": "implied",
    "composition-eree/sequential": "implied",
    "composition-eree/establishments": "implied",
}
"""Of what the slides do not print, as a level that they do not name, whose it is. A part of a sentence, which
another claim judges as a whole, is implied.
"""

for _label, _where, _same_as, _says in REPEATED:
    repeats(
        f"schmutte2020_slides/{_label}",
        where=_where,
        says=_says,
        same_as=f"haney2017/{_same_as}",
        origin=NOT_PRINTED.get(_label, "printed"),
    )
