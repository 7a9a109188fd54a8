"""The same scene in another form: there is, the progressive, and words that say the same.

Hypotheses about pictures come in few moulds, and moulds go with labels: "There is a man sleeping."
says what "A man is sleeping.", "A man sleeps." and "A man is asleep." say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from augkit.augmenters.razor.rules.bundled import bundled
from augkit.augmenters.razor.rules.contrasts import Candidate
from augkit.augmenters.razor.rules.denials import base
from augkit.core.analysis import Analysis, Token
from augkit.core.config import StrictModel
from augkit.language.morphology import inflect_verb
from augkit.text.casing import match_case

_BE = frozenset({"is", "are"})
_INDEFINITE = frozenset("a an two three four five some several many people".split())
_PLACED = frozenset("on in at near under inside outside behind beside".split())
_STATES = frozenset(
    "be have like love want know own need seem contain belong see hear think believe understand "
    "look appear prefer hate mean cost include consist exist wear hold live work go".split()
)
"""Verbs whose simple present is no scene ("A man works": he has a job)."""
_HOW = "the same scene"


class Alike(StrictModel):
    """Pairs of words by their part of speech, and of phrases."""

    adverbs: tuple[tuple[str, str], ...]
    pronouns: tuple[tuple[str, str], ...]
    nouns: tuple[tuple[str, str], ...]
    phrases: tuple[tuple[str, str], ...]


@cache
def alike() -> Alike:
    """The pairs of ``alike.yaml``."""
    return bundled(Alike, "alike.yaml")


def same_scene(analysis: Analysis) -> Iterator[Candidate]:
    """Other forms of a short text that say the same, whatever its label."""
    roots = [token for token in analysis.tokens if token.is_root]
    if len(roots) == 1 and not analysis.children(roots[0], "conj", "parataxis", "ccomp"):
        yield from _without_there(analysis, roots[0])
        yield from _with_there(analysis, roots[0])
        yield from _other_aspect(analysis, roots[0])
        yield from _someone(analysis, roots[0])
    yield from _same_words(analysis)
    yield from _same_phrases(analysis.text)


def _without_there(analysis: Analysis, root: Token) -> Iterator[Candidate]:
    """As "There is a man sleeping." as "A man is sleeping."."""
    tokens = analysis.tokens
    if root.index != 1 or tokens[0].text != "There" or root.text not in _BE:
        return
    for thing in analysis.children(root, "nsubj"):
        ahead = [token for token in analysis.subtree(thing) if token.index <= thing.index]
        after = tokens[thing.index + 1] if thing.index + 1 < len(tokens) else None
        fits = after is not None and (after.xpos == "VBG" or after.text in _PLACED)
        if after is None or not fits or ahead[0].index != root.index + 1 or ahead[0].text == "no":
            continue
        named, rest = analysis.text[ahead[0].start : thing.end], analysis.text[after.start :]
        yield Candidate(f"{_capital(named)} {root.text} {rest}", _HOW)


def _with_there(analysis: Analysis, root: Token) -> Iterator[Candidate]:
    """As "A man is sleeping." as "There is a man sleeping."."""
    found = _progressive(analysis, root)
    if found is None or not _is_indefinite(analysis):
        return
    helper, text = found, analysis.text
    subject = text[: helper.start].rstrip()
    yield Candidate(f"There {helper.text} {_small(subject)} {text[root.start :]}", _HOW)


def _other_aspect(analysis: Analysis, root: Token) -> Iterator[Candidate]:
    """As "A man is sleeping." as "A man sleeps.", and back."""
    text, helper = analysis.text, _progressive(analysis, root)
    lemma = base(root)
    if lemma in _STATES or not _is_indefinite(analysis):
        return
    if helper is not None:
        form = inflect_verb(lemma, "VBZ" if helper.text == "is" else "VBP")
        yield Candidate(f"{text[: helper.start]}{form}{text[root.end :]}", _HOW)
    elif root.xpos in {"VBZ", "VBP"} and not analysis.children(root, "aux", "advmod", "expl"):
        be = "is" if root.xpos == "VBZ" else "are"
        form = inflect_verb(lemma, "VBG")
        yield Candidate(f"{text[: root.start]}{be} {form}{text[root.end :]}", _HOW)


def _someone(analysis: Analysis, root: Token) -> Iterator[Candidate]:
    """As "A person is outside." as "Someone is outside.", and back."""
    starts = analysis.text[: root.start]
    for one, other in (("A person", "Someone"), ("Someone", "A person"), ("A human", "A person")):
        if starts.startswith(f"{one} ") and analysis.text[len(one) + 1 :][:2] in {"is", "ha"}:
            yield Candidate(other + analysis.text[len(one) :], _HOW)


def _same_words(analysis: Analysis) -> Iterator[Candidate]:
    table = _by_part()
    for token in analysis.tokens:
        other = table.get((token.upos, token.text.lower()))
        after = analysis.tokens[token.index + 1 : token.index + 2]
        # "Outside of Turkey" is not out of doors.
        governs = bool(analysis.children(token, "obj", "obl", "fixed")) or (
            token.upos == "ADV" and any(near.text == "of" for near in after)
        )
        if other is None or governs or _is_name(analysis, token):
            continue
        text = analysis.text
        said = match_case(other, token.text)
        yield Candidate(text[: token.start] + said + text[token.end :], _HOW)


def _same_phrases(text: str) -> Iterator[Candidate]:
    for pair in alike().phrases:
        for one, other in (pair, pair[::-1]):
            found = re.search(rf"\b{re.escape(one)}\b", text)
            if found:
                yield Candidate(text[: found.start()] + other + text[found.end() :], _HOW)


@cache
def _by_part() -> Mapping[tuple[str, str], str]:
    known = alike()
    parts = (("ADV", known.adverbs), ("PRON", known.pronouns), ("NOUN", known.nouns))
    table: dict[tuple[str, str], str] = {}
    for part, pairs in parts:
        for one, other in pairs:
            table.setdefault((part, one), other)
            table.setdefault((part, other), one)
    return table


def _progressive(analysis: Analysis, root: Token) -> Token | None:
    """The "is" or "are" of "is sleeping", where it stands between the subject and the verb."""
    if root.xpos != "VBG" or root.text.lower() in {"being", "going"}:
        return None
    helpers = analysis.children(root, "aux")
    fits = len(helpers) == 1 and helpers[0].text in _BE and helpers[0].index == root.index - 1
    return helpers[0] if fits and helpers[0].index > 0 else None


def _is_indefinite(analysis: Analysis) -> bool:
    return analysis.tokens[0].text.lower() in _INDEFINITE


def _is_name(analysis: Analysis, token: Token) -> bool:
    near = analysis.tokens[token.index + 1 : token.index + 2]
    return token.index > 0 and (token.text[:1].isupper() or any(n.upos == "PROPN" for n in near))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
