"""Frames that state the truth value of a statement: "it is no lie that", "it is a lie that".

A false text with a negation can call the plain statement a lie, and a true text can deny that its
statement is one, so negation changes sides. The same holds of "only": of someone who is only a
painter it is false that he is anything else.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from augkit.augmenters.razor.rewrites import Rewrite
from augkit.augmenters.razor.rules.alternatives import categories, holds
from augkit.augmenters.razor.rules.negation import NEGATORS, remove_negation
from augkit.augmenters.razor.rules.paired_text import PairedText, uncapitalised
from augkit.augmenters.razor.rules.word_lists import all_else, load_words, word_set
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel
from augkit.language.morphology import singular_of
from augkit.language.negation import negation_words
from augkit.lexicons.load import closed_classes

_MOST = 16
"""Frames drawn for one text."""
_LONGEST = 24
"""Longest statement that fits a frame, in words."""
_DENYING = NEGATORS | negation_words(
    "adverb", "determiner", "only", "pronoun", "conjunction", "correlative"
)
_VERBAL = frozenset({"VB", "VBD", "VBG", "VBN", "VBZ", "VBP"})
_LINKING = frozenset({"ADP", "SCONJ", "ADV"})
_NOMINAL = frozenset({"NOUN", "ADJ"})
_ABBREVIATION = re.compile(r"(?:\.\w+|\b(?:[A-Z]|[JS]r|Inc|Co|Ltd|Corp|Bros|St))\.$")
_HOW = {"true": "framed as true", "false": "framed as false"}


class TruthFrames(StrictModel):
    """The frames: ``{s}`` is the statement, other words in braces are names of lists."""

    words: Mapping[str, tuple[str, ...]]
    true: tuple[str, ...]
    false: tuple[str, ...]


@cache
def truth_frames() -> TruthFrames:
    """The frames of ``frames.yaml``."""
    return load_words(TruthFrames, "frames.yaml")


def frame_as_false(pair: PairedText, rng: random.Random) -> Iterator[Rewrite]:
    """What the text negates, or what its "only" excludes, framed as false."""
    if not _can_be_framed(pair.analysis):
        return
    plain = remove_negation(pair.analysis)
    if plain is not None and not plain.limiter and _is_plainly_negated(pair):
        yield from _framed("false", pair, plain.text, rng)
    for statement in _excluded_by_only(pair.analysis):
        yield from _framed("false", pair, statement, rng, _MOST // 4)


def frame_as_true(pair: PairedText, rng: random.Random) -> Iterator[Rewrite]:
    """A true text without negation, framed as true."""
    if _can_be_framed(pair.analysis) and not _negations(pair.analysis):
        yield from _framed("true", pair, pair.analysis.text, rng)


def _can_be_framed(analysis: Analysis) -> bool:
    one = len(analysis.sentences) == 1 and len(analysis.tokens) <= _LONGEST
    return one and not _is_unsuitable(analysis)


def _framed(
    side: str, pair: PairedText, text: str, rng: random.Random, limit: int = _MOST
) -> Iterator[Rewrite]:
    ended = text.endswith(".") and not _ABBREVIATION.search(text)
    statement = _inside(pair, (text[:-1] if ended else text).replace(" at all", ""))
    stop = "." if text.endswith(".") else ""
    known = truth_frames()
    for frame in rng.choices(known.true if side == "true" else known.false, k=limit):
        framed = _filled(frame, rng).replace("{s}", statement)
        yield Rewrite(framed if framed.endswith(".") else framed + stop, _HOW[side])


def _filled(frame: str, rng: random.Random) -> str:
    words = truth_frames().words
    return re.sub(r"\{(\w{2,})\}", lambda found: rng.choice(words[found[1]]), frame)


def _is_unsuitable(analysis: Analysis) -> bool:
    """Whether the text is not a plain statement: a question, a fragment, a quotation."""
    root = next(token for token in analysis.tokens if token.is_root)
    verb = root.upos in {"VERB", "AUX"} or bool(analysis.children(root, "cop"))
    subject = bool(analysis.children(root, "nsubj", "csubj", "expl"))
    text = analysis.text
    return not verb or not subject or text[:1] in "\"'(" or text.rstrip()[-1:] in "?!:;"


def _negations(analysis: Analysis) -> list[str]:
    words = [token.text.lower() for token in analysis.tokens]
    return [word for word in words if word in _DENYING]


def _is_plainly_negated(pair: PairedText) -> bool:
    """Whether the main clause has one negation and there is no other clause.

    "Refused to" says more than "did not", so it counts only where the text is false.
    """
    analysis = pair.analysis
    root = next(token for token in analysis.tokens if token.is_root)
    clauses = analysis.children(root, "conj", "parataxis", "advcl", "ccomp", "discourse")
    found = [token for token in analysis.tokens if token.text.lower() in _DENYING]
    if not found and pair.relation == "contradiction":
        failures = word_set("failure_words")
        found = [token for token in analysis.tokens if token.text.lower() in failures]
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


def _excluded_by_only(analysis: Analysis) -> Iterator[str]:
    """What "only" excludes: for "is only a cook", "is anything other than a cook"."""
    limits = [token for token in analysis.tokens if token.text.lower() in word_set("exclusives")]
    if len(limits) != 1 or limits[0].upos != "ADV" or not limits[0].index:
        return
    limiter = limits[0]
    word = limiter.text.lower()
    ahead = {token.text.lower() for token in analysis.tokens[: limiter.index]}
    if _negations(analysis) != [word] * (word == "only") or ahead & word_set("relative_words"):
        return
    rest = analysis.tokens[limiter.index + 1 :]
    rest = rest[1:] if rest and rest[0].text == "ever" else rest
    found = _limited(rest)
    if found is None:
        return
    text, (first, limited) = analysis.text, found
    head, between = text[: limiter.start], text[rest[0].start : first.start]
    for words in all_else(limited):
        yield f"{head}{between}{words} {text[first.start :]}"


def _limited(rest: Sequence[Token]) -> tuple[Token, str] | None:
    """The first word of what "only" limits, and the key of ``all_else`` for the rest."""
    forms = word_set("casting_forms")
    verbs = [token for token in rest[:2] if token.xpos in _VERBAL or token.text in forms]
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
    if first.text in word_set("prepositions_after_only"):
        dated = second.text[:1].isdigit() or second.text in categories()["months"].inserted
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
    named = first.upos == "PROPN" and (
        verb.lemma in word_set("casting_verbs") or verb.text in forms
    )
    return first, "person" if named else _all_but(limited)


def _all_but(words: Sequence[Token]) -> str:
    """Whether these words name persons or things."""
    persons = {*categories()["professions"].words, *word_set("person_nouns")}
    owned = any(word.text == "'s" for word in words[:4])
    named = any(singular_of(word.text).lower() in persons for word in words[:4])
    by_name = words[0].upos == "PROPN" and words[0].is_relation("obl", "nmod")
    return "person" if (named or by_name) and not owned else "thing"


def _inside(pair: PairedText, text: str) -> str:
    """A statement as part of a sentence: names and titles keep their capital."""
    first, *more = pair.analysis.tokens
    word = first.text.lower()
    titled = bool(more) and more[0].text[:1].isupper()
    known = holds(pair.context, f"the {more[0].text}") if titled else holds(pair.context, word)
    article = first.upos in {"DET", "PRON"} and word in closed_classes() and word != "i"
    several = first.xpos in {"NNS", "JJ", "CD"}
    common = first.upos in {"NOUN", "ADJ", "NUM"} and (known or several) and not titled
    # "In 1994 the film": no title, because it is no part of the subject.
    linking = first.upos in _LINKING and not pair.analysis.head(first).is_relation("nsubj")
    if linking or common or (article and (not titled or (known and word == "the"))):
        return uncapitalised(text)
    return text
