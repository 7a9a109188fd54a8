"""Which references of a text are to the same person as the chosen one.

Where a text can speak of one person of that gender only, its words say so and nothing is parsed;
elsewhere the persons that coreference finds are joined over pronouns it left open, cataphora
("When she came, Anna ...") and the fields of a pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from augkit.augmenters.panda.pronouns import in_case
from augkit.augmenters.panda.scene import Scene
from augkit.augmenters.panda.senses import is_settled
from augkit.language.clauses import arguments, clauses_above, predicate, subject
from augkit.language.coreference import Person
from augkit.language.mentions import INDEFINITE, Mention
from augkit.lexicons.find import Hit

_RELATIONAL = frozenset(
    "husband wife father mother dad mom mum son daughter brother sister uncle aunt nephew niece"
    " grandfather grandmother grandson granddaughter boyfriend girlfriend fiancé fiancée groom bride"
    " stepfather stepmother stepson stepdaughter landlord landlady grandpa grandma daddy mommy"
    " godfather godmother".split()
)
_OF_A_GROUP = frozenset({"one", "each", "none", "neither", "either", "any", "another"})
_KNOWN_AS = re.compile(
    r"(?:known as|called|nicknamed|a\.?k\.?a\.?|goes by|went by|alias|short for|calls? (?:him|her))"
    r"\s+[\"'\u201c\u2018]?$"
)
_CALLING = re.compile(
    r"known as|called?\b|nicknamed|a\.?k\.?a\b|goes by|went by|alias|short for|calls", re.IGNORECASE
)
_NAMED = frozenset({"name", "title"})


def same_person(scene: Scene, hit: Hit, source: str) -> list[Hit]:
    """The references of the gender ``source`` to the person that ``hit`` refers to."""
    found = [h for h in scene.hits if h.attribute == source and not h.blocked and not h.is_weak]
    if hit.readings[0].number == "plural":
        return _same_group(scene, hit, found)
    only = None if scene.thorough else _only_one(scene, hit, found)
    return only if only is not None else _resolved(scene, hit, found)


def person_at(scene: Scene, start: int) -> Person | None:
    """The person at a place: by coreference, or the likeliest where it is unsure."""
    people = scene.people
    person = people.at(start)
    if person is not None:
        return person
    for mention in people.unsure:
        if mention.start <= start < mention.end and people.candidates[mention]:
            return people.candidates[mention][0]
    token = scene.token(start)
    if token is None or not token.is_relation("amod", "compound", "flat", "nmod", "appos"):
        return None
    return people.at(scene.parsed.head(token).start)


def of_person(scene: Scene, person: Person, source: str, chosen: int) -> list[Hit]:
    """The references of a gender among the mentions of a person."""
    found = [h for h in scene.hits if h.attribute == source and not h.blocked and not h.is_weak]
    return _covered(scene, _joined(scene, person, found, chosen), found)


def _same_group(scene: Scene, hit: Hit, found: list[Hit]) -> list[Hit]:
    """The same plural again ("two men", "the men"), and each of it ("one of the men ... his")."""
    form = hit.readings[0].form
    same = [h for h in found if h.readings[0].form == form and _is_same_group(scene, hit, h)]
    pronouns = [h for h in found if h.readings[0].pos == "pronoun"]
    if not pronouns:
        return same
    words = scene.text[max(0, hit.start - 40) : hit.start].lower().split()
    if len(words) > 1 and "of" in words[-3:] and not _OF_A_GROUP.isdisjoint(words[-4:]):
        nominal = [h for h in found if h.readings[0].pos != "pronoun" and h not in same]
        return same if nominal else same + pronouns
    return same


def _is_same_group(scene: Scene, hit: Hit, other: Hit) -> bool:
    """ "Two men ... the men" are the same; "three men and two men" are not."""
    if other is hit or scene.field_at(hit.start) != scene.field_at(other.start):
        return True
    later = other if other.start > hit.start else hit
    return scene.word_before(later.start) in {"the", "these", "those", "both", "all"}


def _only_one(scene: Scene, hit: Hit, found: list[Hit]) -> list[Hit] | None:
    """All references, if no second person of that gender can be in the text."""
    pronouns = [h for h in found if h.readings[0].pos == "pronoun"]
    nominal = [h for h in found if h.readings[0].pos != "pronoun"]
    if not pronouns and hit.readings[0].pos == "name" and _are_names(scene, nominal):
        return [h for h in nominal if h is hit or _is_again(scene, hit, h)]
    if any(_is_open(scene, h) for h in nominal):
        return None
    for name in scene.fields:
        here = [h for h in nominal if scene.field_at(h.start) == name]
        theirs = [h for h in pronouns if scene.field_at(h.start) == name]
        if not _one_here(scene, here, theirs):
            return None
    if len(scene.fields) > 1 and len({h.readings[0].form for h in nominal}) > 1:
        return None
    return found if hit in found else None


def _is_open(scene: Scene, hit: Hit) -> bool:
    """Whether it must still be found out if a noun is one person."""
    small = hit.needs == ("name",) and scene.text[hit.start].islower()
    return not (small or is_settled(scene, hit)) or hit.readings[0].number == "plural"


def _are_names(scene: Scene, nominal: list[Hit]) -> bool:
    """Whether all nouns of a gender are first names, and none is said to be another's."""
    names = all(h.readings[0].pos == "name" for h in nominal)
    return names and not _CALLING.search(scene.text)


def _one_here(scene: Scene, nominal: list[Hit], pronouns: list[Hit]) -> bool:
    groups = _grouped(scene, nominal)
    if len(groups) > 1:
        return False
    cases = {in_case(scene, h).case for h in pronouns}
    if "object" in cases and (nominal or "subject" in cases):
        return False
    if not nominal:
        return True
    first = nominal[0]
    if any(h.start < first.start for h in pronouns):
        return False
    return not (pronouns and first.readings[0].form.lower() in _RELATIONAL and len(pronouns) > 1)


def _grouped(scene: Scene, nominal: list[Hit]) -> list[str]:
    """The persons that nouns and names can be, by what they are called; "Mr. John" is one."""
    groups: list[str] = []
    end = -1
    for hit in nominal:
        word = scene.text[hit.start : hit.end].lower()
        named = hit.readings[0].pos in _NAMED
        between = scene.text[end : hit.start] if end >= 0 else "-"
        if named and between in {" ", ". "}:
            end = hit.end
            continue
        end = hit.end if named else -1
        if word not in groups or not named:
            groups.append(word)
    return groups


def _resolved(scene: Scene, hit: Hit, found: list[Hit]) -> list[Hit]:
    person = person_at(scene, hit.start)
    if person is None:
        return [hit, *(h for h in found if _is_again(scene, hit, h))]
    hits = _covered(scene, _joined(scene, person, found, hit.start), found)
    hits = [h for h in hits if not _is_parallel(scene, h, person)]
    hits += [h for h in found if h not in hits and _is_title_of(scene, h, hits)]
    hits += [h for h in found if h not in hits and any(_is_again(scene, one, h) for one in hits)]
    return hits if hit in hits or hit not in found else [*hits, hit]


def _is_parallel(scene: Scene, hit: Hit, person: Person) -> bool:
    """ "His brother acts and his sister flies": both are his, and the second is not the brother's."""
    token = scene.token(hit.start)
    if token is None or token.deprel != "nmod:poss" or hit.readings[0].pos != "pronoun":
        return False
    analysis = scene.parsed
    owned = analysis.head(token)
    if owned.text.lower() not in _RELATIONAL or not owned.is_relation("nsubj"):
        return False
    return any(
        child.text.lower() == token.text.lower() and child.index < token.index
        for m in person.mentions
        if m.kind == "noun"
        for child in analysis.children(analysis.tokens[m.head], "nmod:poss")
    )


def _is_title_of(scene: Scene, title: Hit, hits: list[Hit]) -> bool:
    if title.readings[0].pos not in {"title", "noun"}:
        return False
    return any(
        hit.readings[0].pos == "name" and scene.text[title.end : hit.start] in {" ", ". "}
        for hit in hits
    )


def _is_again(scene: Scene, hit: Hit, other: Hit) -> bool:
    """Whether a name stands there a second time."""
    if other is hit or hit.readings[0].pos != "name" or "surname" in other.needs:
        return False
    return scene.text[other.start : other.end] == scene.text[hit.start : hit.end]


def _covered(scene: Scene, mentions: list[Mention], found: list[Hit]) -> list[Hit]:
    """The references that are mentions, or adjectives that hang on one ("female pilot")."""
    heads = {mention.head for mention in mentions}
    return [
        hit
        for hit in found
        if any(m.start <= hit.start < m.end for m in mentions)
        or (hit.readings[-1].pos in {"adj", "noun"} and _modifies(scene, hit, heads))
    ]


def _modifies(scene: Scene, hit: Hit, heads: set[int]) -> bool:
    token = scene.token(hit.end - 1)
    return (
        token is not None and token.is_relation("amod", "compound", "flat") and token.head in heads
    )


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


def _joined(scene: Scene, person: Person, found: list[Hit], chosen: int) -> list[Mention]:
    """The mentions of a person, and of the persons that must be the same one."""
    genders = {h.start for h in found}
    persons = [p for p in scene.people.persons if any(_gendered(p, genders))]
    mine = [m for m in _one_of_each(scene, person, chosen) if m.kind != "group"]
    mine += _unsure(scene, person, persons, genders)
    for other in persons:
        if other is not person and (
            _is_apposed(scene, person, other)
            or _is_title(scene, person, other)
            or _is_nickname(scene, person, other)
            or _is_definite_again(scene, person, other)
        ):
            mine += [m for m in other.mentions if m.kind != "group"]
    taken = {m.start for m in mine}
    named = [p for p in persons if _is_named(p, genders) and p.mentions[0].start not in taken]
    if not named and _is_named(person, genders):
        for other in persons:
            if other is not person and not _is_named(other, genders):
                mine += [m for m in _open(scene, person, other) if _may_be(scene, m, mine)]
    elif len(named) == 1 and not _is_named(person, genders):
        links = [m for m in mine if m.start in genders]
        if links and all(_points_ahead(scene, m, named[0]) for m in links):
            mine += named[0].mentions
    return mine + list(_over_fields(scene, mine, persons, genders))


def _gendered(person: Person, genders: set[int]) -> Iterator[bool]:
    for mention in person.mentions:
        if mention.kind != "group" and not mention.plural:
            yield any(mention.start <= start < mention.end for start in genders)


def _is_named(person: Person, genders: set[int]) -> bool:
    """Whether a noun or name says the gender, and not pronouns alone."""
    return any(
        m.kind in {"noun", "name", "title"}
        and not m.plural
        and any(m.start <= start < m.end for start in genders)
        for m in person.mentions
    )


def _is_apposed(scene: Scene, one: Person, other: Person) -> bool:
    """Whether one name follows another after a comma: "Elizabeth, Liz to her friends,"."""
    analysis = scene.parsed
    for first, second in ((one, other), (other, one)):
        heads = {m.head for m in first.mentions if m.kind == "name"}
        for mention in second.mentions[:1]:
            token = analysis.tokens[mention.head]
            plain = mention.kind == "name" and not analysis.children(token, "cc")
            between = scene.text[first.mentions[0].end : mention.start]
            linked = token.is_relation("conj", "appos") and token.head in heads
            after = scene.text[mention.end : mention.end + 40].lower()
            listed = " and " in after or " or " in after
            if plain and linked and between.strip() == "," and not listed:
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
    """ "Robert, known as Bob": what stands before the second name says so."""
    pair = sorted((one, other), key=lambda person: person.mentions[0].start)
    if any(person.mentions[0].kind != "name" for person in pair):
        return False
    first, second = pair[0].mentions[0], pair[1].mentions[0]
    return bool(_KNOWN_AS.search(scene.text, first.end, second.start))


def _is_definite_again(scene: Scene, one: Person, other: Person) -> bool:
    """ "his father ... the father": a noun again with "the", and no third person called so."""
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
    scene: Scene, person: Person, persons: list[Person], genders: set[int]
) -> Iterator[Mention]:
    people = scene.people
    for mention in people.unsure:
        likely = people.candidates[mention]
        if mention.start in genders and (likely[:1] == (person,) or persons == [person]):
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
    """Whether grammar allows a pronoun to be a person: not beside its other mentions in a clause."""
    analysis = scene.parsed
    token = analysis.tokens[mention.head]
    heads = {m.head for m in mine}
    if token.head in heads and token.deprel == "nmod:poss":
        return False  # "his stepfather" is not his own
    if token.is_relation("obj", "iobj"):
        return heads.isdisjoint(t.index for t in arguments(analysis, analysis.head(token)))
    return True


def _points_ahead(scene: Scene, mention: Mention, person: Person) -> bool:
    """ "When she came, Anna ...": the person is the subject of the clause that the pronoun opens."""
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


def _over_fields(
    scene: Scene, mine: list[Mention], persons: list[Person], genders: set[int]
) -> Iterator[Mention]:
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
        same = [p for p in there if forms & {scene.text[m.start : m.end].lower() for m in p.mentions}]
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
