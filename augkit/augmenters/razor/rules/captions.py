"""Paraphrases of captions: "there is", the progressive, and synonyms.

Hypotheses about pictures have few patterns, and patterns go with labels: "There is a man sleeping."
means what "A man is sleeping.", "A man sleeps." and "A man is asleep." mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from augkit.augmenters.razor.rewrites import Rewrite
from augkit.augmenters.razor.rules.negation import base, only_root
from augkit.augmenters.razor.rules.word_lists import listed_words, load_words
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel
from augkit.language.morphology import inflect_verb
from augkit.text.casing import match_case

_BE = frozenset({"is", "are"})
_HOW = "caption paraphrase"


class CaptionSynonyms(StrictModel):
    """Pairs of synonyms by part of speech, and of phrases."""

    adverbs: tuple[tuple[str, str], ...]
    pronouns: tuple[tuple[str, str], ...]
    nouns: tuple[tuple[str, str], ...]
    phrases: tuple[tuple[str, str], ...]


@cache
def caption_synonyms() -> CaptionSynonyms:
    """The pairs of ``caption_synonyms.yaml``."""
    return load_words(CaptionSynonyms, "caption_synonyms.yaml")


def caption_paraphrases(analysis: Analysis) -> Iterator[Rewrite]:
    """Other forms of a short text with the same meaning, whatever its label."""
    root = only_root(analysis)
    if root is not None and not analysis.children(root, "conj", "parataxis", "ccomp"):
        yield from _without_there(analysis, root)
        yield from _with_there(analysis, root)
        yield from _other_aspect(analysis, root)
        yield from _someone(analysis, root)
    yield from _same_words(analysis)
    yield from _same_phrases(analysis.text)


def _without_there(analysis: Analysis, root: Token) -> Iterator[Rewrite]:
    """From "There is a man sleeping.", "A man is sleeping."."""
    tokens = analysis.tokens
    if root.index != 1 or tokens[0].text != "There" or root.text not in _BE:
        return
    for thing in analysis.children(root, "nsubj"):
        ahead = [token for token in analysis.subtree(thing) if token.index <= thing.index]
        after = tokens[thing.index + 1] if thing.index + 1 < len(tokens) else None
        placed = listed_words("scene_prepositions")
        fits = after is not None and (after.xpos == "VBG" or after.text in placed)
        if after is None or not fits or ahead[0].index != root.index + 1 or ahead[0].text == "no":
            continue
        name, rest = analysis.text[ahead[0].start : thing.end], analysis.text[after.start :]
        yield Rewrite(f"{name[:1].upper()}{name[1:]} {root.text} {rest}", _HOW)


def _with_there(analysis: Analysis, root: Token) -> Iterator[Rewrite]:
    """From "A man is sleeping.", "There is a man sleeping."."""
    found = _progressive(analysis, root)
    if found is None or not _is_indefinite(analysis):
        return
    helper, text = found, analysis.text
    subject = text[:1].lower() + text[1 : helper.start].rstrip()
    yield Rewrite(f"There {helper.text} {subject} {text[root.start :]}", _HOW)


def _other_aspect(analysis: Analysis, root: Token) -> Iterator[Rewrite]:
    """From "A man is sleeping.", "A man sleeps.", and back."""
    text, helper = analysis.text, _progressive(analysis, root)
    lemma = base(root)
    if lemma in listed_words("sceneless_verbs") or not _is_indefinite(analysis):
        return
    if helper is not None:
        form = inflect_verb(lemma, "VBZ" if helper.text == "is" else "VBP")
        yield Rewrite(f"{text[: helper.start]}{form}{text[root.end :]}", _HOW)
    elif root.xpos in {"VBZ", "VBP"} and not analysis.children(root, "aux", "advmod", "expl"):
        be = "is" if root.xpos == "VBZ" else "are"
        form = inflect_verb(lemma, "VBG")
        yield Rewrite(f"{text[: root.start]}{be} {form}{text[root.end :]}", _HOW)


def _someone(analysis: Analysis, root: Token) -> Iterator[Rewrite]:
    """From "A person is outside.", "Someone is outside.", and back."""
    starts = analysis.text[: root.start]
    for one, other in (("A person", "Someone"), ("Someone", "A person"), ("A human", "A person")):
        if starts.startswith(f"{one} ") and analysis.text[len(one) + 1 :][:2] in {"is", "ha"}:
            yield Rewrite(other + analysis.text[len(one) :], _HOW)


def _same_words(analysis: Analysis) -> Iterator[Rewrite]:
    table = _by_part()
    for token in analysis.tokens:
        other = table.get((token.upos, token.text.lower()))
        after = analysis.tokens[token.index + 1 : token.index + 2]
        # "Outside of Turkey" is not outdoors.
        governs = bool(analysis.children(token, "obj", "obl", "fixed")) or (
            token.upos == "ADV" and any(near.text == "of" for near in after)
        )
        if other is None or governs or _is_name(analysis, token):
            continue
        text = analysis.text
        synonym = match_case(other, token.text)
        yield Rewrite(text[: token.start] + synonym + text[token.end :], _HOW)


def _same_phrases(text: str) -> Iterator[Rewrite]:
    for pair in caption_synonyms().phrases:
        for one, other in (pair, pair[::-1]):
            found = re.search(rf"\b{re.escape(one)}\b", text)
            if found:
                yield Rewrite(text[: found.start()] + other + text[found.end() :], _HOW)


@cache
def _by_part() -> Mapping[tuple[str, str], str]:
    known = caption_synonyms()
    parts = (("ADV", known.adverbs), ("PRON", known.pronouns), ("NOUN", known.nouns))
    table: dict[tuple[str, str], str] = {}
    for part, pairs in parts:
        for one, other in pairs:
            table.setdefault((part, one), other)
            table.setdefault((part, other), one)
    return table


def _progressive(analysis: Analysis, root: Token) -> Token | None:
    """The "is" or "are" of "is sleeping", if it is between the subject and the verb."""
    if root.xpos != "VBG" or root.text.lower() in {"being", "going"}:
        return None
    helpers = analysis.children(root, "aux")
    fits = len(helpers) == 1 and helpers[0].text in _BE and helpers[0].index == root.index - 1
    return helpers[0] if fits and helpers[0].index > 0 else None


def _is_indefinite(analysis: Analysis) -> bool:
    return analysis.tokens[0].text.lower() in listed_words("indefinite_starts")


def _is_name(analysis: Analysis, token: Token) -> bool:
    near = analysis.tokens[token.index + 1 : token.index + 2]
    return token.index > 0 and (token.text[:1].isupper() or any(n.upos == "PROPN" for n in near))
