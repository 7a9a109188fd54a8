"""The spacing of marks: tokenised text has spaces before them, and so must what is put into it."""

from __future__ import annotations

import re

_MARK = r"[.,;:!?]+(?=\s|$)"
_APART = re.compile(rf"(?<!\S){_MARK}")
_JOINED = re.compile(rf"(?<=[^\s.,;:!?]){_MARK}")


def is_tokenised(text: str) -> bool:
    """Whether most marks of a text stand apart from its words.

    >>> is_tokenised("great food , bad service ."), is_tokenised("Great food, bad service.")
    (True, False)
    """
    return len(_APART.findall(text)) > len(_JOINED.findall(text))


def spaced_like(inserted: str, text: str, start: int) -> str:
    """What is put into a text at ``start``, with spaces before its marks if the text has them.

    >>> [spaced_like("in june, we", text, 0) for text in ("we met .", "We met.")]
    ['in june , we', 'in june, we']
    """
    if not inserted or not is_tokenised(text):
        return inserted
    apart = _JOINED.sub(r" \g<0>", inserted)
    joins = start > 0 and not text[start - 1].isspace() and _APART.match(apart)
    return f" {apart}" if joins else apart
