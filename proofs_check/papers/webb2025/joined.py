"""Parts of a rule or a table that are judged with the whole: their ids name its claim."""

from establish import repeats

BUDGETS = "The budgets of the five queries and their shares, with those of months and wages."
TABLE_2 = "The intervals around 3, 36, 360 and 36,000 employees, under √ and log."

for label, place, says, whole in (
    ("case-3-slight", "Section 7, Case 3", "The printed mean of the guess, slightly below X.", "case-3-mean"),
    (
        "fn2-log-a",
        "Section 5.3, footnote 2",
        "Neighbor functions, log(x + a) and √(x + a) for a ≥ 0 among them.",
        "def-5.1-class",
    ),
    (
        "sec2-54",
        "Section 2.1",
        "There are 54 curators, and one may give away cells of another.",
        "sec2-brittle",
    ),
    *((f"tab-2-{x}", "Section 5.3, Table 2", TABLE_2, "tab-2-36000") for x in (3, 36, 360)),
    ("tab-7-C", "Table 7, County Total", BUDGETS, "tab-7-mu"),
    ("tab-7-CN5", "Table 7, County by NAICS-5", BUDGETS, "tab-7-mu"),
    ("tab-7-I", "Table 7, Identity", BUDGETS, "tab-7-mu"),
    ("tab-7-N5", "Table 7, State NAICS-5", BUDGETS, "tab-7-mu"),
    ("tab-7-S", "Table 7, State Total", BUDGETS, "tab-7-mu"),
    ("thm-6.6-log-law", "Section 6.1, Theorem 6.6", "For ψ = ln, e^ω and its variance.", "thm-6.6-log-var"),
):
    repeats(f"webb2025/{label}", where=place, says=says, same_as=f"webb2025/{whole}", origin="implied")
