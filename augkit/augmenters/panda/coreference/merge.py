"""Which mentions are one person: what coreference found, and what grammar and usage add to it.

Pronouns that were left open, cataphora ("When she came, Anna ..."), titles and nicknames, a noun
again with its article, and the same person in the other field of a pair.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from augkit.augmenters.panda.coreference.aliases import is_alias
from augkit.augmenters.panda.document import Document
from augkit.core.analysis import Token
from augkit.language.clauses import arguments, clauses_above, predicate, subject
from augkit.language.coreference.mentions import INDEFINITE, Mention
from augkit.language.coreference.resolve import Person
from augkit.lexicons.demographics.find_references import Hit

_FRONT = 10
"""Words of a phrase before the main clause, at most."""


def _one_of_each(doc: Document, person: Person, chosen: int) -> Iterator[Mention]:
    """The mentions, without a noun that stands beside itself: "the woman hugged the woman"."""
    analysis = doc.parsed
    nouns = [m for m in person.mentions if m.kind == "noun"]
    here = next((m for m in nouns if m.start <= chosen < m.end), nouns[0] if nouns else None)
    for mention in person.mentions:
        if mention.kind == "noun" and here is not None and mention is not here:
            one, other = analysis.tokens[here.head], analysis.tokens[mention.head]
            alike = one.text.lower() == other.text.lower() and one.sentence == other.sentence
            if alike and predicate(analysis, one) == predicate(analysis, other):
                continue
        yield mention


def merged_mentions(doc: Document, person: Person, found: list[Hit], chosen: int) -> list[Mention]:
    """The mentions of a person, and of the persons that must be the same one."""
    genders = sorted(h.start for h in found)
    persons = [p for p in doc.people.persons if any(_gendered(p, genders))]
    mine = [m for m in _one_of_each(doc, person, chosen) if m.kind != "group"]
    mine += _unsure(doc, person, persons, genders)
    for other in _linked(doc, person, persons):
        mine += [m for m in other.mentions if m.kind != "group"]
    taken = {m.start for m in mine}
    named = [p for p in persons if _is_named(p, genders) and p.mentions[0].start not in taken]
    named_apart = [h for h in found if h.pos == "name" and not _is_in_any(h, mine)]
    if not named and not named_apart and _is_named(person, genders):
        for other in persons:
            if other is not person and not _is_named(other, genders):
                mine += [m for m in _open(doc, person, other) if _may_be(doc, m, mine)]
    elif len(named) == 1 and not _is_named(person, genders):
        links = [m for m in mine if _holds(m, genders)]
        if links and all(_points_ahead(doc, m, named[0]) for m in links):
            mine += named[0].mentions
        elif links and _may_all_be(doc, person, named[0]):
            mine += [m for m in named[0].mentions if m.kind != "group"]
    return mine + list(_over_fields(doc, mine, persons))


def _linked(doc: Document, person: Person, persons: list[Person]) -> list[Person]:
    """The other persons that names, titles or appositions say to be the same, step by step."""
    same = [person]
    rest = [p for p in persons if p is not person]
    for one in same:  # grows while it is gone through
        for other in rest:
            if other not in same and _is_same(doc, one, other):
                same.append(other)
    return same[1:]


def _is_same(doc: Document, one: Person, other: Person) -> bool:
    return is_alias(doc, one, other) or _is_definite_again(doc, one, other)


def _is_in_any(hit: Hit, mentions: Iterable[Mention]) -> bool:
    """Whether a name is part of a mention, or a surname, which need not be anybody else's."""
    return "surname" in hit.needs or any(m.start <= hit.start < m.end for m in mentions)


def _gendered(person: Person, genders: Sequence[int]) -> Iterator[bool]:
    for mention in person.mentions:
        if mention.kind != "group" and not mention.plural:
            yield _holds(mention, genders)


def _holds(mention: Mention, starts: Sequence[int]) -> bool:
    """Whether one of some places, in order, lies in a mention."""
    index = bisect_left(starts, mention.start)
    return index < len(starts) and starts[index] < mention.end


def _is_named(person: Person, genders: Sequence[int]) -> bool:
    """Whether a noun or name says the gender, and not pronouns alone."""
    return any(
        m.kind in {"noun", "name", "title"} and not m.plural and _holds(m, genders)
        for m in person.mentions
    )


def _is_definite_again(doc: Document, one: Person, other: Person) -> bool:
    """As in "his father ... the father": a noun again with "the", and no third person called so."""
    pair = sorted((one, other), key=lambda person: person.mentions[0].start)
    first, second = pair[0], pair[1].mentions[0]
    if second.kind != "noun" or doc.word_before(second.start) not in {"the", "that", "this"}:
        return False
    word = doc.text_of(second).lower()
    called = [p for p in doc.people.persons if _is_called(doc, p, word)]
    return len(called) == 2 and _is_called(doc, first, word)


def _is_called(doc: Document, person: Person, word: str) -> bool:
    return any(doc.text_of(m).lower() == word for m in person.mentions)


def _unsure(
    doc: Document, person: Person, persons: list[Person], genders: Sequence[int]
) -> Iterator[Mention]:
    people = doc.people
    for mention in people.unresolved:
        likely = _left(doc, mention, people.candidates[mention])
        if _is_of_other_gender(doc, person, mention):
            continue
        if _holds(mention, genders) and (likely[:1] == (person,) or persons == [person]):
            yield mention


def _left(doc: Document, pronoun: Mention, likely: tuple[Person, ...]) -> tuple[Person, ...]:
    """The candidates without one who is *he* already: "told the nurse that he trusts *her*"."""
    hit = doc.hit_by_start.get(pronoun.start)
    if len(likely) != 2 or hit is None:
        return likely
    taken = doc.people.candidates
    before = [
        m for m in doc.people.unresolved if m.start < pronoun.start and taken[m][:1] == likely[:1]
    ]
    genders = {h.attribute for m in before if (h := doc.hit_by_start.get(m.start)) is not None}
    return likely[1:] if genders and hit.attribute not in genders else likely


def _is_of_other_gender(doc: Document, person: Person, pronoun: Mention) -> bool:
    """As in "The nurse gave the man *his* pills; *she* left": the nurse is *she*, not *he*."""
    hit = doc.hit_by_start.get(pronoun.start)
    known = [doc.hit_by_start.get(m.start) for m in person.mentions if m.kind == "pronoun"]
    genders = {h.attribute for h in known if h is not None}
    return hit is not None and bool(genders) and hit.attribute not in genders


def _open(doc: Document, person: Person, other: Person) -> Iterator[Mention]:
    """Pronouns that stand after a person's first mention and were given to nobody, or everybody."""
    kinds = {m.kind for m in other.mentions}
    first = other.mentions[0]
    indefinite = doc.text_of(first).lower() in INDEFINITE
    if kinds == {"pronoun"} or indefinite:
        for mention in other.mentions:
            ahead = _points_ahead(doc, mention, person)
            if mention.kind == "pronoun" and (mention.start > person.mentions[0].start or ahead):
                yield mention


def _may_be(doc: Document, mention: Mention, mine: Iterable[Mention]) -> bool:
    """Whether grammar lets a pronoun be a person: not beside its other mentions in a clause."""
    analysis = doc.parsed
    token = analysis.tokens[mention.head]
    heads = {m.head for m in mine}
    if token.head in heads and token.deprel == "nmod:poss":
        return False  # "his stepfather" is not his own
    if token.is_relation("obj", "iobj"):
        return heads.isdisjoint(t.index for t in arguments(analysis, analysis.head(token)))
    return True


def _may_all_be(doc: Document, person: Person, named: Person) -> bool:
    """Whether a person with pronouns only, all of them later, may be the one named."""
    after = all(m.start > named.mentions[0].start for m in person.mentions)
    only = all(m.kind == "pronoun" for m in person.mentions)
    return after and only and all(_may_be(doc, m, named.mentions) for m in person.mentions)


def _points_ahead(doc: Document, mention: Mention, person: Person) -> bool:
    """As in "When she came, Anna ...": the person is the subject of the clause above."""
    analysis = doc.parsed
    token = analysis.tokens[mention.head]
    heads = {m.head for m in person.mentions}
    if mention.start > person.mentions[0].start:
        return False
    for clause in clauses_above(analysis, token):
        if clause.deprel in {"advcl", "acl"}:
            above_subject = subject(analysis, analysis.head(clause)) or analysis.head(clause)
            if above_subject.index in heads and above_subject.index > mention.head:
                return True
    if _opens_sentence(doc, token, heads):
        return True
    above = predicate(analysis, token)
    main_subject = subject(analysis, above)
    return (
        token.deprel in {"obl", "nmod"}
        and main_subject is not None
        and main_subject.index in heads
        and main_subject.index > mention.head
    )


def _opens_sentence(doc: Document, token: Token, heads: set[int]) -> bool:
    """As in "*His* back to us, a man is painting": the subject of the sentence stands after it."""
    analysis = doc.parsed
    sentence = analysis.sentences[token.sentence]
    if token.text.lower() not in {"his", "her"} or token.index > sentence[0].index + _FRONT // 2:
        return False
    if _stands_after_comma(doc, token, heads):
        return True
    if token.index > sentence[0].index + 1:
        return False
    root = next((t for t in sentence if t.is_root), None)
    main_subject = subject(analysis, root) if root is not None else None
    return (
        main_subject is not None
        and main_subject.index in heads
        and main_subject.index > token.index + 2
    )


def _stands_after_comma(doc: Document, token: Token, heads: set[int]) -> bool:
    """As in "*His* back facing us, a young man photographs": the first noun after the comma.

    Nobody else stands before it; whatever the parse makes of the rest.
    """
    sentence = doc.parsed.sentences[token.sentence]
    comma = next((t.index for t in sentence[1:_FRONT] if t.text == ","), None)
    if comma is None or comma < token.index:
        return False
    front = [t for t in sentence if t.index < comma]
    others = [t for t in front if t.text.lower() != token.text.lower()]
    if any(t.upos in {"AUX", "PROPN"} or doc.people.at(t.start) for t in others):
        return False
    if any(t.upos == "VERB" and t.morph.get("VerbForm") == "Fin" for t in front):
        return False
    after = [t for t in sentence if comma < t.index <= comma + 5]
    noun = next((t for t in after if t.upos in {"NOUN", "PROPN", "PRON"}), None)
    return noun is not None and noun.index in heads and after[0].upos in {"DET", "PROPN", "NOUN"}


def _over_fields(doc: Document, mine: list[Mention], persons: list[Person]) -> Iterator[Mention]:
    """The same person in the other fields: the only one of the gender, or the same noun."""
    if len(doc.fields) == 1:
        return
    here = {doc.field_at(m.start) for m in mine}
    starts = {m.start for m in mine}
    forms = {doc.text_of(m).lower() for m in mine if m.kind == "noun"}
    for name in doc.fields:
        if name in here:
            continue
        there = [p for p in persons if _is_in(doc, p, name, starts)]
        rivals = [p for p in persons if any(_is_in(doc, p, f, starts) for f in here)]
        same = [p for p in there if forms & {doc.text_of(m).lower() for m in p.mentions}]
        if len(there) == 1 and not rivals:
            yield from there[0].mentions
        elif len(same) == 1 and not _same_form(doc, rivals, forms):
            yield from same[0].mentions


def _is_in(doc: Document, person: Person, name: str, mine: set[int]) -> bool:
    mention_starts = [m.start for m in person.mentions if m.kind != "group"]
    if not mine.isdisjoint(mention_starts):
        return False
    return any(doc.field_at(start) == name for start in mention_starts)


def _same_form(doc: Document, persons: list[Person], forms: set[str]) -> bool:
    return any(doc.text_of(m).lower() in forms for p in persons for m in p.mentions)
