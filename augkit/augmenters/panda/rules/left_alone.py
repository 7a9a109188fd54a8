"""References that are left alone unless somebody points at them: nobody who may change is meant.

They stand in titles, are said of things, name known persons or gods, or tell whose child somebody
is. Each rule is general, and a test shows what changes without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from augkit.augmenters.panda.references import is_thing_word
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.left_names import (
    capital_after,
    capital_before,
    has_full_name,
    holds_full_name,
    is_cased_at,
    is_quoted,
    why_no_name,
)
from augkit.augmenters.panda.rules.readings import is_person, is_said_of_person
from augkit.augmenters.panda.rules.scenes import BOYS, misfit, speaks
from augkit.core.types import Variant
from augkit.english.morphology import can_be, is_base_verb, parts_of_speech
from augkit.lexicons.demographics.cues import NAMES, PEOPLE, cue_table
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.names import look_up, surnames
from augkit.lexicons.demographics.peoples import is_people
from augkit.lexicons.demographics.person_words import is_person_word
from augkit.lexicons.load import closed_classes

_COLOURS = frozenset({"white", "black", "brown"})
_SMALL = _COLOURS | {"whites", "blacks"}
"""Words for a race that need no capital."""
_NEAR = 40
"""Characters before a word in which what it is said of is looked for."""
_GOD_BEFORE = 70
"""Characters between a god and a pronoun, at most."""
_SOME = re.compile(
    r"\b(?:an?|one|two|three|four|five|some|this|that|these|those|another|other|\d+|young|little"
    r"|small|group of) $"
)
"""Before a noun for children these show that they are somebody: "two *kids*"."""
_OWNER = re.compile(r"(?:\b(?:my|our|your|his|her|their|its)|['\u2019]s) (?:[\w-]+ ){0,2}$")
_SPEAKERS_OWN = re.compile(
    r"\b(?:as|like|was|be|being|i'm|am) (?:just |only |still )?(?:an? )?(?:little |young )?$"
)
"""Before the speaker: "I loved it as a *girl*"."""
_EXCLAIMED = re.compile(
    r",? (?:was|were|am|is|are|did|do|does|have|has|had|oh) (?:i|we|you|it|he|she|they|that|this)\b"
)
_BABIES = frozenset("baby babies infant infants newborn newborns toddler toddlers".split())
_MEASURES = frozenset("years year yrs yr months month weeks week days day".split())
_BEFORE_NOUNS = frozenset("and of off on in at by from with keep the a for".split())
_DEGREES = frozenset("very so too pretty quite rather as how really extremely fairly".split())
_WORD = re.compile("[a-z]+")
Rule = tuple[str, Callable[[Document, Hit], bool]]


def reject_hit(doc: Document, hit: Hit) -> Variant | None:
    """The reason for leaving the chosen reference alone."""
    word = doc.text_of(hit)
    if hit.blocked:
        return doc.refuse("fixed phrase", hit.blocked)
    if is_in_compound(hit):
        return doc.refuse("not a person", f"'{word}' is part of a compound")
    nation = doc.pointed and hit.axis == "race" and is_people(word)  # it says no race for certain
    if hit.attribute == doc.target and not (hit.is_weak or nation):
        return doc.refuse("already the target", f"'{word}' is {doc.target} already")
    return leave_alone(doc, hit)


def is_in_compound(hit: Hit) -> bool:
    """Whether a sign ties a reference to a neighbour: "man-made"."""
    return "joined" in hit.needs and hit.pos != "adj"


def leave_alone(doc: Document, hit: Hit) -> Variant | None:
    """The reason for leaving a reference alone that nobody pointed at."""
    if doc.pointed:
        return None
    if (reason := misfit(doc, hit)) is not None:
        return reason
    word = doc.text_of(hit)
    why = why_left_alone(doc, hit) or _why_kept(doc, hit) or _why_known(doc, hit)
    return doc.refuse("not a person", f"'{word}': {why}") if why else None


def why_left_alone(doc: Document, hit: Hit) -> str:
    """Say why a reference names no person; nothing if it does.

    One place where a people is said of a thing decides for all its places, as a word has one sense
    in a text, and so does one where a word with a capital is part of a title. A colour is said of
    persons and of things.
    """
    if hit.pos == "name":
        return why_no_name(doc, hit)
    places = [hit]
    word = doc.text_of(hit)
    is_title = hit.axis == "gender" and word[:1].isupper()
    if is_title or (hit.axis == "race" and word.lower() not in _COLOURS):
        places += [h for h in doc.hits if h.start != hit.start and doc.text_of(h) == word]
    for place in places:
        for why, holds in RULES.get((hit.axis, place.pos), (_TITLE,)):
            if holds(doc, place):
                return why
    return ""


def _why_kept(doc: Document, hit: Hit) -> str:
    """Say why the age of a person stays."""
    rules = KEPT.get(hit.pos, ()) if hit.axis == "age" else ()
    return next((why for why, holds in rules if holds(doc, hit)), "")


def _why_known(doc: Document, hit: Hit) -> str:
    """Say why a reference may be to a known person, whose full name the text has."""
    if not has_full_name(doc):
        return ""
    if hit.pos in {"pronoun", "title", "name"}:
        return "the text has a full name, which may be this person's"
    if hit.pos in {"adj", "age"} and _describes_full_name(doc, hit):
        return "said of a full name"
    if hit.pos == "noun" and is_single(hit) and hit.axis == "gender" and _is_near_name(doc, hit):
        return "it may be said of the full name beside it"
    return ""


def is_single(hit: Hit) -> bool:
    """Whether a reference is to one person, as far as its form says."""
    return hit.readings[0].number != "plural"


_FULL_NAME = r"[^\W\d_a-z]\w+ (?:[A-Z]\. ?)*[^\W\d_a-z]\w+"
_NAME_AFTER = re.compile(rf",? (?:named |called |of )?{_FULL_NAME}")
_NAME_BEFORE = re.compile(
    rf"{_FULL_NAME},? (?:(?:is|was|as|plays|,|an?|the) ){{0,3}}(?:[a-z-]+ )?$"
)


def _describes_full_name(doc: Document, hit: Hit) -> bool:
    """Whether a full name follows soon: "a *young* Robert De Niro"."""
    return holds_full_name(doc.text[hit.end : hit.end + _NEAR].split(".")[0])


def _is_near_name(doc: Document, hit: Hit) -> bool:
    """Whether a noun stands before or after a full name: "the actress Rosario Dawson"."""
    before = doc.text[max(0, hit.start - 60) : hit.start]
    after = _NAME_AFTER.match(doc.text, hit.end)
    return after is not None or _NAME_BEFORE.search(before) is not None


def _is_in_title(doc: Document, hit: Hit) -> bool:
    """Whether a word stands in a title: it has a capital in mid-sentence, or quotation marks."""
    word = doc.text_of(hit)
    has_capital = word[:1].isupper()
    if is_quoted(doc, hit) and (has_capital or hit.pos != "pronoun"):
        return True
    if not has_capital or not is_cased_at(doc, hit) or doc.opens_sentence(hit.start):
        return False
    if word.isupper() and len(word) > 1:  # it is shouted: "HE SAID"
        return False
    if hit.pos == "pronoun":
        return bool(capital_before(doc, hit) or capital_after(doc, hit))
    is_title = word.lower() in NAMES.before_names  # "Aunt May", not "Guy Fieri"
    return not (is_title and capital_after(doc, hit) and not capital_before(doc, hit))


def _is_titleless(doc: Document, hit: Hit) -> bool:
    """Whether no name follows a title: "ms" of a text without capitals, "Sir," alone."""
    end = hit.end + (doc.text[hit.end : hit.end + 1] == ".")
    word = doc.word_after(end)
    if doc.text != doc.lower:
        return not doc.text[end : end + 2].lstrip()[:1].isupper()
    is_word = word in closed_classes() or bool(parts_of_speech(word))
    return is_word and word not in surnames() and look_up(word) is None


def _is_slip(doc: Document, hit: Hit) -> bool:
    """Whether a noun follows, so that another word was meant: "off *he* freeway"."""
    if doc.text_of(hit).lower() not in {"he", "she"} or doc.text[hit.end : hit.end + 1] != " ":
        return False
    after = doc.word_after(hit.end)
    if is_thing_word(after):
        return True
    is_noun = can_be(after, "NOUN") and is_base_verb(after) and not can_be(after, "ADJ")
    return is_noun and doc.word_before(hit.start) in _BEFORE_NOUNS


def _is_verb(doc: Document, hit: Hit) -> bool:
    """Whether "miss" is a verb: in small letters, after a word: "I *miss* it"."""
    before = doc.text[max(0, hit.start - 2) : hit.start]
    return doc.text_of(hit) in {"miss", "misses"} and before[:1].isalpha() and before[1:] == " "


def _is_of_thing(doc: Document, hit: Hit) -> bool:
    """Whether an adjective describes no person."""
    return not is_said_of_person(doc, hit)


def _is_age_of_thing(doc: Document, hit: Hit) -> bool:
    """Whether no person is so old: "my car is *ten years old*"."""
    return doc.lower.endswith(" old", hit.start, hit.end) and _is_of_thing(doc, hit)


def _is_before_thing(doc: Document, hit: Hit) -> bool:
    """Whether a noun for a thing follows at once: "*girl* scout cookies", "*kids* menu".

    No verb in -s goes with several ("two *kids* channels"). A word of several senses is parsed
    ("a *queen* bed").
    """
    if doc.text[hit.end : hit.end + 1] != " ":
        return False
    after = doc.word_after(hit.end)
    if is_thing_word(after):
        return True
    if doc.text == doc.lower and after.isalpha() and not parts_of_speech(after):
        return after not in closed_classes()  # of a name, in small letters: "*king* gyro"
    if not can_be(after, "NOUN") or after in closed_classes() or is_person_word(after):
        return False
    if not is_single(hit) and after.endswith("s") and not after.endswith("ss"):
        return True
    if "sense" not in hit.needs or hit.axis != "gender":
        return False
    token = doc.token(hit.start)
    return token is not None and token.is_relation("compound")


def _is_after_thing(doc: Document, hit: Hit) -> bool:
    """Whether a noun for a thing stands right before: "school *boys*", "sugar *babies*"."""
    joined = doc.text[max(0, hit.start - 1) : hit.start] in {" ", "-"}
    return joined and is_thing_word(doc.word_before(hit.start))


def _is_god(doc: Document, hit: Hit) -> bool:
    """Whether a word names a god, or a pronoun stands for one named before it in the sentence."""
    if hit.pos != "pronoun":
        return _gods().fullmatch(doc.text_of(hit)) is not None
    found = _gods().search(doc.text, max(0, hit.start - _GOD_BEFORE), hit.start)
    return found is not None and found.start() >= doc.sentence_span(hit.start)[0]


@cache
def _gods() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(cue_table('cues/left_alone')['gods'])})\b")


def _tells_of_wrong(doc: Document, hit: Hit) -> bool:
    """Whether a sentence tells of a wrong done to a group: who suffered is not to be rewritten."""
    if PEOPLE.wrongs.isdisjoint(doc.words):
        return False
    sentence = doc.lower[slice(*doc.sentence_span(hit.start))]
    return not PEOPLE.wrongs.isdisjoint(_WORD.findall(sentence))


def _lacks_capital(doc: Document, hit: Hit) -> bool:
    """Whether a word for a people has a small letter among capitals: "nail *polish*"."""
    word = doc.text_of(hit)
    return is_cased_at(doc, hit) and word.islower() and word not in _SMALL and is_people(word)


def _is_no_people(doc: Document, hit: Hit) -> bool:
    """Whether a race, a people or a colour is said of no person, by the words or the parse."""
    if is_person_word(doc.word_after(hit.end)) or (hit.pos == "noun" and not is_single(hit)):
        return False
    if doc.word_before(hit.start) in {"in", "wearing", "wears", "wore"}:
        return True  # "the player is in *white*"
    token = doc.token(hit.end - 1)
    if token is None:
        return False
    described = doc.parsed.head(token)
    if token.is_relation("amod", "compound", "nmod", "flat") and described.start > token.start:
        if described.is_relation("compound"):  # "a *white* cowboy hat"
            described = doc.parsed.head(described)
        return not is_person(doc, described)
    subjects = doc.parsed.children(token, "nsubj")
    if subjects:
        return not any(is_person(doc, subject) for subject in subjects)
    if token.is_relation("conj") and token.upos == "ADJ":
        return not is_said_of_person(doc, hit)
    if speaks(doc) and is_people(doc.text_of(hit)):
        return True  # "I had a *Cuban*"
    before = doc.word_before(hit.start)
    counted = before in {"a", "an", "one", "another", "young", "old", "as"}
    several = doc.text_of(hit).endswith("s")
    return not (counted or (several and token.upos in {"NOUN", "PROPN", "ADJ"}))


def _may_be_product(doc: Document, hit: Hit) -> bool:
    """Whether a noun for a people stands in a review, where it is a dish, a wax or a street."""
    return speaks(doc) and is_people(doc.text_of(hit))


def _is_unspecified(doc: Document, hit: Hit) -> bool:
    """Whether nouns for children, or adults, are said of nobody: "fun for *kids* and adults"."""
    if speaks(doc):
        return True
    return _is_of_age(doc, hit) and not any(
        _is_somebody(doc, other) for other in doc.hits if _is_of_age(doc, other)
    )


def _is_of_age(doc: Document, hit: Hit) -> bool:
    word = doc.text_of(hit).lower().split()[-1]
    return hit.pos == "noun" and hit.attribute in {"child", "adult"} and word not in BOYS


def _is_somebody(doc: Document, hit: Hit) -> bool:
    opens_caption = len(doc.fields) > 1 and doc.opens_sentence(hit.start)
    return opens_caption or bool(_SOME.search(doc.lower, max(0, hit.start - _NEAR), hit.start))


def _is_whose_child(doc: Document, hit: Hit) -> bool:
    """Whether it is said whose child somebody is, or the speaker tells of a childhood."""
    before = max(0, hit.start - _NEAR), hit.start
    if hit.attribute == "child" and _OWNER.search(doc.lower, *before):
        return True
    return speaks(doc) and _SPEAKERS_OWN.search(doc.lower, *before) is not None


def _is_baby(doc: Document, hit: Hit) -> bool:
    """Whether a word is one for a baby, who does what nobody else does."""
    return not _BABIES.isdisjoint(doc.text_of(hit).lower().split())


def _is_measure(doc: Document, hit: Hit) -> bool:
    """Whether an adjective counts years: "my 5 year *old* son"."""
    return doc.word_before(hit.start) in _MEASURES


def _is_of_speaker(doc: Document, _: Hit) -> bool:
    """Whether somebody tells of themselves: an age may be theirs, or "my mom is *80*"."""
    return speaks(doc)


def _is_exclaimed(doc: Document, hit: Hit) -> bool:
    """Whether a word is shouted: "*Boy*, was I wrong"."""
    opens = doc.opens_sentence(hit.start) or doc.word_before(hit.start) == ","
    if opens and is_single(hit) and doc.word_after(hit.end) == ",":
        return True  # "*Man*, what a burger"
    return opens and _EXCLAIMED.match(doc.lower, hit.end) is not None


def _has_degree(doc: Document, hit: Hit) -> bool:
    """Whether a degree stands before an age, which others than "young" do not have: "too *old*"."""
    return doc.word_before(hit.start) in _DEGREES and doc.target != "young"


_TITLE: Rule = ("part of a title", _is_in_title)
_GOD: Rule = ("a god", _is_god)
_BEFORE_THING: Rule = ("part of a compound", _is_before_thing)
_OF_THING: Rule = ("said of a thing", _is_of_thing)
_PEOPLE: Sequence[Rule] = (
    ("it would rewrite who wronged whom", _tells_of_wrong),
    ("it has no capital", _lacks_capital),
    ("in quotation marks", is_quoted),
    ("said of no person", _is_no_people),
)
_DEGREE: Rule = ("there is no degree of the target", _has_degree)
_MEASURE: Rule = ("a measure", _is_measure)
_BABY: Rule = ("a baby does what nobody else does", _is_baby)
_EXCLAMATION: Rule = ("an exclamation", _is_exclaimed)
_WHOSE_CHILD: Rule = ("it says whose child, no age", _is_whose_child)
RULES: Mapping[tuple[str, str], Sequence[Rule]] = {
    ("gender", "pronoun"): (_TITLE, _GOD, ("a slip of the pen", _is_slip)),
    ("gender", "title"): (("no name follows", _is_titleless),),
    ("gender", "address"): (_TITLE, ("a verb", _is_verb)),
    ("gender", "adj"): (_OF_THING,),
    ("gender", "noun"): (_TITLE, _GOD, _BEFORE_THING, _EXCLAMATION),
    ("race", "adj"): _PEOPLE,
    ("race", "noun"): (*_PEOPLE, _BEFORE_THING, ("it may be a product", _may_be_product)),
    ("age", "age"): (_BEFORE_THING, ("said of a thing", _is_age_of_thing)),
    ("age", "adj"): (_MEASURE, _OF_THING, _TITLE),
    ("age", "noun"): (
        _MEASURE,
        _EXCLAMATION,
        _TITLE,
        _BEFORE_THING,
        ("part of a compound", _is_after_thing),
    ),
}
"""By axis and part of speech: why a reference names no person, and what shows it."""
KEPT: Mapping[str, Sequence[Rule]] = {
    "age": (_WHOSE_CHILD, ("the speaker's age, or a relative's", _is_of_speaker)),
    "adj": (_DEGREE, _WHOSE_CHILD, _BABY),
    "noun": (_DEGREE, _WHOSE_CHILD, _BABY, ("said of nobody in particular", _is_unspecified)),
}
"""By part of speech: why the age of a person stays, and what shows it."""
