"""The gender axis, and any axis of the user's with pronouns or plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from augkit.augmenters.panda.rules.agreement import verb_changes
from augkit.augmenters.panda.rules.coreference import person_of
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.left_alone import leave_alone, reject_hit
from augkit.augmenters.panda.rules.mentions import Mention
from augkit.augmenters.panda.rules.names import Renaming
from augkit.augmenters.panda.rules.readings import reading_of, written
from augkit.augmenters.panda.rules.scenes import NEUTRAL, is_unwritten
from augkit.core.edits import Replacement
from augkit.core.types import Variant
from augkit.lexicons.demographics.axes import read_axis
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.names import may_be_one, surnames
from augkit.lexicons.demographics.term_senses import MIXED

Changes = tuple[str, list[Replacement]]
_GENDERED = ("man", "woman")
_CALLED = frozenset({"pronoun", "name", "title"})
_NEXT = re.compile(r" (?:[A-Z]\. )?([A-Z][\w-]+)")
_SPEAKERS = frozenset(
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves".split()
)


def change_gender(doc: Document) -> Changes | Variant:
    """The attribute that the chosen person had, and the changes that make it the target."""
    word = doc.word
    hit = doc.hit
    target = doc.target
    if word.lower() in _SPEAKERS:
        return doc.refuse("no reference", f"'{word}': the first and second person carry no gender")
    if hit is not None and (reason := reject_hit(doc, hit)) is not None:
        return reason
    of_one = read_axis(doc.axis).axis == "gender" and (hit is None or hit.attribute != MIXED)
    person = person_of(doc) if of_one else []
    source = _source(hit, person)
    words = [h for m in person for h in m.hits] if of_one else doc.hits
    stating = [h for h in words if _says(h, source, chosen=h == hit)]
    hits = [h for h in stating if h.pos != "name" or not _stays(doc, h)]
    if not hits:
        return doc.refuse("no reference", f"'{word}' says nothing about {doc.axis}")
    if source == target:
        return doc.refuse("already the target", f"'{word}' is {target} already")
    left = {h: reason for h in hits if h != hit and (reason := leave_alone(doc, h))}
    # A person who cannot be called otherwise does not change in other words either.
    if kept := next((left[h] for h in left if h.pos in _CALLED), None):
        return kept
    changing = [h for h in hits if h not in left]
    if not changing:
        return left[hits[0]]
    return _changed(doc, [*changing, *_again(doc, person, hits, changing)], source)


def _stays(doc: Document, name: Hit) -> bool:
    """Whether a name stays: surnames do, and all but the chosen name of who is to be "they"."""
    word = doc.text_of(name).lower()
    chosen = word == doc.word.lower() or may_be_one(word, doc.word)
    other_name = doc.target == NEUTRAL and doc.pointed and not chosen
    return other_name or (name.attribute == "unknown" and word in surnames())


def _again(
    doc: Document, person: list[Mention], hits: list[Hit], changing: list[Hit]
) -> Iterator[Hit]:
    """The same first names wherever they stand, but before another surname, and no places."""
    if len(changing) == len(hits) == len(doc.hits):
        return
    renamed = {doc.text_of(h) for h in changing if h.pos == "name"}
    done = {h.start for h in changing}
    words = set[str]().union(*(m.words for m in person))
    for start, hit in {h.start: h for h in (*hits, *doc.hits)}.items() if renamed else ():
        if hit.pos == "name" and start not in done and doc.text_of(hit) in renamed:
            next_name = _NEXT.match(doc.text, hit.end)
            if next_name is None or next_name[1].lower() in words:
                yield hit


def _source(hit: Hit | None, person: list[Mention]) -> str:
    """The gender of a person: what the chosen word says, or else what the other words do."""
    if hit is not None and hit.attribute in _GENDERED and "surname" not in hit.needs:
        return hit.attribute
    genders = (m.gender for m in person if m.gender in _GENDERED)
    return next(genders, hit.attribute if hit is not None else "")


def _says(hit: Hit, source: str, *, chosen: bool) -> bool:
    """Whether a word of the person says the gender that changes."""
    if hit.is_weak and not (chosen or hit.pos == "pronoun"):
        return False
    states = hit.attribute in {source, "unknown"}
    return states and "surname" not in hit.needs and not hit.blocked


def _changed(doc: Document, hits: list[Hit], source: str) -> Changes | Variant:
    renaming = Renaming(doc.words, doc.rng)
    changes: list[Replacement] = []
    for hit in sorted(hits, key=lambda hit: hit.pos == "name"):  # what is drawn comes last
        changed = gender_changes(doc, hit, renaming)
        if isinstance(changed, Variant):
            return changed
        changes += changed
    return source or "unknown", changes


def gender_changes(
    doc: Document, hit: Hit, renaming: Renaming, *, drawn: bool = False
) -> list[Replacement] | Variant:
    """The new word of a reference and the verbs that agree with it.

    ``drawn``: a name becomes any of the target's instead of its counterpart.
    """
    target = doc.target
    if hit.pos == "name":
        new_name = renaming.drawn if drawn else renaming.of_gender
        return [Replacement(hit.start, hit.end, new_name(doc.text_of(hit), target))]
    change = written(doc, hit)
    if change is None or is_unwritten(doc, hit, change.after):
        detail = f"there is no word for '{doc.text_of(hit)}' as {target}"
        return doc.refuse("no word for the target", detail)
    changes = [change]
    verbs = any(target in reading.verb_changes for reading in hit.readings)
    if verbs and target in reading_of(doc, hit).verb_changes:
        token = doc.token(hit.start)
        plural = read_axis(doc.axis).pronouns[target].plural_verb
        changes += verb_changes(doc.parsed, token, hit.end, to_plural=plural) if token else []
    return changes
