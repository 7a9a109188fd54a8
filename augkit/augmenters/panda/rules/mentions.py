"""The mentions of persons that the words of a text show: pronouns, nouns and names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile
from typing import Literal

from augkit.augmenters.panda.references import is_thing_word
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.readings import is_person
from augkit.core.analysis import Token
from augkit.language.morphology import can_be, parts_of_speech
from augkit.lexicons.demographics.cues import NAMES, PEOPLE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import is_person_word, person_nouns, titles
from augkit.lexicons.demographics.surnames import surnames
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
_OWNING = re.compile("['\u2019]s| [A-Z]")
"""After the surname of a thing, a firm or a disease: "Newton's law", "Goldman Sachs"."""
_WORD = re.compile(r"[^\W\d_]+")
_NO_ONE = frozenset("no any every each as".split())
"""Below a noun that stands for nobody in particular, or says what somebody is."""
_ARTICLE = re.compile(
    r"(?<![,(] )(?<!\bas )(?<!\bis )(?<!'s )(?<!\bwas )(?<!\bbe )(?<!\bbeen )(?<!\bbecame )"
    r"(?:\b(?:the|an?|his|her|my|your|our|their|this|that|one|another)|\w['\u2019]s) (?:[\w-]+ ){0,2}$"
)
"""Before a noun that does not say what somebody before it is."""
_PLAYED = re.compile(r"\b(?:play|portray|becom|bec[oa]m)\w* (?:[\w-]+ ){1,3}$")
"""Before a noun for a part: "the actress who plays the *detective*"."""
_BEFORE_PLACES = frozenset("in at the near".split())


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
    found: list[Mention] = []
    free = 0
    for hit in doc.hits_of("gender"):
        if hit.start < free or hit.blocked or "joined" in hit.needs:
            continue
        mention = _mention(hit)
        if hit.pos in {"name", "title"} or _is_title(doc, hit):
            _extend_name(doc, mention)
            free = mention.end
        found.append(mention)
    if any(mention.kind == "name" for mention in found):
        _add_hits(doc, found)
        names = _surnames(doc, found)
        found = [m for m in found if not (m.words <= names and [h.pos for h in m.hits] == ["name"])]
        found += _repeated_surnames(doc, found, names) if names else ()
    if doc.end and not any(doc.is_chosen(m.start, m.end) for m in found):
        found += _unlisted(doc)
    return sorted(found, key=lambda mention: mention.start)


def genderless_words(doc: Document, found: Sequence[Mention], end: int) -> set[str]:
    """The words before ``end`` that may be mentions without gender, as seen without a parse."""
    if _single_persons().isdisjoint(doc.words) and doc.lower == doc.text:
        return set()
    nouns = [m for m in found if m.kind != "pronoun"]
    return {
        match.group()
        for match in _WORD.finditer(doc.text, 0, end)
        if _may_be_genderless(doc, match)
        if not any(m.start < match.end() + 2 and match.start() < m.end for m in nouns)
    }


def _may_be_genderless(doc: Document, match: re.Match[str]) -> bool:
    """Whether a word is a noun for one person with an article, or a surname."""
    word, start = match.group().lower(), match.start()
    if word in _single_persons():
        after = doc.word_after(match.end())
        verb = can_be(after, "VERB") and not can_be(after, "NOUN")
        ends = verb or not (after.isalpha() or after == ",") or after in closed_classes()
        if is_thing_word(after) or (can_be(word, "ADJ") and not ends):
            return False
        said = _ARTICLE.search(doc.lower, max(0, start - 40), start)
        return said is not None or match.group()[0].isupper()
    is_name = match.group()[0].isupper() and word in surnames() and word not in closed_classes()
    return is_name and not (parts_of_speech(word) and doc.opens_sentence(start))


@cache
def _single_persons() -> frozenset[str]:
    return person_nouns() - PEOPLE.groups


def genderless_mentions(doc: Document, found: Sequence[Mention]) -> Iterator[Mention]:
    """The nouns and names of one person each that show no gender: "the *nurse*", "*Dr. Vance*"."""
    free = 0
    for token in doc.parsed.tokens:
        name = list(takewhile(_is_capital, doc.parsed.tokens[token.index : token.index + 5]))
        start, end = token.start, (name[-1] if name else token).end
        if start < free:
            continue
        free = end if name else free
        beside = [m for m in found if m.start < end + 2 and start < m.end + 2]
        if any(m.kind != "pronoun" and (name or m.start <= start) for m in beside):
            continue  # "Coach *Ann Lee*", "a *woman* pilot"
        if name and _is_name(doc, name):
            words = frozenset(t.text.lower() for t in name) - titles().keys()
            yield Mention(start, end, "name", "unknown", "singular", words=words)
        elif token.upos == "NOUN" and _is_one_person(doc, token):
            yield Mention(token.start, token.end, "noun", "unknown", "singular")


def _is_capital(token: Token) -> bool:
    """Whether a word may be a part of a name: a proper noun, or a title."""
    word = token.text.lower().rstrip(".")
    return token.text.istitle() and (
        token.upos == "PROPN" or word in titles() or is_person_word(word)
    )


def _is_one_person(doc: Document, token: Token) -> bool:
    """Whether a noun stands for one person, and says nothing of another: "is a *nurse*"."""
    several = token.morph.get("Number") == "Plur" or token.lemma.lower() in PEOPLE.groups
    below = doc.parsed.children(token)
    said = token.is_relation("compound", "vocative") or any(
        t.deprel == "cop" or t.text.lower() in _NO_ONE for t in below
    )
    said = said or bool(_PLAYED.search(doc.lower, max(0, token.start - 40), token.start))
    return not several and not said and is_person(doc, token)


def _is_name(doc: Document, name: Sequence[Token]) -> bool:
    """Whether proper nouns are a person's name: a title, a surname or a name that no list has."""
    first, last = name[0], name[-1]
    before = doc.word_before(first.start)
    if before in _BEFORE_PLACES:
        return False
    word = first.text.lower().rstrip(".")
    titled = len(name) > 1 and (is_person_word(word) or word in titles())
    return titled or may_be_name(doc, (last.start, last.end))


def _mention(hit: Hit) -> Mention:
    first = hit.readings[0]
    gender = first.attribute if first.attribute in _GENDERED and not hit.is_weak else "unknown"
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


def _add_hits(doc: Document, found: list[Mention]) -> None:
    """The references inside a whole name: "Sir *John* Falstaff"."""
    for mention in found:
        if mention.kind == "name":
            inside = [
                h
                for h in doc.hits_of("gender")
                if mention.start <= h.start < mention.end and doc.text[h.start - 1] not in "'\u2019"
            ]
            mention.hits = [h for h in inside if not h.blocked]
            mention.hits += _unlisted_first(doc, mention)
            firsts = [_mention(h).gender for h in mention.hits if "surname" not in h.needs]
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


def _surnames(doc: Document, found: Sequence[Mention]) -> set[str]:
    """The last words of whole names, and those after a title, that begin no whole name."""
    titled = [m for m in found if m.kind == "name" and m.hits and m.hits[0].pos == "title"]
    several = [m for m in found if len(m.words) > 1]
    whole = [sorted(m.words, key=lambda w: doc.lower.find(w, m.start)) for m in several]
    last = {words[-1] for words in whole}.union(*(m.words for m in titled))
    return last - {words[0] for words in whole}


def _repeated_surnames(doc: Document, found: list[Mention], names: set[str]) -> Iterator[Mention]:
    """The surnames of whole names where they stand alone: "Kimberly Beck ... *Beck*"."""
    for match in _WORD.finditer(doc.text):
        word = match.group().lower()
        is_name = word in names and match.group()[0].isupper()
        if is_name and not any(m.start < match.end() and match.start() < m.end for m in found):
            yield Mention(*match.span(), "name", "unknown", "singular", words=frozenset({word}))


def _unlisted(doc: Document) -> Iterator[Mention]:
    """A chosen word that no list has: a name wherever it stands, or a noun.

    After a first name or a title it is a surname: "*Pontius* Pilate", "Senator Obama".
    """
    if not may_be_name(doc, (doc.start, doc.end)):
        yield Mention(doc.start, doc.end, "noun", "unknown", "singular")
        return
    word, reading = doc.word.lower(), Reading("unknown", "name", "", {})
    whole = re.finditer(_WHOLE_NAME.format(re.escape(doc.word)), doc.text)
    names = [(m, m[1] and may_be_name(doc, m.span(1))) for m in whole]
    titled = any((m[1] or "").lower() in NAMES.before_surnames for m, _ in names)
    thing = word in surnames() and (parts_of_speech(word) or _OWNING.match(doc.text, doc.end))
    alone = not (titled or thing or any(first for _, first in names))
    for match, first in names:
        said = match.span(1 if first else 2)
        hits = [Hit(*said, doc.axis, (reading,), ())] if doc.pointed and (first or alone) else []
        words = frozenset({word})
        yield Mention(said[0], match.end(), "name", "unknown", "singular", hits=hits, words=words)


def may_be_name(doc: Document, span: tuple[int, int]) -> bool:
    """Whether a word that no list of first names has may be a person's name."""
    word = doc.text[slice(*span)]
    no_name = word_set("places") | PEOPLE.states | PEOPLE.no_names | titles().keys()
    if word.lower().rstrip(".") in no_name:
        return False
    if word.islower():
        return doc.text.islower() and word.isalpha() and not parts_of_speech(word)
    if word.lower() in surnames() or not parts_of_speech(word.lower()):
        token = doc.token(span[0])
        return word[:1].isupper() and token is not None and token.upos == "PROPN"
    return False
