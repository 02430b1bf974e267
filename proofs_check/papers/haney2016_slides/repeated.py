"""Statements of the slides that the paper repeats with the same content."""

from establish.proofs_check.engine.register import repeats

REPEATED: tuple[tuple[str, str, str], ...] = (
    (
        "def-2.2",
        "(ε, δ)-Differential Privacy",
        "M is (ε, δ)-private when P(M(D)∈S) ≤ e^ε·P(M(D')∈S) + δ for tables one record apart.",
    ),
    ("def-2.3", "Sensitivity", "The sensitivity is the maximum of ‖q(D) − q(D')‖₁ over neighboring tables."),
    ("def-2.4", "Laplace Mechanism", "q(D) + Lap(λ) noise satisfies ε-differential privacy."),
    (
        "def-2.5",
        "Expected L_p Error",
        "The expected L_p error is defined for every mechanism, and may be infinite.",
    ),
    ("def-2.1", "Marginal Query", "A marginal query is a vector of |dom(V)| counts, one per cell."),
    ("def-2.1-sql", "Marginal Query", "The marginal query is 'Select Count(*) From D Group By A1, …, Am'."),
    (
        "def-4.1",
        "Employee Privacy Requirement",
        "The requirement on employees bounds posterior over prior odds, which are a likelihood ratio.",
    ),
    (
        "def-4.3",
        "Employer Shape Requirement",
        "For shares 0 < p ≤ q ≤ min(1, (1+α)p) among z workers, the log Bayes factor is at most ε.",
    ),
    (
        "sdl-factor-domain",
        "Current SDL Protection",
        "Section 5.1's distortion factors, with α and β for s and t.",
    ),
    ("def-7.2", "Definition 7.2", "Definition 7.2 for ordered neighbors."),
    ("thm-7.1-req1", "Theorem 7.1", "Theorem 7.1 for individuals."),
    ("thm-7.1-req2", "Theorem 7.1", "Theorem 7.1, size."),
    ("thm-7.1-req3", "Theorem 7.1", "Theorem 7.1, shape."),
    (
        "thm-7.3",
        "Theorem 7.3",
        "(α, ε1)- and (α, ε2)-private releases of the same data are together (α, ε1+ε2)-private.",
    ),
    (
        "thm-7.4",
        "Theorem 7.4",
        "(α, ε)-private releases on distinct sets of establishments are together (α, ε)-private.",
    ),
    (
        "thm-7.5",
        "Theorem 7.5",
        "Parallel composition over workers of one establishment holds under strong neighbors.",
    ),
    ("thm-7.5-weak", "Theorem 7.5", "Theorem 7.5, last part."),
    ("thm-8.1-strong", "Theorem 8.1", "Theorem 8.1, first part."),
    ("thm-8.1-weak", "Theorem 8.1", "Theorem 8.1, second part."),
    ("lemma-8.2", "Lemma 8.2", "Lemma 8.2 for λ < 1."),
    ("lemma-8.2-infinite", "Lemma 8.2", "Lemma 8.2 for λ ≥ 1."),
    (
        "def-8.1",
        "Definition 8.1",
        "The local sensitivity at x is the largest L1 change of the query to a neighbor.",
    ),
    ("def-8.2", "Definition 8.2", "Definition 8.2."),
    ("lemma-8.5", "Lemma 8.5", "Lemma 8.5 for e^b ≥ 1+α."),
    ("lemma-8.5-unbounded", "Lemma 8.5", "Lemma 8.5, else."),
    ("def-8.3", "Definition 8.3", "Definition 8.3 at ε1 = ε2 = ε/2."),
    ("thm-8.4", "Theorem 8.4", "Theorem 8.4 at ε1 = ε2 = ε/2."),
    (
        "def-9.1",
        "Definition 9.1",
        "M is (α, ε, δ)-private when P(M(D) ∈ S) ≤ e^ε·P(M(D') ∈ S) + δ for strong α-neighbors.",
    ),
    ("lemma-9.2", "Lemma 9.2", "Lemma 9.2; Algorithm 3 with a product."),
)
"""Label, place on the slides, and what it is."""

OTHERWISE = {
    "sdl-factor-domain": "sec5.1-factor-domain",
    "def-7.2": "def-7.1-symmetry",
    "thm-7.1-req2": "thm-7.1-req2/general",
    "thm-7.5": "thm-7.5-strong",
    "thm-8.4": "thm-8.4-delta0",
}
"""The claim of haney2017 that it repeats, where that has another label."""


ORIGINS = {"def-8.3": "ours"} | dict.fromkeys(
    (
        *(
            "def-2.1",
            "def-2.1-sql",
            "def-2.2",
            "def-2.3",
            "def-2.5",
            "def-4.1",
            "def-4.3",
            "def-7.2",
            "def-8.1",
        ),
        *("def-8.2", "def-9.1"),
        "sdl-factor-domain",
    ),
    "implied",
)
"""Of what the slides do not print."""

for _label, _where, _says in REPEATED:
    origin = ORIGINS.get(_label, "printed")
    same, place = f"haney2017/{OTHERWISE.get(_label, _label)}", f"Slides, {_where}"
    repeats(f"haney2016_slides/{_label}", where=place, says=_says, same_as=same, origin=origin)
