"""Which case a pronoun is in: "her" is *his* or *him*, "his" is *her* or *hers*.

The words beside it decide most cases without a parse, and some that parsers often get wrong
("wished her luck", "saw her leave"); the rest is read off the parse.
"""

from __future__ import annotations

import re
from functools import cache

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.her_case import CALLED, NUMBERS, her_by_phrase
from augkit.augmenters.panda.grammar.word_classes import is_person_word
from augkit.core.analysis import Token
from augkit.language.morphology import can_be, is_base_verb, is_singular_noun, parts_of_speech
from augkit.lexicons.demographics.cues import HER
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.term_senses import Reading
from augkit.lexicons.load import word_set


def in_case(doc: Document, hit: Hit) -> Reading:
    """The reading of a pronoun whose case fits its place."""
    if len(hit.readings) == 1:
        return hit.readings[0]
    cases = {reading.case: reading for reading in hit.readings if reading.pos == "pronoun"}
    case = _beside(doc, hit, frozenset(cases)) or _parsed(doc, hit, frozenset(cases))
    return cases.get(case, hit.readings[0])


def _beside(doc: Document, hit: Hit, cases: frozenset[str]) -> str | None:
    """What the neighbours say, where they are clear."""
    following = [*doc.next_words(hit.end, 3), "", "", ""]
    if "object" in cases:
        if following[0] == "being" and _opens(doc, hit):
            return "determiner"
        if (case := her_by_phrase(doc, hit, following)) is not None:
            return case
        if _is_given_away(doc, hit):
            return "determiner"
        return _her(doc.word_before(hit.start), following, is_first=_opens(doc, hit))
    return _his(doc, hit, following)


def _is_given_away(doc: Document, hit: Hit) -> bool:
    """As in "showing her reflective sunglasses *to others*" and "to *be served* her food"."""
    if doc.word_before(hit.start) not in _giving():
        return False
    before = doc.words_before(hit.start)[-2:-1]
    if before and before[0] in HER.passive:
        return doc.word_before(hit.start).endswith(("ed", "en", "nt", "ld"))
    words = doc.next_words(hit.end, 5)
    if words and words[0] in HER.function_words:
        return False  # "gave her a lift to her hotel"
    index = words.index("to") if "to" in words[2:] else 0
    receiver = words[index + 1] if 0 < index < len(words) - 1 else ""
    return receiver in HER.before_receivers | {"others", "everyone", "us", "me", "them", "people"}


def _opens(doc: Document, hit: Hit) -> bool:
    before = doc.text[: hit.start].rstrip(" \t")
    return (
        not before
        or before[-1] in ".!?\n"
        or doc.text[hit.start].isupper() != (doc.text[hit.end - 1].isupper())
    )


def _her(before: str, following: list[str], *, is_first: bool) -> str | None:
    after, second, _ = following[:3]
    other = "object"
    if not after[:1].isalnum() or _starts_anew(after):
        return other if after not in {'"', "\u201c", "\u2018", "'", "(", "-"} else None
    if is_first:
        return "determiner"
    if (case := _her_by_end(before, following)) is not None:
        return case
    given = _is_given(after) or (_is_given(second) and not is_person_word(after))
    two_objects = before in HER.two_objects
    if before in HER.wishes or (two_objects and given and second != "to"):
        return other
    if after == "home" and before in HER.to_a_place:
        return other
    counted = after in NUMBERS or after[0].isdigit() or after in HER.amounts
    if two_objects and (counted or after == "back"):
        return other
    if second == "to" and following[2] in HER.before_receivers and before in _giving():
        return "determiner"  # "gave her wigs to a museum"
    if after in HER.own:
        return "determiner"
    if before in _giving() and is_singular_noun(after) and not _is_given(after):
        return "determiner"
    return _her_before_verb(before, after, second) or _her_before_noun(before, after, second)


def _starts_anew(word: str) -> bool:
    """Whether a word belongs to no noun of hers: "without her *we'd* be lost"."""
    functional = HER.function_words
    return word in functional or re.split("['\u2019]", word)[0] in functional


def _is_given(word: str) -> bool:
    """Whether a noun without an article is what somebody is given: "gave her *flowers*"."""
    return word in HER.given


@cache
def _giving() -> frozenset[str]:
    """Verbs with two objects, of which the first is always the one who gets something."""
    others = HER.perceiving | HER.finding
    return HER.two_objects - HER.make - CALLED - others


def _her_by_end(before: str, following: list[str]) -> str | None:
    """As in "saw her recently.", and "gave her younger brother a lift"."""
    after, second, third = following[:3]
    if before in HER.wishes and is_person_word(after) and second.isalpha():
        return "determiner"  # "wished her daughter luck"
    past = parts_of_speech(after) == {"VERB"} and not (is_base_verb(after) or after.endswith("ing"))
    if past and second in HER.before_receivers | HER.objects:
        return "object"  # "behind her stood a guard", "the sight of her made me smile"
    goes_on = second[:1].isalnum() and second not in HER.function_words
    if after.endswith("ly") and not goes_on and not (can_be(after, "NOUN") or can_be(after, "ADJ")):
        return "object"
    if before in _giving() and third in HER.indefinite | {"the"} and is_person_word(second):
        return "determiner"
    return None


def _her_before_verb(before: str, after: str, second: str) -> str | None:
    """As in "saw her leave", "watched her slowly climb", "found her crying", "makes her angry"."""
    if before in HER.perceiving:
        verb = second if after.endswith("ly") else after
        rest = second if verb == after else ""
        both = can_be(verb, "NOUN") and not (verb in word_set("verbs_first") or verb in HER.acts)
        if is_base_verb(verb) and not both and (not can_be(verb, "NOUN") or not _may_be_verb(rest)):
            return "object"
        noun = is_person_word(verb) and rest not in HER.before_receivers  # "helped her mother"
        if is_base_verb(verb) and before.startswith(("let", "help")) and not noun:
            return "object"
    if after.endswith("ing") and before in HER.finding:
        return "object"
    if (
        before in HER.make
        and (can_be(after, "ADJ") or after.endswith("ing"))
        and not second.isalpha()
    ):
        return "object"
    return None


def _may_be_verb(word: str) -> bool:
    return word.isalpha() and word not in HER.function_words and can_be(word, "VERB")


def _her_before_noun(before: str, after: str, second: str) -> str | None:
    """A word that can only be a noun or adjective follows, and no verb with two objects before."""
    ends = not second[:1].isalnum() and second not in {"-", ",", "'", "\u2019"}
    led = before in HER.prepositions
    if ends and led and after.endswith("ed") and not can_be(after, "NOUN"):
        return "object"
    if _may_be_finite(after):
        goes_on = led and second in {"a", "an", "the"}
        return "object" if goes_on and not after.endswith("ing") else None
    if led:
        return "determiner"
    if any(before in words for words in (HER.two_objects, HER.perceiving, HER.finding)):
        return "determiner" if is_person_word(after) and before not in HER.make | CALLED else None
    return "determiner" if can_be(after, "NOUN") else None


def _may_be_finite(word: str) -> bool:
    """Whether a word may be a verb after a subject: "the screen behind her *displays* ..."."""
    return word.endswith(("s", "ed", "ing")) and can_be(word, "VERB")


def _his(doc: Document, hit: Hit, following: list[str]) -> str | None:
    after = following[0]
    if not after[:1].isalnum():
        return "possessive" if after in {"", ".", ",", ";", "!", "?", ")", "\n", ":"} else None
    if _is_shared(doc.word_before(hit.start), following):
        return "determiner"
    if _is_no_noun(after) or following[:2] == ["all", "along"]:
        return "possessive"
    if doc.word_before(hit.start) == "of" and _may_be_apart(following):
        return _double_genitive(doc, hit)
    finite = parts_of_speech(after) == {"VERB"} and not after.endswith("ing")
    if finite and (_is_no_noun(following[1]) or not following[1][:1].isalnum()):
        return "possessive"  # "my plan failed, but his worked because ..."
    return None if finite else "determiner"


def _is_no_noun(word: str) -> bool:
    """Whether what is his cannot begin with a word; with "all" and "that" it may."""
    return word in HER.function_words and word not in {"all", "that"}


def _is_shared(before: str, following: list[str]) -> bool:
    """As in "*his* and my parents": what follows is owned by both."""
    both = following[0] in {"and", "or"} and following[1] in HER.others_own
    return both and following[2].isalpha() and before not in HER.passive


def _may_be_apart(following: list[str]) -> bool:
    """Whether "of his" may be all: "... runs", "... saw the fire", "... last week"."""
    after, second = following[:2]
    timed = after in {"last", "next", "that"} and second in HER.times
    acts = can_be(after, "VERB") and second in HER.before_receivers | HER.objects
    return timed or acts or _may_be_finite(after)


def _double_genitive(doc: Document, hit: Hit) -> str | None:
    """As in "A cousin of his runs ...": a noun with an indefinite article before "of his"."""
    words = doc.words_before(hit.start, 60)
    return None if HER.indefinite.isdisjoint(words[-5:-2]) else "possessive"


def _parsed(doc: Document, hit: Hit, cases: frozenset[str]) -> str:
    token = doc.token(hit.start)
    if token is None:
        return "determiner"
    owns = token.deprel in {"nmod:poss", "det", "det:poss"}
    if "object" not in cases:
        return "determiner" if owns and token.head > token.index else "possessive"
    before = doc.word_before(hit.start)
    if before in HER.two_objects:
        verbal = token.is_relation("obj", "iobj", "obl", "nmod", "root", "conj") and not owns
        is_owner = (owns and token.xpos != "PRP") or (token.xpos == "PRP$" and not verbal)
        return "determiner" if is_owner else "object"
    return _by_following(doc, token, owns=owns)


def _by_following(doc: Document, token: Token, *, owns: bool) -> str:
    """The noun phrase that follows, if one does, is hers."""
    for follower in doc.parsed.tokens[token.index + 1 : token.index + 5]:
        if follower.upos in {"NOUN", "PROPN"}:
            return "determiner"
        if follower.upos in {"ADV", "ADJ", "NUM"} or follower.text in {",", "-"}:
            continue
        if follower.xpos in {"VBG", "VBN"}:
            continue
        break
    return "determiner" if owns and token.xpos == "PRP$" else "object"
