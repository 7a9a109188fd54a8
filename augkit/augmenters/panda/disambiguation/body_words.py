"""Bodies that one gender has: pregnancies, births, prostates.

"She is pregnant" said of a man would state something else than before, so it is refused; said of a
person of no stated gender it would not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from augkit.augmenters.panda.coreference.chains import person_at
from augkit.augmenters.panda.document import Document
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.language.clauses import is_predicate, predicate, subject
from augkit.lexicons.demographics.cues import either
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.person_words import people_words

_WORDS = re.compile(r"[^\W\d_]+")
_OPPOSITE = {"woman": "man", "man": "woman"}


def reject_body_words(doc: Document, hits: Sequence[Hit], target: str) -> Rejection | None:
    """The reason for leaving the gender of a person alone of whom only that gender can be told."""
    reasons = (_told_of(doc, hit, target) for hit in hits)
    return next((reason for reason in reasons if reason is not None), None)


def _told_of(doc: Document, hit: Hit, target: str) -> Rejection | None:
    if _OPPOSITE.get(hit.attribute) != target:
        return None
    name = doc.field_at(hit.start)
    for start, end in _told(doc.fields[name], hit.attribute):
        place = doc.starts[name] + start
        if _is_of(doc, hit, place):
            word = doc.fields[name][start:end]
            return doc.reject(
                "no word for the target", f"'{word}' is told of a {hit.attribute}'s body"
            )
    return None


def _told(text: str, gender: str) -> Iterator[tuple[int, int]]:
    """The places of words that tell of a body of the gender."""
    listed = people_words("women_only" if gender == "woman" else "men_only")
    small = text.lower()
    if not listed.isdisjoint(_WORDS.findall(small)):
        yield from (m.span() for m in _WORDS.finditer(small) if m.group() in listed)
    if gender == "woman":
        yield from (match.span() for match in _phrases().finditer(text))


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either('bodies', 'of_women')})\b", re.IGNORECASE)


def _is_of(doc: Document, hit: Hit, place: int) -> bool:
    """Whether what is told is told of the person chosen: by the parse, else by the sentence."""
    token, chosen = doc.token(place), doc.token(hit.start)
    if token is None or chosen is None:
        return False
    owner = _owner(doc, token)
    if owner is None:
        return token.sentence == chosen.sentence
    person = person_at(doc, owner.start)
    if person is None or owner.index == chosen.index:
        return token.sentence == chosen.sentence
    return person is person_at(doc, hit.start)


def _owner(doc: Document, token: Token) -> Token | None:
    """Whose body it is: who owns it, who is described by it, who is the subject of its clause."""
    analysis = doc.parsed
    for _ in range(4):
        owners = analysis.children(token, "nmod:poss")
        if owners:
            return owners[0]
        head = analysis.head(token)
        described = token.is_relation("amod", "acl", "nmod") and not token.is_relation("nmod:poss")
        if described and doc.people.at(head.start) is not None:
            return head
        if token.is_root or is_predicate(analysis, token):
            break
        token = head
    clause = token if is_predicate(analysis, token) else predicate(analysis, token)
    return subject(analysis, clause)
