"""Things, events and animals that a gendered word is said of: "mother sauce", "female mice"."""

from __future__ import annotations

from functools import cache

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import DETERMINERS, is_of_thing, is_person_word
from augkit.language.morphology import can_be, is_base_verb, is_singular_noun, parts_of_speech
from augkit.lexicons.demographics.cues import NOUNS, NOUNS_RE, PEOPLE, has_any
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import named_things
from augkit.lexicons.load import word_set

_AGENTS = ("ers", "ors", "ists", "ants", "ees", "men", "ians", "iers", "arts", "mates")
_NEAR = 60
"""Characters before it within which an animal counts."""


def nonperson_use(doc: Document, hit: Hit) -> str | None:
    """The thing, event or animal that a word is said of: "*mother* sauce", "the *men*'s slalom"."""
    word = doc.text_of(hit)
    lower = word.lower()
    if word.istitle() and lower in NOUNS.holy and doc.word_before(hit.start) == "the":
        words = set(NOUNS_RE.words.findall(doc.text.lower()))
        return min(words & PEOPLE.faith, default=None)
    if lower in NOUNS.sexes:
        return _animal(doc, hit)
    if lower in NOUNS.musicians and word[:1].isupper() and not word.isupper():
        return _music(doc, hit)
    if hit.pos not in {"noun", "title"} or word[:1].isupper():
        return None
    if lower in NOUNS.groups and _is_event_again(doc, hit):
        return "event"
    event = NOUNS_RE.of_group.match(doc.text, hit.end)
    if event is not None and lower in NOUNS.groups:
        named = event[1].lower()
        return named if named[0].isdigit() or named in PEOPLE.kept_apart else None
    after = doc.word_after(hit.end)
    young = has_any((after, *doc.next_words(hit.end, 4)), NOUNS.broods)
    if lower in NOUNS.parents and (young or after in named_things()):
        return after
    compound = is_of_thing(after) or _is_noun_after(doc, hit, after)
    if doc.text[hit.end : hit.end + 1] != " " or not compound:
        return None
    before = doc.words_before(hit.start)[-4:]
    if has_any(before, NOUNS.giving) or (before[-2:-1] == ["and"] and can_be(after, "VERB")):
        return None  # "gave the girl roses", "he and his sister fight"
    token, thing = doc.token(hit.end - 1), doc.token(hit.end + 1)
    joined = token is not None and thing is not None and token.head == thing.index
    return after if joined and token is not None and token.deprel == "compound" else None


def _is_noun_after(doc: Document, hit: Hit, after: str) -> bool:
    """As in "a *boy* band", "the *mother* ship": after one person a base form is no verb.

    Where somebody sees or lets it be done it may be: "saw the boy *walk*".
    """
    if hit.number == "plural" or doc.word_before(hit.start) not in DETERMINERS:
        return False
    if not parts_of_speech(after) <= {"NOUN", "VERB"} or is_person_word(after):
        return False
    if not (is_singular_noun(after) and is_base_verb(after)):
        return False
    before = doc.words_before(hit.start)[-4:]
    return not has_any(before, NOUNS.seeing)


def _is_event_again(doc: Document, hit: Hit) -> bool:
    """As in "won the men's singles and lost the *women*'s": the event is said before."""
    if not NOUNS_RE.owns_nothing.match(doc.text, hit.end):
        return False
    named = (m[1].lower() for m in NOUNS_RE.groups_own.finditer(doc.text))
    return any(word in PEOPLE.kept_apart for word in named)


def _animal(doc: Document, hit: Hit) -> str | None:
    """The word that tells of animals, plants or plugs near "male" and "females"."""
    text = doc.field_text(hit.start).lower()
    if (both := NOUNS_RE.both_sexes.search(text)) is not None and _is_no_people(both[1]):
        return str(both[1])
    if any(_is_somebody(after) for after in doc.next_words(hit.end, 2)):
        return None
    if (beside := NOUNS_RE.sex_of_animal.search(text)) is not None and (
        beside[1] in named_things() or beside[1].removesuffix("s") in named_things()
    ):
        return str(beside[1])
    if (laying := NOUNS_RE.laying.search(text)) is not None:
        return laying.group()
    words: list[str] = NOUNS_RE.words.findall(text)
    found = [word for word in words if word in PEOPLE.wildlife or word in _animals()]
    others = [w for w in words if w not in NOUNS.sexes and w not in found]
    if found and not any(is_person_word(w) and not can_be(w, "VERB") for w in others):
        return found[0]
    if (kind := _kind_near(doc, hit)) is not None and not any(map(is_person_word, others)):
        return kind
    after = doc.word_after(hit.end)
    unknown = after.isalpha() and not parts_of_speech(after) and after.endswith("s")
    return after if unknown and not after.endswith(_AGENTS) and not is_person_word(after) else None


def _is_somebody(word: str) -> bool:
    """Whether a word names a person and is no verb: in "the male *guards* the nest" it is one."""
    return is_person_word(word) and not (word.endswith("s") and can_be(word, "VERB"))


@cache
def _animals() -> frozenset[str]:
    """Animals that are called male and female, singular and plural."""
    listed = PEOPLE.bred
    return listed | {f"{word}s" for word in listed}


def _kind_near(doc: Document, hit: Hit) -> str | None:
    """The animal that stands beside a word: "a large *damselfly*, the male is blue"."""
    before = doc.text[max(0, hit.start - _NEAR) : hit.start]
    for word in (*NOUNS_RE.words.findall(before), doc.word_after(hit.end)):
        one = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
        if word in word_set("animals") or one in word_set("animals"):
            return str(word)
    return None


def _is_no_people(word: str) -> bool:
    return (
        not is_person_word(word) and not word.endswith(_AGENTS) and "NOUN" in parts_of_speech(word)
    )


def _music(doc: Document, hit: Hit) -> str | None:
    """As in "*Queen* played their last show": no article, no name after it, and music."""
    after = doc.text[hit.end : hit.end + 2].strip()[:1]
    if doc.word_before(hit.start) in DETERMINERS or after.isupper():
        return None
    words = NOUNS_RE.words.findall(doc.field_text(hit.start).lower())
    return next((word for word in words if word in NOUNS.music), None)
