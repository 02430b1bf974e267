"""Parts of a row or a proof that are judged with the whole: their ids name its claim."""

from establish import repeats

EVEN_MOMENTS = "Lemma 8.2's proof: its even moments, and its sum from n = 1."
ROW_5 = "Weak ER-EE privacy satisfies the requirements of row 5, on size and on shape among them."
ROW_OF_05 = "The least ε at δ = .05, for α = .01, .1 and .2."
ROW_OF_5E_4 = "The least ε at δ = 5·10⁻⁴, for α = .01, .1 and .2."

for label, place, says, whole in (
    ("lemma-8.2-proof-factorial", "Appendix B, proof of Lemma 8.2", EVEN_MOMENTS, "lemma-8.2-proof"),
    ("lemma-8.2-proof-sum", "Appendix B, proof of Lemma 8.2", EVEN_MOMENTS, "lemma-8.2-proof"),
    ("table-1/weak-shape", "Section 4.2, Table 1, row 5", ROW_5, "table-1/weak"),
    ("table-1/weak-size", "Section 4.2, Table 1, row 5", ROW_5, "table-1/weak"),
    *((f"table-2/d.05-a.{a}", "Appendix C, Table 2", ROW_OF_05, "table-2/d.05") for a in ("01", "10", "20")),
    *(
        (f"table-2/d5e-4-a.{a}", "Appendix C, Table 2", ROW_OF_5E_4, "table-2/d5e-4")
        for a in ("01", "10", "20")
    ),
):
    repeats(f"haney2017/{label}", where=place, says=says, same_as=f"haney2017/{whole}", origin="implied")
