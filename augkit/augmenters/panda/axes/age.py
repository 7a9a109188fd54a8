"""Rules of the age axis: numbers, decades and words that say an age, made those of the target."""

from __future__ import annotations

from random import Random

from augkit.augmenters.panda.axes.age_numbers import (
    age_at,
    is_bare_age,
    is_of_person,
    noun_after,
    number_after,
    number_around,
    number_with,
)
from augkit.augmenters.panda.axes.age_words import adjective_and_noun, reading_of, usual_adjective
from augkit.augmenters.panda.jobs import Refused
from augkit.augmenters.panda.scene import Scene
from augkit.augmenters.panda.senses.doubts import doubt
from augkit.augmenters.panda.who.chains import person_at
from augkit.augmenters.panda.writing import Change, cased
from augkit.core.analysis import Token
from augkit.lexicons.demographics.ages import Age, band_of, new_age
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.find_references import Hit
from augkit.text.numbers import to_number

_BY_HOW_MUCH = frozenset("much far slightly somewhat considerably significantly even".split())
_VERY = frozenset("very too so quite rather really extremely".split())


def change_age(
    scene: Scene, span: tuple[int, int], target: str, generator: Random
) -> tuple[str, list[Change]] | Refused:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word = scene.text[slice(*span)]
    hit = scene.hit_at(*span) or number_around(scene, span)
    if hit is None:
        return _pointed_at(scene, span, target, generator)
    if hit.readings[0].pos == "age":
        return _aged(scene, (hit, noun_after(scene, hit)), target, generator)
    if (number := number_with(scene, hit)) is not None:
        return _aged(scene, (number, hit), target, generator)
    if (reason := doubt(scene, hit)) is not None:
        return reason
    if (place := number_after(scene, hit)) is not None:
        return _pointed_at(scene, place, target, generator)
    if hit.attribute == target or (target == "adult" and hit.attribute == "middle-aged"):
        return Refused("already the target", f"'{word}' is {target} already")
    if (apart := adjective_and_noun(scene, hit)) is not None:
        return hit.attribute, _aged_apart(scene, apart, target)
    return _by_words(scene, hit, target)


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
    age = age_at(scene, number)
    if age is None or not is_of_person(scene, number, age):
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
    if years is None or not is_bare_age(scene, span):
        return Refused("no reference", f"'{word}' says no age of a person")
    source = band_of(years, axis)
    if source == target or (target == "adult" and years >= 18):
        return Refused("already the target", f"'{word}' is {target} already")
    age = Age(*span, years, is_decade=False, is_certain=True, whole=span)
    changes = [Change(*span, new_age(age, scene.text, target, axis, generator))]
    nouns = (h for h in scene.hits if h.readings[0].pos == "noun" and h.end < span[0])
    for noun in nouns:
        if number_after(scene, noun) == span:
            changes += _fitting_noun(scene, noun, target)
    return source, changes


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
