"""Words that speak of nobody: exclamations ("Man, was that hard!") and words that are quoted."""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import is_of_thing, is_person_word
from augkit.core.types import Rejection
from augkit.lexicons.demographics.cues import NOUNS, NOUNS_RE, PEOPLE, has_any, sayings
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import gendered_nouns, perhaps_she

_MARKS = {'"': '"', "\u201c": "\u201d", "\u2018": "\u2019", "'": "'", "`": "'"}


def reject_exclamation(doc: Document, hit: Hit) -> Rejection | None:
    """The reason for leaving alone a word that is cried out or quoted, not said of a person."""
    word = doc.text_of(hit)
    if (cried := exclaimed(doc, hit)) is not None:
        return cried
    if word.lower() in NOUNS.in_sayings and _is_in_saying(doc, hit):
        return doc.reject("fixed phrase", f"'{word}' belongs to a saying")
    if (thing := _thing_described(doc, hit)) is not None:
        return doc.reject("not a person", f"'{word}' is said of '{thing}', no person")
    if word == "man" and _is_mankind(doc, hit):
        return doc.reject("not a person", f"'{word}' is mankind here")
    if _is_quoted(doc, hit):
        return doc.reject("not a person", f"'{word}' is spoken of as a word")
    return None


def _is_in_saying(doc: Document, hit: Hit) -> bool:
    near = sayings().finditer(doc.text, max(0, hit.start - 80), hit.end + 80)
    return any(match.start() <= hit.start < match.end() for match in near)


def _is_mankind(doc: Document, hit: Hit) -> bool:
    """As in "God made *man*" and "when *man* discovered fire": no article, and words of ages."""
    before, after = doc.word_before(hit.start), doc.word_after(hit.end)
    if before in NOUNS.bare_before and after in NOUNS.bare_after and not doc.text.islower():
        return doc.text[:1].isupper()  # "the animal side of man."
    if before not in NOUNS.before_mankind:
        return False
    words = NOUNS_RE.words.findall(doc.field_text(hit.start).lower())
    shown = after.endswith("ing") or after in {"in", "with", "on", "at", "who", "and"}
    return not (shown and "god" not in words) and has_any(words, NOUNS.mankind_context)


def _thing_described(doc: Document, hit: Hit) -> str | None:
    """The thing that a noun is said of: "Necessity is the *mother* of invention"."""
    if hit.pos != "noun" or hit.number == "plural":
        return None
    match = NOUNS_RE.is_one.search(doc.text, max(0, hit.start - 60), hit.start)
    if match is None or doc.text[hit.end : hit.end + 1] in {"'", "\u2019"}:
        return None
    word = match[1].lower()
    thing = is_of_thing(word) or (word in perhaps_she() and not is_person_word(word))
    return match[1] if thing and word not in NOUNS.also_people else None


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
    if before[-1:] != "," or lower in NOUNS.opening_exclamations or _is_listed(doc, hit):
        return False
    last = NOUNS_RE.words.findall(before[-30:])[-1:]
    return lower != "lady" or (bool(last) and last[0].lower() in NOUNS.before_lady)


def _is_reported(doc: Document, hit: Hit) -> bool:
    """As in "Man, 35, arrested" and "Boy, girl found safe": a headline."""
    after = doc.next_words(hit.end, 2)[1:]
    return any(word[0].isdigit() or word in gendered_nouns() for word in after)


def _is_listed(doc: Document, hit: Hit) -> bool:
    """As in "every woman, *man*, and child": a list of people."""
    after = doc.next_words(hit.end, 3)
    before = doc.text[max(0, hit.start - 30) : hit.start].lower().rstrip(" ,").split()[-1:]
    return bool({"and", "or"} & set(after[1:2])) or bool(
        set(before) & gendered_nouns().keys() or set(after[1:]) & gendered_nouns().keys()
    )


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
