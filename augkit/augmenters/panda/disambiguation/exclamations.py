"""Words that speak of nobody: exclamations ("Man, was that hard!") and words that are quoted."""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.core.types import Rejection
from augkit.lexicons.demographics.cues import NOUNS, NOUNS_RE, PEOPLE, has_any
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import gendered_nouns

_MARKS = {'"': '"', "\u201c": "\u201d", "\u2018": "\u2019", "'": "'", "`": "'"}


def reject_exclamation(doc: Document, hit: Hit) -> Rejection | None:
    """The reason for leaving alone a word that is cried out or quoted, not said of a person."""
    word = doc.text_of(hit)
    if (cried := exclaimed(doc, hit)) is not None:
        return cried
    if _is_quoted(doc, hit):
        return doc.reject("not a person", f"'{word}' is spoken of as a word")
    return None


def exclaimed(doc: Document, hit: Hit) -> Rejection | None:
    """The reason for leaving an exclamation alone."""
    if not _is_exclaimed(doc, hit):
        return None
    word = doc.text_of(hit)
    return doc.reject("not a person", f"'{word}' is an exclamation")


def _is_exclaimed(doc: Document, hit: Hit) -> bool:
    """As in "*Man*, was that hard!", "Come on, *man*, give me a break."."""
    lower = doc.text_of(hit).lower()
    if lower not in PEOPLE.exclaimed or hit.pos == "name":
        return False
    after = doc.text[hit.end : hit.end + 2].lstrip(" ")[:1]
    if after not in {",", "!", "?", ".", ""} or _is_reported(doc, hit):
        return False
    before = doc.text[: hit.start].rstrip()
    if doc.word_before(hit.start) in NOUNS.before_exclamations and after in {",", "!"}:
        return True  # "lol man, that was wild"
    if before[-1:] in NOUNS.ends:
        return after in {",", "!"}
    if before[-1:] != "," or lower in NOUNS.opening_exclamations:
        return False
    last = NOUNS_RE.words.findall(before[-30:])[-1:]
    return lower != "lady" or (bool(last) and last[0].lower() in NOUNS.before_lady)


def _is_reported(doc: Document, hit: Hit) -> bool:
    """As in "Man, 35, arrested" and "Boy, girl found safe": a headline."""
    after = doc.next_words(hit.end, 2)[1:]
    return any(word[0].isdigit() or word in gendered_nouns() for word in after)


def _is_quoted(doc: Document, hit: Hit) -> bool:
    """As in "the word *woman*", 'How do you spell "*husband*"?', "'lune' is *feminine*"."""
    lower = doc.text_of(hit).lower()
    if lower in NOUNS.of_grammar:
        words = NOUNS_RE.words.findall(doc.field_text(hit.start).lower())
        return has_any(words, NOUNS.grammar)
    opening = doc.text[hit.start - 1 : hit.start] if hit.start else ""
    if opening not in _MARKS or doc.text[hit.end : hit.end + 1] != _MARKS[opening]:
        named = hit.pos == "name"
        return doc.word_before(hit.start) in NOUNS.quoting and not named
    before = NOUNS_RE.words.findall(doc.text[: hit.start - 1].rstrip()[-30:])[-1:]
    return not before or before[0].lower() not in NOUNS.owning
