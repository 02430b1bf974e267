"""Which cells add up when cells are nested: areas in a state, industries in NAICS prefixes."""

from collections.abc import Callable, Iterable, Sequence

from establish.spec.disclosure_limitation.suppression import Cell, Sum

SECTORS_OF_SEVERAL_CODES = {
    **dict.fromkeys(("31", "32", "33"), "31-33"),
    **dict.fromkeys(("44", "45"), "44-45"),
    **dict.fromkeys(("48", "49"), "48-49"),
}
"""The NAICS sectors that span several 2-digit codes: manufacturing, retail, transportation."""

ALL_INDUSTRIES = "10"
"""The code of the total over all industries in the Quarterly Census of Employment and Wages."""


def naics_parent(code: str) -> str | None:
    """The industry that a NAICS code of 2 to 6 digits is part of; None for the total."""
    if code == ALL_INDUSTRIES:
        return None
    if len(code) == 2 or "-" in code:
        return ALL_INDUSTRIES
    return SECTORS_OF_SEVERAL_CODES.get(code[:-1], code[:-1])


def sums_over(cells: Iterable[Cell], above: Callable[[Cell], Sequence[Cell | None]]) -> list[Sum]:
    """Every way in which listed cells add up to another one.

    above: for a cell, the cell that it is part of in each way to add up, None where there is none;
    for a county and industry the state's industry and the county's parent industry, say. All parts
    must be listed, as empty ones add nothing; wholes need not be.
    """
    found: dict[tuple[int, Cell], list[Cell]] = {}
    for cell in cells:
        for way, whole in enumerate(above(cell)):
            if whole is not None:
                found.setdefault((way, whole), []).append(cell)
    return [(whole, parts) for (_, whole), parts in found.items()]
