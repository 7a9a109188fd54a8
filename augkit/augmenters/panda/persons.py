"""Which mentions are one person: what coreference found, and what grammar and usage add to it.

Pronouns that were left open, cataphora ("When she came, Anna ..."), titles and nicknames, a noun
again with its article, and the same person in the other field of a pair.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from augkit.augmenters.panda.scene import Scene
from augkit.language.clauses import arguments, clauses_above, predicate, subject
from augkit.language.coreference import Person
from augkit.language.mentions import INDEFINITE, Mention
from augkit.lexicons.find import Hit
from augkit.lexicons.names import may_be_one

_KNOWN_AS = re.compile(
    r"(?:known as|called|nicknamed|a\.?k\.?a\.?|goes by|went by|alias|short for|calls? (?:him|her))"
    r"\s+[\"'\u201c\u2018]?$"
)
_NAMING = re.compile(
    r"\b(?:call|name|nickname|christen|dub|rename|baptise|baptize)(?:s|d|ed|ing)?$", re.IGNORECASE
)
_HIS_NAME = re.compile(
    r" (?:\w+ ){0,2}(?:nick)?name (?:is|was|had been|has been) [\"'\u201c\u2018]?$"
)
_KINDS = frozenset({"sort", "kind", "type", "breed"})
_TWO = re.compile(r"\b(?:and|or|nor|&)\b")


def _one_of_each(scene: Scene, person: Person, chosen: int) -> Iterator[Mention]:
    """The mentions, without a noun that stands beside itself: "the woman hugged the woman"."""
    analysis = scene.parsed
    nouns = [m for m in person.mentions if m.kind == "noun"]
    here = next((m for m in nouns if m.start <= chosen < m.end), nouns[0] if nouns else None)
    for mention in person.mentions:
        if mention.kind == "noun" and here is not None and mention is not here:
            one, other = analysis.tokens[here.head], analysis.tokens[mention.head]
            alike = one.text.lower() == other.text.lower() and one.sentence == other.sentence
            if alike and predicate(analysis, one) == predicate(analysis, other):
                continue
        yield mention


def joined(scene: Scene, person: Person, found: list[Hit], chosen: int) -> list[Mention]:
    """The mentions of a person, and of the persons that must be the same one."""
    genders = sorted(h.start for h in found)
    persons = [p for p in scene.people.persons if any(_gendered(p, genders))]
    mine = [m for m in _one_of_each(scene, person, chosen) if m.kind != "group"]
    mine += _unsure(scene, person, persons, genders)
    for other in _linked(scene, person, persons):
        mine += [m for m in other.mentions if m.kind != "group"]
    taken = {m.start for m in mine}
    named = [p for p in persons if _is_named(p, genders) and p.mentions[0].start not in taken]
    if not named and _is_named(person, genders):
        for other in persons:
            if other is not person and not _is_named(other, genders):
                mine += [m for m in _open(scene, person, other) if _may_be(scene, m, mine)]
    elif len(named) == 1 and not _is_named(person, genders):
        links = [m for m in mine if _holds(m, genders)]
        if links and all(_points_ahead(scene, m, named[0]) for m in links):
            mine += named[0].mentions
    return mine + list(_over_fields(scene, mine, persons))


def _linked(scene: Scene, person: Person, persons: list[Person]) -> list[Person]:
    """The other persons that names, titles or appositions say to be the same, step by step."""
    same = [person]
    rest = [p for p in persons if p is not person]
    for one in same:  # grows while it is gone through
        for other in rest:
            if other not in same and _is_same(scene, one, other):
                same.append(other)
    return same[1:]


def _is_same(scene: Scene, one: Person, other: Person) -> bool:
    return (
        _is_apposed(scene, one, other)
        or _is_title(scene, one, other)
        or _is_nickname(scene, one, other)
        or _is_named_so(scene, one, other)
        or _is_definite_again(scene, one, other)
        or _is_kind_of(scene, one, other)
    )


def _gendered(person: Person, genders: Sequence[int]) -> Iterator[bool]:
    for mention in person.mentions:
        if mention.kind != "group" and not mention.plural:
            yield _holds(mention, genders)


def _holds(mention: Mention, starts: Sequence[int]) -> bool:
    """Whether one of some places, in order, lies in a mention."""
    place = bisect_left(starts, mention.start)
    return place < len(starts) and starts[place] < mention.end


def _is_named(person: Person, genders: Sequence[int]) -> bool:
    """Whether a noun or name says the gender, and not pronouns alone."""
    return any(
        m.kind in {"noun", "name", "title"} and not m.plural and _holds(m, genders)
        for m in person.mentions
    )


def _is_apposed(scene: Scene, one: Person, other: Person) -> bool:
    """Whether one name follows another after a comma: "Elizabeth, Liz to her friends,"."""
    analysis = scene.parsed
    for first, second in ((one, other), (other, one)):
        heads = {m.head for m in first.mentions if m.kind == "name"}
        for mention in second.mentions[:1]:
            token = analysis.tokens[mention.head]
            between = scene.text[first.mentions[0].end : mention.start].strip()
            after = scene.text[mention.end : mention.end + 40].lower()
            called = between in {", or", "or"} and after.startswith((" to ", " for short", " as "))
            if mention.kind == "name" and (called or between == "("):
                return True
            plain = mention.kind == "name" and not analysis.children(token, "cc")
            linked = token.is_relation("conj", "appos") and token.head in heads
            listed = " and " in after or " or " in after
            if plain and linked and between == "," and not listed:
                return True
    return False


def _is_title(scene: Scene, one: Person, other: Person) -> bool:
    """Whether a mention of one is the title before the name of the other: "Sir Edmund"."""
    ends = {m.end: m for m in (*one.mentions, *other.mentions) if m.kind in {"title", "noun"}}
    for mention in (*one.mentions, *other.mentions):
        if mention.kind != "name" or scene.text[mention.start - 1 : mention.start] != " ":
            continue
        title = ends.get(mention.start - 1)
        if title is not None and scene.text[title.start].isupper():
            return (title in one.mentions) != (mention in one.mentions)
    return False


def _is_nickname(scene: Scene, one: Person, other: Person) -> bool:
    """As in "Robert, known as Bob" and "Robert ... Bob": by what stands between, or the names."""
    names = [[m for m in p.mentions if m.kind == "name"] for p in (one, other)]
    if not all(names):
        return False
    first, second = sorted((some[0] for some in names), key=lambda mention: mention.start)
    if _KNOWN_AS.search(scene.text, first.end, second.start):
        return True
    words = [scene.text[m.start : m.end].split()[0] for m in (first, second)]
    between = scene.text[first.end : second.start]
    return may_be_one(*words) and not (len(between) < 8 and _TWO.search(between))


def _is_named_so(scene: Scene, one: Person, other: Person) -> bool:
    """As in "we call *her* *Suzie*" and "*her* real name is *Susan*"."""
    for pronouns, names in ((one, other), (other, one)):
        for said in (m for m in pronouns.mentions if m.kind == "pronoun"):
            for name in (m for m in names.mentions if m.kind == "name" and m.start > said.end):
                between = scene.text[said.end : name.start]
                called = between.strip(" \"'\u201c\u2018") == "" and _NAMING.search(
                    scene.text[max(0, said.start - 20) : said.start].rstrip()
                )
                if called or _HIS_NAME.match(between):
                    return True
    return False


def _is_kind_of(scene: Scene, one: Person, other: Person) -> bool:
    """As in "*He* is the sort of *man* who ..."."""
    analysis = scene.parsed
    for who, what in ((one, other), (other, one)):
        for mention in (m for m in what.mentions if m.kind == "noun"):
            token = analysis.tokens[mention.head]
            kind = analysis.head(token)
            if token.is_relation("nmod") and kind.lemma.lower() in _KINDS:
                said = {t.index for t in analysis.children(kind, "nsubj")}
                if any(m.head in said for m in who.mentions):
                    return True
    return False


def _is_definite_again(scene: Scene, one: Person, other: Person) -> bool:
    """As in "his father ... the father": a noun again with "the", and no third person called so."""
    pair = sorted((one, other), key=lambda person: person.mentions[0].start)
    first, second = pair[0], pair[1].mentions[0]
    if second.kind != "noun" or scene.word_before(second.start) not in {"the", "that", "this"}:
        return False
    word = scene.text[second.start : second.end].lower()
    called = [p for p in scene.people.persons if _is_called(scene, p, word)]
    return len(called) == 2 and _is_called(scene, first, word)


def _is_called(scene: Scene, person: Person, word: str) -> bool:
    return any(scene.text[m.start : m.end].lower() == word for m in person.mentions)


def _unsure(
    scene: Scene, person: Person, persons: list[Person], genders: Sequence[int]
) -> Iterator[Mention]:
    people = scene.people
    for mention in people.unsure:
        likely = people.candidates[mention]
        if _holds(mention, genders) and (likely[:1] == (person,) or persons == [person]):
            yield mention


def _open(scene: Scene, person: Person, other: Person) -> Iterator[Mention]:
    """Pronouns that stand after a person's first mention and were given to nobody, or everybody."""
    kinds = {m.kind for m in other.mentions}
    first = other.mentions[0]
    indefinite = scene.text[first.start : first.end].lower() in INDEFINITE
    if kinds == {"pronoun"} or indefinite:
        for mention in other.mentions:
            ahead = _points_ahead(scene, mention, person)
            if mention.kind == "pronoun" and (mention.start > person.mentions[0].start or ahead):
                yield mention


def _may_be(scene: Scene, mention: Mention, mine: Iterable[Mention]) -> bool:
    """Whether grammar lets a pronoun be a person: not beside its other mentions in a clause."""
    analysis = scene.parsed
    token = analysis.tokens[mention.head]
    heads = {m.head for m in mine}
    if token.head in heads and token.deprel == "nmod:poss":
        return False  # "his stepfather" is not his own
    if token.is_relation("obj", "iobj"):
        return heads.isdisjoint(t.index for t in arguments(analysis, analysis.head(token)))
    return True


def _points_ahead(scene: Scene, mention: Mention, person: Person) -> bool:
    """As in "When she came, Anna ...": the person is the subject of the clause above."""
    analysis = scene.parsed
    token = analysis.tokens[mention.head]
    heads = {m.head for m in person.mentions}
    if mention.start > person.mentions[0].start:
        return False
    for clause in clauses_above(analysis, token):
        if clause.deprel in {"advcl", "acl"}:
            who = subject(analysis, analysis.head(clause))
            if who is not None and who.index in heads and who.index > mention.head:
                return True
    above = predicate(analysis, token)
    who = subject(analysis, above)
    return (
        token.deprel in {"obl", "nmod"}
        and who is not None
        and who.index in heads
        and who.index > mention.head
    )


def _over_fields(scene: Scene, mine: list[Mention], persons: list[Person]) -> Iterator[Mention]:
    """The same person in the other fields: the only one of the gender, or the same noun."""
    if len(scene.fields) == 1:
        return
    here = {scene.field_at(m.start) for m in mine}
    starts = {m.start for m in mine}
    forms = {scene.text[m.start : m.end].lower() for m in mine if m.kind == "noun"}
    for name in scene.fields:
        if name in here:
            continue
        there = [p for p in persons if _is_in(scene, p, name, starts)]
        rivals = [p for p in persons if any(_is_in(scene, p, f, starts) for f in here)]
        same = [
            p for p in there if forms & {scene.text[m.start : m.end].lower() for m in p.mentions}
        ]
        if len(there) == 1 and not rivals:
            yield from there[0].mentions
        elif len(same) == 1 and not _same_form(scene, rivals, forms):
            yield from same[0].mentions


def _is_in(scene: Scene, person: Person, name: str, mine: set[int]) -> bool:
    places = [m.start for m in person.mentions if m.kind != "group"]
    if not mine.isdisjoint(places):
        return False
    return any(scene.field_at(start) == name for start in places)


def _same_form(scene: Scene, persons: list[Person], forms: set[str]) -> bool:
    return any(scene.text[m.start : m.end].lower() in forms for p in persons for m in p.mentions)
