"""First names that are words too: months, ideas, makes, verbs; and what shows that one is meant."""

from __future__ import annotations

from augkit.augmenters.panda.disambiguation.titles import is_headline
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import (
    HELPERS,
    OF_ONE,
    is_of_thing,
    is_person_word,
)
from augkit.core.types import Rejection
from augkit.language.morphology import can_be, is_base_verb, parts_of_speech
from augkit.lexicons.demographics.cues import NAMES, PEOPLE, has_any
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.load import word_set


def reject_homograph(doc: Document, hit: Hit, word: str) -> Rejection | None:
    """The reason for taking a name for the word that it also is."""
    if _is_beside_thing(doc, hit, word) or _is_assistant(doc, hit, word):
        return doc.reject("not a person", f"'{word}' is the name of a thing here")
    if is_helper(doc, hit):
        return doc.reject("not a person", f"'{word}' is a verb here")
    if is_month(doc, hit):
        return doc.reject("not a person", f"'{word}' is a month here")
    if _is_idea(doc, hit, word) or _is_order(doc, hit, word):
        return doc.reject("not a person", f"'{word}' may be a word here and no name")
    return None


def _is_beside_thing(doc: Document, hit: Hit, word: str) -> bool:
    """As in "a *Stanley* knife" and "her *Mercedes*": a determiner, and a thing or a brand."""
    before = doc.word_before(hit.start)
    after = doc.text[hit.end : hit.end + 2]
    thing = after[:1] == " " and after[1:].islower() and is_of_thing(doc.word_after(hit.end))
    if word[:1].isupper() and thing and word.lower() in PEOPLE.makes:
        return True
    if word.lower() in PEOPLE.dishes and _is_served(doc, hit):
        return True
    if word[:1].isupper() and word.lower() in PEOPLE.makes and _is_old_one(doc, hit):
        return True
    if not word[:1].isupper() or before not in OF_ONE:
        return False
    lower = after[:1] == " " and after[1:].islower()
    if before in NAMES.strangers and lower and can_be(doc.word_after(hit.end), "NOUN"):
        return True  # "his *Miranda* rights"
    if word.lower() in PEOPLE.makes:
        return not (after[:1] == " " and after[1:].isupper()) and before != "this"
    return thing


def _is_old_one(doc: Document, hit: Hit) -> bool:
    """As in "the old *Harley*": a determiner and an adjective of things before a make."""
    words = doc.words_before(hit.start)[-2:]
    named = doc.text[hit.end : hit.end + 2].strip()[:1].isupper()
    if named or len(words) < 2 or words[0] not in OF_ONE:
        return False
    return words[1] in NAMES.said_of_makes


def _is_served(doc: Document, hit: Hit) -> bool:
    """As in "a great *Reuben*": an article and an adjective before what is also a dish."""
    words = doc.text[max(0, hit.start - 40) : hit.start].split()[-3:]
    return any(w in {"a", "an", "the", "two"} for w in words) and not words[-1][:1].isupper()


def _is_assistant(doc: Document, hit: Hit, word: str) -> bool:
    """As in "*Alexa*, play some jazz" and "Ask *Siri*": a voice in a machine."""
    if word.lower() not in PEOPLE.assistants:
        return False
    opens = not doc.text[: hit.start].rstrip()[-1:].isalnum()
    addressed = (
        opens and doc.text[hit.end : hit.end + 1] == "," and not doc.has_pronoun(hit.attribute)
    )
    return addressed or doc.word_before(hit.start) in NAMES.asking


def is_month(doc: Document, hit: Hit) -> bool:
    """As in "born in *April*": a name that is a month, where one is said."""
    if doc.text_of(hit).lower() not in NAMES.months:
        return False
    words = doc.words_before(hit.start, 30)
    dated = doc.text[hit.end : hit.end + 3].strip(" ,")[:1].isdigit()
    dated = dated or (bool(words) and words[-1].isdigit() and len(words[-1]) == 4)
    return dated or bool(words and words[-1] in NAMES.before_months)


def is_helper(doc: Document, hit: Hit) -> bool:
    """As in "*Will* you ask him?" and "*May* I come in?": a verb that opens a question."""
    word = doc.text_of(hit)
    after = doc.word_after(hit.end)
    if word == "Will" and is_base_verb(after) and is_headline(doc.text):
        return True  # "Spraying Will Prevent the Spread"
    if word.lower() in {"will", "may"} and doc.word_before(hit.start) in NAMES.pronouns:
        return True  # "I WILL NOT go back"
    opens = not doc.text[: hit.start].rstrip()[-1:].isalnum()
    asks = word in {"Will", "May"} and opens
    return asks and after in NAMES.subjects


def _is_idea(doc: Document, hit: Hit, word: str) -> bool:
    """As in "*Faith* can move mountains": an idea at the head of a sentence, and nobody's deed."""
    if word.lower() not in PEOPLE.ideas or not word.istitle():
        return False
    if doc.text[: hit.start].rstrip()[-1:].isalnum() or doc.has_pronoun(hit.attribute):
        return False
    after = doc.text[hit.end : hit.end + 2]
    if after[:1] == " " and after[1:].isupper():
        return not _is_surname(doc.word_after(hit.end))
    if after[:1] != " ":
        return after[:1] not in {",", "'", "\u2019"}
    return not _describes_person(doc.next_words(hit.end, 7))


def _is_surname(word: str) -> bool:
    """Whether what follows a name is no word, or a surname too: "Victor *McLaglen*"."""
    return not parts_of_speech(word) or word in word_set("surname_words")


def _is_order(doc: Document, hit: Hit, word: str) -> bool:
    """As in "*Rob* nobody" and "*Mark* the date": a verb that opens a sentence, and its object."""
    if is_the_person(doc, hit):
        return False
    opens = word.istitle() and not doc.text[: hit.start].rstrip()[-1:].isalnum()
    return opens and doc.word_after(hit.end) in NAMES.objects and is_base_verb(word.lower())


def is_the_person(doc: Document, hit: Hit) -> bool:
    """As in "*Mark* the bartender is the best": a name, and who has it."""
    after = [*doc.next_words(hit.end, 3), "", "", ""]
    acts = after[2] in HELPERS or after[2] in PEOPLE.deeds or after[2] in {"who", ","}
    return after[0] == "the" and is_person_word(after[1]) and acts


def _describes_person(after: list[str]) -> bool:
    """Whether the words after a name say what people do or are, or name somebody else."""
    if not PEOPLE.deeds.isdisjoint(after[:3]):
        return True
    if after[:1] == ["and"] and len(after) > 1 and look_up(after[1]) is not None:
        return True
    if not after or after[0] not in HELPERS:
        return False
    if has_any(after, NAMES.kinds_of_ideas):
        return False
    of_plants = NAMES.said_of_plants
    doing = [w for w in after[1:3] if w.endswith("ing") and w not in of_plants]
    described = not PEOPLE.of_people.isdisjoint(after[1:4])
    end = next((n for n, word in enumerate(after) if word in {"that", "which", "of", "for"}), 6)
    return bool(doing) or described or any(is_person_word(word) for word in after[1:end])
