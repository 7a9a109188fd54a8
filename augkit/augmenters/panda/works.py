"""Titles of films, books, songs and the like, in quotation marks or after what they are."""

from __future__ import annotations

import re

from augkit.augmenters.panda.scene import Scene
from augkit.lexicons.find import Hit

_QUOTED = re.compile(
    r"\"([^\"\n]{2,80})\"|\u201c([^\u201d\n]{2,80})\u201d|(?<!\w)'([^'\n]{2,80})'(?!\w)"
    r"|(?<!\w)\u2018([^\u2019\n]{2,80})\u2019(?!\w)|(?<!\w)[*_]([^*_\n]{2,80})[*_](?!\w)"
)
_AFTER_KIND = re.compile(
    r"\b(?:film|movie|song|novel|book|album|series|sitcom|play|musical|opera|poem|painting"
    r"|magazine|comic|band|hit|single|ballad|podcast|documentary|memoir|thriller|video game|novella"
    r"|classic|read|reading|watch|watched|watching|rewatched|sang|sings|starred in|stars in|pub)"
    r"(?: called| named| titled| entitled)? "
    r"((?:[A-Z][\w'\u2019-]*,?)"
    r"(?: (?:(?:of|the|and|in|a|an|to|on|for|with|at|from) )*[A-Z][\w'\u2019-]*)+)"
)
_SMALL = frozenset("a an the of and or in on at to for with from by but nor as is".split())
_WORDS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")


def is_in_title(scene: Scene, hit: Hit) -> bool:
    """Whether a reference stands within the title of a work."""
    field = scene.field_at(hit.start)
    text, shift = scene.fields[field], scene.starts[field]
    start, end = hit.start - shift, hit.end - shift
    if not text[start].isupper() or text.isupper():
        return False
    for match in _QUOTED.finditer(text):
        inside = match.start() < start and end < match.end()
        if inside and _is_title(next(part for part in match.groups() if part is not None)):
            return True
    return any(m.start(1) <= start and end <= m.end(1) for m in _AFTER_KIND.finditer(text))


def _is_title(said: str) -> bool:
    """Whether quoted words are written as a title: all but the small ones with a capital.

    >>> _is_title("Brown Eyed Girl"), _is_title("She left me."), _is_title("Stop!")
    (True, False, False)
    """
    words = _WORD.findall(said)
    large = [word for word in words if word not in _SMALL]
    return len(words) > 1 and len(large) > 1 and all(word[0].isupper() for word in large)


def is_headline(text: str) -> bool:
    """Whether nearly all words of a text have capitals, so that one says nothing."""
    words = _WORDS.findall(text)
    long = [word for word in words if len(word) > 3]
    return len(long) > 1 and sum(word[0].isupper() for word in long) >= 0.8 * len(long)
