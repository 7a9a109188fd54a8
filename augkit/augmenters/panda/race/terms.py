"""Words for a race: whether one is said of a person, no colour, thing or surname."""

from __future__ import annotations

from augkit.augmenters.panda.coreference.chains import person_at
from augkit.augmenters.panda.disambiguation.person_sense import term_of
from augkit.augmenters.panda.disambiguation.titles import is_headline, is_in_body, is_in_title
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import (
    is_of_compound,
    is_of_thing,
    is_person_word,
    names_person,
)
from augkit.core.analysis import Token
from augkit.core.types import Rejection
from augkit.language.clauses import subject
from augkit.language.morphology import can_be
from augkit.lexicons.demographics.cues import PEOPLE, RACES, RACES_RE
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import titles
from augkit.lexicons.demographics.term_senses import Reading
from augkit.text.articles import Replacement

_OPENING = frozenset('.!?\n"\u201c:\u2018(')


def reject_thing(doc: Document, hit: Hit, word: str) -> Rejection | None:
    """The reason where a race is part of a title or a name, or says what a field is about."""
    if is_in_title(doc, hit) or is_in_body(doc, hit):
        return doc.reject("not a person", f"'{word}' is part of a title or of the name of a body")
    after = doc.word_after(hit.end)
    beside = doc.next_words(hit.end, 2)
    cue = term_of(doc, hit, word) if not is_person_word(after) or after in RACES.pieces else None
    if cue is not None:
        return doc.reject("not a person", f"'{word}' is a term beside '{cue}'")
    if is_person_word(after) and len(beside) > 1 and beside[1] in RACES.unions:
        return doc.reject("not a person", f"'{word}' is said of a {beside[1]}, no person")
    if after in PEOPLE.fields:
        return doc.reject("not a person", f"'{word} {after}' is a field, no person")
    return None


def reject_wrong(doc: Document, hit: Hit, word: str) -> Rejection | None:
    """Whether the text tells of a wrong done by one group to another: "white slave owners"."""
    after = [w for w in doc.next_words(hit.end, 2) if w in PEOPLE.wrongdoers]
    words = set(RACES_RE.words.findall(doc.field_text(hit.start).lower()))
    wrongs = sorted(words & PEOPLE.wrongs) or after
    if not wrongs:
        return None
    return doc.reject(
        "fixed phrase", f"'{word}': with '{wrongs[0]}' it would rewrite who wronged whom"
    )


def is_of_people(doc: Document, hit: Hit) -> bool:
    """As in "Black and white voters" are people, whatever else is black and white."""
    if "black and white" not in hit.blocked and "black or white" not in hit.blocked:
        return False
    following = doc.next_words(hit.end, 3)
    return any(is_person_word(word) for word in following)


def term_reading(doc: Document, hit: Hit) -> Reading | Rejection:
    """The reading that fits the place, or the reason why no person is meant."""
    word = doc.text_of(hit)
    kinds = {reading.pos: reading for reading in reversed(hit.readings)}
    if is_surname(doc, hit, word):
        return doc.reject("not a person", f"'{word}' is a surname or a name here")
    joined = doc.text[hit.end : hit.end + 1] == "-" or "joined" in hit.needs
    if joined and not _is_half(doc.text, hit):
        return doc.reject("not a person", f"'{word}' is part of a compound")
    if not joined and is_of_compound(doc, hit):
        return doc.reject("not a person", f"'{word}' is said of a thing of people's")
    if "adj" in kinds and (joined or _is_beside_person(doc, hit)):
        return kinds["adj"]
    after = doc.word_after(hit.end)
    if "adj" not in kinds and word.lower() not in {"white", "black", "whites", "blacks"}:
        return kinds["noun"]
    token = doc.token(hit.end - 1)
    if token is None:
        return doc.reject("not a person", f"it is unclear what '{word}' describes")
    if "noun" in kinds and is_noun_use(doc, token, kinds["noun"]) and after != "of":
        return kinds["noun"]
    if "adj" in kinds and is_said_of_person(doc, token):
        return kinds["adj"]
    return doc.reject("not a person", f"'{word}' is said of no person here")


def _is_beside_person(doc: Document, hit: Hit) -> bool:
    """Whether an adjective stands before a person's noun, or after "is" of a person."""
    if is_before_person(doc.next_words(hit.end, 4)):
        return True
    if RACES_RE.described.search(doc.text, max(0, hit.start - 40), hit.start):
        return not is_of_thing(doc.word_after(hit.end))
    return doc.word_after(hit.end) in RACES.closed_by and _follows_short_is(doc, hit)


def _is_half(text: str, hit: Hit) -> bool:
    """As in "half-*Asian*" and "*Hispanic*-looking": still said of a person."""
    before, after = text[max(0, hit.start - 5) : hit.start].lower(), text[hit.end : hit.end + 8]
    return before.endswith(("half-", "part-")) or after == "-looking"


def is_before_person(words: list[str]) -> bool:
    """As in "*Black* transgender women": adjectives at most between it and the person."""
    for word in words:
        if is_person_word(word) and word not in RACES.pieces:
            return True
        if word in RACES.also_adjectives:
            continue
        if can_be(word, "NOUN") or not can_be(word, "ADJ") or is_of_thing(word):
            return False
    return False


def _follows_short_is(doc: Document, hit: Hit) -> bool:
    """As in "Her husband*'s* white": of a person, nothing owned."""
    before = doc.word_before(hit.start)
    return before.endswith(("'s", "\u2019s")) and is_person_word(before[:-2])


def is_surname(doc: Document, hit: Hit, word: str) -> bool:
    """As in "Dr. White", "Jack Black"; or "White" with a capital that only a name explains."""
    if not word[:1].isupper() or word.isupper():
        return False
    before = doc.word_before(hit.start)
    if word.endswith("s") and before not in {"the", *titles()} and look_up(before) is None:
        return False  # "compared Blacks and Asians"; "the Whites" may be a family
    text = doc.text[: hit.start].rstrip()
    prior = text.split()[-1] if text.split() else ""
    if prior.endswith(".") and prior[:-1].lower() in titles():
        return True
    if prior[:1].isupper() and (before in titles() or look_up(before) is not None):
        return True
    opens = not text or text[-1] in _OPENING
    odd = hit.form[:1].islower() and not opens
    if odd and not is_headline(doc.field_text(hit.start)):
        following = doc.text[hit.end : hit.end + 2]
        return not is_person_word(doc.word_after(hit.end)) or following[1:].isupper()
    return False


def is_beside_name(doc: Document, hit: Hit) -> bool:
    """Whether a title or a first name stands before a surname: "Dr. White", "Jack Black"."""
    before = doc.word_before(hit.start)
    known = look_up(before)
    return before.rstrip(".") in titles() or (known is not None and known.is_clear)


def is_noun_use(doc: Document, token: Token, reading: Reading) -> bool:
    """Whether a word for a race or people is a noun here: "two *Asians*", "an *Asian*"."""
    if token.is_relation("compound", "amod", "flat") and token.head > token.index:
        return False
    if reading.number == "plural":
        return token.upos in {"NOUN", "PROPN", "ADJ"}
    beside = doc.word_before(token.start) in RACES.one or token.text.lower() not in {
        "white",
        "black",
    }
    return (
        beside
        and token.upos in {"NOUN", "PROPN", "ADJ"}
        and bool(doc.parsed.children(token, "det", "nummod"))
    )


def is_said_of_person(doc: Document, token: Token) -> bool:
    """Whether an adjective modifies a person, or is said of one: "she is Black"."""
    analysis = doc.parsed
    for _ in range(3):
        if token.deprel != "conj":
            break
        token = analysis.head(token)
    head = analysis.head(token)
    if token.is_relation("amod", "compound", "nmod", "flat") and head.index > token.index:
        if head.lemma.lower() in RACES.pieces and doc.text[token.start].islower():
            return False
        return (
            names_person(head)
            or head.lemma.lower() in RACES.roles
            or doc.people.at(head.start) is not None
        )
    if head.lemma.lower() in RACES.colouring and token.is_relation("xcomp", "obj"):
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
        or doc.people.at(t.start) is not None
        for t in subjects
    )


def others_alike(doc: Document, hit: Hit) -> list[Hit]:
    """Other words that say the same of the same person: "an Asian woman ... the Asian woman"."""
    same = [h for h in doc.hits if h is not hit and h.attribute == hit.attribute]
    same = [h for h in same if h.pos != "name" and not h.blocked]
    if not same:
        return []
    person = person_at(doc, hit.start)
    found = [h for h in same if person is not None and person_at(doc, h.start) is person]
    if not found and len(doc.fields) > 1:
        after = doc.word_after(hit.end)
        here = doc.field_at(hit.start)
        found = [
            h for h in same if doc.field_at(h.start) != here and doc.word_after(h.end) == after
        ]
    return found


def group_word(doc: Document, hit: Hit, reading: Reading, target: str) -> Replacement:
    """The word as the lexicon writes it; a capital where a sentence begins."""
    before = doc.text_of(hit)
    after = reading.written[target]
    field = doc.field_text(hit.start)
    prior = doc.text[: hit.start].rstrip()
    if field.islower():
        after = after.lower()
    elif before.isupper():
        after = after.upper()
    elif before[:1].isupper() and (not prior or prior[-1] in ".!?\n" or _is_in_headline(doc, hit)):
        after = after[:1].upper() + after[1:]
    return Replacement(hit.start, hit.end, after)


def _is_in_headline(doc: Document, hit: Hit) -> bool:
    """Whether the words beside a race have capitals too: "Asian Man Wins", not "an Asian"."""
    field = doc.field_at(hit.start)
    text, shift = doc.fields[field], doc.starts[field]
    return is_headline(text[: hit.start - shift] + text[hit.end - shift :])
