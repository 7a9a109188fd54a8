"""Rules of the race axis: words that say a person's race, never colours, things or surnames."""

from __future__ import annotations

import re
from random import Random

from augkit.augmenters.panda.axes.renaming import Renaming
from augkit.augmenters.panda.jobs import Refused
from augkit.augmenters.panda.scene import Scene
from augkit.augmenters.panda.senses.doubts import doubt, term_of
from augkit.augmenters.panda.senses.works import is_headline, is_in_body, is_in_title
from augkit.augmenters.panda.who.chains import person_at
from augkit.augmenters.panda.words.person_words import (
    is_of_compound,
    is_of_thing,
    is_person_word,
    names_person,
)
from augkit.augmenters.panda.writing import Change
from augkit.core.analysis import Token
from augkit.language.clauses import subject
from augkit.language.morphology import can_be
from augkit.lexicons.demographics.cues import cues
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import people_words, titles
from augkit.lexicons.demographics.term_senses import Reading

_PIECES = frozenset("bishop knight rook king queen pawn castle piece".split())
_WORDS = re.compile(r"[^\W\d_]+")
_ROLES = frozenset("character lead cast extra protagonist role part justice icon".split())
_ONE = frozenset("a an one another any every each no this that some the young old".split())
_DESCRIBED = re.compile(
    r"\b(?:he|she|they|man|woman|suspect|victim|attacker|driver|gunman|person)"
    r" (?:is|was|were|are|has been) described as $"
    r"|\b(?:self-)?identif(?:y|ies|ied|ying)(?: [a-z]+ly| themselves| himself| herself)? as $"
    r"|\b(?:describe|describes|described|sees?|saw|considers?|considered|presents?|thinks? of)"
    r" (?:himself|herself|themselves|themself)(?: as)? $"
    r"|\bpass(?:es|ed|ing)? (?:as|for) $",
    re.IGNORECASE,
)
_CLOSED_BY = frozenset({".", ",", "!", "?", ";", "", "and", "but", "too", "now"})
_OPENING = frozenset('.!?\n"\u201c:\u2018(')


def change_race(
    scene: Scene, span: tuple[int, int], target: str, generator: Random
) -> tuple[str, list[Change]] | Refused:
    """The attribute that the chosen person had, and the changes that make it ``target``."""
    word = scene.text[slice(*span)]
    hit = scene.hit_at(*span)
    if hit is None:
        return Refused("no reference", f"'{word}' says no race (nationalities do not)")
    if hit.readings[0].pos == "name":
        return _renamed(scene, hit, target, generator)
    if hit.blocked and not _is_of_people(scene, hit):
        return Refused("fixed phrase", hit.blocked)
    if (reason := _is_of_wrong(scene, hit, word) or _is_of_no_person(scene, hit, word)) is not None:
        return reason
    if hit.attribute == target:
        return Refused("already the target", f"'{word}' is {target} already")
    reading = _reading(scene, hit)
    if isinstance(reading, Refused):
        return reading
    changes = [_change(scene, hit, reading, target)]
    for other in _others(scene, hit):
        found = _reading(scene, other)
        if not isinstance(found, Refused):
            changes.append(_change(scene, other, found, target))
    return hit.attribute, changes


def _is_of_no_person(scene: Scene, hit: Hit, word: str) -> Refused | None:
    """The reason where a race is part of a title or a name, or says what a field is about."""
    if is_in_title(scene, hit) or is_in_body(scene, hit):
        return Refused("not a person", f"'{word}' is part of a title or of the name of a body")
    after = scene.word_after(hit.end)
    beside = scene.next_words(hit.end, 2)
    cue = term_of(scene, hit, word) if not is_person_word(after) or after in _PIECES else None
    if cue is not None:
        return Refused("not a person", f"'{word}' is a term beside '{cue}'")
    if is_person_word(after) and len(beside) > 1 and beside[1] in cues("races", "unions"):
        return Refused("not a person", f"'{word}' is said of a {beside[1]}, no person")
    if after in people_words("fields"):
        return Refused("not a person", f"'{word} {after}' is a field, no person")
    return None


def _is_of_wrong(scene: Scene, hit: Hit, word: str) -> Refused | None:
    """Whether the text tells of a wrong done by one group to another: "white slave owners"."""
    after = [w for w in scene.next_words(hit.end, 2) if w in people_words("wrongdoers")]
    words = set(_WORDS.findall(scene.field_text(hit.start).lower()))
    told = sorted(words & people_words("wrongs")) or after
    if not told:
        return None
    return Refused("fixed phrase", f"'{word}': with '{told[0]}' it would rewrite who wronged whom")


def _renamed(
    scene: Scene, hit: Hit, target: str, generator: Random
) -> tuple[str, list[Change]] | Refused:
    if (reason := doubt(scene, hit)) is not None:
        return reason
    name = scene.text[hit.start : hit.end]
    if hit.attribute == target:
        return Refused("already the target", f"'{name}' is {target} already")
    renaming = Renaming(scene.text, generator)
    same = [h for h in scene.hits if scene.text[h.start : h.end].lower() == name.lower()]
    return hit.attribute, [
        Change(h.start, h.end, renaming.of_group(scene.text[h.start : h.end], target)) for h in same
    ]


def _is_of_people(scene: Scene, hit: Hit) -> bool:
    """As in "Black and white voters" are people, whatever else is black and white."""
    if "black and white" not in hit.blocked and "black or white" not in hit.blocked:
        return False
    following = scene.next_words(hit.end, 3)
    return any(is_person_word(word) for word in following)


def _reading(scene: Scene, hit: Hit) -> Reading | Refused:
    """The reading that fits the place, or the reason why no person is meant."""
    word = scene.text[hit.start : hit.end]
    kinds = {reading.pos: reading for reading in reversed(hit.readings)}
    if _is_surname(scene, hit, word):
        return Refused("not a person", f"'{word}' is a surname or a name here")
    joined = scene.text[hit.end : hit.end + 1] == "-" or "joined" in hit.needs
    if joined and not _is_half(scene.text, hit):
        return Refused("not a person", f"'{word}' is part of a compound")
    if not joined and is_of_compound(scene, hit):
        return Refused("not a person", f"'{word}' is said of a thing of people's")
    if "adj" in kinds and (joined or _is_beside_person(scene, hit)):
        return kinds["adj"]
    after = scene.word_after(hit.end)
    if "adj" not in kinds and word.lower() not in {"white", "black", "whites", "blacks"}:
        return kinds["noun"]
    token = scene.token(hit.end - 1)
    if token is None:
        return Refused("not a person", f"it cannot be told whom '{word}' is said of")
    if "noun" in kinds and _is_noun(scene, token, kinds["noun"]) and after != "of":
        return kinds["noun"]
    if "adj" in kinds and _is_said_of_person(scene, token):
        return kinds["adj"]
    return Refused("not a person", f"'{word}' is said of no person here")


def _is_beside_person(scene: Scene, hit: Hit) -> bool:
    """Whether an adjective stands before a person's noun, or after "is" of a person."""
    if _is_before_person(scene.next_words(hit.end, 4)):
        return True
    if _DESCRIBED.search(scene.text, max(0, hit.start - 40), hit.start):
        return not is_of_thing(scene.word_after(hit.end))
    return scene.word_after(hit.end) in _CLOSED_BY and _follows_short_is(scene, hit)


def _is_half(text: str, hit: Hit) -> bool:
    """As in "half-*Asian*" and "*Hispanic*-looking": still said of a person."""
    before, after = text[max(0, hit.start - 5) : hit.start].lower(), text[hit.end : hit.end + 8]
    return before.endswith(("half-", "part-")) or after == "-looking"


def _is_before_person(words: list[str]) -> bool:
    """As in "*Black* transgender women": adjectives at most between it and the person."""
    for word in words:
        if is_person_word(word) and word not in _PIECES:
            return True
        if word in cues("races", "also_adjectives"):
            continue
        if can_be(word, "NOUN") or not can_be(word, "ADJ") or is_of_thing(word):
            return False
    return False


def _follows_short_is(scene: Scene, hit: Hit) -> bool:
    """As in "Her husband*'s* white": of a person, nothing owned."""
    before = scene.word_before(hit.start)
    return before.endswith(("'s", "\u2019s")) and is_person_word(before[:-2])


def _is_surname(scene: Scene, hit: Hit, word: str) -> bool:
    """As in "Dr. White", "Jack Black"; or "White" with a capital that only a name explains."""
    if not word[:1].isupper() or word.isupper():
        return False
    before = scene.word_before(hit.start)
    if word.endswith("s") and before not in {"the", *titles()} and look_up(before) is None:
        return False  # "compared Blacks and Asians"; "the Whites" may be a family
    text = scene.text[: hit.start].rstrip()
    prior = text.split()[-1] if text.split() else ""
    if prior.endswith(".") and prior[:-1].lower() in titles():
        return True
    if prior[:1].isupper() and (before in titles() or look_up(before) is not None):
        return True
    opens = not text or text[-1] in _OPENING
    odd = hit.readings[0].form[:1].islower() and not opens
    if odd and not is_headline(scene.field_text(hit.start)):
        following = scene.text[hit.end : hit.end + 2]
        return not is_person_word(scene.word_after(hit.end)) or following[1:].isupper()
    return False


def _is_noun(scene: Scene, token: Token, reading: Reading) -> bool:
    if token.is_relation("compound", "amod", "flat") and token.head > token.index:
        return False
    if reading.number == "plural":
        return token.upos in {"NOUN", "PROPN", "ADJ"}
    beside = scene.word_before(token.start) in _ONE or token.text.lower() not in {"white", "black"}
    return (
        beside
        and token.upos in {"NOUN", "PROPN", "ADJ"}
        and bool(scene.parsed.children(token, "det", "nummod"))
    )


def _is_said_of_person(scene: Scene, token: Token) -> bool:
    """Whether an adjective modifies a person, or is said of one: "she is Black"."""
    analysis = scene.parsed
    for _ in range(3):
        if token.deprel != "conj":
            break
        token = analysis.head(token)
    head = analysis.head(token)
    if token.is_relation("amod", "compound", "nmod", "flat") and head.index > token.index:
        if head.lemma.lower() in _PIECES and scene.text[token.start].islower():
            return False
        return (
            names_person(head)
            or head.lemma.lower() in _ROLES
            or scene.people.at(head.start) is not None
        )
    if head.lemma.lower() in cues("races", "colouring") and token.is_relation("xcomp", "obj"):
        return False
    subjects = analysis.children(token, "nsubj")
    subjects += tuple(
        n for t in subjects for n in analysis.children(t, "nmod") if n.deprel == "nmod"
    )
    if not subjects and analysis.children(token, "cop"):
        understood = subject(analysis, token)
        subjects = (understood,) if understood is not None else ()
    if token.is_relation("xcomp"):
        subjects += analysis.children(head, "obj") or analysis.children(head, "nsubj")
    return any(
        names_person(t)
        or t.text.lower() in {"he", "she", "they", "i", "we", "you", "who"}
        or scene.people.at(t.start) is not None
        for t in subjects
    )


def _others(scene: Scene, hit: Hit) -> list[Hit]:
    """Other words that say the same of the same person: "an Asian woman ... the Asian woman"."""
    same = [h for h in scene.hits if h is not hit and h.attribute == hit.attribute]
    same = [h for h in same if h.readings[0].pos != "name" and not h.blocked]
    if not same:
        return []
    person = person_at(scene, hit.start)
    found = [h for h in same if person is not None and person_at(scene, h.start) is person]
    if not found and len(scene.fields) > 1:
        after = scene.word_after(hit.end)
        here = scene.field_at(hit.start)
        found = [
            h for h in same if scene.field_at(h.start) != here and scene.word_after(h.end) == after
        ]
    return found


def _change(scene: Scene, hit: Hit, reading: Reading, target: str) -> Change:
    """The word as the lexicon writes it; a capital where a sentence begins."""
    before = scene.text[hit.start : hit.end]
    after = reading.written[target]
    field = scene.field_text(hit.start)
    prior = scene.text[: hit.start].rstrip()
    if field.islower():
        after = after.lower()
    elif before.isupper():
        after = after.upper()
    elif before[:1].isupper() and (
        not prior or prior[-1] in ".!?\n" or _is_in_headline(scene, hit)
    ):
        after = after[:1].upper() + after[1:]
    return Change(hit.start, hit.end, after)


def _is_in_headline(scene: Scene, hit: Hit) -> bool:
    """Whether the words beside a race have capitals too: "Asian Man Wins", not "an Asian"."""
    field = scene.field_at(hit.start)
    text, shift = scene.fields[field], scene.starts[field]
    return is_headline(text[: hit.start - shift] + text[hit.end - shift :])
