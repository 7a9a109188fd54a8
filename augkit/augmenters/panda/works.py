"""Titles of films, books, songs and the like, in quotation marks or after what they are."""

from __future__ import annotations

import re

from augkit.augmenters.panda.scene import Scene
from augkit.lexicons.find import Hit

_QUOTED = re.compile(
    r"\"([^\"\n]{2,80})\"|\u201c([^\u201d\n]{2,80})\u201d|(?<!\w)'([^'\n]{2,80})'(?!\w)"
    r"|(?<!\w)\u2018([^\u2019\n]{2,80})\u2019(?!\w)|(?<!\w)[*_]([^*_\n]{2,80})[*_](?!\w)"
)
_TITLE = (
    r"(?:[A-Z][\w'\u2019-]*,?)"
    r"(?: (?:(?:of|the|and|in|a|an|to|on|for|with|at|from|as) )*[A-Z][\w'\u2019-]*)+"
)
_AFTER_KIND = re.compile(
    r"\b(?:film|movie|song|novel|book|album|series|sitcom|play|musical|opera|poem|painting"
    r"|magazine|comic|band|hit|single|ballad|podcast|documentary|memoir|thriller|video game|novella"
    r"|classic|read|reading|watch|watched|watching|rewatched|sang|sings|starred in|stars in|pub"
    r"|performed|staged|staging|rehearsing|rehearsed|screened|streamed|streaming|binged|rented)"
    rf"(?: called| named| titled| entitled)? ({_TITLE}"
    rf"(?:,? (?:and |or )?(?:then |later )?{_TITLE})*)"
)
_SAID_TO_BE = re.compile(
    r"(?:['\u2019]s)?(?:[ ,:]+(?:[A-Z][\w'\u2019]*|of|the|and|in|on|her|his|a|to)){0,9}"
    r"(?: (?:\(|-LRB- )(?:19|20)\d\d(?: film| novel)?(?:\)| -RRB-)"
    r"|,? (?:is|was) an? (?:[\w-]+ ){0,5}(?:film|novel|movie|album|song|play|sitcom|series"
    r"|musical|opera|episode|comedy|thriller|poem|ballad|painting|video game|documentary"
    r"|novella|single|sequel)"
    r"(?=[.,;]|$| (?:by|of|directed|written|about|from|that|which|set|starring|released|based"
    r"|produced|created|in|first|recorded|adapted|with|originally)\b))"
)
"""What follows a title: "(1972)", "is a play by"."""
_SAYING = re.compile(
    r"[ ,]*(?:(?:[a-z]+ )?[A-Za-z]+ )?(?:said|says|asked|asks|replied|shouted|told|called|added"
    r"|whispered|answered|cried|yelled|explained|begged|insisted|muttered|snapped)\b"
)
_SAID = re.compile(r"\b(?:said|says|asked|replied|shouted|added|whispered|answered|cried)[,:] $")
_BODY = re.compile(
    r"\b(?:Association|Society|Federation|Union|League|Council|Coalition|Alliance|Institute|Museum"
    r"|Academy|Congress|Conference|Fund|Foundation|Network|Committee|Cent(?:er|re)|Board|Bureau"
    r"|Department|Ministry|Office|Commission|Guild|Order|Brotherhood|Sisterhood|Friends|Assembly"
    r"|Organi[sz]ation|College|School|Forum|Campaign|Movement|Partnership|Trust|Hall|Home|House)"
    r"(?: of| for| on| against| to)(?: the)?(?: [A-Z][a-z]+| and)* $"
)
_OF_A = re.compile(
    r"\b(?:Portrait|Study|Statue|Head|Bust|Story|Diary|Confessions|Memoirs|Tale|Life|Death|Letter"
    r"|Song|Ballad|Dream|House|Son|Daughter|Day|Night|Return|Rise|Fall|Secret|Curse|Book|Journal)"
    r"s? (?:of|from|to|for|with|in) (?:an?|the)(?: [A-Z][a-z]+)? $"
)
_INSIDE = re.compile(r"[a-z,] $")
_TITLED = re.compile(
    r"(?:['\u2019](?:s|d|ll))? (?!Royal|Majest|Highness|Grace|Excellenc|Holiness|Honou?r|Eminence"
    r"|Imperial|Serene|Worship|Lordship|Ladyship)(?:(?:the|a|an|of|not|just|all) )*[A-Z][a-z]+"
)
_SMALL = frozenset(
    "a an the of and or in on at to for with from by but nor as is into over than that upon after"
    " about like".split()
)
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
        said = next(part for part in match.groups() if part is not None) if inside else ""
        if inside and _is_title(said) and not _is_spoken(text, match.start(), match.end()):
            return True
    if any(m.start(1) <= start and end <= m.end(1) for m in _AFTER_KIND.finditer(text)):
        return True
    if hit.readings[0].pos != "pronoun" and _SAID_TO_BE.match(text, end):
        return True
    return _is_capital_inside(text, start, hit)


def _is_spoken(text: str, start: int, end: int) -> bool:
    """As in '"Ask Kevin," *she said*': the words before or after say that somebody speaks."""
    return bool(_SAYING.match(text, end) or _SAID.search(text, max(0, start - 20), start))


def _is_capital_inside(text: str, start: int, hit: Hit) -> bool:
    """As in "We saw *She's* Gotta Have It" and "Whistler's *Mother*": a capital and no reason."""
    kind, after = hit.readings[0].pos, text[start + hit.end - hit.start :]
    if kind == "name" or is_headline(text):
        return False
    if _OF_A.search(text, max(0, start - 40), start):
        return True
    if kind == "pronoun":
        return bool(_INSIDE.search(text, max(0, start - 2), start) and _TITLED.match(after))
    owned = text[max(0, start - 3) : start] in {"'s ", "\u2019s "}
    return owned and kind in {"noun", "title"} and not after[1:2].isupper()


def is_in_body(scene: Scene, hit: Hit) -> bool:
    """As in "the National Association of *Black* Journalists", "the League of *Women* Voters"."""
    if not scene.text[hit.start].isupper():
        return False
    return _BODY.search(scene.text, max(0, hit.start - 80), hit.start) is not None


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
    rest = words[1:]  # the first has one in any case
    long = [word for word in rest if len(word) > 2 and word.lower() not in _SMALL]
    small = [word for word in long if word[0].islower()]
    asked = "? " in text and text[-1:] == "."  # question and answer
    return len(long) > 1 and len(small) <= len(long) / 10 and not asked
