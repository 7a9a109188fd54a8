"""Phrases that tell whether "her" is *him* or *his*: "gave it her all", "call her Kate".

>>> from augkit.augmenters.panda.perturbers.rules import perturb
>>> perturb("They elected her president.", (13, 16), "gender", "man").fields["text"]
'They elected him president.'
"""

from __future__ import annotations

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import is_person_word
from augkit.language.morphology import can_be, is_base_verb, parts_of_speech
from augkit.lexicons.demographics.cues import cues
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up

CALLED = frozenset("call calls called calling name names named naming".split())
NUMBERS = frozenset("one two three four five six seven eight nine ten many few several".split())
_GIVE = frozenset("give gives gave given giving".split())
_LET = frozenset("let lets letting".split())
_AWAY = frozenset("past by go home pass stay".split())
_OF_OFFICES = frozenset({"of", "for", "at", "in"})
_OTHERS = frozenset("i we you he they who who'd i'll we'll i'd we'd i've we've to".split())
_TEACH = frozenset("teach teaches taught teaching".split())
_STOPS = frozenset({"", ".", ",", ";", "!", "?", ":", ")", "\n"})
_ADJECTIVES = (frozenset({"ADJ"}), frozenset({"ADJ", "ADV"}), frozenset({"ADJ", "VERB"}))
_TIMES = frozenset("years months weeks days hours decades minutes".split())
_BE_AND_HAVE = frozenset("is was has had does did makes made will would".split())
_WITHOUT = frozenset("gone dead absent".split())
_RELATIVE_TIMES = frozenset("last next this every each".split())
_LEAVE = frozenset("leave leaves left keep keeps kept".split())
_THERE = frozenset("there here behind at on in under inside outside".split())
_BUT = frozenset("but except save besides".split())
_EVERYONE = frozenset(
    "everyone everybody anyone anybody nobody no-one none one all nothing who somebody".split()
)
_TAKE = frozenset("take takes took taken taking cost costs".split())
_MAKE = frozenset("make makes made making".split())
_UTMOST = frozenset("hardest utmost damnedest darnedest darndest".split())
_HAVING = frozenset("have has had having get gets got getting".split())


def her_by_phrase(doc: Document, hit: Hit, following: list[str]) -> str | None:
    """The case that a phrase around "her" tells, if one does."""
    before, after, second = doc.word_before(hit.start), following[0], following[1]
    if after == "all" and not second[:1].isalnum():
        words = doc.words_before(hit.start)
        return "object" if _GIVE.isdisjoint(words) else "determiner"
    if after in _UTMOST or (before in _HAVING and can_be(after, "NOUN") and _is_done(second)):
        return "determiner"  # "trying her hardest", "having her diaper changed"
    if (case := _by_complement(before, following)) is not None:
        return case
    capital = doc.text[hit.end + 1 : hit.end + 2].isupper()
    named = before in CALLED and (after == "names" or (capital and look_up(after) is not None))
    taught = before in _TEACH and (after in cues("her", "taught") or capital)
    shown = before == "of" and after.endswith("ing") and _shown(doc, hit)
    watching = before.endswith("ing") and before in cues("her", "perceiving")
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
    if before not in cues("her", "treating") or after not in cues("her", "meals"):
        return False
    return doc.words_before(hit.start, 40)[-2:-1] in ([one] for one in _OTHERS)


def _beside_others(doc: Document, hit: Hit, before: str) -> bool:
    """As in "everyone but her left"."""
    words = doc.words_before(hit.start)
    return before in _BUT and len(words) > 1 and words[-2] in _EVERYONE


def _lasted(doc: Document, hit: Hit, words: tuple[str, str, str]) -> bool:
    """As in "it took her years", "took her weeks to ..."."""
    before, after, second = words
    if before not in _TAKE or after not in _TIMES | {"ages", "forever"}:
        return False
    subject = doc.words_before(hit.start)[-2:-1]
    return second == "to" or subject in (["it"], ["that"], ["this"], ["which"])


def _by_end(before: str, after: str, second: str) -> str | None:
    """As in "known her ten years", "tell her dinner is ready", "let her past", "made her sad"."""
    ends = not second[:1].isalnum()
    timed = second in _TIMES and (after in NUMBERS or after.isdigit())
    if timed or (before in cues("her", "telling") and second in _BE_AND_HAVE):
        return "object"
    had_back = after == "back" and before in cues("her", "having_back")
    goes_on = ends or second in cues("her", "function_words")
    if (goes_on and after in {"well", "better", "badly"}) or (ends and had_back):
        return "object"
    if before in _LET and ends and (after in cues("her", "prepositions") or after in _AWAY):
        return "object"
    office = second in _OF_OFFICES and after in cues("her", "offices")
    if before in _MAKE and (office or (ends and is_person_word(after))):
        return "object"  # "made her captain", "made her head of sales"
    if before in _LEAVE and second in _THERE and parts_of_speech(after) <= {"NOUN", "VERB"}:
        return "determiner"  # "left her bag there"
    labelled = before in cues("her", "labelling") and can_be(after, "ADJ")
    plain = labelled or parts_of_speech(after) in _ADJECTIVES
    return "object" if before in cues("her", "judging") and second in _STOPS and plain else None


def _by_complement(before: str, following: list[str]) -> str | None:
    """As in "elected her president", "promised her dinner", "questioned her last night"."""
    after, second = following[0], following[1]
    ends = not second[:1].isalnum()
    if before in cues("her", "electing") and is_person_word(after):
        return "object"
    if before in cues("her", "granting") and not is_person_word(after):
        return "object"
    without = before == "with" and after in _WITHOUT
    if ends and (after in cues("her", "last_words") or without):
        return "object"
    timed = after in _RELATIVE_TIMES and second in cues("her", "times")
    if timed and before not in cues("her", "prepositions"):
        return "object"
    if (after, second) == ("long", "ago") or (after in {"more", "less"} and second == "than"):
        return "object"
    if after == "will" and ends:
        return "determiner"
    return "determiner" if before in _MAKE and after in cues("her", "made") else None


def _shown(doc: Document, hit: Hit) -> bool:
    """As in "a *photo* of her dancing"."""
    words = doc.words_before(hit.start, 30)
    return len(words) > 1 and words[-2].removesuffix("s") in cues("her", "pictures")


def _is_done(word: str) -> bool:
    """Whether a word can only be a participle: "changed", "cut"."""
    return word.endswith("ed") and parts_of_speech(word) <= {"VERB", "ADJ"} and can_be(word, "VERB")


def _may_be_finite_past(word: str) -> bool:
    """Whether a word can only be a finite verb: "made", "is", not "make"."""
    return word in _BE_AND_HAVE or (parts_of_speech(word) == {"VERB"} and not is_base_verb(word))
