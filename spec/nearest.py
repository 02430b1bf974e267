"""What a misspelled word was meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint that ends a message: the known word that is closest, or nothing where none is close."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f": did you mean {close[0]}?" if close else ""
