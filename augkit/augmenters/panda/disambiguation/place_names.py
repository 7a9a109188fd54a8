"""First names that are towns and lands too, and where they stand as such: "moved to Victoria"."""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import NEXT_CAPITAL
from augkit.lexicons.demographics.cues import PEOPLE, PLACES, PLACES_RE, has_any
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import called_she, titles


def stands_as_place(doc: Document, hit: Hit) -> bool:
    """As in "in Victoria" and "moved to Victoria", or "Victoria is the capital of ..."."""
    if not _is_place(doc, hit):
        return False
    if _is_town(doc, hit) or _is_beside_place(doc, hit):
        return True
    after = doc.text[hit.end : hit.end + 2]
    words = doc.words_before(hit.start)
    led = bool(words) and words[-1] in PLACES.before
    if words and words[-1].removesuffix("ern") in PLACES.parts:
        return not NEXT_CAPITAL.match(doc.text, hit.end)
    if doc.word_after(hit.end) in PLACES.being and not led:
        following = doc.next_words(hit.end, 7)
        return has_any(following, PLACES.kinds) or has_any(following[:4], PLACES.said_of_towns)
    owns = doc.text[hit.end : hit.end + 3].lstrip(" ")[:2] in {"'s", "\u2019s"}
    if owns or (after[:1] == " " and after[1:].isupper()):
        return False
    if PLACES_RE.from_to.search(doc.text, max(0, hit.start - 40), hit.start):
        return True
    if words[-1:] == ["for"]:
        return len(words) > 1 and words[-2] in PLACES.bound_for
    if words[-1:] == ["from"]:
        return len(words) < 2 or words[-2] not in PLACES.got_from_people
    if words[-1:] and words[-1] in {"to", "at"}:
        return len(words) > 1 and words[-2] in PLACES.going
    return bool(words) and words[-1] in PLACES.before


def _is_beside_place(doc: Document, hit: Hit) -> bool:
    """As in "Manhattan and *Brooklyn*" and "*Alexandria* is in Egypt": other places tell."""
    if doc.word_before(hit.start).rstrip(".") in titles():
        return False  # "Princess Charlotte, Britain's heir"
    if PLACES_RE.in_land.match(doc.text, hit.end) or PLACES_RE.other_towns.match(doc.text, hit.end):
        return True
    before = PLACES_RE.after_place.search(doc.text, max(0, hit.start - 40), hit.start)
    after = PLACES_RE.before_place.match(doc.text, hit.end)
    return any(match is not None and _is_land(match[1]) for match in (before, after))


def _is_land(word: str) -> bool:
    """Whether a word with a capital is a land or a town, and hardly anybody's name."""
    name = look_up(word)
    if name is not None:
        return name.is_thing
    return word.lower() in called_she() | PEOPLE.no_names


def _is_town(doc: Document, hit: Hit) -> bool:
    """As in "*Sydney* was hit by hail": it happens to towns, and nobody is named."""
    after = doc.text[hit.end : hit.end + 2]
    if after[:1] != " " or after[1:].isupper() or doc.text[: hit.start].rstrip()[-1:].isalnum():
        return False
    pronouns = any(h.pos == "pronoun" for h in doc.hits)
    return not pronouns and has_any(doc.next_words(hit.end, 6), PLACES.town_events)


def _is_place(doc: Document, hit: Hit) -> bool:
    name = look_up(doc.text_of(hit))
    return name is not None and name.is_place
