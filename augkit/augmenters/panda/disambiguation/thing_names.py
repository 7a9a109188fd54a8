"""Names of things that hold a word for a person: "Amber Alert", "Father of the Year".

The last word of a name with several capitals shows what it names: a word for a thing that is no
surname makes it a thing's name.
"""

from __future__ import annotations

from augkit.augmenters.panda.disambiguation.titles import is_headline
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import is_person_word
from augkit.language.morphology import can_be, is_singular_noun
from augkit.lexicons.demographics.cues import NAMES, NAMES_RE, PEOPLE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import titles
from augkit.lexicons.load import word_set


def is_thing_word(word: str) -> bool:
    """Whether a word, in small letters, is a noun for a thing and no surname.

    >>> is_thing_word("alert"), is_thing_word("stone"), is_thing_word("baker")
    (True, False, False)
    """
    return (
        len(word) > 2
        and can_be(word, "NOUN")
        and not is_person_word(word)
        and word not in word_set("surname_words")
        and word not in PEOPLE.no_names
        and look_up(word) is None
    )


def is_in_things_name(doc: Document, hit: Hit) -> bool:
    """As in "an *Amber* Alert", "*Kelley* Blue Book": the last word with a capital is a thing's."""
    word, text = doc.text_of(hit), doc.text
    if not word[:1].isupper() or word.isupper():
        return False
    run = NAMES_RE.run.match(text, hit.end)
    last = run[0].lower().rpartition(" ")[2] if run is not None else ""
    several = run is not None and run[0].count(" ") > 1
    named = several and last in PEOPLE.organisations
    if run is None or not (named or is_thing_word(last)):
        return False
    if is_headline(doc.field_text(hit.start)):
        return False
    named = named and last not in word_set("surname_words")
    if named or doc.word_before(hit.start) in {"a", "an", "the"}:
        return True
    if not several and _may_be_surname(word, run[0][1:].lower()):
        return False
    return not (_is_somebody(doc, hit) or doc.word_after(run.end()) in PEOPLE.deeds)


def is_with_band(doc: Document, hit: Hit) -> bool:
    """As in "*Alvin* and the Chipmunks", "*Prince* and the Revolution": a band, or a title."""
    band = NAMES_RE.and_the.match(doc.text, hit.end)
    if band is None or not doc.text[hit.start].isupper() or not is_thing_word(band[1].lower()):
        return False
    return not is_headline(doc.field_text(hit.start))


def _may_be_surname(name: str, word: str) -> bool:
    """Whether one noun in the singular follows what can only be a name: "Nancy *Vine*"."""
    known = look_up(name)
    plain = known is not None and known.is_clear and is_singular_noun(word)
    return plain and word not in word_set("no_surnames")


def _is_somebody(doc: Document, hit: Hit) -> bool:
    """Whether a title stands before a name, or a pronoun of its gender anywhere."""
    titled = doc.word_before(hit.start).rstrip(".") in titles()
    return titled or doc.has_pronoun(hit.attribute)


def is_after_thing(doc: Document, hit: Hit) -> bool:
    """As in "the Valley of the *Kings*", "the Gulf of *Aden*": the name of a thing goes before."""
    if not doc.text[hit.start].isupper():
        return False
    head = NAMES_RE.head_of.search(doc.text, max(0, hit.start - 40), hit.start)
    if head is None or is_headline(doc.field_text(hit.start)):
        return False
    if doc.text[: head.start()].rstrip()[-1:] in NAMES.ends:
        return False
    word = head[1].lower()
    if doc.word_before(head.start()) == "the" and not is_person_word(word):
        return can_be(word, "NOUN")  # whatever surname it is too: "the Book of Ruth"
    return is_thing_word(word) or word in PEOPLE.organisations


def is_epithet(doc: Document, hit: Hit) -> bool:
    """As in "*Father* of the Year", "*Mother* of Dragons": "of" and a capital that is nobody's."""
    named = NAMES_RE.of_name.match(doc.text, hit.end)
    if named is None or not doc.text[hit.start].isupper():
        return False
    if is_headline(doc.field_text(hit.start)):
        return False
    return "capital" in hit.needs or is_thing_word(named[1].lower())


def is_before_thing(doc: Document, hit: Hit) -> bool:
    """As in "a *Queen* cover band": a capital, and a thing in small letters that it describes."""
    after = doc.word_after(hit.end)
    if doc.text[hit.end : hit.end + 1] != " " or not can_be(after, "NOUN"):
        return False
    token = doc.token(hit.end - 1)
    if token is None or not token.is_relation("compound", "amod", "nmod"):
        return False
    head = doc.parsed.head(token)
    return head.index > token.index and head.upos == "NOUN"
