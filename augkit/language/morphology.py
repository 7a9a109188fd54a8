"""English inflection: verbs that agree with another subject, nouns in the other number.

Pure functions of the word. Verbs are done by spelling and short tables of exceptions, checked in
the tests against a dictionary; nouns by a table of irregular ones and, for the rest, lemminflect,
which is loaded on first use.
"""

from __future__ import annotations

from functools import cache

from augkit.language.irregular import irregular
from augkit.text.casing import match_case

_APOSTROPHE = "\u2019"
_VOWELS = frozenset("aeiou")


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
    small = verb.lower().replace(_APOSTROPHE, "'")
    if not small or small in irregular().uninflected:
        return verb
    other = _for_they(small) if plural else _for_he(small)
    if other == small:
        return verb
    if _APOSTROPHE in verb:
        other = other.replace("'", _APOSTROPHE)
    return _cased(other, verb)


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


def _for_they(small: str) -> str:
    if small in irregular().to_plural_subject:
        return irregular().to_plural_subject[small]
    if not _is_for_he(small):
        return small
    if small.endswith("zzes") and small[:-3] in irregular().bases_in_s:
        return small[:-3]
    if small.endswith("ies"):
        ie = small[:-1]
        return ie if len(small) == 4 or ie in irregular().bases_in_ie else f"{small[:-3]}y"
    return _without_es(small) if small.endswith("es") else small[:-1]


def _without_es(small: str) -> str:
    """The base of a form in -es: "watches" loses two letters, "makes" one."""
    short, long = small[:-2], small[:-1]
    if short.endswith(("x", "ch", "sh", "ss", "zz", "o")):
        return long if long in irregular().bases_in_e else short
    return short if short in irregular().bases_in_s else long


def _for_he(small: str) -> str:
    if small in irregular().to_singular_subject:
        return irregular().to_singular_subject[small]
    if small in irregular().to_plural_subject or _is_for_he(small):
        return small
    if small.endswith("z") and small in irregular().bases_in_s and small[-2] in _VOWELS:
        return f"{small}zes"
    return _with_s(small)


def _is_for_he(small: str) -> bool:
    """Whether a form is one for "he" already: "runs" is, "miss", "focus" and "run" are not."""
    if len(small) < 3:  # no verb is shorter than "go"; "as" and "s" are none
        return False
    return small.endswith("s") and not small.endswith("ss") and small not in irregular().bases_in_s


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
        place = noun.lower().find(tail)
        if place > 0:
            before, head, _ = _head(noun[:place])
            return before, head, noun[place:]
    cut = max(noun.rfind(" "), noun.rfind("-")) + 1
    return noun[:cut], noun[cut:], ""


@cache
def _plural(small: str) -> str:
    if small in irregular().plurals or small in irregular().same_in_plural:
        return irregular().plurals.get(small, small)
    for end in ("woman", "man", "child", "person", "wife"):
        if small.endswith(end) and small not in {"human", "german", "roman", "norman", "shaman"}:
            return small[: -len(end)] + irregular().plurals[end]
    from lemminflect import getInflection  # type: ignore[import-untyped] # it has no types

    known = getInflection(small, "NNS", inflect_oov=False)
    return str(known[0]) if known else _with_s(small)


@cache
def _singular(small: str) -> str:
    if small in irregular().singulars or small in irregular().same_in_plural:
        return irregular().singulars.get(small, small)
    for end in ("women", "men", "children", "people", "wives"):
        if small.endswith(end) and small not in {"specimen", "regimen", "omen", "abdomen"}:
            return small[: -len(end)] + irregular().singulars[end]
    from lemminflect import getLemma

    known = getLemma(small, upos="NOUN", lemmatize_oov=False)
    return str(known[0]) if known else _for_they(small)
