"""The section of a source in which a claim is printed, from the place that the claim names."""

import re

_NUMBERED = re.compile(
    r"\b(?:Section\s+(?=\d)"
    r"|(?:Definition|Def\.|Theorem|Lemma|Proposition|Prop\.?|Corollary|Claim|Remark)\s+(?=\d+\.\d))"
    r"(\d+)"
)
_APPENDIX = re.compile(r"\bApp(?:endix|\.)\s+([A-Z])")


def section(location: str) -> str:
    """The section of the source that ``location`` lies in, or else the place that it names first.

    A numbered statement counts to the section of its number: Lemma 8.6 is in Section 8, and Lemma 6 in none.
    """
    if number := _NUMBERED.search(location):
        return f"Section {number[1]}"
    if letter := _APPENDIX.search(location):
        return f"Appendix {letter[1]}"
    return re.split(r"[,;(]", location)[0].strip()


def family(id: str) -> str:
    """What the ids of claims that belong together share, as the entries of a table: two parts."""
    return "/".join(id.split("/")[:2])


def section_order(location: str) -> tuple[int, int, str]:
    """Sections by number, then the appendices, then other places by name."""
    place = section(location)
    kind, _, number = place.partition(" ")
    if kind == "Section":
        return 0, int(number), ""
    return (1 if kind == "Appendix" else 2), 0, place
