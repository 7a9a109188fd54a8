"""First names that are something else here: places, things, prizes, saints' churches, words."""

from __future__ import annotations

from augkit.augmenters.panda.disambiguation.name_homographs import is_the_person, reject_homograph
from augkit.augmenters.panda.disambiguation.name_patterns import name_pattern
from augkit.augmenters.panda.disambiguation.place_names import stands_as_place
from augkit.augmenters.panda.disambiguation.thing_names import is_after_thing, is_in_things_name
from augkit.augmenters.panda.disambiguation.titles import is_headline
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import (
    HELPERS,
    LAST_CAPITAL,
    NEXT_CAPITAL,
    OF_ONE,
    is_of_thing,
    is_person_word,
)
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.language.morphology import can_be, is_base_verb, is_singular_noun, parts_of_speech
from augkit.lexicons.demographics.cues import NAMES, NAMES_RE, PEOPLE, PLACES, has_any
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import (
    gendered_nouns,
    named_things,
    titles,
)
from augkit.lexicons.load import closed_classes, word_set

_BEFORE_PRIZES = OF_ONE | {"one", "two", "three", "first", "second", "another", "no", "any"}
_SELDOM = 800
"""A name of fewer bearers per million that is a word too needs more than small letters."""
_RARE = 60
"""A god's name of fewer bearers per million is taken for the god's."""


def reject_name(doc: Document, hit: Hit, word: str) -> Rejection | None:
    """The reason for taking a first name for something else."""
    if hit.needs and "name" not in hit.needs:
        return None
    if word.islower() and _is_common_word(doc, hit, word):
        return doc.reject("not a person", f"'{word}' is no name here")
    if _is_after_the(doc, hit):
        return doc.reject("not a person", f"'the {word}' seems to be a thing's name")
    if _is_prize(doc, hit, word):
        return doc.reject("not a person", f"'{word}' is a prize or a faith here")
    if (reason := reject_homograph(doc, hit, word)) is not None:
        return reason
    if _is_one_of_many(doc, hit):
        return doc.reject("not a person", f"'{word}' is food, drink or another thing here")
    if is_divine(doc.text, hit.start, hit.end):
        return doc.reject("not a person", f"'{word}' belongs to a faith")
    return _reject_by_name(doc, hit, word)


def _is_common_word(doc: Document, hit: Hit, word: str) -> bool:
    """Without a capital: a verb with its particle ("*peter* out"), or a noun with its article."""
    if can_be(word, "VERB") and doc.word_after(hit.end) in {"out", "off", "up", "down", "away"}:
        return True
    before = doc.words_before(hit.start)[-2:]
    unknown = len(before) == 2 and not parts_of_speech(before[1]) and look_up(before[1]) is None
    articles = before[:1] if unknown and before[1].isalpha() else before[-1:]
    return articles[:1] in (["a"], ["an"], ["another"])


def _reject_by_name(doc: Document, hit: Hit, word: str) -> Rejection | None:
    """The reason where a name is part of another, or stands as no person's does."""
    if (frame := name_pattern(doc, hit, word)) is not None:
        return doc.reject("not a person", f"'{word}' is {frame} here")
    if _is_firm(doc, hit, word):
        return doc.reject("not a person", f"'{word}' belongs to the name of a firm")
    if (
        _is_thing_name(doc, hit, word)
        or stands_as_place(doc, hit)
        or is_in_things_name(doc, hit)
        or is_after_thing(doc, hit)
    ):
        return doc.reject("not a person", f"'{word}' belongs to the name of a place or thing")
    if not hit.needs or (word.islower() and hit.needs == ("name",)):
        return None  # in small letters only words that are nothing else are found
    return None if _acts(doc, hit) else _by_parse(doc, hit, word)


def _is_after_the(doc: Document, hit: Hit) -> bool:
    """As in "the *Elizabeth* line", "at the Prince *Albert*"; but "the Johns' dog"."""
    if NAMES_RE.the_royal.search(doc.text, max(0, hit.start - 16), hit.start):
        return True
    owns = doc.text[hit.end : hit.end + 2] in {"'s", "\u2019s"}
    if doc.word_before(hit.start) not in {"the", "as"}:
        return False
    name = look_up(doc.text_of(hit))
    rank = name is not None and "w" in name.also and is_person_word(name.text.lower())
    if doc.word_before(hit.start) == "as":
        return rank and not NEXT_CAPITAL.match(doc.text, hit.end)  # "served as Dean"
    return rank or not owns


def _is_prize(doc: Document, hit: Hit, word: str) -> bool:
    """As in "the *Oscar* winners", "lost his *Oscar*" and "*Christian* rock"."""
    if word.lower() not in NAMES.also_prizes:
        return False
    after = doc.word_after(hit.end)
    if word.lower() == "christian":
        before = doc.word_before(hit.start)
        return after in NAMES.after_prizes or before in NAMES.of_believers
    lower = doc.text[hit.end : hit.end + 2].strip()[:1].islower()
    thing = lower and is_singular_noun(after) and not can_be(after, "ADV") and after not in HELPERS
    thing = thing and not (can_be(after, "VERB") or after in PEOPLE.deeds)
    before = doc.word_before(hit.start)
    return before in _BEFORE_PRIZES or after in NAMES.after_prizes or thing


def _is_one_of_many(doc: Document, hit: Hit) -> bool:
    """As in "a *Reuben* with fries", "a *Tom* Collins": an article, and nobody who is met."""
    if doc.word_before(hit.start) not in {"a", "an"} or doc.text[hit.start].islower():
        return False
    before = doc.words_before(hit.start)[-2:-1]
    if NEXT_CAPITAL.match(doc.text, hit.end):
        return bool(before) and before[0] in PEOPLE.consumed
    after = doc.word_after(hit.end)
    met = not before or before[0] in NAMES.knowing
    return not met and after not in {"who", "at", "from", "here"}


def is_divine(text: str, start: int, end: int) -> bool:
    """Whether a name is a god's or founder's: "Jesus"; "Moses" beside other words of faith."""
    name = text[start:end].lower()
    if name in PEOPLE.scriptural and not NEXT_CAPITAL.match(text, end):
        context = set(NAMES_RE.words.findall(text.lower())) - {name}
        if not PEOPLE.scripture.isdisjoint(context):
            return True
    if name not in PEOPLE.deities or NEXT_CAPITAL.match(text, end):
        return False
    bearer = look_up(name)
    known = bearer is not None and name != "jesus" and bearer.bearers >= _RARE
    words = set(NAMES_RE.words.findall(text.lower())) - {name}
    return not known or not PEOPLE.faith.isdisjoint(words)


def _is_firm(doc: Document, hit: Hit, word: str) -> bool:
    """As in "at Wendy's", "*Jack*'s Rentals Ltd", "shares of *Sara*"."""
    before = doc.words_before(hit.start, 30)[-2:]
    part = len(before) == 2 and before[0] in NAMES.parts_of_firms
    if part and before[1] in {"of", "in"}:
        return True
    if doc.text[hit.end : hit.end + 2] not in {"'s", "\u2019s"}:
        return False
    named = NAMES_RE.capitals_after.match(doc.text, hit.end + 2)
    if named is not None and not word.isupper():
        return not PEOPLE.organisations.isdisjoint(named[0].lower().split())
    after = doc.word_after(hit.end + 2)
    kinds = parts_of_speech(after)
    own = not after.isalpha() or bool(kinds and not kinds & {"NOUN", "ADJ"})
    own = own or after in closed_classes()
    words = NAMES_RE.words.findall(doc.field_text(hit.start).lower())
    shop = word.lower() in PEOPLE.shops or not PEOPLE.bought.isdisjoint(words)
    if word.lower() in PEOPLE.shops and not after[:1].isalnum():
        return True  # "The last store to close was Macy's."
    return own and shop and before[-1:] not in (["is"], ["was"], ["of"])


def _by_parse(doc: Document, hit: Hit, word: str) -> Rejection | None:
    """The same, for a name that is a word, place or surname too."""
    before = doc.word_before(hit.start)
    token = doc.token(hit.start)
    inside = word[:1].isupper() and before.isalpha()  # a capital within a sentence
    if token is None or (token.upos != "PROPN" and not word.islower() and not inside):
        return doc.reject("not a person", f"'{word}' is no name here")
    analysis = doc.parsed
    about = {analysis.head(token).lemma.lower()}
    about |= {t.lemma.lower() for t in analysis.children(token, "appos", "nmod")}
    if has_any(about, PLACES.kinds):
        return doc.reject("not a person", f"'{word}' seems to be a place or thing here")
    if _is_word_first(doc, hit, token):
        return doc.reject("not a person", f"'{word}' may be a word here and no name")
    return None


def _acts(doc: Document, hit: Hit) -> bool:
    """As in "*Will* will help" and "*Bill* paid": a word that can only be its verb follows."""
    after = doc.word_after(hit.end)
    if doc.text_of(hit).isupper() or not after.isalpha():
        return False
    again = after == doc.text_of(hit).lower() and "VERB" in parts_of_speech(after)
    if (again or after in PEOPLE.deeds) and doc.has_pronoun(hit.attribute):
        return True  # "Rose *rose*"
    if has_any(doc.next_words(hit.end, 2), NAMES.said_of_things):
        return False
    if after in PEOPLE.deeds:
        return True
    return after in HELPERS or (parts_of_speech(after) == {"VERB"} and not is_base_verb(after))


def _is_thing_name(doc: Document, hit: Hit, word: str) -> bool:
    """Weekdays, "South Africa", "Hurricane Katrina", "Ryder Cup", and surnames ("Gray Davis")."""
    if word.lower() in PEOPLE.no_names and not (
        doc.has_pronoun(hit.attribute, hit.start) and _acts(doc, hit)
    ):
        return True
    if doc.word_before(hit.start) in named_things() or _is_part_of_thing(doc, hit, word):
        return True
    if NAMES_RE.saint.search(doc.text, max(0, hit.start - 8), hit.start):
        return _is_saints_place(doc, hit)
    after = NEXT_CAPITAL.match(doc.text, hit.end)
    if _is_after_person(doc, hit):
        return False
    if after is not None and after[1].lower() in PEOPLE.organisations:
        return True
    before = LAST_CAPITAL.search(doc.text, max(0, hit.start - 40), hit.start)
    if before is None or word.isupper() or is_headline(doc.field_text(hit.start)):
        return False
    if before[1].lower() in NAMES.parts_of_places:
        return True
    opens = doc.text[: before.start(1)].rstrip()[-1:] in {"", ".", "!", "?", "\n", '"', "\u201c"}
    known = before[1].lower().rstrip(".") in titles() or look_up(before[1]) is not None
    land = before[1].endswith(("ish", "ese", "ian", "ean", "can"))
    known = known or (_is_only_person(before[1].lower()) and not land)
    return not (known or opens or after is not None or before[1].lower() in gendered_nouns())


def _is_part_of_thing(doc: Document, hit: Hit, word: str) -> bool:
    """As in "the headphone *jack*", "a *sally* into the world", "must have *hung*": a word."""
    if not word.islower() or not parts_of_speech(word):
        return False
    before, after = doc.word_before(hit.start), doc.word_after(hit.end)
    if can_be(word, "NOUN") and (
        before in {"a", "an"} or (is_of_thing(before) and look_up(before) is None)
    ):
        return after not in word_set("surname_words")
    name = look_up(word)
    named = not parts_of_speech(after) and after.isalpha() and after not in closed_classes()
    named = (named and not after.endswith("ly")) or after in HELPERS
    rare = name is not None and name.bearers < _SELDOM
    named = named or after in word_set("surname_words")
    return rare and not (named or doc.has_pronoun(hit.attribute))


def _is_after_person(doc: Document, hit: Hit) -> bool:
    """As in "his friend *Horatio* Bridge": the noun before it says that somebody is named."""
    before = doc.text[max(0, hit.start - 30) : hit.start].split()[-1:]
    lower = bool(before) and before[0].islower() and doc.text[hit.start - 1] == " "
    return lower and _is_only_person(before[0]) and before[0] not in NAMES.crowned


def _is_only_person(word: str) -> bool:
    """Whether a word names a person and describes nothing: "chef", not "private"."""
    return is_person_word(word) and not can_be(word, "ADJ")


def is_saints(doc: Document, hit: Hit) -> bool:
    """As in "studied at St. *Catherine*'s": a name in the name of a church or school."""
    saint = NAMES_RE.saint.search(doc.text, max(0, hit.start - 8), hit.start) is not None
    return saint and _is_saints_place(doc, hit)


def _is_saints_place(doc: Document, hit: Hit) -> bool:
    """As in "St. Mary's church", "St. John's": and no saint who prays for himself."""
    at_thing = doc.text[: hit.start].lower().rstrip(" .").endswith(("the st", "the saint"))
    owns = at_thing or doc.text[hit.end : hit.end + 2] in {"'s", "\u2019s"}
    if owns or doc.text[hit.end : hit.end + 2].strip()[:1].isupper():
        return True
    at = doc.text[: hit.start].rstrip(" .").rpartition(" ")[0].lower().split()[-1:]
    if at and at[0] in PLACES.before | {"of", "for", "after"}:
        return True
    after = doc.word_after(hit.end)
    acts = after in PEOPLE.deeds or after in {"who", "was", "is", "and"}
    return not (acts or at[:1] == ["and"] or doc.has_pronoun(hit.attribute))


def _is_word_first(doc: Document, hit: Hit, token: Token) -> bool:
    """A name that is a word too, with the capital of a sentence, and nothing it does."""
    name = look_up(doc.text_of(hit))
    if name is None or "w" not in name.also or doc.text[: hit.start].rstrip()[-1:].isalnum():
        return False
    head = doc.parsed.head(token)
    acts = token.is_relation("nsubj") and head.upos == "VERB"
    person = doc.people.at(hit.start)
    known = person is not None and any(m.kind == "pronoun" for m in person.mentions)
    owns = token.deprel == "nmod:poss" or doc.text[hit.end : hit.end + 2].strip()[:1].isupper()
    owns = owns or is_the_person(doc, hit)
    return not (acts or known or owns)
