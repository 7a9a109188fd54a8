"""Which references of a text are to the same person as the chosen one.

Where a text can speak of one person of that gender only, its words say so and nothing is parsed;
elsewhere it is asked who is who (``persons``).
"""

from __future__ import annotations

from augkit.augmenters.panda.coreference.links import (
    is_again,
    is_owned,
    is_parallel,
    is_style_of,
    is_title_of,
    owns,
)
from augkit.augmenters.panda.coreference.merge import merged_mentions
from augkit.augmenters.panda.coreference.single_person import single_person
from augkit.augmenters.panda.disambiguation.first_name_senses import is_saints
from augkit.augmenters.panda.disambiguation.name_homographs import is_helper, is_month
from augkit.augmenters.panda.disambiguation.name_patterns import is_tool, name_pattern
from augkit.augmenters.panda.disambiguation.person_sense import is_after_title
from augkit.augmenters.panda.disambiguation.place_names import stands_as_place
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import NEXT_CAPITAL
from augkit.core.analysis import Token
from augkit.language.coreference.mentions import Mention
from augkit.language.coreference.resolve import Person
from augkit.lexicons.demographics.cues import PERSONS, PERSONS_RE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up


def same_person(doc: Document, hit: Hit, source: str) -> list[Hit]:
    """The references of the gender ``source`` to the person that ``hit`` refers to."""
    found = _references(doc, source)
    if hit.number == "plural":
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
    return _covered(doc, merged_mentions(doc, person, found, chosen), found)


def _references(doc: Document, source: str) -> list[Hit]:
    """The references of a gender that may be persons: no fixed phrases, no names of places."""
    found = [h for h in doc.hits if h.attribute == source and not h.blocked and not h.is_weak]
    return [h for h in found if not _is_elsewhere(doc, h)]


def _is_elsewhere(doc: Document, hit: Hit) -> bool:
    """Whether a name is a place or month, or a pronoun a god's ("prayed to God and *He* ...")."""
    if hit.pos == "name":
        placed = stands_as_place(doc, hit) or is_month(doc, hit) or is_saints(doc, hit)
        return placed or is_helper(doc, hit) or is_tool(doc, hit)
    if hit.pos in {"noun", "title"} and _is_in_surname(doc, hit):
        return True
    holy = hit.pos == "pronoun" and doc.text[hit.start].isupper()
    return (
        holy
        and doc.text[max(0, hit.start - 2) : max(0, hit.start - 1)].isalpha()
        and PERSONS_RE.god.search(doc.text) is not None
        and not doc.text.isupper()
    )


def _is_in_surname(doc: Document, hit: Hit) -> bool:
    """As in "Tony *King*" and "Mr. *King*": a capital right after a first name or a title."""
    if is_after_title(doc, hit):
        return True
    if not doc.text[hit.start].isupper() or doc.text_of(hit).isupper():
        return False
    before = PERSONS_RE.last_name.search(doc.text, max(0, hit.start - 30), hit.start)
    if before is None or look_up(before[1]) is None:
        return False
    after = NEXT_CAPITAL.match(doc.text, hit.end)
    return after is None or look_up(after.group().strip()) is None  # "Saxon King Harold"


def _same_group(doc: Document, hit: Hit, found: list[Hit]) -> list[Hit]:
    """The same plural again ("two men", "the men"), and each of it ("one of the men ... his")."""
    form = hit.form
    same = [h for h in found if h.form == form and _is_same_group(doc, hit, h)]
    pronouns = [h for h in found if h.pos == "pronoun"]
    if not pronouns:
        return same
    nominal = [h for h in found if h.pos != "pronoun" and h not in same]
    of_them = PERSONS_RE.of_them.search(doc.text, hit.end)
    if of_them is not None and not nominal:
        return same + [h for h in pronouns if h.start > of_them.end()]
    words = doc.words_before(hit.start)
    if len(words) > 1 and "of" in words[-3:] and not PERSONS.of_a_group.isdisjoint(words[-4:]):
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
    hits = _covered(doc, merged_mentions(doc, person, found, hit.start), found)
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
    if name is chosen or name.pos != "name":
        return False
    return name_pattern(doc, name, doc.text_of(name)) is not None


def _alone(doc: Document, hit: Hit, found: list[Hit]) -> list[Hit]:
    """For a word that the parse took for no person: the name again, and pronouns of no other."""
    again = [h for h in found if is_again(doc, hit, h)]
    nominal = [h for h in found if h.pos != "pronoun" and h not in again]
    others = [h for h in nominal if h is not hit and not is_title_of(doc, h, [hit])]
    others = [h for h in others if "surname" not in h.needs]
    if others or hit.pos == "pronoun":
        return again
    here = doc.field_at(hit.start)
    first = min(h.start for h in (hit, *again))
    pronouns = [h for h in found if h.pos == "pronoun" and h.start > first]
    return again + [h for h in pronouns if doc.field_at(h.start) == here]


def _covered(doc: Document, mentions: list[Mention], found: list[Hit]) -> list[Hit]:
    """The references that are mentions, or adjectives that hang on one ("female pilot")."""
    heads = {mention.head for mention in mentions}
    offsets = {offset for m in mentions for offset in range(m.start, m.end)}
    return [
        hit
        for hit in found
        if hit.start in offsets
        or (hit.readings[-1].pos in {"adj", "noun"} and _modifies(doc, hit, heads))
    ]


def _modifies(doc: Document, hit: Hit, heads: set[int]) -> bool:
    token = doc.token(hit.end - 1)
    return (
        token is not None and token.is_relation("amod", "compound", "flat") and token.head in heads
    )


def unresolved_pronouns(doc: Document, hits: list[Hit], found: list[Hit]) -> list[Hit]:
    """Pronouns that are nobody's, in a text where no other person of the gender is named."""
    named = [h for h in found if h.pos != "pronoun"]
    if not named or any(h not in hits for h in named):
        return []
    first = min(named, key=lambda h: h.start)
    left = [h for h in found if h not in hits and _is_nobodys(doc, h, hits)]
    if first.pos == "name":
        return [h for h in left if h.start >= first.start or not _has_subject_before(doc, h)]
    return [h for h in left if h.start >= first.start]


def _has_subject_before(doc: Document, pronoun: Hit) -> bool:
    """As in "Rose made *his* first start, replacing Thomas": somebody else is there already."""
    token = doc.token(pronoun.start)
    if token is None:
        return False
    earlier = (t for t in doc.parsed.sentences[token.sentence] if t.index < token.index)
    return any(
        t.is_relation("nsubj") and (t.text.istitle() and t.upos in {"PROPN", "NOUN"})
        for t in earlier
    )


def _is_nobodys(doc: Document, pronoun: Hit, hits: list[Hit]) -> bool:
    """Whether a pronoun is linked to no noun, and is not beside another in a clause."""
    token = doc.token(pronoun.start)
    person = doc.people.at(pronoun.start)
    free = token is not None and token.is_relation("nsubj", "nmod")
    if token is not None and token.text.lower() == "hers":
        free = True  # "my wife gets hers"
    elif token is not None and token.is_relation("obj", "iobj"):
        free = _is_another_doing(doc, token, hits)
    if token is not None and token.deprel == "nmod:poss":
        owned = {t.start for t in doc.parsed.subtree(doc.parsed.head(token))}
        free = not any(h.start in owned for h in hits)
    return free and (person is None or all(m.kind == "pronoun" for m in person.mentions))


def _is_another_doing(doc: Document, token: Token, hits: list[Hit]) -> bool:
    """As in "with a girl behind him, tickling *him*": a participle, and somebody else before it."""
    verb = doc.parsed.head(token)
    if not verb.text.lower().endswith("ing") or doc.parsed.children(verb, "nsubj", "aux"):
        return False
    before = doc.parsed.tokens[verb.index - 1] if verb.index else verb
    if before.upos == "NOUN" and before.start not in {h.start for h in hits}:
        return True  # "a deal protecting her"
    last = max((h.start for h in hits if h.start < verb.start), default=-1)
    mine = {h.start for h in hits}
    nouns = [m for p in doc.people.persons for m in p.mentions if m.kind in {"noun", "name"}]
    first = min((h.start for h in hits), default=0)
    between = [m for m in nouns if first < m.start < verb.start and m.start not in mine]
    return last >= 0 and bool(between)
