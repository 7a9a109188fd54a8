"""A person's name made one of the target group: first name and surname, in every mention."""

from __future__ import annotations

from random import Random

from augkit.augmenters.panda.disambiguation.titles import is_in_title
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.names import Renaming
from augkit.augmenters.panda.race.person_names import PersonName, person_names, same_bearer
from augkit.core.types import Rejection
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.peoples import UNKNOWN
from augkit.lexicons.demographics.surnames import surnames
from augkit.lexicons.demographics.term_senses import Reading
from augkit.lexicons.load import word_set
from augkit.text.articles import Replacement

_NAME = Reading(UNKNOWN, "name", "", {})


def rename(
    doc: Document, span: tuple[int, int], target: str, rng: Random
) -> tuple[str, list[Replacement]] | Rejection:
    """The group that the chosen name is connected with, and the new names of its bearer."""
    word = doc.text[slice(*span)]
    names = person_names(doc.text, span[0])
    chosen = next((n for n in names if n.start < span[1] and span[0] < n.end), None)
    if chosen is None or not _is_person(doc, names, chosen):
        return doc.reject("no reference", f"'{word}' says no race and is no person's name here")
    group = group_of(chosen)
    if doc.names == "never" or (doc.names == "listed" and group == UNKNOWN):
        return doc.reject("no reference", f"'{word}' is a name, and the setting names: {doc.names}")
    if group == target:
        return doc.reject("already the target", f"'{word}' is {target} already")
    renaming = Renaming(doc.text, rng)
    mentions = same_bearer(names, chosen)
    full = next((name for name in mentions if name.is_full), None)
    gender = _gender(mentions)
    changes = []
    for mention in mentions:
        changes += _renamed(mention, full, renaming, (target, gender))
    return group, changes


def group_of(name: PersonName) -> str:
    """The group that readers connect a name with: by the first name, else by the surname."""
    first = look_up(name.parts[0].text)
    if first is not None and first.group:
        return first.group
    return surnames().get(name.parts[-1].lower, "") or UNKNOWN


def _is_person(doc: Document, names: list[PersonName], chosen: PersonName) -> bool:
    hit = Hit(chosen.start, chosen.end, doc.axis, (_NAME,), ())
    if is_in_title(doc, hit) or chosen.before == "the":
        return False
    if any(name.is_sure for name in same_bearer(names, chosen)) or chosen.is_likely:
        return True
    if any(part.lower in word_set("places") for part in chosen.parts) or chosen.is_after_place:
        return False
    if doc.pointed and all(doc.is_name_word(part.start) for part in chosen.parts):
        return True
    return any(doc.people.at(part.start) is not None for part in chosen.parts)


def _gender(mentions: list[PersonName]) -> str:
    known = [look_up(name.parts[0].text) for name in mentions]
    genders = [first.gender for first in known if first is not None]
    return next((gender for gender in genders if gender != "non-binary"), "man")


def _renamed(
    mention: PersonName, full: PersonName | None, renaming: Renaming, target: tuple[str, str]
) -> list[Replacement]:
    """The new first name, and the new surname for all that follows it."""
    first, *rest = mention.parts
    group, gender = target
    if not rest:
        after = renaming.of_group if _is_first(mention, full) else renaming.surname
        new = after(first.text, group, gender)
        return [Replacement(first.start, first.end, new)]
    surname = renaming.surname(rest[-1].text, group, gender)
    given = renaming.of_group(first.text, group, gender)
    return [
        Replacement(first.start, first.end, given),
        Replacement(rest[0].start, rest[-1].end, surname),
    ]


def _is_first(mention: PersonName, full: PersonName | None) -> bool:
    """Whether a name of one word is a first name: by the full name, by its title, by the lists."""
    word = mention.parts[0]
    if full is not None:
        return word.lower == full.parts[0].lower
    known = look_up(word.text)
    return not mention.titled and known is not None and "s" not in known.also
