"""Which references of a text are to the same person as the chosen one.

Where a text can speak of one person of that gender only, its words say so and nothing is parsed;
elsewhere it is asked who is who (``persons``).
"""

from __future__ import annotations

import re
from itertools import combinations

from augkit.augmenters.panda.leftovers import left_over
from augkit.augmenters.panda.name_frames import framed, is_tool
from augkit.augmenters.panda.name_words import is_helper, is_month
from augkit.augmenters.panda.namesakes import is_saints
from augkit.augmenters.panda.person_words import is_person_word
from augkit.augmenters.panda.persons import joined
from augkit.augmenters.panda.pronouns import in_case
from augkit.augmenters.panda.scene import Scene
from augkit.augmenters.panda.senses import is_settled
from augkit.augmenters.panda.towns import stands_as_place
from augkit.language.coreference import Person
from augkit.language.mentions import Mention
from augkit.lexicons.cues import cues
from augkit.lexicons.find import Hit
from augkit.lexicons.names import look_up, may_be_one
from augkit.lexicons.people import titles

_OF_A_GROUP = frozenset({"one", "each", "none", "neither", "either", "any", "another"})
_CALLING = re.compile(
    r"known as|called?\b|nicknamed|a\.?k\.?a\b|goes by|went by|alias|short for|calls", re.IGNORECASE
)
_TITLED = re.compile(r"\b([A-Z][a-z]+)\.? (?=[A-Z])")
_LAST_NAME = re.compile(r"(?<!\w)([A-Z][a-z]+) $")
_SURNAME = re.compile(r" [^\W\d_a-z][^\W\d_]+")
_STYLE = re.compile(
    r" (?:royal |imperial |serene |britannic )*"
    r"(?:majesty|highness|grace|excellency|holiness|eminence|honou?r|worship),? (?:the )?",
    re.IGNORECASE,
)
_OWNED = re.compile(r"(?: [a-z-]+){0,2} ([a-z-]+),? ")
_GOD = re.compile(r"\b(?:God|Allah|Lord|Jesus|Christ|Almighty|Creator|Saviou?r)\b")
_NAMED = frozenset({"name", "title"})


def same_person(scene: Scene, hit: Hit, source: str) -> list[Hit]:
    """The references of the gender ``source`` to the person that ``hit`` refers to."""
    found = _references(scene, source)
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
    found = _references(scene, source)
    return _covered(scene, joined(scene, person, found, chosen), found)


def _references(scene: Scene, source: str) -> list[Hit]:
    """The references of a gender that may be persons: no fixed phrases, no names of places."""
    found = [h for h in scene.hits if h.attribute == source and not h.blocked and not h.is_weak]
    return [h for h in found if not _is_elsewhere(scene, h)]


def _is_elsewhere(scene: Scene, hit: Hit) -> bool:
    """Whether a name is a place or month, or a pronoun a god's ("prayed to God and *He* ...")."""
    if hit.readings[0].pos == "name":
        placed = stands_as_place(scene, hit) or is_month(scene, hit) or is_saints(scene, hit)
        return placed or is_helper(scene, hit) or is_tool(scene, hit)
    if hit.readings[0].pos in {"noun", "title"} and _is_in_surname(scene, hit):
        return True
    holy = hit.readings[0].pos == "pronoun" and scene.text[hit.start].isupper()
    return (
        holy
        and scene.text[max(0, hit.start - 2) : max(0, hit.start - 1)].isalpha()
        and _GOD.search(scene.text) is not None
        and not scene.text.isupper()
    )


def _is_in_surname(scene: Scene, hit: Hit) -> bool:
    """As in "Tony *King*" and "Dick *King*-Smith": a capital right after a first name."""
    if not scene.text[hit.start].isupper() or scene.text[hit.start : hit.end].isupper():
        return False
    before = _LAST_NAME.search(scene.text, max(0, hit.start - 30), hit.start)
    if before is None or look_up(before[1]) is None:
        return False
    after = _SURNAME.match(scene.text, hit.end)
    return after is None or look_up(after.group().strip()) is None  # "Saxon King Harold"


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
    """As in "Two men ... the men" are the same; "three men and two men" are not."""
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
    if pronouns and nominal and _is_somebody_titled(scene, nominal):
        return None
    for name in scene.fields:
        here = [h for h in nominal if scene.field_at(h.start) == name]
        theirs = [h for h in pronouns if scene.field_at(h.start) == name]
        if not _one_here(scene, here, theirs):
            return None
    if len(scene.fields) > 1 and len({h.readings[0].form for h in nominal}) > 1:
        return None
    return found if hit in found else None


def _is_somebody_titled(scene: Scene, nominal: list[Hit]) -> bool:
    """As in "Ms. Bhutto ... President Musharraf ... her": a pronoun may be of somebody titled."""
    starts = {hit.start for hit in nominal} | {hit.end + 1 for hit in nominal}
    return any(
        match[1].lower() in titles() and starts.isdisjoint(match.span())
        for match in _TITLED.finditer(scene.text)
    )


def _is_open(scene: Scene, hit: Hit) -> bool:
    """Whether it must still be found out if a noun is one person."""
    small = hit.needs == ("name",) and scene.text[hit.start].islower()
    return not (small or is_settled(scene, hit)) or hit.readings[0].number == "plural"


def _are_names(scene: Scene, nominal: list[Hit]) -> bool:
    """Whether all nouns of a gender are first names, and none is said to be another's."""
    if any(h.readings[0].pos != "name" for h in nominal) or _CALLING.search(scene.text):
        return False
    words = {scene.text[h.start : h.end] for h in nominal}
    return not any(may_be_one(one, other) for one, other in combinations(words, 2))


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
    return not (len(pronouns) > 1 and _is_relational(first.readings[0].form))


def _is_relational(noun: str) -> bool:
    """Whether a noun says what somebody is to somebody: "brother", "landlady"."""
    return noun.lower() in cues("nouns", "relational")


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
        if named and (surname := _SURNAME.match(scene.text, hit.end)) is not None:
            word += surname.group().lower()
        if not named or not any(_is_called(word, known) for known in groups):
            groups.append(word)
    return groups


def _is_called(word: str, known: str) -> bool:
    """Whether two names can be one person's: "John" and "John Smith", "Elizabeth" and "Betty"."""
    one, other = word.split(), known.split()
    alike = one[0] == other[0] or may_be_one(one[0], other[0])
    return alike and (len(one) == 1 or len(other) == 1 or one[1:] == other[1:])


def _resolved(scene: Scene, hit: Hit, found: list[Hit]) -> list[Hit]:
    person = person_at(scene, hit.start)
    if person is None:
        hits = [hit, *_alone(scene, hit, found)]
        return hits + [h for h in found if h not in hits and _is_title_of(scene, h, hits)]
    hits = _covered(scene, joined(scene, person, found, hit.start), found)
    hits = [h for h in hits if not (_is_parallel(scene, h, person) or _is_of_thing(scene, h, hit))]
    hits += [h for h in found if h not in hits and _is_title_of(scene, h, hits)]
    hits += [h for h in found if h not in hits and any(_is_title_of(scene, t, [h]) for t in hits)]
    hits += [h for h in found if h not in hits and _is_style_of(scene, h, hits)]
    hits += [h for h in found if h not in hits and any(_is_again(scene, one, h) for one in hits)]
    hits = hits if hit in hits or hit not in found else [*hits, hit]
    hits += left_over(scene, hits, found)
    return [h for h in hits if h is hit or not (_owns(scene, h, hits) or _is_owned(h, hits))]


def _is_of_thing(scene: Scene, name: Hit, chosen: Hit) -> bool:
    """As in "the *Achilles* wound ... his film": a name that names nobody is in no chain."""
    if name is chosen or name.readings[0].pos != "name":
        return False
    return framed(scene, name, scene.text[name.start : name.end]) is not None


def _owns(scene: Scene, pronoun: Hit, hits: list[Hit]) -> bool:
    """As in "*her* actor lover Susan": she is another than Susan."""
    if pronoun.readings[0].pos != "pronoun":
        return False
    between = [scene.text[pronoun.end : h.start] for h in hits if h.readings[0].pos == "name"]
    owned = [match[1] for text in between if (match := _OWNED.fullmatch(text)) is not None]
    return any(is_person_word(word) for word in owned)


def _is_owned(noun: Hit, hits: list[Hit]) -> bool:
    """As in "she, like *her mother*,": nobody is their own mother."""
    if not _is_relational(noun.readings[0].form):
        return False
    ends = {h.end for h in hits if h.readings[0].pos == "pronoun"}
    return noun.start - 1 in ends


def _alone(scene: Scene, hit: Hit, found: list[Hit]) -> list[Hit]:
    """For a word that the parse took for no person: the name again, and pronouns of no other."""
    again = [h for h in found if _is_again(scene, hit, h)]
    nominal = [h for h in found if h.readings[0].pos != "pronoun" and h not in again]
    others = [h for h in nominal if h is not hit and not _is_title_of(scene, h, [hit])]
    if others or hit.readings[0].pos == "pronoun":
        return again
    here = scene.field_at(hit.start)
    first = min(h.start for h in (hit, *again))
    pronouns = [h for h in found if h.readings[0].pos == "pronoun" and h.start > first]
    return again + [h for h in pronouns if scene.field_at(h.start) == here]


def _is_parallel(scene: Scene, hit: Hit, person: Person) -> bool:
    """As in "His brother acts and his sister flies": the second is not the brother's."""
    token = scene.token(hit.start)
    if token is None or token.deprel != "nmod:poss" or hit.readings[0].pos != "pronoun":
        return False
    analysis = scene.parsed
    owned = analysis.head(token)
    if not _is_relational(owned.text) or not owned.is_relation("nsubj"):
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


def _is_style_of(scene: Scene, pronoun: Hit, hits: list[Hit]) -> bool:
    """As in "*Her* Royal Highness the Princess" and "*His* Majesty King Charles"."""
    if pronoun.readings[0].pos != "pronoun":
        return False
    return any(_STYLE.fullmatch(scene.text[pronoun.end : hit.start]) for hit in hits)


def _is_again(scene: Scene, hit: Hit, other: Hit) -> bool:
    """Whether a name stands there a second time."""
    if other is hit or hit.readings[0].pos != "name" or "surname" in other.needs:
        return False
    if scene.text[other.start : other.end] != scene.text[hit.start : hit.end]:
        return False
    surnames = [_SURNAME.match(scene.text, h.end) for h in (hit, other)]
    return not all(surnames) or len({s.group() for s in surnames if s is not None}) == 1


def _covered(scene: Scene, mentions: list[Mention], found: list[Hit]) -> list[Hit]:
    """The references that are mentions, or adjectives that hang on one ("female pilot")."""
    heads = {mention.head for mention in mentions}
    places = {place for m in mentions for place in range(m.start, m.end)}
    return [
        hit
        for hit in found
        if hit.start in places
        or (hit.readings[-1].pos in {"adj", "noun"} and _modifies(scene, hit, heads))
    ]


def _modifies(scene: Scene, hit: Hit, heads: set[int]) -> bool:
    token = scene.token(hit.end - 1)
    return (
        token is not None and token.is_relation("amod", "compound", "flat") and token.head in heads
    )
