"""English inflection: verbs that agree with another subject, nouns in the other number.

Pure functions of the word. Agreement is done by spelling and short tables of exceptions, checked in
the tests against a dictionary; nouns by a table of irregular ones. Everything else comes from
lemminflect, which is loaded on first use and called nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from augkit.english.dictionary import lemminflect
from augkit.lexicons.load import data_yaml, word_set
from augkit.text.casing import match_case

_APOSTROPHE = "\u2019"
_VOWELS = frozenset("aeiou")
_BASE_TAGS = frozenset({"VB", "VBP", "NN", "NNP"})
_BE = {"VBD": "was", "VBZ": "is", "VBP": "are", "VBN": "been", "VBG": "being", "VB": "be"}


@lru_cache(maxsize=200_000)
def known_lemmas(form: str) -> Mapping[str, tuple[str, ...]]:
    """The lemmas that the dictionary lists for a form, by part of speech.

    >>> known_lemmas("saw")
    {'NOUN': ('saw',), 'VERB': ('see', 'saw')}
    """
    by_part_of_speech: dict[str, tuple[str, ...]] = lemminflect().getAllLemmas(form)
    return by_part_of_speech


@lru_cache(maxsize=100_000)
def parts_of_speech(word: str) -> frozenset[str]:
    """The parts of speech that the dictionary lists for a form.

    >>> sorted(parts_of_speech("walk")), sorted(parts_of_speech("toolbox"))
    (['NOUN', 'VERB'], ['NOUN'])
    """
    return frozenset(known_lemmas(word))


@cache
def function_words() -> frozenset[str]:
    """The function words of English."""
    return frozenset(word for line in word_set("stop_words") for word in line.split())


def is_english(word: str) -> bool:
    """Whether the dictionary, or the list of function words, has a word in lower case."""
    return word.isdigit() or word in function_words() or bool(parts_of_speech(word))


def can_be(word: str, upos: str) -> bool:
    """Whether a word may be of a part of speech."""
    return upos in known_lemmas(word)


def is_base_verb(word: str) -> bool:
    """Whether a word may be the base form of a verb: "leave", not "left" or "leaves"."""
    return word in known_lemmas(word).get("VERB", ())


def lemmas(form: str, upos: str, *, guess: bool = True) -> tuple[str, ...]:
    """The lemmas of a form as a part of speech; by rules where the dictionary lacks it.

    >>> lemmas("mice", "NOUN"), lemmas("blorps", "NOUN", guess=False)
    (('mouse',), ())
    """
    bases: tuple[str, ...] = lemminflect().getLemma(form, upos, lemmatize_oov=guess)
    return bases


def inflections(lemma: str, tag: str, *, guess: bool = True) -> tuple[str, ...]:
    """The forms of a lemma that a Penn tag names; by rules where the dictionary lacks it.

    >>> inflections("learn", "VBD"), inflections("blorp", "NNS", guess=False)
    (('learned', 'learnt'), ())
    """
    forms: tuple[str, ...] = lemminflect().getInflection(lemma, tag, inflect_oov=guess)
    return forms


def inflect(lemma: str, tag: str) -> str | None:
    """A lemma in the form that a Penn tag names, or None where it has none.

    >>> inflect("enjoy", "VBD"), inflect("hate", "VBG"), inflect("go", "VBP")
    ('enjoyed', 'hating', 'go')
    """
    if tag in _BASE_TAGS:
        return lemma
    return next(iter(inflections(lemma, tag)), None)


def inflect_verb(lemma: str, tag: str) -> str:
    """A verb in the form that a Penn tag names; "be" has the forms of the third person.

    Of several past tenses the one that differs from the base is taken ("betted", not "bet").

    >>> inflect_verb("win", "VBD"), inflect_verb("be", "VBP"), inflect_verb("start", "VBN")
    ('won', 'are', 'started')
    """
    if lemma == "be":
        return _BE.get(tag, "be")
    forms = inflections(lemma, tag)
    if not forms:
        return lemma
    return forms[-1] if tag == "VBD" and forms[0] == lemma else forms[0]


def agree(verb: str, *, plural: bool) -> str:
    """A finite verb as it goes with a third-person subject, plural or not.

    Takes present forms, was and were, contractions, and the pieces of tokenised ones ("does",
    "n't"); casing and the kind of apostrophe stay. What agrees already and what does not inflect
    comes back as it is. "'s" is taken for "is"; where it stands for "has" use ``contracted_has``.

    >>> [agree(verb, plural=True) for verb in ("Is", "doesn't", "carries", "watches", "can", "'s")]
    ['Are', "don't", 'carry', 'watch', 'can', "'re"]
    >>> [agree(verb, plural=False) for verb in ("Are", "don't", "carry", "watch", "can", "'re")]
    ['Is', "doesn't", 'carries', 'watches', 'can', "'s"]
    """
    lower = verb.lower().replace(_APOSTROPHE, "'")
    if not lower or lower in irregular().uninflected:
        return verb
    agreeing = _for_they(lower) if plural else _for_he(lower)
    if agreeing == lower:
        return verb
    if _APOSTROPHE in verb:
        agreeing = agreeing.replace("'", _APOSTROPHE)
    return _cased(agreeing, verb)


def contracted_has(verb: str, *, plural: bool) -> str:
    """The contraction of "has" or "have" that goes with a subject, plural or not.

    >>> contracted_has("'s", plural=True), contracted_has("'ve", plural=False)
    ("'ve", "'s")
    """
    apostrophe = _APOSTROPHE if _APOSTROPHE in verb else "'"
    return _cased(f"{apostrophe}ve" if plural else f"{apostrophe}s", verb)


def _cased(word: str, like: str) -> str:
    """``word`` in the casing of ``like``, where an apostrophe may stand first."""
    letters = like.lstrip("'\u2019")
    return word.upper() if letters.isupper() and letters != like else match_case(word, like)


def _for_they(lower: str) -> str:
    if lower in irregular().to_plural_subject:
        return irregular().to_plural_subject[lower]
    if not _is_for_he(lower):
        return lower
    if lower.endswith("zzes") and lower[:-3] in irregular().bases_in_s:
        return lower[:-3]
    if lower.endswith("ies"):
        ie = lower[:-1]
        return ie if len(lower) == 4 or ie in irregular().bases_in_ie else f"{lower[:-3]}y"
    if not lower.endswith("es"):
        return lower[:-1]
    short, long = lower[:-2], lower[:-1]  # "watches" loses two letters, "makes" one
    if short.endswith(("x", "ch", "sh", "ss", "zz", "o")):
        return long if long in irregular().bases_in_e else short
    return short if short in irregular().bases_in_s else long


def _for_he(lower: str) -> str:
    if lower in irregular().to_singular_subject:
        return irregular().to_singular_subject[lower]
    if lower in irregular().to_plural_subject or _is_for_he(lower):
        return lower
    if lower.endswith("z") and lower in irregular().bases_in_s and lower[-2] in _VOWELS:
        return f"{lower}zes"
    return _with_s(lower)


def _is_for_he(lower: str) -> bool:
    """Whether a form is one for "he" already: "runs" is, "miss", "focus" and "run" are not."""
    if len(lower) < 3:  # no verb is shorter than "go"; "as" and "s" are none
        return False
    return lower.endswith("s") and not lower.endswith("ss") and lower not in irregular().bases_in_s


def _with_s(word: str) -> str:
    """A word with its ending -s or -es: try → tries, watch → watches, make → makes."""
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return f"{word[:-1]}ies"
    after_consonant_o = word.endswith("o") and word[-2:-1] not in _VOWELS
    hissing = after_consonant_o or word.endswith(("s", "x", "z", "ch", "sh"))
    return f"{word}es" if hissing and word not in irregular().plain_s else f"{word}s"


def plural_of(noun: str) -> str:
    """The plural of a singular noun, in its casing; of a compound, that of its head.

    >>> [plural_of(noun) for noun in ("Woman", "city", "HERO", "sister-in-law", "police officer")]
    ['Women', 'cities', 'HEROES', 'sisters-in-law', 'police officers']
    """
    before, head, after = _head(noun)
    return f"{before}{match_case(_plural(head.lower()), head)}{after}"


def singular_of(noun: str) -> str:
    """The singular of a plural noun, in its casing; of a compound, that of its head.

    >>> [singular_of(noun) for noun in ("Women", "cities", "heroes", "sisters-in-law", "people")]
    ['Woman', 'city', 'hero', 'sister-in-law', 'person']
    """
    before, head, after = _head(noun)
    return f"{before}{match_case(_singular(head.lower()), head)}{after}"


def _head(noun: str) -> tuple[str, str, str]:
    """A noun in three parts: what stands before its head, the head, what follows it."""
    for tail in ("-in-law", "-by", " of "):
        index = noun.lower().find(tail)
        if index > 0:
            before, head, _ = _head(noun[:index])
            return before, head, noun[index:]
    cut = max(noun.rfind(" "), noun.rfind("-")) + 1
    return noun[:cut], noun[cut:], ""


@cache
def _plural(lower: str) -> str:
    if lower in irregular().plurals or lower in irregular().same_in_plural:
        return irregular().plurals.get(lower, lower)
    for end in ("woman", "man", "child", "person", "wife"):
        if lower.endswith(end) and lower not in {"human", "german", "roman", "norman", "shaman"}:
            return lower[: -len(end)] + irregular().plurals[end]
    return next(iter(inflections(lower, "NNS", guess=False)), None) or _with_s(lower)


@cache
def _singular(lower: str) -> str:
    if lower in irregular().singulars or lower in irregular().same_in_plural:
        return irregular().singulars.get(lower, lower)
    for end in ("women", "men", "children", "people", "wives"):
        if lower.endswith(end) and lower not in {"specimen", "regimen", "omen", "abdomen"}:
            return lower[: -len(end)] + irregular().singulars[end]
    return next(iter(lemmas(lower, "NOUN", guess=False)), None) or _for_they(lower)


@dataclass(frozen=True)
class Irregular:
    """The tables of ``irregular.yaml``, which says what each of them holds."""

    to_plural_subject: Mapping[str, str]
    uninflected: frozenset[str]
    bases_in_s: frozenset[str]
    bases_in_e: frozenset[str]
    bases_in_ie: frozenset[str]
    plain_s: frozenset[str]
    plurals: Mapping[str, str]
    same_in_plural: frozenset[str]

    @cached_property
    def to_singular_subject(self) -> Mapping[str, str]:
        """Verb forms for "they" → for "he"."""
        return {plural: singular for singular, plural in self.to_plural_subject.items()}

    @cached_property
    def singulars(self) -> Mapping[str, str]:
        """Irregular plurals → their singular."""
        return {plural: singular for singular, plural in self.plurals.items()}


@cache
def irregular() -> Irregular:
    """The bundled tables.

    >>> irregular().plurals["ox"], irregular().singulars["oxen"]
    ('oxen', 'ox')
    """
    tables: dict[str, Any] = data_yaml("irregular.yaml")
    words = {name: frozenset(t.split()) for name, t in tables.items() if isinstance(t, str)}
    return Irregular(**(tables | words))
