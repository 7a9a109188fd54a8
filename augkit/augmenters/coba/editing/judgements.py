"""Where a text judges, in which direction, and how surely: words of a lexicon in their context.

The same word judges the other way under a negation ("not funny"), and not surely at all in a
question, a condition or a comparison; what is not sure is never edited and tells a gate to be
careful.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from augkit.augmenters.coba.editing.contexts import Context, context_of
from augkit.augmenters.coba.editing.said_of import counts_here, is_said_of_judged
from augkit.core.analysis import Analysis, Token
from augkit.language.clauses import quoted
from augkit.lexicons.evaluative import Entry, Evaluative, Kind, Side, judged, other

_KINDS: dict[str, Kind] = {
    "JJ": "adjective",
    "JJR": "comparative",
    "JJS": "superlative",
    "RB": "adverb",
    "RBR": "comparative",
    "RBS": "superlative",
}
_NOT_PRAISE = frozenset({"as", "may", "might", "could", "can", "just"})
_HOW_WELL = frozenset({"very", "pretty", "quite", "really", "so", "rather"})
"""Words before which, or beside which, "well" says nothing of quality."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A word that judges, in its place.

    ``side`` is what it says there; ``context`` what turned it, if anything did.
    """

    token: Token
    last: Token
    entry: Entry
    side: Side
    context: Context
    of_judged: bool
    """Whether it is said of something that reviews judge."""
    is_compared: bool
    """Whether "more" or "most" stands before it."""


def judgements(analysis: Analysis, lexicon: Evaluative) -> list[Judgement]:
    """All words of a text that judge, in order."""
    in_quotes = quoted(analysis)
    found = []
    taken = -1
    for token in analysis.tokens:
        if token.index <= taken or in_quotes[token.index]:
            continue
        hit = _compound(analysis, token, lexicon) or _single(analysis, token, lexicon)
        if hit is None:
            continue
        entry, last = hit
        taken = last.index
        context = context_of(analysis, last)
        side = other(entry.side) if context.turns else entry.side
        of_judged = is_said_of_judged(analysis, last)
        is_compared = _small(analysis, token.index - 1) in {"more", "most"}
        found.append(Judgement(token, last, entry, side, context, of_judged, is_compared))
    return found


def _single(analysis: Analysis, token: Token, lexicon: Evaluative) -> tuple[Entry, Token] | None:
    if _is_named(analysis, token):
        return None
    for kind, word in _readings(analysis, token):
        entry = lexicon.find(kind, word)
        if entry is not None and counts_here(analysis, token, entry) and _is_free(analysis, token):
            return entry, token
    return None


def _readings(analysis: Analysis, token: Token) -> Iterator[tuple[Kind, str]]:
    """The kinds a word may be looked up as, the likeliest first."""
    small = token.text.lower()
    if token.upos == "VERB" and token.xpos != "JJ":
        if token.is_relation("amod"):
            yield "adjective", small  # "a disappointing film", which no verb would do
        yield "verb", token.lemma.lower()
        if token.xpos in {"VBG", "VBN"} and not analysis.children(token, "obj", "xcomp"):
            yield "adjective", small
    elif token.upos == "NOUN" and token.xpos not in {"JJ", "JJS"}:
        if not token.is_relation("compound"):  # "crap effects" are no "crap"
            yield "noun", token.lemma.lower()
        if not analysis.children(token, "amod", "det", "nmod:poss"):
            yield "adjective", small
    elif token.upos in {"PROPN", "INTJ", "X"}:
        # A sign of emphasis, or the first word of a sentence, that the tagger took for a name.
        yield "adjective", small
        yield "adverb", small
    elif token.xpos in _KINDS:
        yield _KINDS[token.xpos], small
    elif token.upos == "ADJ":
        yield "adjective", small


def _compound(analysis: Analysis, token: Token, lexicon: Evaluative) -> tuple[Entry, Token] | None:
    """A hyphenated entry, whole or in pieces: "mind", "-", "numbing"."""
    if "-" in token.text:
        entry = lexicon.compounds.get(token.text.lower())
        return (entry, token) if entry else None
    tokens, last = analysis.tokens, token.index
    while last + 2 < len(tokens) and tokens[last + 1].text == "-" and _joined(tokens, last):
        last += 2
    if last == token.index:
        return None
    entry = lexicon.compounds.get(analysis.text[token.start : tokens[last].end].lower())
    return (entry, tokens[last]) if entry else None


def _joined(tokens: tuple[Token, ...], place: int) -> bool:
    first, sign, second = tokens[place : place + 3]
    return first.end == sign.start and sign.end == second.start


def _is_named(analysis: Analysis, token: Token) -> bool:
    """Whether a capital letter inside a sentence makes it part of a title: "Bad Boys"."""
    text = token.text
    if not text[:1].isupper() or (text.isupper() and len(text) > 2):
        return False
    following = analysis.tokens[token.index + 1 : token.index + 2]
    starts = token.index == 0 or analysis.tokens[token.index - 1].sentence != token.sentence
    before = analysis.tokens[token.index - 1].text if token.index else ""
    if starts or before in {".", "!", "?", ":", "...", "-", '"', "(", ")", ";"}:
        return bool(following) and following[0].text[:1].isupper() and following[0].text != "I"
    return True


def _is_free(analysis: Analysis, token: Token) -> bool:
    """Whether a word is not part of an idiom: "as well", "well known", "a good deal"."""
    small = token.text.lower()
    after = _small(analysis, token.index + 1)
    if small == "original":
        # "The original series" is the first one; "an original idea" is praise.
        head = analysis.head(token)
        found = {t.text.lower() for t in analysis.children(head, "det", "nmod:poss", "nummod")}
        if token.deprel == "amod" and not found & {"a", "an", "very"}:
            return False
    if small == "better":
        return after == "than"
    if small == "best" and _lemma(analysis, token.index - 2) in {"do", "try"}:
        return False  # "does his best"
    if small == "well":
        verbal = analysis.head(token).upos in {"VERB", "ADJ", "AUX"} and token.deprel == "advmod"
        place = token.index - 1
        while _small(analysis, place) in _HOW_WELL:
            place -= 1
        if not verbal or _small(analysis, place) in _NOT_PRAISE or after == ",":
            return False
    return after not in judged().before.get(small, ())


def _lemma(analysis: Analysis, place: int) -> str:
    return analysis.tokens[place].lemma.lower() if 0 <= place < len(analysis.tokens) else ""


def _small(analysis: Analysis, place: int) -> str:
    return analysis.tokens[place].text.lower() if 0 <= place < len(analysis.tokens) else ""
