"""The mentions of persons that the words of a text show: pronouns, nouns and names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from augkit.augmenters.panda.rules.document import Document
from augkit.english.morphology import parts_of_speech
from augkit.lexicons.demographics.cues import NAMES, PEOPLE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.names import surnames
from augkit.lexicons.demographics.person_words import is_person_word, person_nouns, titles
from augkit.lexicons.demographics.term_senses import Reading
from augkit.lexicons.load import closed_classes, word_set

Kind = Literal["pronoun", "name", "noun"]
_KINDS: dict[str, Kind] = {"pronoun": "pronoun", "name": "name", "title": "name"}
_GENDERED = ("man", "woman")
_REST_OF_NAME = re.compile(
    r"(?:(?: +|-)(?:[A-Z]\.(?: ?[A-Z]\.)*|de|la|von|van|der|del|della|di|da|du|le|al|bin|ibn)"
    r"(?= ?[A-Z])|[ -][A-Z]\."
    r"|(?: +|-)(?!(?:The|In|On|At|He|She|His|Her|It|And|But|A|I)\b)"
    r"[^\W\d_a-z][\w\u2019'-]*(?<!'s)(?<!\u2019s))+"
)
_WHOLE_NAME = (
    r"(?:\b(?!De |Van |Von |Le |{0} )([^\W\d_a-z][^\W\d_]+)\.? "
    r"(?:[A-Z]\. |(?:de|van|von|der|den|da|di) )*)?(?<!\w)({0})(?!\w)"
)
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLE = re.compile(
    r"(?:(\w+) ?[,(] ?)?(?:(?:^|[.!?] )an?|\b(?:the|this|that|his|her|my|your|our|their)"
    r"|\w['\u2019]s) (?:[\w-]+ ){0,2}$"
)
"""Before a noun for somebody known, or who opens a sentence; and the word before a comma."""
_PLAYED = re.compile(r"\b(?:play|portray)\w* (?:[\w-]+ ){1,3}$")
"""Before a noun for a part: "the actress who plays the *detective*"."""


@dataclass(slots=True)
class Mention:
    """Words that refer to a person: ``text[start:end]``, with the references that lie in them."""

    start: int
    end: int
    kind: Kind
    gender: str
    number: str
    case: str = ""
    hits: list[Hit] = field(default_factory=list)
    words: frozenset[str] = frozenset()


@dataclass(slots=True)
class Person:
    """Mentions so far, and what they say together."""

    number: int
    gender: str
    plural: bool
    mentions: list[Mention]
    words: set[str]


def find_mentions(doc: Document) -> list[Mention]:
    """The mentions of persons in order; a chosen word that is none of the listed counts too."""
    mentions: list[Mention] = []
    free = 0
    for hit in doc.hits_of("gender"):
        if hit.start < free or hit.blocked or "joined" in hit.needs:
            continue
        inside = doc.text[max(0, hit.start - 1) : hit.start] in {"'", "\u2019"}  # "O'*Brian*"
        if hit.pos == "name" and inside and not doc.is_chosen(hit):
            continue
        mention = _mention(hit)
        if hit.pos in {"name", "title"} or _is_title(doc, hit):
            _extend_name(doc, mention)
            free = mention.end
        mentions.append(mention)
    if any(len(m.words) > 1 or (m.words and m.hits[0].pos != "name") for m in mentions):
        _add_hits(doc, mentions)
        names = _surnames(doc, mentions)
        mentions = [
            m for m in mentions if not (m.words <= names and [h.pos for h in m.hits] == ["name"])
        ]
        mentions += _repeated_surnames(doc, mentions, names) if names else ()
    if doc.end and not any(doc.is_chosen(m) for m in mentions):
        mentions += _unlisted(doc)
    return sorted(mentions, key=lambda mention: mention.start)


def genderless_mentions(doc: Document, mentions: Sequence[Mention], end: int) -> Iterator[Mention]:
    """The nouns and names of one person before ``end`` that show no gender.

    As in "the *nurse*", "*Senator Vance*"; not "a *woman* pilot", "Coach *Ann Lee*".
    """
    if _single_persons().isdisjoint(doc.words) and doc.lower == doc.text:
        return
    nouns = [m for m in mentions if m.kind != "pronoun"]
    free = 0
    for match in _WORD.finditer(doc.text, 0, end):
        start, last = match.span()
        word = match.group().lower()
        is_capital = match.group()[0].isupper()
        if start < free or word in closed_classes():
            continue
        if not (is_capital or word in _single_persons()):
            continue
        rest = _REST_OF_NAME.match(doc.text, last + (doc.text[last : last + 1] == "."))
        free = rest.end() if is_capital and rest else last
        if any(m.start < free + 2 and start < m.end + 2 for m in nouns):
            continue
        titled = is_capital and rest and (word in titles() or is_person_word(word))
        if titled or (is_capital and _is_surname(doc, match)):
            words = frozenset(_WORD.findall(doc.lower, last if titled else start, free))
            yield Mention(start, free, "name", "unknown", "singular", words=words)
        elif word in _single_persons() and _is_one_person(doc, match):
            yield Mention(start, last, "noun", "unknown", "singular")


@cache
def _single_persons() -> frozenset[str]:
    return person_nouns() - PEOPLE.groups


def _is_one_person(doc: Document, match: re.Match[str]) -> bool:
    """Whether a noun stands for one person, and says nothing of another: "Ann, the *nurse*"."""
    window = max(0, match.start() - 40), match.start()
    article = _ARTICLE.search(doc.lower, *window)
    before = doc.text[slice(*article.span(1))] if article and article[1] else ""
    if before.istitle() or is_person_word(before.lower()) or _PLAYED.search(doc.lower, *window):
        return False
    return article is not None or match.group()[0].isupper()


def _is_surname(doc: Document, match: re.Match[str]) -> bool:
    """Whether a word with a capital is a surname, or a name that no list has."""
    word = match.group().lower()
    before = doc.word_before(match.start())
    if word in _no_names() or before in {"in", "at", "the", "near"}:
        return False
    common_word = parts_of_speech(word) and (before in {"", "."} or word not in surnames())
    return match.group().istitle() and not common_word


@cache
def _no_names() -> frozenset[str]:
    return word_set("places") | PEOPLE.states | PEOPLE.no_names | titles().keys()


def _mention(hit: Hit) -> Mention:
    first = hit.readings[0]
    shown = first.attribute in _GENDERED and not hit.is_weak and "surname" not in hit.needs
    gender = first.attribute if shown else "unknown"
    if first.pos == "pronoun" and first.attribute == "non-binary":
        gender = "they"
    number = "plural" if first.number == "plural" else "singular"
    kind = _KINDS.get(first.pos, "noun")
    return Mention(hit.start, hit.end, kind, gender, number, first.case, [hit])


def _is_title(doc: Document, hit: Hit) -> bool:
    """Whether a noun is the title of a name: "*King* Olaf", "*Aunt* May"."""
    word = doc.text_of(hit)
    if not word.istitle() or word.lower() not in NAMES.before_names:
        return False
    rest = _REST_OF_NAME.match(doc.text, hit.end)
    alone = rest is None or rest.group().isupper()
    return not alone and doc.word_after(hit.end) not in closed_classes()


def _extend_name(doc: Document, mention: Mention) -> None:
    """Give a name its surname, and a title its name: "Mr. *Porter*", "Grace *Kelly*"."""
    is_title = mention.hits[0].pos != "name"
    mention.kind = "name"
    end = mention.end + (is_title and doc.text[mention.end : mention.end + 1] == ".")
    rest = _REST_OF_NAME.match(doc.text, end)
    if rest is not None:
        mention.end = rest.end()
    first = end if is_title else mention.start
    words = [w for w in _WORD.findall(doc.text[first : mention.end].lower()) if len(w) > 1]
    mention.words = frozenset(words) - NAMES.particles


def _add_hits(doc: Document, mentions: list[Mention]) -> None:
    """The references inside a whole name: "Sir *John* Falstaff"."""
    for mention in mentions:
        if mention.kind == "name":
            inside = [
                h
                for h in doc.hits_of("gender")
                if mention.start <= h.start < mention.end and doc.text[h.start - 1] not in "'\u2019"
            ]
            mention.hits = [h for h in inside if not (h.blocked or "joined" in h.needs)]
            mention.hits += _unlisted_first(doc, mention)
            firsts = [_mention(h).gender for h in mention.hits]
            mention.gender = next((g for g in firsts if g in _GENDERED), mention.gender)


def _unlisted_first(doc: Document, mention: Mention) -> Iterator[Hit]:
    """A first name that no list has, after a title that shows a gender: "Queen *Isolde*"."""
    title = mention.hits[0] if mention.hits else None
    if title is None or title.pos == "name" or title.attribute not in _GENDERED:
        return
    names = [m for m in _WORD.finditer(doc.text, title.end, mention.end) if len(m.group()) > 1]
    listed = [h for h in mention.hits if h.pos == "name"]
    before_first = doc.text_of(title).lower() in NAMES.before_first_names
    if names and not listed and (len(names) > 1 or before_first):
        reading = Reading(title.attribute, "name", "", {})
        yield Hit(*names[0].span(), doc.axis, (reading,), ())


def _surnames(doc: Document, mentions: Sequence[Mention]) -> set[str]:
    """The last words of whole names, and those after a title, that begin no whole name."""
    titled = [m for m in mentions if m.kind == "name" and m.hits and m.hits[0].pos == "title"]
    several = [m for m in mentions if len(m.words) > 1]
    whole = [sorted(m.words, key=lambda w: doc.lower.find(w, m.start)) for m in several]
    last = {words[-1] for words in whole}.union(*(m.words for m in titled))
    return last - {words[0] for words in whole}


def _repeated_surnames(
    doc: Document, mentions: list[Mention], names: set[str]
) -> Iterator[Mention]:
    """The surnames of whole names where they stand alone: "Kimberly Beck ... *Beck*"."""
    for match in _WORD.finditer(doc.text):
        word = match.group().lower()
        is_name = word in names and match.group()[0].isupper()
        if is_name and not any(m.start < match.end() and match.start() < m.end for m in mentions):
            yield Mention(*match.span(), "name", "unknown", "singular", words=frozenset({word}))


def _unlisted(doc: Document) -> Iterator[Mention]:
    """A chosen word that no list has: a name wherever it stands, or a noun.

    After a first name or a title it is a surname: "*Pontius* Pilate", "Senator Obama".
    """
    if not may_be_name(doc, (doc.start, doc.end)):
        yield Mention(doc.start, doc.end, "noun", "unknown", "singular")
        return
    word = doc.word.lower()
    reading = Reading("unknown", "name", "", {})
    whole = re.finditer(_WHOLE_NAME.format(re.escape(doc.word)), doc.text)
    names = [(m, m[1] and may_be_name(doc, m.span(1))) for m in whole]
    last = [m for m, _ in names if not _REST_OF_NAME.match(doc.text, m.end())]
    titled = any((m[1] or "").lower() in NAMES.before_surnames for m in last)
    thing = word in surnames() and parts_of_speech(word)
    alone = not (titled or thing or any(first for _, first in names))
    for match, first in names:
        span = match.span(1 if first else 2)
        hits = [Hit(*span, doc.axis, (reading,), ())] if doc.pointed and (first or alone) else []
        words = frozenset({word})
        yield Mention(span[0], match.end(), "name", "unknown", "singular", hits=hits, words=words)


def may_be_name(doc: Document, span: tuple[int, int]) -> bool:
    """Whether a word that no list of first names has may be a person's name."""
    word = doc.text[slice(*span)]
    if word.lower().rstrip(".") in _no_names():
        return False
    if word.islower():
        return doc.text.islower() and word.isalpha() and not parts_of_speech(word)
    if word.lower() in surnames() or not parts_of_speech(word.lower()):
        token = doc.token(span[0])
        return word[:1].isupper() and token is not None and token.upos == "PROPN"
    return False
