"""Texts that can speak of one person of a gender only: the words say so, nothing is parsed."""

from __future__ import annotations

from itertools import combinations

from augkit.augmenters.panda.coreference.links import is_again, is_relational
from augkit.augmenters.panda.disambiguation.person_sense import is_certain
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.pronoun_case import in_case
from augkit.augmenters.panda.grammar.word_classes import NEXT_CAPITAL
from augkit.lexicons.demographics.cues import PERSONS, PERSONS_RE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import may_be_one
from augkit.lexicons.demographics.person_words import titles


def single_person(doc: Document, hit: Hit, found: list[Hit]) -> list[Hit] | None:
    """All references, if no second person of that gender can be in the text."""
    pronouns = [h for h in found if h.pos == "pronoun"]
    nominal = [h for h in found if h.pos != "pronoun"]
    if not pronouns and hit.pos == "name" and _are_names(doc, nominal):
        return [h for h in nominal if h is hit or is_again(doc, hit, h)]
    if any(_is_open(doc, h) for h in nominal):
        return None
    if pronouns and nominal and _is_somebody_titled(doc, nominal):
        return None
    for name in doc.fields:
        here = [h for h in nominal if doc.field_at(h.start) == name]
        theirs = [h for h in pronouns if doc.field_at(h.start) == name]
        if not _one_here(doc, here, theirs):
            return None
    if len(doc.fields) > 1 and len({h.form for h in nominal}) > 1:
        return None
    return found if hit in found else None


def _is_somebody_titled(doc: Document, nominal: list[Hit]) -> bool:
    """As in "Ms. Bhutto ... President Musharraf ... her": a pronoun may be of somebody titled."""
    starts = {hit.start for hit in nominal} | {hit.end + 1 for hit in nominal}
    return any(
        match[1].lower() in titles() and starts.isdisjoint(match.span())
        for match in PERSONS_RE.titled.finditer(doc.text)
    )


def _is_open(doc: Document, hit: Hit) -> bool:
    """Whether it must still be found out if a noun is one person."""
    lower = hit.needs == ("name",) and doc.text[hit.start].islower()
    return not (lower or is_certain(doc, hit)) or hit.number == "plural"


def _are_names(doc: Document, nominal: list[Hit]) -> bool:
    """Whether all nouns of a gender are first names, and none is said to be another's."""
    if any(h.pos != "name" for h in nominal) or PERSONS_RE.calling.search(doc.text):
        return False
    words = {doc.text_of(h) for h in nominal}
    return not any(may_be_one(one, other) for one, other in combinations(words, 2))


def _one_here(doc: Document, nominal: list[Hit], pronouns: list[Hit]) -> bool:
    groups = _grouped(doc, nominal)
    if len(groups) > 1:
        return False
    cases = {in_case(doc, h).case for h in pronouns}
    if "object" in cases and (nominal or "subject" in cases):
        return False
    if not nominal:
        return True
    first = nominal[0]
    if any(h.start < first.start for h in pronouns):
        return False
    return not (len(pronouns) > 1 and is_relational(first.form))


def _grouped(doc: Document, nominal: list[Hit]) -> list[str]:
    """The persons that nouns and names can be, by what they are called; "Mr. John" is one."""
    groups: list[str] = []
    end = -1
    for hit in nominal:
        word = doc.text_of(hit).lower()
        named = hit.pos in PERSONS.single_person_named
        between = doc.text[end : hit.start] if end >= 0 else "-"
        if named and between in {" ", ". "}:
            end = hit.end
            continue
        end = hit.end if named else -1
        if named and (surname := NEXT_CAPITAL.match(doc.text, hit.end)) is not None:
            word += surname.group().lower()
        if not named or not any(_is_called(word, known) for known in groups):
            groups.append(word)
    return groups


def _is_called(word: str, known: str) -> bool:
    """Whether two names can be one person's: "John" and "John Smith", "Elizabeth" and "Betty"."""
    one, other = word.split(), known.split()
    alike = one[0] == other[0] or may_be_one(one[0], other[0])
    return alike and (len(one) == 1 or len(other) == 1 or one[1:] == other[1:])
