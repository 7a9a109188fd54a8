"""Verbs that say who is a father or a mother: "He *fathered* three children"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.edits import cased
from augkit.language.clauses import subject
from augkit.lexicons.demographics.cues import VERBS, VERBS_RE
from augkit.lexicons.demographics.find_references import Hit
from augkit.text.articles import Replacement

_STEMS = {"man": "father", "woman": "mother", "non-binary": "parent"}


def parenting_changes(doc: Document, hits: list[Hit], target: str) -> Iterator[Replacement]:
    """The verb in the word of the target, where its subject is the person who changes.

    Only of children that somebody has: "she mothered the new boy" is another thing.
    """
    if target not in _STEMS or VERBS_RE.verbs.search(doc.text) is None:
        return
    starts = {hit.start for hit in hits}
    for verb in VERBS_RE.verbs.finditer(doc.text):
        if _is_of(doc, verb, starts):
            after = _STEMS[target] + verb[2].lower()
            yield Replacement(*verb.span(), cased(after, verb.group(), doc.text))


def _is_of(doc: Document, verb: re.Match[str], people: set[int]) -> bool:
    """Whether children follow a verb, and the person who has them is one of ``people``."""
    words = doc.next_words(verb.end(), 4)
    had = words[:1] != ["the"] and any(word.removesuffix("s") in VERBS.children for word in words)
    token = doc.token(verb.start()) if had or "children" in words else None
    if token is None:
        return False
    parent = subject(doc.parsed, token)
    if parent is None:
        return any(t.start in people for t in doc.parsed.sentences[token.sentence])
    person = doc.people.at(parent.start)
    mentions = {m.start for m in person.mentions} if person is not None else set()
    return not people.isdisjoint({parent.start, *mentions})
