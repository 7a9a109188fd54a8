"""The references of a text, remembered for a while: drawing and rewriting ask for the same ones."""

from __future__ import annotations

from functools import lru_cache

from augkit.lexicons.demographics.find_references import Hit, finder_for


@lru_cache(maxsize=4_096)
def find(axis: str, text: str) -> tuple[Hit, ...]:
    """What the finder of an axis finds in a text.

    >>> [hit.attribute for hit in find("gender", "He saw Anna.")]
    ['man', 'woman']
    """
    return tuple(finder_for(axis).find(text))
