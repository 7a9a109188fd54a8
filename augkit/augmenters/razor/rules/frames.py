"""Saying of a statement that it is so, or that it is not: "it is no lie that", "it is a lie that".

A false text that denies something can say that the plain statement is a lie, and a true text that
its own statement is none: neither brings in words from elsewhere, and denials change sides. "Only"
goes the same way: who is only a painter, of him it is false that he is anything else.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from augkit.augmenters.razor.rules.alternatives import holds, kinds
from augkit.augmenters.razor.rules.bundled import bundled
from augkit.augmenters.razor.rules.contrasts import Candidate, Pairing
from augkit.augmenters.razor.rules.denials import NEGATORS, affirmed
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel
from augkit.language.morphology import singular_of
from augkit.language.negation import negation_words
from augkit.lexicons.load import closed_classes

_MOST = 16
"""Frames drawn for one text."""
_LONGEST = 24
"""Words of a statement that can stand in a frame."""
_DENYING = NEGATORS | negation_words(
    "adverb", "determiner", "only", "pronoun", "conjunction", "correlative"
)
_REFUSING = frozenset(
    "incapable unable failed fails refused refuses declined declines yet zero".split()
)
_LIMITERS = frozenset({"only", "exclusively", "solely"})
_VERBAL = frozenset({"VB", "VBD", "VBG", "VBN", "VBZ", "VBP"})
_LINKING = frozenset({"ADP", "SCONJ", "ADV"})
_LINKS = frozenset("to on for with as from about through".split())
_NOMINAL = frozenset({"NOUN", "ADJ"})
_PERSONS = frozenset("man woman boy girl person child people citizen critic member".split())
_ABBREVIATION = re.compile(r"(?:\.\w+|\b(?:[A-Z]|[JS]r|Inc|Co|Ltd|Corp|Bros|St))\.$")
_RELATIVE = frozenset({"that", "who", "which", "whose", "where"})
_ALL_ELSE = {
    "thing": (
        "anything other than",
        "anything besides",
        "something other than",
        "anything apart from",
        "things other than",
    ),
    "one thing": (
        "more than",
        "anything other than",
        "something besides",
        "something other than",
        "anything apart from",
    ),
    "person": (
        "anyone but",
        "anyone other than",
        "anybody except",
        "someone other than",
        "somebody besides",
    ),
    "place": (
        "anywhere but",
        "anywhere other than",
        "elsewhere than",
        "somewhere other than",
        "anywhere apart from",
    ),
    "number": ("more than",),
}
"""All else than what "only" limits."""
_CASTING = frozenset({"star", "feature", "include"})
_PLAYING = frozenset({"stars", "features", "starred", "featured"})
_HOW = {"true": "said not to be false", "false": "said to be false"}


class Frames(StrictModel):
    """The bundled frames: ``{s}`` is the statement, other words in braces are names of lists."""

    words: Mapping[str, tuple[str, ...]]
    true: tuple[str, ...]
    false: tuple[str, ...]


@cache
def frames() -> Frames:
    """The frames of ``frames.yaml``."""
    return bundled(Frames, "frames.yaml")


def framed_denial(pair: Pairing, draw: random.Random) -> Iterator[Candidate]:
    """What the text denies, or all that its "only" leaves out, said to be false."""
    if not _can_be_framed(pair.analysis):
        return
    plain = affirmed(pair.analysis)
    if plain is not None and not plain.limiter and _is_plainly_denied(pair):
        yield from _drawn("false", pair, plain.text, draw)
    for opened in _opened(pair.analysis):
        yield from _drawn("false", pair, opened, draw, _MOST // 4)


def framed_truth(pair: Pairing, draw: random.Random) -> Iterator[Candidate]:
    """A text that denies nothing, said to hold; for texts that are true."""
    if _can_be_framed(pair.analysis) and not _denials(pair.analysis):
        yield from _drawn("true", pair, pair.analysis.text, draw)


def _can_be_framed(analysis: Analysis) -> bool:
    one = len(analysis.sentences) == 1 and len(analysis.tokens) <= _LONGEST
    return one and not _is_odd(analysis)


def _drawn(
    side: str, pair: Pairing, said: str, draw: random.Random, most: int = _MOST
) -> Iterator[Candidate]:
    ended = said.endswith(".") and not _ABBREVIATION.search(said)
    statement = _inside(pair, (said[:-1] if ended else said).replace(" at all", ""))
    stop = "." if said.endswith(".") else ""
    known = frames()
    for frame in draw.choices(known.true if side == "true" else known.false, k=most):
        text = _filled(frame, draw).replace("{s}", statement)
        yield Candidate(text if text.endswith(".") else text + stop, _HOW[side])


def _filled(frame: str, draw: random.Random) -> str:
    words = frames().words
    return re.sub(r"\{(\w{2,})\}", lambda found: draw.choice(words[found[1]]), frame)


def _is_odd(analysis: Analysis) -> bool:
    """Whether the text is no plain statement: a question, a fragment, a text within quotes."""
    root = next(token for token in analysis.tokens if token.is_root)
    verb = root.upos in {"VERB", "AUX"} or bool(analysis.children(root, "cop"))
    subject = bool(analysis.children(root, "nsubj", "csubj", "expl"))
    text = analysis.text
    return not verb or not subject or text[:1] in "\"'(" or text.rstrip()[-1:] in "?!:;"


def _denials(analysis: Analysis) -> list[str]:
    words = [token.text.lower() for token in analysis.tokens]
    return [word for word in words if word in _DENYING]


def _is_plainly_denied(pair: Pairing) -> bool:
    """Whether the main clause denies, once, and there is no other clause.

    "Refused to" says more than "did not", so that it counts only where the text is false.
    """
    analysis = pair.analysis
    root = next(token for token in analysis.tokens if token.is_root)
    clauses = analysis.children(root, "conj", "parataxis", "advcl", "ccomp", "discourse")
    found = [token for token in analysis.tokens if token.text.lower() in _DENYING]
    if not found and pair.relation == "contradiction":
        found = [token for token in analysis.tokens if token.text.lower() in _REFUSING]
        # "Incapable of acting": what is refused may count as a clause.
        clauses = tuple(one for one in clauses if not one.is_relation("advcl"))
    return not clauses and len(found) == 1 and _is_near(analysis, found[0])


def _is_near(analysis: Analysis, token: Token) -> bool:
    """Whether a word is the root, hangs on it, or on what hangs on it and is no clause."""
    head = analysis.head(token)
    return (
        token.is_root
        or head.is_root
        or (
            analysis.head(head).is_root and head.is_relation("obj", "obl", "nsubj", "xcomp", "nmod")
        )
    )


def _opened(analysis: Analysis) -> Iterator[str]:
    """What "only" denies: of "is only a cook" it is "is anything other than a cook"."""
    limits = [token for token in analysis.tokens if token.text.lower() in _LIMITERS]
    if len(limits) != 1 or limits[0].upos != "ADV" or not limits[0].index:
        return
    limiter = limits[0]
    small = limiter.text.lower()
    ahead = {token.text.lower() for token in analysis.tokens[: limiter.index]}
    if _denials(analysis) != [small] * (small == "only") or ahead & _RELATIVE:
        return
    rest = analysis.tokens[limiter.index + 1 :]
    rest = rest[1:] if rest and rest[0].text == "ever" else rest
    found = _limited(rest)
    if found is None:
        return
    text, (first, all_else) = analysis.text, found
    head, between = text[: limiter.start], text[rest[0].start : first.start]
    for words in _ALL_ELSE[all_else]:
        yield f"{head}{between}{words} {text[first.start :]}"


def _limited(rest: Sequence[Token]) -> tuple[Token, str] | None:
    """The word at which that begins which "only" limits, and how all else is called."""
    verbs = [token for token in rest[:2] if token.xpos in _VERBAL or token.text in _PLAYING]
    verb = verbs[-1] if verbs and rest[0] is verbs[0] else None
    limited = rest[rest.index(verb) + 1 :] if verb else rest
    if len(limited) <= 1:
        return None
    first, second = limited[0], limited[1]
    if first.text == "in":
        return None if second.text[:1].isdigit() else (first, "place")
    if first.text == "at":
        return first, "place"
    if first.text == "by":
        goes = second.xpos == "VBG" or (verb is not None and verb.lemma == "go")
        return None if goes else (second, "person")
    if first.text in _LINKS:
        dated = second.text[:1].isdigit() or second.text in kinds()["months"].drawn
        named = first.text == "from" and second.upos == "PROPN"
        return None if dated or named else (second, _all_but(limited[1:]))
    if first.upos == "NUM" or first.text == "$":
        return first, "number"
    if first.text in {"a", "an"} and verb is None:
        return first, "one thing"
    alone = second.upos == "PUNCT" or first.upos == "NOUN"
    if first.text in {"a", "an", "the"} or (verb is None and alone and first.upos in _NOMINAL):
        return first, "thing"
    if verb is None or first.upos not in {*_NOMINAL, "PROPN"}:
        return None
    named = first.upos == "PROPN" and (verb.lemma in _CASTING or verb.text in _PLAYING)
    return first, "person" if named else _all_but(limited)


def _all_but(words: Sequence[Token]) -> str:
    """All else than this: persons or things."""
    persons = {*kinds()["professions"].known, *kinds()["professions"].drawn, *_PERSONS}
    owned = any(word.text == "'s" for word in words[:4])
    named = any(singular_of(word.text).lower() in persons for word in words[:4])
    by_name = words[0].upos == "PROPN" and words[0].is_relation("obl", "nmod")
    return "person" if (named or by_name) and not owned else "thing"


def _inside(pair: Pairing, text: str) -> str:
    """A statement as it stands inside a sentence: names and titles keep their capital."""
    first, *more = pair.analysis.tokens
    small = first.text.lower()
    titled = bool(more) and more[0].text[:1].isupper()
    known = holds(pair.context, f"the {more[0].text}") if titled else holds(pair.context, small)
    article = first.upos in {"DET", "PRON"} and small in closed_classes() and small != "i"
    several = first.xpos in {"NNS", "JJ", "CD"}
    common = first.upos in {"NOUN", "ADJ", "NUM"} and (known or several) and not titled
    # "In 1994 the film": no title, because it is no part of the subject.
    linking = first.upos in _LINKING and not pair.analysis.head(first).is_relation("nsubj")
    if linking or common or (article and (not titled or (known and small == "the"))):
        return text[:1].lower() + text[1:]
    return text
