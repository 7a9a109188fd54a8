"""Rules of the age axis: numbers and decades of people, and the words of ``age_words``."""

from __future__ import annotations

import re
from random import Random

from augkit.augmenters.panda.age_words import (
    adjective_and_noun,
    is_person,
    reading_of,
    usual_adjective,
)
from augkit.augmenters.panda.chains import person_at
from augkit.augmenters.panda.dictionary import word_kinds
from augkit.augmenters.panda.jobs import Refused
from augkit.augmenters.panda.person_words import is_person_word
from augkit.augmenters.panda.scene import Scene
from augkit.augmenters.panda.senses import doubt
from augkit.augmenters.panda.writing import Change, cased
from augkit.language.analysis import Token
from augkit.lexicons.ages import Age, band_of, find_ages, new_age
from augkit.lexicons.axes import read_axis
from augkit.lexicons.cues import cues
from augkit.lexicons.find import Hit
from augkit.lexicons.names import look_up
from augkit.lexicons.people import titles
from augkit.text.numbers import to_number

_OWNERS = frozenset("my your his her our their whose its".split())
_BE = frozenset("is was am are were be been 's 'm barely only already almost nearly just".split())
_BY_HOW_MUCH = frozenset("much far slightly somewhat considerably significantly even".split())
_VERY = frozenset("very too so quite rather really extremely".split())
_OF_AGE = re.compile(
    r" of (?:(?:about|around|only|just|nearly|almost|maybe|perhaps|some) )?"
    r"(\d{1,2}|[a-z]+(?:-[a-z]+)?)(?=[,.;:!?)]|$| and (?:his|her|their|an?|the)\b"
    r"| (?!to\b|or\b|and\b)[a-z]+(?:ed|s|t)\b)"
)
_OF_NUMBERS = re.compile(r"years?|olds?|years?[- ]olds?|aged?|early|mid|late", re.IGNORECASE)
"""Words beside a number or a decade that say with it how old somebody is."""
_YEAR_OLD = ("-year-old", " year old", "-year old", " year-old")


def change_age(
    scene: Scene, span: tuple[int, int], target: str, generator: Random
) -> tuple[str, list[Change]] | Refused:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word = scene.text[slice(*span)]
    hit = scene.hit_at(*span) or _age_around(scene, span)
    if hit is None:
        return _pointed_at(scene, span, target, generator)
    if hit.readings[0].pos == "age":
        return _aged(scene, (hit, _noun_after(scene, hit)), target, generator)
    if (number := _number_with(scene, hit)) is not None:
        return _aged(scene, (number, hit), target, generator)
    if (reason := doubt(scene, hit)) is not None:
        return reason
    if (number_after := _number_after(scene, hit)) is not None:
        return _pointed_at(scene, number_after, target, generator)
    if hit.attribute == target or (target == "adult" and hit.attribute == "middle-aged"):
        return Refused("already the target", f"'{word}' is {target} already")
    if (apart := adjective_and_noun(scene, hit)) is not None:
        return hit.attribute, _aged_apart(scene, apart, target)
    return _by_words(scene, hit, target)


def _age_around(scene: Scene, span: tuple[int, int]) -> Hit | None:
    """The number of "82 *years* old", whichever word of that was pointed at."""
    if not _OF_NUMBERS.fullmatch(scene.text, *span):
        return None
    for age in find_ages(scene.text):
        if age.whole[0] <= span[0] and span[1] <= age.whole[1]:
            return scene.hit_at(age.start, age.end)
    return None


def _by_words(scene: Scene, hit: Hit, target: str) -> tuple[str, list[Change]] | Refused:
    """The word, and others that say the same of the same person, in the target's words."""
    reading = reading_of(scene, hit)
    if isinstance(reading, Refused):
        return reading
    hits = [hit, *_others(scene, hit)]
    changes = []
    for each in hits:
        found = reading if each is hit else reading_of(scene, each)
        if not isinstance(found, Refused) and target in found.written:
            before = scene.text[each.start : each.end]
            written = _compared(scene, each, target) or _of_people(before, target)
            written = written or found.written[target]
            changes.append(Change(each.start, each.end, cased(written, before, scene.text)))
    if not changes:
        word = scene.text[hit.start : hit.end]
        return Refused("no word for the target", f"there is no word for '{word}' as {target}")
    return hit.attribute, changes


def _compared(scene: Scene, hit: Hit, target: str) -> str | None:
    """The comparative in "a much *younger* woman", which asks for another one."""
    word = scene.text[hit.start : hit.end].lower()
    before = scene.word_before(hit.start)
    if target == "child" and before in _VERY and word in {"old", "elderly", "aged"}:
        return "young"  # nobody is "very teenage"
    if word not in {"younger", "older"} or before not in _BY_HOW_MUCH:
        return None
    return "older" if target in {"senior", "middle-aged"} else "younger"


def _of_people(word: str, target: str) -> str | None:
    """The target's adjective before the same noun: "old *people*" become "young *people*"."""
    noun = word.lower().rpartition(" ")[2]
    if (
        noun not in {"people", "person"}
        or target not in {"young", "senior"}
        or noun == word.lower()
    ):
        return None
    return f"{usual_adjective().written[target]} {noun}"


def _aged(
    scene: Scene, words: tuple[Hit, Hit | None], target: str, generator: Random
) -> tuple[str, list[Change]] | Refused:
    """A number or decade of the target's band, and the noun after it ("8-year-old boy")."""
    number, noun = words
    word = scene.text[number.start : number.end]
    age = _age_at(scene, number)
    if age is None or not _is_of_person(scene, number, age):
        return Refused("not a person", f"'{word}' is no age of a person here")
    if number.attribute == target or (target == "adult" and age.years >= 18):
        return Refused("already the target", f"'{word}' is {target} already")
    after = new_age(age, scene.text, target, read_axis(scene.axis), generator)
    changes = [Change(number.start, number.end, after)]
    if noun is not None and noun.readings[0].pos == "noun":
        changes += _fitting_noun(scene, noun, target)
    return number.attribute, changes


def _aged_apart(scene: Scene, words: tuple[Token, Hit], target: str) -> list[Change]:
    """The adjective and the noun of "a *young* Asian *boy*", each made one of the target."""
    adjective, noun = words
    after = cased(usual_adjective().written[target], adjective.text, scene.text)
    if target == "child":
        after = cased("young", adjective.text, scene.text)  # "a young Asian girl", no teenager
    return [Change(adjective.start, adjective.end, after), *_fitting_noun(scene, noun, target)]


def _fitting_noun(scene: Scene, noun: Hit, target: str) -> list[Change]:
    """The noun beside a number, made one for a child or for an adult."""
    kind = "child" if target == "child" else "adult"
    if noun.attribute == kind:
        return []
    before = scene.text[noun.start : noun.end]
    after = cased(noun.readings[0].written[kind], before, scene.text)
    return [Change(noun.start, noun.end, after)]


def _pointed_at(
    scene: Scene, span: tuple[int, int], target: str, generator: Random
) -> tuple[str, list[Change]] | Refused:
    """A bare number that was pointed at: "She turned 80", "He is 19"."""
    word = scene.text[slice(*span)]
    years = int(word) if word.isdigit() and len(word) < 4 else to_number(word.lower())
    axis = read_axis(scene.axis)
    if years is None or not _is_bare_age(scene, span):
        return Refused("no reference", f"'{word}' says no age of a person")
    source = band_of(years, axis)
    if source == target or (target == "adult" and years >= 18):
        return Refused("already the target", f"'{word}' is {target} already")
    age = Age(*span, years, is_decade=False, is_certain=True, whole=span)
    changes = [Change(*span, new_age(age, scene.text, target, axis, generator))]
    nouns = (h for h in scene.hits if h.readings[0].pos == "noun" and h.end < span[0])
    for noun in nouns:
        if (said := _OF_AGE.match(scene.text, noun.end)) is not None and said.span(1) == span:
            changes += _fitting_noun(scene, noun, target)
    return source, changes


def _is_bare_age(scene: Scene, span: tuple[int, int]) -> bool:
    before, after = scene.word_before(span[0]), scene.word_after(span[1])
    closes = not after[:1].isalnum() or after in cues("ages", "after_numbers")
    if after in {"%", "$", "/", ":"}:
        return False
    if before == "of" or (before == "(" and after == ")"):
        return _stands_after_person(scene, span[0])
    if not closes:
        return False
    if before == ",":
        return not after[:1].isalnum() and _stands_after_person(scene, span[0])
    if before.startswith("turn") or before in {"at", "age"}:
        return True
    if before in cues("ages", "reaching"):
        before = "is"
    subject = _subject(scene, Hit(*span, scene.axis, (), ()))
    return before in _BE and subject is not None and is_person(scene, subject)


def _stands_after_person(scene: Scene, start: int) -> bool:
    """As in "a man *of* 72", "Tom *(*19)" and "Tom Hay*,* 19": what stands before that sign."""
    words = scene.text[:start].rstrip(" (,").removesuffix(" of").split()
    last = words[-1] if words else ""
    return is_person_word(last.lower()) or look_up(last) is not None or _is_surname(words)


def _is_surname(words: list[str]) -> bool:
    """Whether the last of some words has a capital and follows a first name or a title."""
    if len(words) < 2 or not words[-1][:1].isupper():
        return False
    return look_up(words[-2]) is not None or words[-2].lower().rstrip(".") in titles()


def _number_after(scene: Scene, hit: Hit) -> tuple[int, int] | None:
    """Where the number of "a boy *of nine*" stands, if that says the age."""
    said = _OF_AGE.match(scene.text, hit.end)
    if said is None or (not said[1].isdigit() and to_number(said[1].lower()) is None):
        return None
    return said.span(1)


def _age_at(scene: Scene, hit: Hit) -> Age | None:
    return next((age for age in find_ages(scene.text) if age.start == hit.start), None)


def _noun_after(scene: Scene, hit: Hit) -> Hit | None:
    """The noun that "8-year-old" stands before."""
    rest = scene.text[hit.end : hit.end + 40].lower()
    if not rest.startswith(_YEAR_OLD):
        return None
    noun = scene.hit_by_start.get(hit.end + len(_YEAR_OLD[0]) + 1)
    if noun is None or noun.readings[0].pos != "noun":
        return None
    # in "90-year-old senior leader" it is a rank
    return None if is_person_word(scene.word_after(noun.end)) else noun


def _number_with(scene: Scene, hit: Hit) -> Hit | None:
    """The number of "8-year-old" before a noun."""
    for other in scene.hits:
        near = hit.start - 30 < other.start < hit.start
        if near and other.readings[0].pos == "age" and _noun_after(scene, other) is hit:
            return other
    return None


def _is_of_person(scene: Scene, hit: Hit, age: Age) -> bool:
    """Whether an age is a person's: by the noun, name or pronoun it is said of."""
    before, after = scene.word_before(hit.start), scene.next_words(hit.end, 4)
    if age.is_decade:
        words = scene.text[max(0, hit.start - 30) : hit.start].lower().split()
        return not {"its", "the"} & set(words[-2:]) or not words
    if scene.text[hit.end : hit.end + 12].lower().startswith(_YEAR_OLD):
        return _nounis_person(scene, hit)
    if not age.is_certain or before == "aged":
        return _follows_person(scene, hit)
    subject = _subject(scene, hit)
    if subject is None:
        return not after or "old" not in after
    return is_person(scene, subject)


def _nounis_person(scene: Scene, hit: Hit) -> bool:
    following = scene.next_words(hit.end + len(_YEAR_OLD[0]), 2)
    if not following or not following[0].isalpha() or is_person_word(following[0]):
        return True
    kinds = word_kinds(following[0])
    owned = scene.word_before(hit.start) in _OWNERS and following[0].endswith("s")
    if kinds <= {"VERB", "AUX", "ADV"} or (owned and "VERB" in kinds):
        return True  # "a seven-year-old won", "my six-year-old loves trains": it is a noun itself
    token = scene.token(hit.end + 1)
    for _ in range(4):
        if token is None:
            return True
        if token.start > hit.end + len(_YEAR_OLD[0]) and token.upos in {"NOUN", "PROPN"}:
            return is_person(scene, token)
        if token.upos in {"VERB", "AUX"}:
            return True
        head = scene.parsed.head(token)
        if head.index == token.index:
            break
        token = head
    return following[0] in {"was", "is", "has", "had", "who", "and", "said"}


def _follows_person(scene: Scene, hit: Hit) -> bool:
    """As in "The witness, 34," and "Lena, aged 7": a person stands before the comma."""
    rest = scene.text[: hit.start].rstrip()
    rest = rest.removesuffix("aged").rstrip().rstrip(",")
    token = scene.token(len(rest) - 1)
    return token is not None and (is_person(scene, token) or token.text.istitle())


def _subject(scene: Scene, hit: Hit) -> Token | None:
    token = scene.token(hit.start)
    analysis = scene.parsed
    for _ in range(6):
        if token is None:
            return None
        subjects = analysis.children(token, "nsubj")
        if subjects:
            return subjects[0]
        if token.is_root:
            return None
        head = analysis.head(token)
        hangs = token.is_relation("nmod", "amod", "acl", "obl", "appos") and head.upos == "NOUN"
        if hangs and head.lemma.lower() not in {"year", "age"}:
            return head
        token = head
    return None


def _others(scene: Scene, hit: Hit) -> list[Hit]:
    """Other words that say the same of the same person: "a boy ... the boy"."""
    same = [
        h
        for h in scene.hits
        if h is not hit
        and h.attribute == hit.attribute
        and not h.blocked
        and not h.is_weak
        and h.readings[0].pos != "age"
    ]
    if not same:
        return []
    person = person_at(scene, hit.end - 1)
    found = [h for h in same if person is not None and person_at(scene, h.end - 1) is person]
    if not found and len(scene.fields) > 1:
        here = scene.field_at(hit.start)
        noun = scene.text[hit.start : hit.end].split()[-1].lower()
        found = [
            h
            for h in same
            if scene.field_at(h.start) != here
            and scene.text[h.start : h.end].split()[-1].lower() == noun
        ]
    return found
