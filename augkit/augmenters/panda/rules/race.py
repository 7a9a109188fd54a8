"""The race axis: words for a race, nationalities, and names, said of a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from augkit.augmenters.panda.rules.coreference import person_of
from augkit.augmenters.panda.rules.document import Document
from augkit.augmenters.panda.rules.gender import Changes
from augkit.augmenters.panda.rules.left_alone import leave_alone, reject_hit
from augkit.augmenters.panda.rules.mentions import Mention, may_be_name
from augkit.augmenters.panda.rules.names import Renaming
from augkit.augmenters.panda.rules.readings import with_adjective, written
from augkit.core.edits import Replacement
from augkit.core.types import Variant
from augkit.lexicons.demographics.cues import NAMES
from augkit.lexicons.demographics.names import look_up, name_lists, surnames
from augkit.lexicons.demographics.peoples import UNKNOWN

_WORD = re.compile(r"[^\W\d_]+")


def change_race(doc: Document) -> Changes | Variant:
    """The attribute that the chosen person had, and the changes that make it the target."""
    hit = doc.hit
    names = (h for h in doc.hits_of("gender") if h.pos == "name")  # "Sydney" may be a place
    listed = hit or next((h for h in names if doc.is_chosen(h)), None)
    reason = reject_hit(doc, listed) if listed else None
    if listed and reason and listed.pos == "name" and reason.reason == "already the target":
        reason = leave_alone(doc, listed)  # the whole name decides
    if reason is not None:
        return reason
    if hit is None or hit.pos == "name" or "surname" in hit.needs:
        return _rename(doc)
    same = [h for h in doc.hits if h.attribute == hit.attribute and h.pos != "name"]
    same = [h for h in same if not h.blocked and doc.text_of(h)[:4] == doc.text_of(hit)[:4]]
    same = [h for h in same if h is hit or leave_alone(doc, h) is None]
    return hit.attribute, [c for h in same if (c := written(doc, h)) is not None]


def _rename(doc: Document) -> Changes | Variant:
    """Every name of the chosen person made one of the target's: first names keep the gender."""
    word = doc.word
    target = doc.target
    is_name = word[:1].isupper() or (doc.text.islower() and may_be_name(doc, (doc.start, doc.end)))
    if not is_name and (described := with_adjective(doc)) is not None:
        return UNKNOWN, [described]
    if not is_name:
        return doc.refuse("no reference", f"'{word}' says nothing about race")
    whole = person_of(doc)
    person = [m for m in whole if m.kind == "name"]
    group = _group([g for m in person for *_, g in _parts(doc, m)], target)
    if group == target:
        return doc.refuse("already the target", f"'{word}' is {target} already")
    gender = next((m.gender for m in whole if m.gender in {"man", "woman"}), "man")
    renaming = Renaming(doc.words, doc.rng)
    changes = [c for m in person for c in _renamed(doc, m, gender, renaming)]
    if not changes:
        return doc.refuse("no reference", f"'{word}' is no name of a person")
    return group, changes


def _group(groups: Sequence[str], target: str) -> str:
    """The group that a whole name states; of several, one that is not the target.

    Names of groups that say little count only where no other does: "Emily Nguyen".
    """
    strong = [group for group in groups if group not in {"", *name_lists().weak}]
    not_target = (group for group in strong if group != target)
    return next(iter((*not_target, *strong, *filter(None, groups))), UNKNOWN)


def _parts(doc: Document, mention: Mention) -> Iterator[tuple[re.Match[str], bool, str]]:
    """The words of a name without titles, whether each is a first name, and its group.

    Those before the last are first names, a single one as it is listed.
    """
    titles = {h.start for h in mention.hits if h.pos == "title"}
    name_words = _WORD.finditer(doc.text, mention.start, mention.end)
    matches = [
        m for m in name_words if m.start() not in titles and m[0].lower() not in NAMES.particles
    ]
    for match in matches:
        name = look_up(match[0])
        alone = len(matches) == 1
        is_first = name is not None and not titles if alone else match is not matches[-1]
        listed = name.group if name else ""
        yield match, is_first, listed if is_first else surnames().get(match[0].lower(), "")


def _renamed(doc: Document, mention: Mention, gender: str, renaming: Renaming) -> list[Replacement]:
    """The words of a name, made those of the target; one that is the target's stays."""
    changes = []
    for match, is_first, group in _parts(doc, mention):
        if group == doc.target:
            continue
        to_first = is_first and renaming.of_group(match[0], doc.target, gender)
        new = to_first or renaming.surname(match[0], doc.target)
        changes.append(Replacement(*match.span(), new))
    return changes
