"""A pair keeps its contrast: "John saw his aunt" and "John saw his uncle" stay two things.

So do "A man cooks." and "She cooks.", which would agree if the man alone became a woman, while
"A man cooks." and "He cooks." would no longer.
"""

from __future__ import annotations

from collections.abc import Iterable

from augkit.augmenters.panda.finding import find
from augkit.augmenters.panda.jobs import Refused
from augkit.augmenters.panda.scene import Scene
from augkit.augmenters.panda.words.person_words import is_person_word
from augkit.core.types import Edit
from augkit.lexicons.demographics.find_references import Hit
from augkit.text.articles import ARTICLES


def lost_contrast(scene: Scene, edits: Iterable[Edit], way: tuple[str, str]) -> Refused | None:
    """The reason for refusing edits that make fields agree, or differ, where they did not.

    ``way`` is the attribute that the person had and the one of the target.
    """
    if len(scene.fields) < 2:
        return None
    edits = tuple(edit for edit in edits if edit.before.lower() not in ARTICLES)
    for edit in edits:
        for other in scene.fields:
            if other != edit.field:
                kept = [h for h in _kept(scene, other, edits) if _names_somebody(h)]
                words = {scene.fields[other][h.start : h.end].lower() for h in kept}
                if (reason := _compare(edit, words)) is not None:
                    return reason
    return _between_persons(scene, edits, way)


def _between_persons(scene: Scene, edits: tuple[Edit, ...], way: tuple[str, str]) -> Refused | None:
    """Whether a person of a field without edits was, or comes to be, of the changed one's kind."""
    edited = {edit.field for edit in edits}
    numbers = {_number(h) for h in _changed(scene, edits)}
    here = {h.attribute for name in edited for h in _kept(scene, name, edits)}
    for other in scene.fields:
        if other in edited:
            continue
        there = {h.attribute for h in _kept(scene, other, edits) if _number(h) in numbers}
        for attribute in way:
            if attribute in there - here:
                said = f"a reference to {attribute} in '{other}' would agree or differ anew"
                return Refused("contrast lost", said)
    return None


def _compare(edit: Edit, words: set[str]) -> Refused | None:
    before, after = edit.before.lower(), edit.after.lower()
    if after in words and before not in words:
        return Refused("contrast lost", f"'{edit.after}' stands in the other field already")
    if before in words:
        return Refused("contrast lost", f"'{edit.before}' would stay in the other field")
    return None


def _changed(scene: Scene, edits: tuple[Edit, ...]) -> list[Hit]:
    places = {(edit.field, edit.start) for edit in edits}
    return [
        h for name in scene.fields for h in _of_people(scene, name) if (name, h.start) in places
    ]


def _kept(scene: Scene, field: str, edits: tuple[Edit, ...]) -> list[Hit]:
    places = {edit.start for edit in edits if edit.field == field}
    return [h for h in _of_people(scene, field) if h.start not in places]


def _of_people(scene: Scene, field: str) -> list[Hit]:
    """The references of a field that are to people: a "black hat" is none."""
    text = scene.fields[field]
    found = [h for h in find(scene.axis, text) if not h.blocked and not h.is_weak]
    return [h for h in found if not _is_adjective(h) or _is_beside_person(text, h)]


def _is_adjective(hit: Hit) -> bool:
    return any(reading.pos == "adj" for reading in hit.readings)


def _is_beside_person(text: str, hit: Hit) -> bool:
    return any(is_person_word(word.strip(".,;:!?")) for word in text[hit.end :].lower().split()[:2])


def _names_somebody(hit: Hit) -> bool:
    return hit.readings[0].pos != "pronoun" or hit.readings[0].case == "subject"


def _number(hit: Hit) -> str:
    return "plural" if hit.readings[0].number == "plural" else "singular"
