"""The race axis: words for a race, nationalities, and names, said of a person."""

from __future__ import annotations

import re
from functools import cache
from random import Random

from augkit.augmenters.panda.rules.contexts import reject_context
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.gender import Changes
from augkit.augmenters.panda.rules.mentions import Mention, may_be_name
from augkit.augmenters.panda.rules.names import Renaming
from augkit.augmenters.panda.rules.persons import person_of
from augkit.core.types import Rejection
from augkit.language.morphology import parts_of_speech
from augkit.lexicons.demographics.axes import bundled_axis
from augkit.lexicons.demographics.cues import NAMES
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.surnames import surnames
from augkit.lexicons.demographics.term_senses import Reading, readings
from augkit.lexicons.load import closed_classes
from augkit.text.articles import Replacement

UNKNOWN = "unknown"
_COLOURS = frozenset({"white", "black", "brown"})
_WORD = re.compile(r"[^\W\d_]+")
_ONE = re.compile(
    r"\b(?:an?|one|another|any|every|each|no|this|that|some|the|two|three|few) "
    r"(?:young |old |elderly |only |first |last )?$",
    re.IGNORECASE,
)


def change_race(
    doc: Document, span: tuple[int, int], target: str, rng: Random
) -> Changes | Rejection:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word, hit = doc.text[slice(*span)], doc.hit_at(*span)
    if hit is not None and hit.blocked:
        return doc.reject("fixed phrase", hit.blocked)
    if hit is not None and (reason := reject_context(doc, hit, target)) is not None:
        return reason
    if hit is None or hit.pos == "name" or "surname" in hit.needs:
        return _rename(doc, span, target, rng)
    if hit.attribute == target:
        return doc.reject("already the target", f"'{word}' is {target} already")
    stem = doc.text_of(hit)[:4].lower()
    same = [h for h in doc.hits if h.attribute == hit.attribute and h.pos != "name"]
    same = [h for h in same if not h.blocked and doc.text_of(h)[:4].lower() == stem]
    colour = word.lower() in _COLOURS
    same = [h for h in same if h is hit or not colour or reject_context(doc, h, target) is None]
    return hit.attribute, [_written(doc, h, _reading(doc, h), target) for h in same]


def _reading(doc: Document, hit: Hit) -> Reading:
    """The noun after an article with no noun after it ("an *Asian*"), else the adjective."""
    kinds = {reading.pos: reading for reading in reversed(hit.readings)}
    after = doc.word_after(hit.end)
    if "noun" not in kinds and doc.word_before(hit.start) == "the" and _ends_phrase(after):
        return _plural()  # "the English surrendered"
    if len(kinds) == 1 or "noun" not in kinds:
        return hit.readings[0]
    alone = not after.isalpha() or after in closed_classes() or after in {"with", "from", "who"}
    counted = _ONE.search(doc.text, max(0, hit.start - 30), hit.start) is not None
    noun = (alone and counted and after != "-") or "adj" not in kinds
    return kinds["noun" if noun else "adj"]


def _ends_phrase(after: str) -> bool:
    """Whether a word cannot be a noun that an adjective before it describes."""
    return not after.isalpha() or parts_of_speech(after) == {"VERB"}


@cache
def _plural() -> Reading:
    """The words for several people of each group."""
    found = readings(bundled_axis("race"))
    return next(r for r in found if r.pos == "noun" and r.number == "plural")


def _written(doc: Document, hit: Hit, reading: Reading, target: str) -> Replacement:
    """The word as the lexicon writes it; a capital where a sentence begins."""
    before, after = doc.text_of(hit), reading.written[target]
    first, last = doc.field_span(hit.start)
    if doc.text[first:last].islower():
        after = after.lower()
    elif before.isupper():
        after = after.upper()
    elif before[:1].isupper() and doc.opens_sentence(hit.start):
        after = after[:1].upper() + after[1:]
    return Replacement(hit.start, hit.end, after)


def _rename(doc: Document, span: tuple[int, int], target: str, rng: Random) -> Changes | Rejection:
    """Every name of the chosen person made one of the target's: first names keep the gender."""
    word = doc.text[slice(*span)]
    if doc.names == "never" or not _is_name(doc, span):
        return doc.reject("no reference", f"'{word}' says nothing about race")
    person = [m for m in person_of(doc, span) if m.kind == "name"]
    group = next((g for m in person if (g := _group(doc, m))), UNKNOWN)
    if group == target:
        return doc.reject("already the target", f"'{word}' is {target} already")
    if doc.names == "listed" and group == UNKNOWN:
        return doc.reject("no reference", f"no list connects '{word}' with a group")
    gender = next((m.gender for m in person_of(doc, span) if m.gender in {"man", "woman"}), "man")
    renaming = Renaming(doc.text, rng)
    changes = [c for m in person for c in _renamed(doc, m, (target, gender), renaming)]
    if not changes:
        return doc.reject("no reference", f"'{word}' is no name of a person")
    return group, [*changes, *_repeated(doc, changes)]


def _repeated(doc: Document, changes: list[Replacement]) -> list[Replacement]:
    """The same change wherever a changed name stands again: one name stays one name."""
    new = {doc.text[c.start : c.end]: c.after for c in changes}
    done = {c.start for c in changes}
    found = []
    before = ""
    for match in _WORD.finditer(doc.text):
        word = match.group()
        other = look_up(before) is not None and before[:1].isupper() and before not in new
        if word in new and match.start() not in done and not other:  # "Ann Todd", "Jennifer Todd"
            found.append(Replacement(*match.span(), new[word]))
        before = word
    return found


def _is_name(doc: Document, span: tuple[int, int]) -> bool:
    word = doc.text[slice(*span)]
    if look_up(word) is None:
        return may_be_name(doc, span)
    return word[:1].isupper() or doc.text.islower()


def _group(doc: Document, mention: Mention) -> str:
    for word in _WORD.findall(doc.text[mention.start : mention.end]):
        known = look_up(word)
        group = (known.group if known else "") or surnames().get(word.lower(), "")
        if group:
            return group
    return ""


def _renamed(
    doc: Document, mention: Mention, wanted: tuple[str, str], renaming: Renaming
) -> list[Replacement]:
    """The words of a name: those before the last are first names, a single one as it is listed."""
    target, gender = wanted
    matches = list(_WORD.finditer(doc.text, mention.start, mention.end))
    matches = [
        m for m in matches if doc.text.islower() or (len(m.group()) > 1 and m.group()[0].isupper())
    ]
    titles = {h.start for h in mention.hits if h.pos == "title"}
    matches = [
        m for m in matches if m.start() not in titles and m.group().lower() not in NAMES.particles
    ]
    changes = []
    for index, match in enumerate(matches):
        word, last = match.group(), index == len(matches) - 1
        first_name = look_up(word) is not None if len(matches) == 1 else not last
        if titles and len(matches) == 1:
            first_name = False
        new = (
            renaming.of_group(word, target, gender)
            if first_name
            else renaming.surname(word, target)
        )
        changes.append(Replacement(*match.span(), new))
    return changes
