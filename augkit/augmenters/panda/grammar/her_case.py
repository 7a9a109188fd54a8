"""Phrases that tell whether "her" is *him* or *his*: "gave it her all", "call her Kate".

>>> from augkit.augmenters.panda.perturbers.rules import perturb
>>> perturb("They elected her president.", (13, 16), "gender", "man").fields["text"]
'They elected him president.'
"""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import is_person_word
from augkit.language.morphology import can_be, is_base_verb, parts_of_speech
from augkit.lexicons.demographics.cues import HER
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up

CALLED = frozenset("call calls called calling name names named naming".split())
NUMBERS = frozenset("one two three four five six seven eight nine ten many few several".split())
_ADJECTIVES = (frozenset({"ADJ"}), frozenset({"ADJ", "ADV"}), frozenset({"ADJ", "VERB"}))


def her_by_phrase(doc: Document, hit: Hit, following: list[str]) -> str | None:
    """The case that a phrase around "her" tells, if one does."""
    before, after, second = doc.word_before(hit.start), following[0], following[1]
    if after == "all" and not second[:1].isalnum():
        words = doc.words_before(hit.start)
        return "object" if HER.give.isdisjoint(words) else "determiner"
    if after in HER.utmost or (before in HER.having and can_be(after, "NOUN") and _is_done(second)):
        return "determiner"  # "trying her hardest", "having her diaper changed"
    if (case := _by_complement(before, following)) is not None:
        return case
    capital = doc.text[hit.end + 1 : hit.end + 2].isupper()
    named = before in CALLED and (after == "names" or (capital and look_up(after) is not None))
    taught = before in HER.teach and (after in HER.taught or capital)
    shown = before == "of" and after.endswith("ing") and _shown(doc, hit)
    watching = before.endswith("ing") and before in HER.perceiving
    watching = watching and is_base_verb(after)
    if named or taught or shown or (watching and _may_be_finite_past(second)):
        return "object"  # "call her Kate", "taught her chess", "a photo of her dancing"
    if _is_treated(doc, hit, before, after):
        return "object"
    if _beside_others(doc, hit, before) or _lasted(doc, hit, (before, after, second)):
        return "object"
    return _by_end(before, after, second)


def _is_treated(doc: Document, hit: Hit, before: str, after: str) -> bool:
    """As in "I bought her lunch": somebody else pays for the meal."""
    if before not in HER.treating or after not in HER.meals:
        return False
    return doc.words_before(hit.start, 40)[-2:-1] in ([one] for one in HER.others)


def _beside_others(doc: Document, hit: Hit, before: str) -> bool:
    """As in "everyone but her left"."""
    words = doc.words_before(hit.start)
    return before in HER.but and len(words) > 1 and words[-2] in HER.everyone


def _lasted(doc: Document, hit: Hit, words: tuple[str, str, str]) -> bool:
    """As in "it took her years", "took her weeks to ..."."""
    before, after, second = words
    if before not in HER.take or after not in HER.her_case_times | {"ages", "forever"}:
        return False
    subject = doc.words_before(hit.start)[-2:-1]
    return second == "to" or subject in (["it"], ["that"], ["this"], ["which"])


def _by_end(before: str, after: str, second: str) -> str | None:
    """As in "known her ten years", "tell her dinner is ready", "let her past", "made her sad"."""
    ends = not second[:1].isalnum()
    timed = second in HER.her_case_times and (after in NUMBERS or after.isdigit())
    if timed or (before in HER.telling and second in HER.be_and_have):
        return "object"
    had_back = after == "back" and before in HER.having_back
    goes_on = ends or second in HER.function_words
    if (goes_on and after in {"well", "better", "badly"}) or (ends and had_back):
        return "object"
    if before in HER.let and ends and (after in HER.prepositions or after in HER.away):
        return "object"
    office = second in HER.of_offices and after in HER.offices
    if before in HER.make and (office or (ends and is_person_word(after))):
        return "object"  # "made her captain", "made her head of sales"
    if before in HER.leave and second in HER.there and parts_of_speech(after) <= {"NOUN", "VERB"}:
        return "determiner"  # "left her bag there"
    labelled = before in HER.labelling and can_be(after, "ADJ")
    plain = labelled or parts_of_speech(after) in _ADJECTIVES
    return "object" if before in HER.judging and second in HER.stops and plain else None


def _by_complement(before: str, following: list[str]) -> str | None:
    """As in "elected her president", "promised her dinner", "questioned her last night"."""
    after, second = following[0], following[1]
    ends = not second[:1].isalnum()
    if before in HER.electing and is_person_word(after):
        return "object"
    if before in HER.granting and not is_person_word(after):
        return "object"
    without = before == "with" and after in HER.without
    if ends and (after in HER.last_words or without):
        return "object"
    timed = after in HER.relative_times and second in HER.times
    if timed and before not in HER.prepositions:
        return "object"
    if (after, second) == ("long", "ago") or (after in {"more", "less"} and second == "than"):
        return "object"
    if after == "will" and ends:
        return "determiner"
    return "determiner" if before in HER.make and after in HER.made else None


def _shown(doc: Document, hit: Hit) -> bool:
    """As in "a *photo* of her dancing"."""
    words = doc.words_before(hit.start, 30)
    return len(words) > 1 and words[-2].removesuffix("s") in HER.pictures


def _is_done(word: str) -> bool:
    """Whether a word can only be a participle: "changed", "cut"."""
    return word.endswith("ed") and parts_of_speech(word) <= {"VERB", "ADJ"} and can_be(word, "VERB")


def _may_be_finite_past(word: str) -> bool:
    """Whether a word can only be a finite verb: "made", "is", not "make"."""
    return word in HER.be_and_have or (parts_of_speech(word) == {"VERB"} and not is_base_verb(word))
