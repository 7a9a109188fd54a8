"""Whether a word that could say something about a person does so here."""

from __future__ import annotations

from augkit.augmenters.panda.disambiguation.exclamations import exclaimed, reject_exclamation
from augkit.augmenters.panda.disambiguation.first_name_senses import reject_name
from augkit.augmenters.panda.disambiguation.nonperson_nouns import nonperson_use
from augkit.augmenters.panda.disambiguation.thing_names import (
    is_after_thing,
    is_before_thing,
    is_epithet,
    is_in_things_name,
    is_with_band,
)
from augkit.augmenters.panda.disambiguation.titles import is_headline, is_in_body, is_in_title
from augkit.augmenters.panda.document import Document
from augkit.augmenters.panda.grammar.word_classes import (
    DETERMINERS,
    HELPERS,
    LAST_CAPITAL,
    is_of_thing,
    is_person_word,
    names_person,
)
from augkit.core.types import Rejection
from augkit.language.morphology import can_be, is_base_verb
from augkit.lexicons.demographics.cues import NEAR, NOUNS, NOUNS_RE, PEOPLE, field_cues
from augkit.lexicons.demographics.find_references import Hit
from augkit.lexicons.demographics.first_names import look_up
from augkit.lexicons.demographics.person_words import titles

_WOMEN = ("ess", "esses", "ine", "ines")


def reject_reference(doc: Document, hit: Hit) -> Rejection | None:
    """The reason for leaving a reference alone, if there is one."""
    if hit.blocked:
        return doc.reject("fixed phrase", hit.blocked)
    if is_in_title(doc, hit):
        return doc.reject("not a person", "it is part of the title of a work")
    if hit.axis != "race" and (rejection := _reject_gendered(doc, hit)) is not None:
        return rejection
    return _reject_noun(doc, hit) if hit.pos != "pronoun" else None


def _reject_noun(doc: Document, hit: Hit) -> Rejection | None:
    """The reason for taking a noun, adjective or name for something else."""
    kind, word = hit.pos, doc.text_of(hit)
    if (cue := term_of(doc, hit, word)) is not None:
        return doc.reject("not a person", f"'{word}' is a term beside '{cue}'")
    if _is_verb_with_object(doc, hit, word):
        return doc.reject("not a person", f"'{word}' is a verb here")
    if kind == "title" and doc.text[hit.end : hit.end + 2].strip()[:1].isdigit():
        return doc.reject("not a person", f"'{word}' is numbered here")  # "MS 178"
    if "joined" in hit.needs and not _is_whole(doc, hit):
        return doc.reject("not a person", f"'{word}' is part of a compound")
    if kind == "name":
        return reject_name(doc, hit, word)
    if is_after_title(doc, hit):
        return doc.reject("not a person", f"'{word}' is a surname here")
    if "capital" in hit.needs and not _may_have_capital(doc, hit, word):
        return doc.reject("not a person", f"'{word}' seems to be part of a name or a title")
    if "pos" in hit.needs or "sense" in hit.needs:
        return _reject_ambiguous(doc, hit, word)
    return None


def term_of(doc: Document, hit: Hit, word: str) -> str | None:
    """The cue of a field that a word is a term of: "*queen*" beside "pawn"; no "Queen Anne"."""
    fields = field_cues().get(word.lower(), ())
    if not fields or NOUNS_RE.capital_after.match(doc.text, hit.end):
        return None
    if NOUNS_RE.of_land.match(doc.text, hit.end):
        return None
    field = doc.field_at(hit.start)
    start = hit.start - doc.starts[field]
    text = doc.fields[field][max(0, start - NEAR) : start + NEAR].lower()
    found = (cues.search(text) for cues in fields)
    return next((match.group() for match in found if match is not None), None)


def _is_verb_with_object(doc: Document, hit: Hit, word: str) -> bool:
    """As in "who will *father* the next idea": a modal or "to" before, an object after.

    Or as an order: "*Master* the basics first."
    """
    if hit.pos not in {"noun", "title"} or not can_be(word.lower(), "VERB"):
        return False
    if word.istitle() and doc.text[: hit.start].rstrip()[-1:] in {"", ".", "!", "?", "\n"}:
        return is_base_verb(word.lower()) and doc.word_after(hit.end) in DETERMINERS
    if not word.islower() or hit.pos != "noun":
        return False
    return doc.word_before(hit.start) in NOUNS.modals and doc.word_after(hit.end) in DETERMINERS


def _reject_gendered(doc: Document, hit: Hit) -> Rejection | None:
    """The reason where a word is a cry, a quoted word, part of a name, or said of a thing."""
    if hit.axis != "gender":
        return exclaimed(doc, hit)
    if (rejection := reject_exclamation(doc, hit)) is not None or hit.pos in {"pronoun", "name"}:
        return rejection
    word = doc.text_of(hit)
    if is_in_name(doc, hit) or is_in_body(doc, hit) or is_after_thing(doc, hit):
        return doc.reject("not a person", f"'{word}' is part of the name of a place or thing")
    thing = nonperson_use(doc, hit)
    if thing is not None:
        return doc.reject("not a person", f"'{word}' is said of '{thing}', no person")
    return None


def is_certain(doc: Document, hit: Hit) -> bool:
    """Whether the words alone say that a person is meant: "guy", "actress", "female pilot"."""
    word = doc.text_of(hit)
    if not hit.needs or word in NOUNS.always_people:
        return True
    if word.islower() and word.endswith(_WOMEN) and len(word) > 6:
        return True
    kinds = {reading.pos for reading in hit.readings}
    if "adj" in kinds:
        return any(is_person_word(after) for after in doc.next_words(hit.end, 3))
    if "title" not in kinds:
        return False
    named = word[:1].isupper() and doc.text[hit.end : hit.end + 2].strip()[:1].isupper()
    return named or look_up(doc.word_after(hit.end)) is not None


def is_in_name(doc: Document, hit: Hit) -> bool:
    """As in "Ladies Bay", "Lord & Taylor": a capital, and more of a thing's name beside it."""
    word = doc.text_of(hit)
    if not word[:1].isupper() or word.isupper():
        return False
    if NOUNS_RE.and_capital.match(doc.text, hit.end) and hit.pos != "pronoun":
        return True
    if word.lower() in NOUNS.of_orders and NOUNS_RE.of_capital.match(doc.text, hit.end):
        return not is_headline(doc.field_text(hit.start))
    if word.lower() not in NOUNS.crowned and is_epithet(doc, hit):
        return True
    if is_with_band(doc, hit):
        return True
    after = NOUNS_RE.capital_after.match(doc.text, hit.end)
    owns = after is not None and doc.text[hit.end] in "'\u2019"
    if owns and "capital" in hit.needs and doc.word_before(hit.start) == "the":
        return word.lower() not in NOUNS.kin_or_title
    if word.lower() in NOUNS.before_surnames or after is None:
        return False
    if is_in_things_name(doc, hit):
        return True
    run = NOUNS_RE.capitals_after.match(doc.text, hit.end)
    words = [after[1].lower(), *(run[0].lower().split() if run is not None else ())]
    named = not PEOPLE.organisations.isdisjoint((words[0], words[-1]))
    return named and not is_headline(doc.field_text(hit.start))


def _is_whole(doc: Document, hit: Hit) -> bool:
    """Whether what joins a word to its neighbour is a dash, a slash or "-year-old"."""
    text = doc.text
    before, after = text[max(0, hit.start - 1) : hit.start], text[hit.end : hit.end + 1]
    if text[hit.end : hit.end + 9].lower().startswith(("-year-old", "-years-ol", "-looking ")):
        return True
    return (
        before not in "-@#_&\u2010\u2011" and after not in "-@_&\u2010\u2011"
        if before
        else (after not in set("-@_&\u2010\u2011"))
    )


def _may_have_capital(doc: Document, hit: Hit, word: str) -> bool:
    if is_headline(doc.field_text(hit.start)):
        return True
    before = doc.word_before(hit.start)
    capital_after = doc.text[hit.end : hit.end + 2].strip()[:1].isupper()
    if _is_called_so(doc, hit, capital_after=capital_after):
        return False
    if before in {"a", "an"} or before.isdigit():
        return not (capital_after or is_before_thing(doc, hit))
    if _is_named_thing(doc, hit):
        return False
    if word.lower() in NOUNS.crowned:
        if not capital_after and before in {"the", *NOUNS.before_places}:
            return before == "the" and not is_before_thing(doc, hit)
        if before == "the":
            return False
    if word.lower() in NOUNS.kin_or_title or hit.pos in {"title", "address"}:
        after = doc.text[hit.end : hit.end + 2]
        named = after[:1] == " " and after[1:].isupper()
        return named or not before.isalpha() or before not in {"the", "a", "an"}
    return hit.axis == "race"


def is_after_title(doc: Document, hit: Hit) -> bool:
    """As in "Mrs. *King*", "Judge *Knight*": a rank that is somebody's surname."""
    word = doc.text_of(hit)
    if not word.istitle() or doc.text[hit.end : hit.end + 2].strip()[:1].isupper():
        return False
    if not (word.lower() in NOUNS.crowned or word.lower() in NOUNS.also_surnames):
        return False
    before = doc.text[max(0, hit.start - 20) : hit.start].split()[-1:]
    title = before[0].rstrip(".").lower() if before and before[0][:1].isupper() else ""
    return title in NOUNS.before_surnames or title in titles()


def _is_called_so(doc: Document, hit: Hit, *, capital_after: bool) -> bool:
    """As in "Senate President Jim *King* said" and "When *Prince* is on stage": their names."""
    word = doc.text_of(hit).lower()
    crowned = word in NOUNS.crowned
    if capital_after or not (crowned or word in NOUNS.also_surnames):
        return False
    before = LAST_CAPITAL.search(doc.text, max(0, hit.start - 40), hit.start)
    if before is not None and look_up(before[1]) is not None:
        return True
    after = doc.word_after(hit.end)
    acts = after in HELPERS or after in PEOPLE.deeds
    return acts and crowned and doc.word_before(hit.start) in NOUNS.before_clauses


def _is_named_thing(doc: Document, hit: Hit) -> bool:
    """As in "Queen Street", "King's Cross" and "The Last King of Scotland"."""
    if doc.text_of(hit).lower() in NOUNS.before_surnames:
        return False  # "Mrs Hall"
    after = NOUNS_RE.capital_after.match(doc.text, hit.end)
    if after is not None and after[1].lower() in PEOPLE.organisations:
        return True
    before = LAST_CAPITAL.search(doc.text, max(0, hit.start - 40), hit.start)
    if before is None or before[1].lower() in {"the", "a", "an", *NOUNS.before_ranks}:
        return False
    opens = doc.text[: before.start(1)].rstrip()[-1:] in {"", ".", "!", "?", "\n", '"', "\u201c"}
    of_land = before[1].lower().endswith(("ish", "ese", "ian", "ean", "ch", "can"))
    return not (opens or of_land or before[1].lower() in titles() or look_up(before[1]))


def _is_miss(doc: Document, hit: Hit) -> bool:
    """As in "a young miss" and "Excuse me, *miss*, is this seat taken?"."""
    if doc.word_before(hit.start) in NOUNS.of_misses:
        return True
    before = NOUNS_RE.person_sense_before_address.search(
        doc.text, max(0, hit.start - 20), hit.start
    )
    called = before is not None and before[1].lower() in NOUNS.before_address
    return called and not doc.text[hit.end : hit.end + 1].isalnum()


def _reject_ambiguous(doc: Document, hit: Hit, word: str) -> Rejection | None:
    if is_certain(doc, hit):
        return None
    if word in {"miss", "misses"} and not _is_miss(doc, hit):
        return doc.reject(
            "not a person", f"'{word}' is a verb or a failure here"
        )  # no name follows
    adjective = any(reading.pos == "adj" for reading in hit.readings)
    if adjective and is_of_thing(doc.word_after(hit.end)):
        return doc.reject("not a person", f"'{word}' says something of a thing")
    token = doc.token(hit.end - 1)
    if token is None:
        return None
    if token.upos in NOUNS.no_noun and not adjective:
        return doc.reject("not a person", f"'{word}' is a verb or a particle here")
    if "sense" not in hit.needs:
        return None
    if word.lower() in NOUNS.pieces and NOUNS_RE.square.search(doc.text):
        return doc.reject("not a person", f"'{word}' belongs to a game here")
    head = doc.parsed.head(token)
    modifies = token.is_relation("compound", "amod") and head.index > token.index
    if doc.parsed.children(head, "obj", "compound:prt"):
        modifies = False  # "the baby spat out the spinach": a verb, whatever the parse says
    if (
        modifies
        and can_be(head.text.lower(), "NOUN")
        and not names_person(head)
        and head.upos != "PROPN"
    ):
        return doc.reject("not a person", f"'{word}' says something of '{head.text}', no person")
    return None
