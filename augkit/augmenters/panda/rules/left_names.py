"""First names that are left alone: of known persons, of businesses, works, places and dishes.

A full name may be a public person's, and what a text says of "Rosario Dawson" is not said of a
Rosario Dawson who is a man. Nothing here counts where somebody pointed at the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from augkit.augmenters.panda.references import is_thing_word
from augkit.augmenters.panda.rules.document import Document
from augkit.core.edits import HasSpan, Span
from augkit.english.morphology import can_be, parts_of_speech
from augkit.lexicons.demographics.cues import LEFT_ALONE
from augkit.lexicons.demographics.names import look_up, surnames
from augkit.lexicons.demographics.person_words import is_person_word, titles
from augkit.lexicons.load import closed_classes

_CAPITALISED = r"[^\W\d_a-z][^\W\d_]+"
_PARTS = r"(?:[A-Z]\. ?)*(?:(?:de|van|von|der|del|di|la|du) )*"
_TWO_CAPITALS = re.compile(rf"(?=\b({_CAPITALISED}) {_PARTS}({_CAPITALISED})\b)")
_TWO_WORDS = re.compile(rf"(?=\b([^\W\d_]{{3,}})(?: [a-z]\.)*[ -]{_PARTS}([^\W\d_]{{2,}})\b)")
_TITLED = re.compile(
    r"\b(?:[Mm]rs?|[Mm]s|Mx|Sir|Dame|Lord|Lady|King|Queen|Pope) ?\.? ?[A-Z]|\bm(?:rs?|s)\. [a-z]"
)
"""A title before a name, which is as good as a full one: "Mr. Deeds"."""
_NEXT_CAPITAL = re.compile(r"[ -](?:[A-Z]\. ?)*([A-Z][\w'\u2019-]*)")
_LAST_CAPITAL = re.compile(r"([^\W\d_a-z][\w'\u2019-]*)[ -]$")
_OWN = re.compile(r" ?['\u2019]s?(?!\w)")
_OF_THINGS = frozenset(
    "the a an some any this that these old new at in near on off through st mt & / @ #"
    " my our your his their san santa los las".split()
)
"""Before a name these show that it is a dish, a place or a thing: "the Reuben", "at Wendy's"."""
_OF_TOWNS = frozenset({"san", "santa", "los", "las"})
"""Before a saint's name these make a town: "Santa Barbara"."""
_OF_PLACES = frozenset({"to", "around"})
"""Before a name that is a place too: "moved to Sydney"; without capitals nobody knows. After
"from" any may be one: "beer from Jasper"."""
_LINKS = frozenset({"&", "/", "the"})
_CALLED = re.compile(rf"\b([a-z]+),? ({_CAPITALISED})\b(?! [A-Z])")
"""A name after a noun."""
_DATE = re.compile(r" \d")
_AGED = re.compile(r", \d")
"""After the name of somebody whose age is told: "Will, 34"."""
_PLAYED = re.compile(r" ?\( ?[A-Z]")
"""After the name of a part: "Fergus (Liam Neeson)"."""
_FEW = 100
"""Bearers per million below which a word without a capital is no name."""
Place = Callable[[Document, HasSpan], bool]


def has_full_name(doc: Document) -> bool:
    """Whether a text tells of somebody by a full name, who may be known to its readers."""
    return not doc.full_names and any(map(holds_full_name, doc.fields.values()))


@lru_cache(maxsize=4_096)
def holds_full_name(text: str) -> bool:
    """Whether a text has a full name, or a title and a name."""
    if _TITLED.search(text):
        return True
    if text.islower():
        return any(_may_be_small_name(*match.groups()) for match in _TWO_WORDS.finditer(text))
    pairs = (match.groups() for match in _TWO_CAPITALS.finditer(text))
    return any(_may_be_whole_name(first.lower(), last.lower()) for first, last in pairs)


def _may_be_whole_name(first: str, last: str) -> bool:
    """Whether two words with capitals are a first name and a surname."""
    if (
        first in _OF_TOWNS
        or first in titles()
        or not closed_classes().keys().isdisjoint({first, last})
    ):
        return False
    listed = look_up(first)
    if listed is not None and listed.is_clear:
        return True
    return last in surnames() and (listed is not None or not parts_of_speech(first))


def _may_be_small_name(first: str, last: str) -> bool:
    """Whether two words of a text without capitals are: "jackie chan", not "anna sings"."""
    listed = look_up(first)
    if listed is None or not listed.is_clear or last in closed_classes():
        return False
    return not parts_of_speech(last) or (last in surnames() and not can_be(last, "VERB"))


def unlisted_name(doc: Document) -> str:
    """A name that no list has, beside a noun for a person: "our server, Jonnette"."""
    for match in _CALLED.finditer(doc.text):
        word = match[2].lower()
        is_known = look_up(word) is not None or parts_of_speech(word) or word in closed_classes()
        if is_person_word(match[1].lower()) and not is_known:
            return match[2]
    return ""


def why_no_name(doc: Document, name: HasSpan) -> str:
    """Say why a first name is none of a person; nothing if it may be.

    One place where the word is something else decides for all: "Reuben. I had the Reuben."
    """
    for place in _places(doc, name):
        for why, holds in NAME_RULES:
            if holds(doc, place):
                return why
    return ""


def _places(doc: Document, name: HasSpan) -> Iterator[Span]:
    """All places of a name as a word of its own, in capitals too: "Paul ... PAUL"."""
    word = doc.text[name.start : name.end]
    for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", doc.text, re.IGNORECASE):
        if match[0][:1].isupper() == word[:1].isupper():
            yield Span(*match.span())


def _stands_as_thing(doc: Document, name: HasSpan) -> bool:
    before = doc.word_before(name.start)
    listed = look_up(doc.text[name.start : name.end])
    if before == "from" or before.endswith(("'s", "\u2019s")):  # "my wife's *Cosmo*"
        return True
    if before in _OF_PLACES and (doc.text == doc.lower or (listed and listed.is_place)):
        return True
    after = doc.word_after(name.end)
    if before in _OF_THINGS or after in _LINKS:
        return True
    is_small = doc.text[name.end + 1 : name.end + 2].islower()  # no surname, as in "Jack Hill"
    if (is_small and is_thing_word(after)) or is_thing_word(before):  # "*Caesar* salad"
        return True
    if doc.text[name.start : name.end].lower() in LEFT_ALONE.months:
        return True
    return doc.lower.endswith("st. ", 0, name.start) or bool(_DATE.match(doc.text, name.end))


def _owns_like_business(doc: Document, name: HasSpan) -> bool:
    """Whether a name owns what is not named, or stands only once: "Giovanni's pizza"."""
    own = _OWN.match(doc.text, name.end)
    if own is None:
        return False
    return not _noun_may_follow(doc, own.end()) or len(list(_places(doc, name))) == 1


def _noun_may_follow(doc: Document, end: int) -> bool:
    word = doc.word_after(end)
    if not word[:1].isalpha() or word in closed_classes():
        return False
    return can_be(word, "NOUN") or can_be(word, "ADJ") or not parts_of_speech(word)


def _is_beside_capital(doc: Document, name: HasSpan) -> bool:
    """Whether a word with a capital stands beside it: "Tin *Angel*", "*Bud* Light"."""
    if not is_cased_at(doc, name):
        return False
    before = capital_before(doc, name)
    if before and titles().get(before.lower(), "unknown") == "unknown":  # not "Aunt *May*"
        return True
    return not doc.full_names and capital_after(doc, name) != ""


def _is_rare_without_capital(doc: Document, name: HasSpan) -> bool:
    listed = look_up(doc.text[name.start : name.end])
    return doc.text == doc.lower and (listed is None or listed.bearers < _FEW)


def _is_word(doc: Document, name: HasSpan) -> bool:
    """Whether the parse has no name where the word is one of the language too: "*Mark* it"."""
    listed = look_up(doc.text[name.start : name.end])
    if listed is None or "w" not in listed.also or doc.word_after(name.end) == ",":
        return False
    token = doc.token(name.start)
    return token is not None and token.upos != "PROPN"


def _only_opens_sentences(doc: Document, name: HasSpan) -> bool:
    """Whether a word of the language has its capital from its place alone: "*Rich*, creamy".

    A verb, an age or a pronoun of its gender shows that it is a name: "*Mark* is a teacher."
    """
    if can_be(doc.word_after(name.end), "VERB") or _AGED.match(doc.text, name.end):
        return False
    listed = look_up(doc.text[name.start : name.end])
    if listed is None or "w" not in listed.also or not is_cased_at(doc, name):
        return False
    pronouns = (h for h in doc.hits_of("gender") if h.pos == "pronoun")
    if any(pronoun.attribute == listed.gender for pronoun in pronouns):
        return False
    return all(doc.opens_sentence(place.start) for place in _places(doc, name))


def is_cased_at(doc: Document, place: HasSpan) -> bool:
    """Whether capitals say something at a place: the field has small letters and capitals."""
    field = doc.fields[doc.field_at(place.start)]
    return not field.isupper() and doc.text != doc.lower


def capital_before(doc: Document, place: HasSpan) -> str:
    """The word with a capital right before a place, but one that merely opens a sentence."""
    match = _LAST_CAPITAL.search(doc.text[max(0, place.start - 30) : place.start])
    if match is None:
        return ""
    word = match[1].lower()
    opens = doc.opens_sentence(place.start - len(match[0])) and look_up(word) is None  # "Poor Joan"
    return "" if opens or word.endswith("'s") or word in _closed() else match[1]


def capital_after(doc: Document, place: HasSpan) -> str:
    """The word with a capital right after a place; initials are passed over."""
    match = _NEXT_CAPITAL.match(doc.text, place.end)
    if match is None:
        return ""
    word = re.split("['\u2019]", match[1])[0]
    return "" if word.lower() in _closed() else word


@lru_cache(maxsize=1)
def _closed() -> frozenset[str]:
    """Words that have a capital for another reason than that they are names."""
    return frozenset({*closed_classes(), "i", "i'm", "i've", "ok", "thanks", "thank", "hi", "dear"})


_QUOTED = re.compile(
    r"(?<!\w)(?:[\"\u201c]([^\"\u201c\u201d\n]{1,60})[\"\u201d]"
    r"|['`\u2018]{1,2} ?([^'`\u2018\u2019\n]{1,40}?) ?['\u2019]{1,2}(?!\w))"
)
_MOST_QUOTED = 5
"""Words of a title in quotation marks, at most; more are speech."""


def is_quoted(doc: Document, place: HasSpan) -> bool:
    """Whether a few words in quotation marks hold a place: a title, or a word that is mentioned."""
    return any(start <= place.start and place.end <= end for start, end in _titles(doc.text))


@lru_cache(maxsize=256)
def _titles(text: str) -> tuple[Span, ...]:
    """The places of titles in quotation marks."""
    return tuple(
        Span(*match.span())
        for match in _QUOTED.finditer(text)
        if not _is_speech((match[1] or match[2]).split())
    )


def _is_speech(quoted: list[str]) -> bool:
    """Whether words in quotation marks are what somebody says: "Good boy, Tom!"."""
    if not quoted or len(quoted) > _MOST_QUOTED:
        return True
    return len(quoted) > 2 and quoted[-1][-1] in ",.!?"


NAME_RULES: tuple[tuple[str, Place], ...] = (
    ("a place, a thing or a date", _stands_as_thing),
    ("it may be a business", _owns_like_business),
    ("part of a longer name", _is_beside_capital),
    ("a part in a play or film", lambda doc, name: bool(_PLAYED.match(doc.text, name.end))),
    ("in quotation marks", is_quoted),
    ("a rare name without a capital", _is_rare_without_capital),
    ("no name here", _is_word),
    ("it may be a word that opens a sentence", _only_opens_sentences),
)
"""Why a place of a name is none of a person, and what shows it."""
