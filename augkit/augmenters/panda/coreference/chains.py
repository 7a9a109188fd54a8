"""Which references of a text are to the same person as the chosen one.

Where a text can speak of one person of that gender only, its words say so and nothing is parsed;
elsewhere it is asked who is who (``persons``).
"""

from __future__ import annotations

import re

from augkit.augmenters.panda.coreference.links import (
    is_again,
    is_owned,
    is_parallel,
    is_style_of,
    is_title_of,
    owns,
)
from augkit.augmenters.panda.coreference.merge import joined
from augkit.augmenters.panda.coreference.single_person import single_person
from augkit.augmenters.panda.coreference.unresolved import unresolved_pronouns
from augkit.augmenters.panda.disambiguation.first_name_senses import is_saints
from augkit.augmenters.panda.disambiguation.name_homographs import is_helper, is_month
from augkit.augmenters.panda.disambiguation.name_patterns import is_tool, name_pattern
from augkit.augmenters.panda.disambiguation.person_sense import is_after_title
from augkit.augmenters.panda.disambiguation.place_names import stands_as_place
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import NEXT_CAPITAL
from augkit.language.coreference.mentions import Mention
from augkit.language.coreference.resolve import Person
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up

_OF_THEM = re.compile(r"\b(?:one|each|none|neither|either|any|another) of them\b", re.IGNORECASE)
_OF_A_GROUP = frozenset({"one", "each", "none", "neither", "either", "any", "another"})
_LAST_NAME = re.compile(r"(?<!\w)([A-Z][a-z]+) $")
_GOD = re.compile(r"\b(?:God|Allah|Lord|Jesus|Christ|Almighty|Creator|Saviou?r)\b")


def same_person(doc: Document, hit: Hit, source: str) -> list[Hit]:
    """The references of the gender ``source`` to the person that ``hit`` refers to."""
    found = _references(doc, source)
    if hit.readings[0].number == "plural":
        return _same_group(doc, hit, found)
    only = single_person(doc, hit, found)
    return only if only is not None else _resolved(doc, hit, found)


def person_at(doc: Document, start: int) -> Person | None:
    """The person at a place: by coreference, or the likeliest where it is unsure."""
    people = doc.people
    person = people.at(start)
    if person is not None:
        return person
    for mention in people.unresolved:
        if mention.start <= start < mention.end and people.candidates[mention]:
            return people.candidates[mention][0]
    token = doc.token(start)
    if token is None or not token.is_relation("amod", "compound", "flat", "nmod", "appos"):
        return None
    return people.at(doc.parsed.head(token).start)


def of_person(doc: Document, person: Person, source: str, chosen: int) -> list[Hit]:
    """The references of a gender among the mentions of a person."""
    found = _references(doc, source)
    return _covered(doc, joined(doc, person, found, chosen), found)


def _references(doc: Document, source: str) -> list[Hit]:
    """The references of a gender that may be persons: no fixed phrases, no names of places."""
    found = [h for h in doc.hits if h.attribute == source and not h.blocked and not h.is_weak]
    return [h for h in found if not _is_elsewhere(doc, h)]


def _is_elsewhere(doc: Document, hit: Hit) -> bool:
    """Whether a name is a place or month, or a pronoun a god's ("prayed to God and *He* ...")."""
    if hit.readings[0].pos == "name":
        placed = stands_as_place(doc, hit) or is_month(doc, hit) or is_saints(doc, hit)
        return placed or is_helper(doc, hit) or is_tool(doc, hit)
    if hit.readings[0].pos in {"noun", "title"} and _is_in_surname(doc, hit):
        return True
    holy = hit.readings[0].pos == "pronoun" and doc.text[hit.start].isupper()
    return (
        holy
        and doc.text[max(0, hit.start - 2) : max(0, hit.start - 1)].isalpha()
        and _GOD.search(doc.text) is not None
        and not doc.text.isupper()
    )


def _is_in_surname(doc: Document, hit: Hit) -> bool:
    """As in "Tony *King*" and "Mr. *King*": a capital right after a first name or a title."""
    if is_after_title(doc, hit):
        return True
    if not doc.text[hit.start].isupper() or doc.text[hit.start : hit.end].isupper():
        return False
    before = _LAST_NAME.search(doc.text, max(0, hit.start - 30), hit.start)
    if before is None or look_up(before[1]) is None:
        return False
    after = NEXT_CAPITAL.match(doc.text, hit.end)
    return after is None or look_up(after.group().strip()) is None  # "Saxon King Harold"


def _same_group(doc: Document, hit: Hit, found: list[Hit]) -> list[Hit]:
    """The same plural again ("two men", "the men"), and each of it ("one of the men ... his")."""
    form = hit.readings[0].form
    same = [h for h in found if h.readings[0].form == form and _is_same_group(doc, hit, h)]
    pronouns = [h for h in found if h.readings[0].pos == "pronoun"]
    if not pronouns:
        return same
    nominal = [h for h in found if h.readings[0].pos != "pronoun" and h not in same]
    of_them = _OF_THEM.search(doc.text, hit.end)
    if of_them is not None and not nominal:
        return same + [h for h in pronouns if h.start > of_them.end()]
    words = doc.words_before(hit.start)
    if len(words) > 1 and "of" in words[-3:] and not _OF_A_GROUP.isdisjoint(words[-4:]):
        return same if nominal else same + pronouns
    return same


def _is_same_group(doc: Document, hit: Hit, other: Hit) -> bool:
    """As in "Two men ... the men" are the same; "three men and two men" are not."""
    if other is hit or doc.field_at(hit.start) != doc.field_at(other.start):
        return True
    later = other if other.start > hit.start else hit
    return doc.word_before(later.start) in {"the", "these", "those", "both", "all"}


def _resolved(doc: Document, hit: Hit, found: list[Hit]) -> list[Hit]:
    person = person_at(doc, hit.start)
    if person is None:
        hits = [hit, *_alone(doc, hit, found)]
        return hits + [h for h in found if h not in hits and is_title_of(doc, h, hits)]
    hits = _covered(doc, joined(doc, person, found, hit.start), found)
    hits = [h for h in hits if not (is_parallel(doc, h, person) or _is_of_thing(doc, h, hit))]
    hits += [h for h in found if h not in hits and is_title_of(doc, h, hits)]
    hits += [h for h in found if h not in hits and any(is_title_of(doc, t, [h]) for t in hits)]
    hits += [h for h in found if h not in hits and is_style_of(doc, h, hits)]
    hits += [h for h in found if h not in hits and any(is_again(doc, one, h) for one in hits)]
    hits = hits if hit in hits or hit not in found else [*hits, hit]
    hits += unresolved_pronouns(doc, hits, found)
    return [h for h in hits if h is hit or not (owns(doc, h, hits) or is_owned(h, hits))]


def _is_of_thing(doc: Document, name: Hit, chosen: Hit) -> bool:
    """As in "the *Achilles* wound ... his film": a name that names nobody is in no chain."""
    if name is chosen or name.readings[0].pos != "name":
        return False
    return name_pattern(doc, name, doc.text[name.start : name.end]) is not None


def _alone(doc: Document, hit: Hit, found: list[Hit]) -> list[Hit]:
    """For a word that the parse took for no person: the name again, and pronouns of no other."""
    again = [h for h in found if is_again(doc, hit, h)]
    nominal = [h for h in found if h.readings[0].pos != "pronoun" and h not in again]
    others = [h for h in nominal if h is not hit and not is_title_of(doc, h, [hit])]
    others = [h for h in others if "surname" not in h.needs]
    if others or hit.readings[0].pos == "pronoun":
        return again
    here = doc.field_at(hit.start)
    first = min(h.start for h in (hit, *again))
    pronouns = [h for h in found if h.readings[0].pos == "pronoun" and h.start > first]
    return again + [h for h in pronouns if doc.field_at(h.start) == here]


def _covered(doc: Document, mentions: list[Mention], found: list[Hit]) -> list[Hit]:
    """The references that are mentions, or adjectives that hang on one ("female pilot")."""
    heads = {mention.head for mention in mentions}
    places = {place for m in mentions for place in range(m.start, m.end)}
    return [
        hit
        for hit in found
        if hit.start in places
        or (hit.readings[-1].pos in {"adj", "noun"} and _modifies(doc, hit, heads))
    ]


def _modifies(doc: Document, hit: Hit, heads: set[int]) -> bool:
    token = doc.token(hit.end - 1)
    return (
        token is not None and token.is_relation("amod", "compound", "flat") and token.head in heads
    )
